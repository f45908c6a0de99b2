"""The texts of a draft's three files, from what was understood of the data."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solvers.draft import literals
from solvers.draft.places import Places
from solvers.draft.understood import Understood
from solvers.draft.written import Written

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Sources:
    """What is to be written."""

    signature: str = field(repr=False)
    solver: str = field(repr=False)
    test: str = field(repr=False)


def sources(slug: str, understood: Understood, places: Places) -> Sources:
    """Fill the three templates in."""
    title = slug.replace("-", " ").capitalize()
    shared = {"slug": slug, "title": title, "own": places.own, "module": places.module}
    written = Written(understood)
    environment = _environment()

    def render(template: str, facts: Mapping[str, Any]) -> str:
        return environment.get_template(template).render({**shared, **facts})

    return Sources(
        signature=render("signature.toml.j2", _of_signature(understood)),
        solver=render("solver.py.j2", written.of_solver()),
        test=render("test.py.j2", written.of_test(places)),
    )


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("solvers.draft"),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(python=literals.text, toml=_toml, toml_list=_toml_list)
    return environment


def _toml(value: str) -> str:
    """Write a string as TOML does, which is as JSON does."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_list(values: Sequence[str], head: str) -> str:
    items = [_toml(value) for value in values]
    if len(whole := f"[{', '.join(items)}]") + len(head) <= literals.WIDTH:
        return whole
    return f"[\n{literals.wrapped(items, 4)}]"


def _of_signature(understood: Understood) -> dict[str, Any]:
    question, bundle = understood.question, understood.bundle
    columns = [str(name) for name in understood.train.columns]
    members = {"train": bundle.train, "test": bundle.test, "sample": bundle.sample}
    return {
        "key": understood.key,
        "columns": columns,
        "id": understood.id,
        "targets": understood.targets,
        "labels": understood.labels,
        "train_only": [
            name
            for name in columns
            if name not in understood.test and name not in understood.targets
        ],
        "in_both": understood.in_both,
        "files": {
            role: member.name.rpartition("/")[2] for role, member in members.items() if member
        },
        "metric": question.metric,
        "metric_note": question.why,
    }

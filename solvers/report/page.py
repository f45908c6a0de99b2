"""The page: what goes where is the template's; what it is, is gathered here."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.record_types import RunRecord
from solvers.report import facts, origin
from solvers.report.chart_of_stages import stages
from solvers.report.charts_of_models import Importance, importance, scores
from solvers.report.diagnostics import TARGETS, base_models, look
from solvers.report.drawing import Picture, drawing
from solvers.report.importances import read_importances
from solvers.report.wording import megabytes, moment, seconds

if TYPE_CHECKING:
    from jinja2 import Environment


def render(run: Path, record: RunRecord, name: str) -> str:
    """Build the page of a run.

    Raises
    ------
    RunFolderError
        If a file of the run is missing or damaged.
    """
    with drawing():
        gathered = _gather(run, record, name)
    return _environment().get_template("report.html.j2").render(gathered)


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("solvers.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        thousands=lambda value: f"{value:,}", seconds=seconds, megabytes=megabytes, moment=moment,
        share=lambda value: f"{100 * value:.1f}",
    )  # fmt: skip
    return environment


def _gather(run: Path, record: RunRecord, name: str) -> dict[str, Any]:
    predicted, scored = look(run, record), record.scores
    return {
        "record": record,
        "headline": facts.headline(record),
        "key_facts": facts.key_facts(record, predicted),
        "predicted": predicted,
        "hidden_targets": max(0, len(record.targets or []) - TARGETS),
        "used_score": facts.used_score(scored) if scored else "",
        "n_base": len(base_models(scored)) if scored else 0,
        "score_chart": scores(scored, predicted.n) if scored and predicted else None,
        "score_rows": facts.score_rows(scored) if scored else [],
        "caution": facts.caution(record, predicted),
        "importances": _importances(run, record) if predicted else {},
        "rules": _rules(record),
        "stages_chart": stages(record.stages) if record.stages else None,
        "fit_rows": facts.fit_rows(record.fits or []),
        "inputs": origin.input_rows(record),
        "machine": origin.machine(record),
        "commands": origin.commands(record, name),
        "made_by": shlex.join(record.command),
        "verdicts": origin.verdicts(run),
    }


def _importances(run: Path, record: RunRecord) -> dict[str, tuple[Picture, Importance]]:
    """For each target that is shown: the chart, and the numbers for the table beside it."""
    targets = [target.name for target in (record.targets or [])[:TARGETS]]
    found = read_importances(run, targets)
    return {
        target: (importance(found[target], f"t{number}-importance"), found[target])
        for number, target in enumerate(targets)
        if target in found
    }


def _rules(record: RunRecord) -> list[tuple[str, int, float]]:
    """Each rule in its order: its name, the values it filled, and the length of its bar in %."""
    filled = record.rules or {}
    most = max(filled.values(), default=0) or 1
    return [(rule, number, round(100 * number / most, 1)) for rule, number in filled.items()]

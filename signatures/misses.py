"""Why a dataset is no known task, in words."""

from signatures.bundle import Bundle
from signatures.columns import Near
from signatures.errors import UnknownTaskError
from signatures.headers import Header
from signatures.wording import quoted

_OTHERWISE = (
    "start a known task from it: solvers new SLUG PATH, or let the baseline answer: "
    "solvers solve PATH --fallback baseline, in Python solve(path, fallback='baseline')"
)
NEAR = 0.5  # a task is near if at least this share of its columns is there, in any spelling


def no_training_table(bundle: Bundle) -> UnknownTaskError:
    """Say what was looked for, and what was found instead."""
    names = [member.name for member in bundle.members]
    seen = f"the files there are {quoted(names)}" if names else "there are no files"
    return UnknownTaskError(
        str(bundle.path),
        "no training table was found. A file called train was looked for (csv, tsv, json, jsonl "
        f"or parquet, also compressed), and {seen}. Name the training table train, or hand over "
        "the folder or archive that holds it",
    )


def no_task(where: str, header: Header, closest: tuple[Near, float] | None) -> UnknownTaskError:
    """Say that no task fits the columns in `where`.

    Parameters
    ----------
    closest : (Near, float), optional
        The task that shares most columns, and the share of its columns that are there.
    """
    why = (
        f"no signature has all its key columns among the {len(header.columns):,} there "
        f"({quoted(header.columns)})"
    )
    if closest and closest[1] >= NEAR:
        cure = f"If it is that task, rename or add these columns. If not, {_OTHERWISE}"
        return UnknownTaskError(where, why, closest[0], cure)
    if closest:
        slug, percent = closest[0].slug, round(100 * closest[1])
        why += f". None is near: the closest, {slug!r}, shares {percent} % of its columns"
    else:
        why += ", and none shares a column with them"
    return UnknownTaskError(where, why, next=_OTHERWISE[0].upper() + _OTHERWISE[1:])

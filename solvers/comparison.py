"""Compare what two runs wrote: byte by byte, then label by label."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from pyarrow import parquet

from solvers.factors import Factor
from solvers.inputs import sha256_of_file
from solvers.record_types import RunRecord
from solvers.run_folder import OOF, SUBMISSION, TEST

SAME_NUMBER = 1e-6  # relative above 1, absolute below: what another machine may move
SHOWN = 5


@dataclass(frozen=True)
class Comparison:
    """How far the outputs of two runs agree.

    Attributes
    ----------
    same_bytes : bool
        Whether the submission and every prediction of every model are identical.
    rows : int
        Rows of the submission.
    differing : int, optional
        Those with another label, or a number that is further away than `SAME_NUMBER`; None where
        that cannot be told, since the recorded submission is gone or was edited.
    first_ids : tuple of str
        Ids of the first of these rows.
    largest_difference : float, optional
        Between the predictions of the used blend, in probability or the target's unit; None where
        the recorded ones are gone or were edited.
    edited, gone : tuple of Factor
        Recorded outputs that are not as they were recorded, or not there.
    scores : tuple of Factor
        Scores that are not as they were recorded.
    """

    same_bytes: bool
    rows: int
    differing: int | None
    first_ids: tuple[str, ...]
    largest_difference: float | None
    edited: tuple[Factor, ...]
    gone: tuple[Factor, ...]
    scores: tuple[Factor, ...]


def compare(old: Path, recorded: RunRecord, new: Path, now: RunRecord) -> Comparison:
    """Compare the outputs in two run folders."""
    edited, gone = not_as_recorded(old, recorded)
    whole = {SUBMISSION, OOF, TEST} - {factor.name for factor in (*edited, *gone)}
    ours = _read_submission(new)
    differs = _differing_rows(_read_submission(old), ours) if SUBMISSION in whole else None
    if differs is None and recorded.submission_sha256 == now.submission_sha256:
        differs = np.zeros(len(ours), dtype=bool)
    ids = [] if differs is None else ours.iloc[:, 0][differs].tolist()
    scores = _scores(recorded, now)
    return Comparison(
        same_bytes=_same_bytes(old, recorded, new, now, whole),
        rows=len(ours),
        differing=None if differs is None else len(ids),
        first_ids=tuple(ids[:SHOWN]),
        largest_difference=_largest_difference(old, new, now) if TEST in whole else None,
        edited=edited,
        gone=gone,
        scores=scores,
    )


def not_as_recorded(run: Path, record: RunRecord) -> tuple[tuple[Factor, ...], tuple[Factor, ...]]:
    """Hold the recorded outputs against their digests: which were edited, which are gone."""
    edited, gone = [], []
    for name, digest in {SUBMISSION: record.submission_sha256, **record.outputs}.items():
        try:
            found = sha256_of_file(run / name)
        except OSError as error:
            gone.append(Factor(name, digest[:12], error.strerror or str(error)))
            continue
        if found != digest:
            edited.append(Factor(name, digest[:12], f"{found[:12]}, edited since the run"))
    return tuple(edited), tuple(gone)


def _same_bytes(old: Path, recorded: RunRecord, new: Path, now: RunRecord, whole: set[str]) -> bool:
    """Compare digests; where those of a table differ, its values, for another writer packs anew."""
    if recorded.submission_sha256 != now.submission_sha256:
        return False
    return all(
        recorded.outputs.get(name) == now.outputs.get(name)
        or (name in whole and _same_values(old / name, new / name))
        for name in (OOF, TEST)
    )


def _same_values(old: Path, new: Path) -> bool:
    """Compare two tables bit by bit."""
    tables = [parquet.read_table(path).to_pandas() for path in (old, new)]
    if list(tables[0].columns) != list(tables[1].columns) or len(tables[0]) != len(tables[1]):
        return False
    return all(
        before.to_numpy().tobytes() == after.to_numpy().tobytes()
        if pd.api.types.is_float_dtype(before.dtype)
        else before.equals(after)
        for (_, before), (_, after) in zip(tables[0].items(), tables[1].items(), strict=True)
    )


def _read_submission(run: Path) -> pd.DataFrame:
    return pd.read_csv(run / SUBMISSION, dtype=str, keep_default_na=False)


def _differing_rows(theirs: pd.DataFrame, ours: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Mark the rows of `ours` that say something else, or are not there, in `theirs`."""
    if list(theirs.columns) != list(ours.columns) or len(theirs) != len(ours):
        return np.full(len(ours), fill_value=True)
    differs = np.zeros(len(ours), dtype=bool)
    for position, column in enumerate(ours.columns):
        before, after = theirs[column], ours[column]
        other = (before != after).to_numpy()
        if position > 0:
            other = other & ~_near(before, after)
        differs |= other
    return differs


def _near(before: pd.Series, after: pd.Series) -> npt.NDArray[np.bool_]:
    """Mark numbers that another machine may well write so; texts never are."""
    numbers = [pd.to_numeric(column, errors="coerce").to_numpy() for column in (before, after)]
    near: npt.NDArray[np.bool_] = np.isclose(
        numbers[0], numbers[1], rtol=SAME_NUMBER, atol=SAME_NUMBER
    )
    return near


def _largest_difference(old: Path, new: Path, now: RunRecord) -> float | None:
    """Compare the used blend's test predictions; both files are sorted by id."""
    if now.scores is None:
        return None
    used = now.scores.used
    tables = [parquet.read_table(run / TEST).to_pandas() for run in (old, new)]
    columns = [name for name in tables[1] if name == used or name.startswith(f"{used}/")]
    if len(tables[0]) != len(tables[1]) or not set(columns) <= set(tables[0]):
        return None
    before, after = (table[columns].to_numpy(dtype=np.float64) for table in tables)
    return float(np.abs(before - after).max())


def _scores(recorded: RunRecord, now: RunRecord) -> tuple[Factor, ...]:
    """Compare the scores: a record that claims others is not of this run."""
    if recorded.scores is None or now.scores is None:
        return ()
    before, after = recorded.scores, now.scores
    found = [] if before.used == after.used else [Factor("used blend", before.used, after.used)]
    for name in {**before.models, **after.models}:
        one, two = before.models.get(name), after.models.get(name)
        if one is None or two is None or abs(one.mean - two.mean) > SAME_NUMBER:
            texts = [f"{score.mean:.6f}" if score else "none" for score in (one, two)]
            found.append(Factor(f"score of {name}", *texts))
    return tuple(found)

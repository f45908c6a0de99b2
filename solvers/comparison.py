"""Compare what two runs wrote: byte by byte, then label by label."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from pyarrow import parquet

from solvers.factors import Factor
from solvers.record import sha256_of_file
from solvers.run_folder import SUBMISSION
from solvers.run_record import RunRecord

SAME_NUMBER = 1e-6  # relative above 1, absolute below: what another machine may move
SHOWN = 5


@dataclass(frozen=True)
class Comparison:
    """How far the outputs of two runs agree.

    Attributes
    ----------
    same_bytes : bool
        Whether submission and predictions are identical to the last bit.
    rows, differing : int
        Rows of the submission, and those with another label (or a number that is further away
        than `SAME_NUMBER`).
    first_ids : tuple of str
        Ids of the first of these rows.
    largest_difference : float, optional
        Between the predictions of the used blend, in probability or the target's unit; None where
        the recorded ones cannot be read.
    factors : tuple of Factor
        What of the recorded outputs is not as it was recorded.
    """

    same_bytes: bool
    rows: int
    differing: int
    first_ids: tuple[str, ...]
    largest_difference: float | None
    factors: tuple[Factor, ...] = field(default=())


def compare(old: Path, recorded: RunRecord, new: Path, now: RunRecord) -> Comparison:
    """Compare the outputs in two run folders."""
    changed = tuple(_changed_outputs(old, recorded))
    ours = _read_submission(new)
    theirs = _read_submission(old) if not changed else None
    difference = _largest_difference(old, new, now)
    scores = tuple(_scores(recorded, now))
    same_digests = (
        recorded.submission_sha256 == now.submission_sha256
        and recorded.predictions == now.predictions
    )
    if theirs is None:
        differs = np.full(len(ours), recorded.submission_sha256 != now.submission_sha256)
    else:
        differs = _differing_rows(theirs, ours)
    ids = ours.iloc[:, 0][differs].tolist()
    return Comparison(
        same_bytes=same_digests and not changed and not scores and difference in (0, None),
        rows=len(ours),
        differing=len(ids),
        first_ids=tuple(ids[:SHOWN]),
        largest_difference=difference,
        factors=(*changed, *scores),
    )


def _read_submission(run: Path) -> pd.DataFrame:
    return pd.read_csv(run / SUBMISSION, dtype=str, keep_default_na=False)


def _changed_outputs(run: Path, record: RunRecord) -> Iterator[Factor]:
    """Tell whether the recorded submission is still the one that the record speaks of."""
    recorded = record.submission_sha256[:12]
    try:
        found = sha256_of_file(run / SUBMISSION)[:12]
    except OSError as error:
        yield Factor(SUBMISSION, recorded, f"cannot be read ({error.strerror})")
        return
    if found != recorded:
        yield Factor(f"{SUBMISSION}, edited since the run", recorded, found)


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
    try:
        tables = [
            parquet.read_table(run / "test_predictions.parquet").to_pandas() for run in (old, new)
        ]
        columns = [name for name in tables[1] if name == used or name.startswith(f"{used}/")]
        before, after = (table[columns].to_numpy(dtype=np.float64) for table in tables)
    except (OSError, ValueError, KeyError):  # gone or changed; the digests still tell
        return None
    return float(np.abs(before - after).max()) if before.shape == after.shape else None


def _scores(recorded: RunRecord, now: RunRecord) -> Iterator[Factor]:
    """Compare the scores: a record that claims others is not of this run."""
    if recorded.scores is None or now.scores is None:
        return
    before, after = recorded.scores, now.scores
    if before.used != after.used:
        yield Factor("used blend", before.used, after.used)
    for name in {**before.models, **after.models}:
        one, two = before.models.get(name), after.models.get(name)
        if one is None or two is None or abs(one.mean - two.mean) > SAME_NUMBER:
            texts = [f"{score.mean:.6f}" if score else "none" for score in (one, two)]
            yield Factor(f"score of {name}", *texts)

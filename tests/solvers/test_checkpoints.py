"""Finished fits are found again where nothing has changed, and only there."""

import json
import operator
from dataclasses import replace
from functools import reduce

import numpy as np
import pandas as pd
import pytest

from solvers import environment
from solvers.checkpoints import Checkpoints, find
from solvers.fits import Fit, FitJob, run_fit
from solvers.models import LightGBM, XGBoost
from solvers.out_of_fold import out_of_fold
from solvers.target import Target

ALIVE = Target("alive", ("no", "yes"))
FOLDS = np.arange(40, dtype=np.int16) % 2


@pytest.fixture
def job():
    X = pd.DataFrame({"a": np.arange(40.0), "b": pd.Categorical(list("xyxz") * 10)})
    y = (np.arange(40) % 3 == 0).astype(float)
    fit = Fit(LightGBM(rounds=5, min_data_in_leaf=2), ALIVE, 0, 0, 1, seed=4)
    return FitJob(fit, X, X.iloc[:6].reset_index(drop=True), y, FOLDS)


def name(job, folder):
    return Checkpoints(folder).names([job])[job.fit]


def test_what_was_kept_is_found(job, tmp_path):
    done = run_fit(*job)
    path = name(job, tmp_path / "fits")
    assert find(path, job.fit) is None
    Checkpoints(tmp_path / "fits").save(path, replace(done, attempts=2))
    found = find(path, job.fit)
    assert found.kept
    assert (found.attempts, found.rounds, found.cpu_seconds) == (2, 5, done.cpu_seconds)
    for array in ("valid", "test", "importance"):
        assert getattr(found, array).tobytes() == getattr(done, array).tobytes()
        assert getattr(found, array).shape == getattr(done, array).shape


def test_what_a_model_does_not_know_stays_unknown(job, tmp_path):
    path = name(job, tmp_path / "fits")
    Checkpoints(tmp_path / "fits").save(path, replace(run_fit(*job), importance=None, rounds=None))
    found = find(path, job.fit)
    assert found.importance is None
    assert found.rounds is None


def other(frame, column, row, value):
    frame = frame.copy()
    frame.loc[row, column] = value
    return frame


CHANGES = {
    "a value": lambda job: job._replace(X=other(job.X, "a", 3, 3.5)),
    "a missing value": lambda job: job._replace(X=other(job.X, "a", 3, np.nan)),
    "a category": lambda job: job._replace(X=other(job.X, "b", 3, "y")),
    "a test value": lambda job: job._replace(X_test=other(job.X_test, "a", 3, 3.5)),
    "the name of a column": lambda job: job._replace(X=job.X.set_axis(["a", "c"], axis=1)),
    "the order of columns": lambda job: job._replace(X=job.X[["b", "a"]]),
    "a label": lambda job: job._replace(y=1 - job.y),
    "a fold": lambda job: job._replace(fold_of_row=1 - FOLDS),
    "which fold": lambda job: job._replace(fit=replace(job.fit, fold=0)),
    "the seed": lambda job: job._replace(fit=replace(job.fit, seed=5)),
    "a parameter": lambda job: job._replace(fit=replace(job.fit, model=LightGBM(rounds=6))),
    "the library": lambda job: job._replace(fit=replace(job.fit, model=XGBoost(rounds=5))),
    "the labels": lambda job: job._replace(
        fit=replace(job.fit, target=Target("alive", ("yes", "no")))
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_fit_of_something_else_has_another_name(job, tmp_path, change):
    assert name(CHANGES[change](job), tmp_path) != name(job, tmp_path)


def test_a_fit_to_other_parts_of_the_same_target_has_another_name(job, tmp_path):
    parts = np.column_stack([job.y, 1 - job.y])
    apart, swapped = job._replace(y=parts), job._replace(y=parts[:, ::-1])
    assert len({name(one, tmp_path) for one in (job, apart, swapped)}) == 3


def replaced(facts, *path):
    """Copy facts with another text at a place in them."""
    copy = json.loads(json.dumps(facts))
    *parents, last = path
    reduce(operator.getitem, parents, copy)[last] = "another"
    return copy


@pytest.mark.parametrize(
    "path",
    [
        ("packages", "lightgbm"), ("python",), ("implementation",), ("platform",),
        ("cpu", "model"), ("cpu", "flags"), ("blas", 0), ("code", "sha256"),
    ],
    ids=lambda path: ".".join(map(str, path)),
)  # fmt: skip
def test_a_fit_by_another_version_machine_or_code_has_another_name(
    job, tmp_path, monkeypatch, path
):
    facts, before = environment.describe(), name(job, tmp_path)
    monkeypatch.setattr(environment, "describe", lambda: facts)
    assert name(job, tmp_path) == before
    monkeypatch.setattr(environment, "describe", lambda: replaced(facts, *path))
    assert name(job, tmp_path) != before


@pytest.mark.parametrize("fact", ["commit", "dirty", "version"])
def test_the_same_code_at_another_commit_is_the_same_code(job, tmp_path, monkeypatch, fact):
    facts, before = environment.describe(), name(job, tmp_path)
    monkeypatch.setattr(environment, "describe", lambda: replaced(facts, "code", fact))
    assert name(job, tmp_path) == before


def test_a_fit_of_another_solver_has_another_name(job, tmp_path):
    others = Checkpoints(tmp_path, solver_sha256="another").names([job])[job.fit]
    assert others != name(job, tmp_path)


@pytest.mark.parametrize("n_bytes", [0, 1, 100, 700])
def test_a_file_that_was_cut_short_is_not_taken(job, tmp_path, n_bytes):
    path = name(job, tmp_path / "fits")
    Checkpoints(tmp_path / "fits").save(path, run_fit(*job))
    assert len(path.read_bytes()) > n_bytes
    path.write_bytes(path.read_bytes()[:n_bytes])
    assert find(path, job.fit) is None


def test_a_file_whose_bytes_changed_is_not_taken(job, tmp_path):
    path = name(job, tmp_path / "fits")
    Checkpoints(tmp_path / "fits").save(path, run_fit(*job))
    whole = bytearray(path.read_bytes())
    whole[200] ^= 1  # inside the first array
    path.write_bytes(whole)
    assert find(path, job.fit) is None


def test_a_full_disk_leaves_no_half_file(job, tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solvers.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        Checkpoints(tmp_path / "fits").save(name(job, tmp_path / "fits"), run_fit(*job))
    assert list((tmp_path / "fits").iterdir()) == []


def test_kept_fits_are_not_done_again_and_the_bytes_are_the_same(job, tmp_path):
    def run():
        return out_of_fold(
            [job.fit.model, XGBoost(rounds=5)], job.X, job.X_test, [job.y], [ALIVE],
            folds=[FOLDS], seed=1, checkpoints=Checkpoints(tmp_path / "fits"),
        )  # fmt: skip

    first = run()
    kept = sorted((tmp_path / "fits").iterdir())
    kept[0].unlink()
    again = run()
    assert [result.kept for result in first.results] == [False] * 4
    assert sorted(result.kept for result in again.results) == [False, True, True, True]
    for model in ("lightgbm", "xgboost"):
        (one,), (two,) = first.predictions[model], again.predictions[model]
        assert one.oof.tobytes() == two.oof.tobytes()
        assert one.test.tobytes() == two.test.tobytes()

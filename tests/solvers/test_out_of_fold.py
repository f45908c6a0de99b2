"""Out-of-fold prediction with a model that remembers what it saw."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from solvers.calls import WorkerLostError
from solvers.models import Fitted, LightGBM
from solvers.out_of_fold import FitFailedError, out_of_fold
from solvers.target import Target
from solvers.workers import Workers

NUMBER, BINARY = Target("price"), Target("alive", ("no", "yes"))


@dataclass(frozen=True)
class Memory:
    """Predicts 1 for a row it was fitted on, 0 for any other."""

    name: str = "memory"

    def fit_predict(self, X, y, X_new, *, target, seed):
        return Fitted(X_new["id"].isin(X["id"]).to_numpy(dtype=float).reshape(-1, 1))

    def rehearsal(self, work):
        return self


@dataclass(frozen=True)
class Deadly(Memory):
    """Ends its own process, as the system does when memory runs out."""

    def fit_predict(self, X, y, X_new, *, target, seed):
        import os

        os._exit(1)


@dataclass(frozen=True)
class Failing(Memory):
    """Fails the first `times` times that a fit is tried; counts them in a folder."""

    folder: str = ""
    times: int = 1

    def fit_predict(self, X, y, X_new, *, target, seed):
        for number in range(self.times):
            mark = Path(self.folder, f"{seed}-{number}")
            if not mark.exists():
                mark.touch()
                msg = "no luck"
                raise OSError(msg)
        return super().fit_predict(X, y, X_new, target=target, seed=seed)


class Spy(Memory):
    """Predicts how many rows it was fitted on."""

    def fit_predict(self, X, y, X_new, *, target, seed):
        return Fitted(np.full((len(X_new), 1), float(len(X))))


class Mean(Memory):
    """Predicts the mean of what it was given."""

    def fit_predict(self, X, y, X_new, *, target, seed):
        return Fitted(np.full((len(X_new), 1), y.mean()))


class Low(Memory):
    """Predicts less than any number has as its logarithm."""

    def fit_predict(self, X, y, X_new, *, target, seed):
        return Fitted(np.full((len(X_new), 1), -0.5))


class Notes:
    """Keeps what it is told of fits."""

    def __init__(self):
        self.ended, self.failed = [], []

    def fit_ends(self, result, total):
        self.ended.append((result.fit.fold, total))

    def fit_failed(self, arguments, error):
        self.failed.append(error)


@pytest.fixture
def rows():
    X = pd.DataFrame({"id": np.arange(20.0)})
    X_test = pd.DataFrame({"id": np.arange(100.0, 104.0)})
    folds = [np.arange(20) % 4, np.arange(20) % 2]
    return X, X_test, [np.asarray(index, dtype=np.int16) for index in folds]


def test_no_row_is_predicted_by_a_model_that_saw_it(rows):
    X, X_test, folds = rows
    base = out_of_fold([Memory()], X, X_test, [np.zeros(20)], [NUMBER], folds=folds, seed=0)
    (predictions,) = base.predictions["memory"]
    assert predictions.oof.shape == (2, 20, 1)
    assert predictions.test.shape == (2, 4, 1)
    assert (predictions.oof == 0).all()


def test_ordered_folds_are_predicted_from_what_is_earlier(rows):
    X, X_test, _ = rows
    index = np.array([-1] * 8 + [0] * 6 + [1] * 6, dtype=np.int16)
    model = Spy()
    base = out_of_fold(
        [model], X, X_test, [np.zeros(20)], [NUMBER], folds=[index], seed=0, ordered=True
    )
    (predictions,) = base.predictions["memory"]
    # What is predicted is the number of rows that were fitted on.
    assert np.isnan(predictions.oof[0, :8]).all()
    assert (predictions.oof[0, 8:14] == 8).all()
    assert (predictions.oof[0, 14:] == 14).all()
    assert (predictions.test == 20).all()


def test_a_number_is_fitted_in_the_unit_of_its_link(rows):
    X, X_test, folds = rows
    target = Target("price", link="log1p")
    base = out_of_fold([Mean()], X, X_test, [np.full(20, 7.0)], [target], folds=folds, seed=0)
    assert base.predictions["memory"][0].oof == pytest.approx(np.log(8))


def test_parts_are_fitted_in_the_unit_of_the_link_and_added_in_their_own(rows):
    X, X_test, folds = rows
    parts = np.column_stack([np.tile([0.0, 0.0, 3.0, 3.0], 5), np.full(20, 7.0)])
    target = Target("count", link="log1p")
    base = out_of_fold([Mean()], X, X_test, [parts], [target], folds=folds[1:], seed=0)
    (predictions,) = base.predictions["memory"]
    # Half of the rows have log(1 + 0), half log(1 + 3): a mean of log 2, which is 1 of the part.
    assert predictions.oof == pytest.approx(np.log(1 + 1 + 7))
    assert predictions.test == pytest.approx(np.log(1 + 1 + 7))


def test_a_part_is_never_less_than_its_link_can_turn(rows):
    X, X_test, folds = rows
    target = Target("count", link="log1p")
    base = out_of_fold([Low()], X, X_test, [np.zeros((20, 2))], [target], folds=folds, seed=0)
    assert (base.predictions["memory"][0].oof == 0).all()


def test_rounds_of_parts_are_added_and_shares_averaged(rows):
    X, X_test, folds = rows
    X, X_test = X.assign(other=X["id"] % 3), X_test.assign(other=0.0)
    parts = np.column_stack([X["id"], X["other"]])
    model = LightGBM(rounds=5, min_data_in_leaf=2)
    base = out_of_fold([model], X, X_test, [parts], [NUMBER], folds=folds, seed=0)
    assert {result.rounds for result in base.results} == {10}
    for result in base.results:
        assert result.importance.sum() == pytest.approx(1)
        assert (result.importance > 0.2).all()


def test_each_target_and_model_has_its_own_predictions(rows):
    X, X_test, folds = rows
    ys = [np.arange(20.0), np.arange(20) % 2.0]
    models = [LightGBM(rounds=5, min_data_in_leaf=2), Memory()]
    base = out_of_fold(models, X, X_test, ys, [NUMBER, BINARY], folds=folds, seed=0)
    price, alive = base.predictions["lightgbm"]
    assert price.oof.max() > 1 >= alive.oof.max()
    assert len(base.results) == 2 * 2 * (4 + 2)


def test_the_number_of_processes_does_not_matter(rows):
    X, X_test, folds = rows
    y = np.arange(20) % 2.0
    models = [LightGBM(rounds=10, min_data_in_leaf=2, bagging_fraction=0.7)]
    alone = out_of_fold(models, X, X_test, [y], [BINARY], folds=folds, seed=0)
    with Workers(2) as workers:
        together = out_of_fold(
            models, X, X_test, [y], [BINARY], folds=folds, seed=0, workers=workers
        )
    for one, two in zip(
        alone.predictions["lightgbm"], together.predictions["lightgbm"], strict=True
    ):
        assert one.oof.tobytes() == two.oof.tobytes()
        assert one.test.tobytes() == two.test.tobytes()


def test_whoever_watches_is_told_of_every_fit(rows):
    X, X_test, folds = rows
    watcher = Notes()
    out_of_fold(
        [Memory()], X, X_test, [np.zeros(20)], [NUMBER], folds=folds, seed=0, watcher=watcher
    )
    assert len(watcher.ended) == 6
    assert {total for _, total in watcher.ended} == {6}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fit_that_fails_once_is_tried_again(rows, tmp_path, jobs):
    X, X_test, folds = rows
    model, watcher = Failing(folder=str(tmp_path), times=1), Notes()
    with Workers(jobs) as workers:
        base = out_of_fold(
            [model], X, X_test, [np.zeros(20)], [NUMBER],
            folds=folds[1:], seed=0, workers=workers, watcher=watcher,
        )  # fmt: skip
    assert [result.attempts for result in base.results] == [2, 2]
    assert [str(error) for error in watcher.failed] == ["no luck", "no luck"]
    assert (base.predictions["memory"][0].oof == 0).all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fit_that_fails_twice_stops_the_run_and_says_what_failed(rows, tmp_path, jobs):
    X, X_test, folds = rows
    models = [LightGBM(rounds=2, min_data_in_leaf=2), Failing(folder=str(tmp_path), times=2)]
    said = r"Fitting memory on price, fold \d of fold seed 0, failed twice: OSError: no luck"
    with Workers(jobs) as workers, pytest.raises(FitFailedError, match=said) as caught:
        out_of_fold(
            models, X, X_test, [np.zeros(20)], [NUMBER], folds=folds[1:], seed=0, workers=workers
        )
    assert isinstance(caught.value.__cause__, OSError)


def test_a_row_that_no_fold_holds_out_is_refused(rows):
    X, X_test, _ = rows
    folds = [np.array([-1, *[0] * 9, *[1] * 10], dtype=np.int16)]
    with pytest.raises(ValueError, match="held out by no fold"):
        out_of_fold([Memory()], X, X_test, [np.zeros(20)], [NUMBER], folds=folds, seed=0)


def test_two_models_of_one_name_are_refused(rows):
    X, X_test, folds = rows
    with pytest.raises(ValueError, match="share a name"):
        out_of_fold([Memory(), Memory()], X, X_test, [np.zeros(20)], [NUMBER], folds=folds, seed=0)


def test_a_killed_worker_ends_the_run_with_a_sentence(rows):
    X, X_test, folds = rows
    arguments = ([Deadly()], X, X_test, [np.zeros(20)], [NUMBER])
    with Workers(2) as workers, pytest.raises(WorkerLostError, match="smaller --jobs"):
        out_of_fold(*arguments, folds=folds, seed=0, workers=workers)

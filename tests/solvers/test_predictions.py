from types import SimpleNamespace

import numpy as np
import pandas as pd

from solvers import predictions
from solvers.out_of_fold import Predictions
from solvers.target import Target

DATA = SimpleNamespace(
    rows=pd.DataFrame({"id": ["a", "b", "c", "d"]}),
    is_train=np.array([True, False, True, False]),
    targets=(Target("y"),),
    ys=(np.array([5.0, 6.0]),),
    form=SimpleNamespace(id="id"),
    # The test file lists d before b.
    test_order=np.array([1, 0]),
)
# Two fold seeds that differ.
PREDICTIONS = Predictions(
    oof=np.array([[[1.0], [2.0]], [[3.0], [4.0]]]),
    test=np.array([[[10.0], [20.0]], [[30.0], [60.0]]]),
)


def test_submission_has_the_mean_over_fold_seeds_in_the_order_of_the_test_file():
    (answer,) = predictions.in_test_order([PREDICTIONS], DATA)
    assert answer.tolist() == [[40.0], [20.0]]


def test_tables_are_sorted_by_id():
    folds = [np.array([0, 1], dtype=np.int16), np.array([1, 0], dtype=np.int16)]
    oof = predictions.oof_predictions(DATA, {"model": [PREDICTIONS]}, folds)
    assert oof.to_dict("list") == {
        "id": ["a", "c", "a", "c"], "fold_seed": [0, 0, 1, 1], "fold": [0, 1, 1, 0],
        "y": [5.0, 6.0, 5.0, 6.0], "model": [1.0, 2.0, 3.0, 4.0],
    }  # fmt: skip
    test = predictions.test_predictions(DATA, {"model": [PREDICTIONS]})
    assert test.to_dict("list") == {"id": ["b", "d"], "model": [20.0, 40.0]}


def test_columns_are_named_after_target_and_class_where_there_are_several():
    target = Target("y", ("p", "q", "r"))
    data = SimpleNamespace(**{**vars(DATA), "targets": (target, Target("z"))})
    three = Predictions(np.zeros((1, 2, 3)), np.zeros((1, 2, 3)))
    one = Predictions(np.zeros((1, 2, 1)), np.zeros((1, 2, 1)))
    test = predictions.test_predictions(data, {"model": [three, one]})
    assert list(test.columns) == ["id", "model/y/p", "model/y/q", "model/y/r", "model/z"]


def test_columns_of_the_data_do_not_clash_with_the_tables_own():
    """Targets may be called as the columns of folds are, or as a model is; an id, too."""
    names = ("fold", "fold_seed", "model", "model/x")
    data = SimpleNamespace(
        **vars(DATA) | {
            "targets": tuple(map(Target, names)), "ys": DATA.ys * 4,
            "rows": DATA.rows.rename(columns={"id": "average"}),
            "form": SimpleNamespace(id="average"),
        }
    )  # fmt: skip
    models = {"model": [PREDICTIONS] * 4, "average": [PREDICTIONS] * 4}
    folds = [np.array([0, 1], dtype=np.int16)]
    one = Predictions(PREDICTIONS.oof[:1], PREDICTIONS.test[:1])
    oof = predictions.oof_predictions(data, {name: [one] * 4 for name in models}, folds)
    assert oof["fold"].tolist() == [0, 1]
    for name in names:
        assert oof[f"data/{name}"].tolist() == [5.0, 6.0]
        assert oof[f"model/{name}"].tolist() == [1.0, 2.0]
    assert oof["data/average"].tolist() == ["a", "c"]
    test = predictions.test_predictions(data, models)
    assert test["data/average"].tolist() == ["b", "d"]

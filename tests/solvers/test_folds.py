import numpy as np
import pandas as pd
import pytest

from solvers.folds import fold_index, look_at_cut
from solvers.target import Target

BINARY = Target("t", ("no", "yes"))
NUMBER = Target("t")


def test_parties_that_straddle_train_and_test_ask_for_row_folds():
    cut = look_at_cut(pd.Series([1, 1, 2, 3]), pd.Series([1, 2, 9]))
    assert (cut.kind, cut.n_with_mates, cut.n_straddling) == ("row", 2, 2)


def test_parties_that_do_not_straddle_ask_for_group_folds():
    cut = look_at_cut(pd.Series([1, 1, 2, 3]), pd.Series([8, 8, 9]))
    assert (cut.kind, cut.n_with_mates, cut.n_straddling) == ("group", 2, 0)


def test_one_stray_party_does_not_make_a_cut_by_rows():
    cut = look_at_cut(pd.Series([1, 2, 3]), pd.Series([1, 8, 8, 9, 9]))
    assert cut.kind == "group"


def test_a_task_without_groups_has_row_folds():
    assert look_at_cut(None, None).kind == "row"


def test_each_class_is_spread_over_all_folds():
    y = np.array([0.0] * 20 + [1.0] * 10)
    index = fold_index(y, BINARY, groups=None, n_folds=5, seed=0)
    assert [int((index[y == 1] == fold).sum()) for fold in range(5)] == [2] * 5


@pytest.mark.parametrize("target", [BINARY, NUMBER])
def test_group_folds_hold_a_group_out_together(target):
    groups = pd.Series(np.repeat(np.arange(30), 3))
    y = np.tile([0.0, 1.0, 1.0], 30)
    index = pd.Series(fold_index(y, target, groups=groups, n_folds=5, seed=0))
    assert index.groupby(groups).nunique().max() == 1
    assert set(index) == set(range(5))


def test_folds_follow_the_seed_and_leave_global_random_state_alone():
    y = np.arange(50.0)
    before = np.random.get_state()[1].copy()
    first, again, other = (
        fold_index(y, NUMBER, groups=None, n_folds=5, seed=seed) for seed in (3, 3, 4)
    )
    assert (np.random.get_state()[1] == before).all()
    assert (first == again).all()
    assert (first != other).any()

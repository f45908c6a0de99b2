"""What holds for every registered task; a new one is covered the day it is registered."""

import pandas as pd
import pytest

from signatures import REGISTRY, UnknownTaskError, find, match
from solvers import contract, solve
from solvers.features import apply_rules, build_features
from solvers.metrics import METRICS
from solvers.models import is_text, reads_text
from solvers.tables import read_table

FILES = ("train.csv", "test.csv", "sample_submission.csv")


@pytest.fixture(scope="module", params=list(REGISTRY))
def signature(request):
    return REGISTRY[request.param]


@pytest.fixture(scope="module")
def solver(signature):
    return signature.load_solver()


@pytest.fixture(scope="module")
def example(solver):
    return solver.example(200, 50, 0)


@pytest.fixture(scope="module")
def folder(example, tmp_path_factory):
    folder = tmp_path_factory.mktemp("example")
    for name, table in zip(FILES, example, strict=True):
        table.to_csv(folder / name, index=False)
    return folder


@pytest.fixture(scope="module")
def rows(folder, signature, solver):
    bundle = find(folder)
    tables = [read_table(m, missing=signature.missing) for m in (bundle.train, bundle.test)]
    checked = [contract.check(table, solver.contract, name="rows") for table in tables]
    assert [c.failures for c in checked] == [(), ()]
    together = pd.concat([c.rows for c in checked], ignore_index=True)
    return solver.parse(together.sort_values(together.columns[0], ignore_index=True))


def test_example_matches_its_own_task_only(signature, folder):
    assert match(folder).slug == signature.slug


def test_each_renamed_key_column_makes_it_unknown_and_names_the_task(signature, example, tmp_path):
    train, test, _ = example
    for column in signature.key:
        train.rename(columns={column: "renamed"}).to_csv(tmp_path / "train.csv", index=False)
        test.to_csv(tmp_path / "test.csv", index=False)
        with pytest.raises(UnknownTaskError) as error:
            match(tmp_path)
        assert error.value.nearest.slug == signature.slug


def test_contract_names_columns_of_the_signature_and_its_id(signature, solver):
    shared = set(signature.columns) - set(signature.target)
    assert set(contract.columns_of(solver.contract)) <= shared
    assert signature.id in contract.columns_of(solver.contract)


def test_metric_is_known(signature):
    assert signature.metric.name in METRICS


def test_example_is_the_same_for_a_seed_and_differs_for_another(solver, example):
    again, other = solver.example(200, 50, 0), solver.example(200, 50, 1)
    for mine, same in zip(example, again, strict=True):
        pd.testing.assert_frame_equal(mine, same)
    assert not example[0].equals(other[0])


def test_each_rule_fills_gaps_and_changes_nothing_else(solver, rows):
    _, counts = apply_rules(rows, solver.rules)
    assert set(counts) == {rule.__name__ for rule in solver.rules}
    for rule in solver.rules:
        known = rows.notna()
        after = rule(rows.copy())
        pd.testing.assert_frame_equal(after.where(known), rows.where(known))
        rows = after


def test_features_keep_the_rows_and_are_what_some_model_is_given(solver, rows):
    filled, _ = apply_rules(rows, solver.rules)
    features = build_features(filled, rows, solver.features)
    assert features.index.equals(rows.index)
    assert features.columns.is_unique
    reads = any(reads_text(model) for model in solver.models)
    for name, dtype in features.dtypes.items():
        if is_text(features[name]):
            assert reads
            assert features[name].notna().all()
        else:
            assert isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_numeric_dtype(dtype)


def test_target_does_not_reach_rules_and_features(solver, signature, rows):
    assert not set(signature.target) & set(rows.columns)


def test_models_have_names_of_their_own(solver):
    names = [model.name for model in solver.models]
    assert len(set(names)) == len(names)


def test_a_quick_run_writes_a_valid_submission(signature, solver, example, folder, tmp_path):
    solution = solve(folder, out=tmp_path / "run", profile="quick", jobs=1)
    assert solution.record["task"] == signature.slug
    written = pd.read_csv(solution.submission, dtype=str)
    assert list(written.columns) == list(example[2].columns)
    assert len(written) == 50
    (features,) = (s for s in solution.record["stages"] if s["stage"] == "features")
    assert ("the tables alone" in features["note"]) == (solver.side is not None)
    if signature.labels and signature.metric.name == "accuracy":
        assert set(written[signature.target[0]]) <= set(signature.labels)

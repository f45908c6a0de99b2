import subprocess
import sys
from pathlib import Path

from signatures import REGISTRY
from solvers.models import LightGBM
from solvers.models.gaussian_process import GaussianProcess, Smooth, Term
from solvers.models.residuals import OnResiduals
from solvers.models.wrappers import WithoutColumns
from tests.benchmarks.ablation import TRIED, _needing, _undirected, _variants

ROOT = Path(__file__).parents[1]


def test_both_ways_to_spread_fits_are_timed(tmp_path):
    tables = REGISTRY["spaceship-titanic"].load_solver().example(200, 20, 0)
    for name, table in zip(("train", "test", "sample_submission"), tables, strict=True):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    words = [sys.executable, "-m", "tests.benchmarks.parallel", "--data", str(tmp_path)]
    words += ["--pairs", "1", "--no-busy"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "as it is" in done.stdout


def test_every_group_is_left_out_once_and_every_one_tried_is_added():
    slug = "spaceship-titanic"
    solver = REGISTRY[slug].load_solver()
    variants = {variant.name: variant for variant in _variants(slug, solver, each_rule=True)}
    for group in solver.features:
        assert group not in variants[f"`{group.__name__}`"].solver.features
    for rule in solver.rules:
        assert rule not in variants[f"rule `{rule.__name__}`"].solver.rules
    for group in TRIED[slug]:
        assert group in variants[f"`{group.__name__}`, tried and left out"].solver.features


def test_models_that_name_a_column_are_told_and_not_fitted_without_it():
    process = GaussianProcess((Term(1.0, (Smooth("hour", 2.0),)),), noise=1.0, by="work")
    tree = LightGBM(rounds=9, learning_rate=0.1, monotone=(("hour", 1),))
    around = OnResiduals(tree, first=process)
    hiding = WithoutColumns(tree, hidden=("hour",))
    models = (process, tree, around)
    assert _needing(models, {"hour"}) == ["gaussian_process", "lightgbm_on_gaussian_process"]
    assert _needing(models, {"work"}) == ["gaussian_process", "lightgbm_on_gaussian_process"]
    assert _needing((hiding,), {"hour"}) == []
    assert _needing(models, {"week", "lightgbm"}) == []
    assert _undirected(hiding).inner.monotone == ()
    assert _undirected(process) == process


def test_directions_are_left_out_where_there_are_any():
    for slug, there in (("spaceship-titanic", True), ("titanic", True), ("bike-sharing-demand", 0)):
        variants = list(_variants(slug, REGISTRY[slug].load_solver(), each_rule=False))
        assert any(variant.name == "directions" for variant in variants) == bool(there)

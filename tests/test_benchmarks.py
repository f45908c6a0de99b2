import subprocess
import sys
from pathlib import Path

from signatures import REGISTRY
from tests.benchmarks.ablation import TRIED, _variants

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

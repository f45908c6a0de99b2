"""Same input and seed, same bytes: at any order, place, number of processes and hash seed."""

import json
import os
import subprocess
import sys
import tarfile

import pandas as pd

from solvers import solve


def digests(record):
    return record["submission_sha256"], record["predictions"]["test_sha256"]


def shuffled(data, folder, *, rows=True, columns=True):
    """Copy the dataset with the rows and columns of train and test in another order."""
    folder.mkdir()
    for name in ("train.csv", "test.csv"):
        table = pd.read_csv(data / name, dtype=str, keep_default_na=False)
        if rows:
            table = table.sample(frac=1, random_state=1)
        if columns:
            table = table[list(table.columns[::-1])]
        table.to_csv(folder / name, index=False)
    (folder / "sample_submission.csv").write_bytes((data / "sample_submission.csv").read_bytes())
    return folder


def in_fresh_process(data, out, *, hash_seed, jobs, cwd):
    command = [sys.executable, "-m", "solvers.cli", "solve", str(data), "--out", str(out),
               "--profile", "quick", "--jobs", str(jobs), "--json"]  # fmt: skip
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True,
                          check=True)  # fmt: skip
    return json.loads(done.stdout)["submission_sha256"]


def test_processes_hash_seed_and_working_directory_do_not_matter(finished, tmp_path):
    solution, data = finished
    (tmp_path / "elsewhere").mkdir()
    for number, (hash_seed, jobs, cwd) in enumerate([("1", 1, "."), ("2", 3, "elsewhere")]):
        digest = in_fresh_process(
            data, tmp_path / str(number), hash_seed=hash_seed, jobs=jobs, cwd=tmp_path / cwd
        )
        assert digest == solution.record["submission_sha256"]
        record = json.loads((tmp_path / str(number) / "run.json").read_text(encoding="utf-8"))
        assert digests(record) == digests(solution.record)
        for model, digest in solution.record["predictions"]["base_models_sha256"].items():
            assert record["predictions"]["base_models_sha256"][model] == digest


def test_row_and_column_order_of_the_files_do_not_matter(finished, tmp_path):
    solution, data = finished
    other = solve(shuffled(data, tmp_path / "data"), out=tmp_path / "run", profile="quick", jobs=1)
    assert other.record["predictions"] == solution.record["predictions"]
    assert other.record["tables"] == solution.record["tables"]
    mine, theirs = (pd.read_csv(s.submission, dtype=str) for s in (solution, other))
    order = pd.read_csv(tmp_path / "data" / "test.csv", dtype=str)["PassengerId"]
    assert theirs["PassengerId"].tolist() == order.tolist()
    pd.testing.assert_frame_equal(
        mine.sort_values("PassengerId", ignore_index=True),
        theirs.sort_values("PassengerId", ignore_index=True),
    )


def test_an_archive_of_the_folder_gives_the_same_bytes(finished, tmp_path):
    solution, data = finished
    with tarfile.open(tmp_path / "data.tar.gz", "w:gz") as archive:
        archive.add(data, arcname="home/data")
    other = solve(tmp_path / "data.tar.gz", out=tmp_path / "run", profile="quick", jobs=1)
    assert digests(other.record) == digests(solution.record)
    assert other.record["input"]["archive_sha256"]


def test_another_seed_gives_other_predictions(finished, tmp_path):
    solution, data = finished
    other = solve(data, out=tmp_path / "run", profile="quick", jobs=1, seed=1)
    assert (
        other.record["predictions"]["test_sha256"] != solution.record["predictions"]["test_sha256"]
    )

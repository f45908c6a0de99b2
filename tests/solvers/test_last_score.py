import json

from solvers.run_folder import last_score


def write(folder, mean, finished, note=""):
    folder.mkdir(parents=True)
    record = {
        "task": folder.parent.name,
        "scores": {"used": "stack", "metric": "accuracy",
                   "models": {"stack": {"mean": mean, "sem": 0.001}}},
        "settings": {"profile": {"name": "full"}},
        "finished": finished,
        "note": note,
    }  # fmt: skip
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")


def test_the_newest_finished_run_counts(tmp_path):
    write(tmp_path / "task" / "b", 0.8, "2026-01-01T00:00:00+00:00")
    write(tmp_path / "task" / "a", 0.9, "2026-01-02T00:00:00+00:00")
    write(tmp_path / "other" / "a", 0.1, "2026-01-03T00:00:00+00:00")
    write(tmp_path / "task" / "c", 0.1, "2026-01-04T00:00:00+00:00", note="synthetic")
    assert last_score("task", tmp_path)["mean"] == 0.9


def test_a_broken_record_is_passed_over(tmp_path):
    (tmp_path / "task" / "a").mkdir(parents=True)
    (tmp_path / "task" / "a" / "run.json").write_text('{"scores": 1', encoding="utf-8")
    (tmp_path / "task" / "b").mkdir()
    (tmp_path / "task" / "b" / "run.json").write_text('{"scores": 1}', encoding="utf-8")
    assert last_score("task", tmp_path) is None

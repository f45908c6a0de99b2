import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from signatures import REGISTRY
from solvers.cli.commands import app

TASK = "spaceship-titanic"
TRUTH = ["True", "False"] * 50


@pytest.fixture
def answers(tmp_path):
    return write(tmp_path / "answers.csv", TRUTH)


@pytest.fixture
def submission(tmp_path):
    """81 of 100 are right, which is a bronze medal."""
    return write(tmp_path / "submission.csv", turned(19))


def turned(wrong):
    """Return the truth with its first labels turned round."""
    return ["False" if word == "True" else "True" for word in TRUTH[:wrong]] + TRUTH[wrong:]


def write(path, labels):
    rows = "".join(f"{n:04}_01,{label}\n" for n, label in enumerate(labels))
    path.write_text(f"PassengerId,Transported\n{rows}", encoding="utf-8")
    return path


def run(*words):
    return CliRunner().invoke(app, ["grade", *map(str, words)])


def plain(text):
    """Return words only: a narrow terminal breaks sentences, and draws a box around some."""
    return " ".join(text.replace("│", " ").split())


def test_score_medal_and_distances_are_told(answers, submission):
    result = run(submission, "--answers", answers)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "spaceship-titanic: accuracy 0.81000 (higher is better)",
        "It would be a bronze medal, by the lines of MLE-bench:",
        "  gold   0.82066  0.01066 behind",
        "  silver 0.81388  0.00388 behind",
        "  bronze 0.80967  0.00033 ahead",
        "  median 0.79565  0.01435 ahead",
    ]
    assert "rank" not in result.output


def test_rank_is_told_only_with_a_leaderboard(answers, submission, tmp_path):
    board = tmp_path / "leaderboard.csv"
    board.write_text("Rank,Score\n1,0.82\n2,0.81\n3,0.5\n", encoding="utf-8")
    result = run(submission, "--answers", answers, "--leaderboard", board)
    assert result.exit_code == 0, result.output
    assert "It would stand at rank 3 of 4" in result.stdout
    assert f"by the lines of the leaderboard {str(board)!r}" in result.stdout
    assert "note: gold: the leaderboard" in result.stdout


def test_task_without_lines_says_so(tmp_path, monkeypatch):
    (tmp_path / "scales.toml").write_text(
        'title = "t"\nsource = "s"\nsolver = "a.b:C"\nkey = ["grams"]\ncolumns = ["n", "grams"]\n'
        'id = "n"\ntarget = ["grams"]\nmetric = { name = "rmse", higher_is_better = false }\n',
        encoding="utf-8",
    )
    table = tmp_path / "a.csv"
    table.write_text("n,grams\n1,2.5\n", encoding="utf-8")
    monkeypatch.setenv("KNOWN_TASKS_PATH", str(tmp_path))
    # A process of its own: the registry is read once.
    command = [sys.executable, "-m", "solvers.cli", "grade", str(table), "--answers", str(table)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "scales: rmse 0.00000 (lower is better)",
        "No medal lines are known for this task.",
    ]


def test_json_is_one_object_with_the_keys_of_a_competition_report(answers, submission):
    result = run(submission, "--answers", answers, "--json")
    facts = json.loads(result.stdout)
    assert result.exit_code == 0
    assert facts["competition_id"] == TASK
    assert (facts["score"], facts["bronze_medal"], facts["any_medal"]) == (0.81, True, True)
    assert (facts["metric"], facts["rank"], facts["failures"]) == ("accuracy", None, [])
    assert facts["submission_path"] == str(submission)


def test_invalid_submission_is_exit_code_1_with_every_failure(answers, tmp_path):
    spoiled = write(tmp_path / "s.csv", ["0.3", *TRUTH[1:], "True"])
    result = run(spoiled, "--answers", answers)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "expected 100 rows, found 101" in result.stderr
    assert "1 id ('0100_01') not in the answers" in result.stderr
    assert "expected labels ('False', 'True'), found '0.3'" in result.stderr


def test_invalid_submission_is_one_json_object_too(answers, tmp_path):
    result = run(tmp_path / "nothing.csv", "--answers", answers, "--json")
    facts = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (facts["score"], facts["valid_submission"], facts["submission_exists"]) == (
        None,
        False,
        False,
    )
    assert facts["gold_threshold"] == REGISTRY[TASK].medals["gold"]
    assert len(facts["failures"]) == 1
    assert facts["failures"][0] in result.stderr


@pytest.mark.parametrize("name", ["submission.csv", "nothing.csv"])
def test_report_can_be_read_as_mle_benchs_script_reads_it(answers, submission, tmp_path, name):
    place = tmp_path / "run_grading_report.json"
    run(tmp_path / name, "--answers", answers, "--report", place)
    report = json.loads(place.read_text(encoding="utf-8"))
    (one,) = report["competition_reports"]
    is_there = name == "submission.csv"
    # These seven keys are all that the script takes from a report.
    assert {key: one[key] for key in (
        "competition_id", "gold_medal", "silver_medal", "bronze_medal", "above_median",
        "submission_exists", "valid_submission",
    )} == {
        "competition_id": TASK, "gold_medal": False, "silver_medal": False,
        "bronze_medal": is_there, "above_median": is_there, "submission_exists": is_there,
        "valid_submission": is_there,
    }  # fmt: skip
    assert "failures" not in one


def test_report_that_cannot_be_written_is_a_sentence(answers, submission, tmp_path):
    place = tmp_path / "nowhere" / "grading_report.json"
    result = run(submission, "--answers", answers, "--report", place)
    assert result.exit_code == 2
    assert f"{str(place)!r} cannot be written: No such file or directory" in result.stderr


def test_unknown_task_is_exit_code_2_and_lists_the_known(answers, submission):
    result = run(submission, "--answers", answers, "--task", "titanik")
    assert result.exit_code == 2
    assert "no known task 'titanik'" in plain(result.stderr)
    assert TASK in plain(result.stderr)


def test_known_task_may_be_named(answers, submission):
    assert run(submission, "--answers", answers, "--task", TASK).exit_code == 0


def test_answers_that_fit_no_task_are_exit_code_3_and_ask_for_it(submission, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    result = run(submission, "--answers", other)
    assert result.exit_code == 3
    assert "Name the task with --task" in result.stderr


def test_answers_without_the_targets_are_exit_code_4_and_named(submission, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("PassengerId,b\n1,2\n", encoding="utf-8")
    result = run(submission, "--answers", other, "--task", TASK, "--json")
    assert result.exit_code == 4
    assert f"{str(other)!r} has no column 'Transported'" in result.stderr
    assert json.loads(result.stdout)["exit_code"] == 4


def test_answers_that_are_not_there_are_exit_code_2(submission, tmp_path):
    assert run(submission, "--answers", tmp_path / "nothing.csv").exit_code == 2
    assert run(submission).exit_code == 2


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from solvers.cli.commands import app; "
        "app(['grade', '--help'], standalone_mode=False); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert loaded & {"pandas", "numpy", "sklearn", "scipy", "pyarrow"} == set()
    assert "--leaderboard" in done.stdout

"""Models that behave, and models that do not: each run ends in an answer or a clear failure."""

import json
import time

import pandas as pd
import psutil
import pytest

from purple_agent.llm.history import trimmer
from signatures import SubmissionError
from tests.purple_agent.scripted import (
    HELD_BACK,
    KEY,
    N_HELD,
    N_TEST,
    N_TRAIN,
    SUBMIT,
    Step,
    call,
    play,
    run,
    say,
)

WIDE = """
os.remove("submission.csv")
open("submission.csv", "w").write(",".join(map(str, range(90_000))))
"""
END = say("I fitted what there was to fit.")


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """A run of a model that does all as it should."""
    return play(
        tmp_path_factory.mktemp("solved"),
        call("list_files", folder="data"),
        call("inspect_csv", path="data/train.csv"),
        run("worms = 3"),
        run(SUBMIT + HELD_BACK),
        call("check_submission"),
        END,
        held_back=True,
    )


def test_model_that_solves_the_task_is_answered_with_its_score(solved):
    assert solved.answer.reason == "The model ended its turn with a valid submission."
    kept = pd.read_csv(solved.data / "train.csv")["worms"].iloc[-N_HELD:]
    assert solved.answer.comparison.score == pytest.approx(2 * kept.mean())
    compared = solved.answer.comparison
    assert solved.record["held_back"] == {
        "score": compared.score, "baseline": compared.baseline, "error": compared.error,
    }  # fmt: skip
    assert solved.answer.sandbox == "bubblewrap"
    assert solved.answer.submission == solved.out / "submission.csv"
    assert len(solved.answer.submission.read_text().splitlines()) == N_TEST + 1
    assert "held_back_predictions.csv has passed them too" in solved.server.last_told(5)
    assert f"{N_TRAIN - N_HELD} rows" in solved.server.last_told(2)


def test_score_is_told_to_nobody_before_the_end(solved):
    assert str(solved.answer.comparison.score) not in json.dumps(solved.server.bodies)
    assert "is kept from you" in json.dumps(solved.server.bodies[0])
    assert "score" not in solved.server.last_told(5)


def test_run_leaves_each_request_reply_and_cell_and_no_key(solved):
    assert solved.record["written_by_cell"] == 2
    assert solved.events("begins")[0]["sandbox"] == "bubblewrap"
    assert [event["number"] for event in solved.events("cell")] == [1, 2]
    assert len(solved.events("request")) == len(solved.events("reply")) == 6
    assert KEY not in (solved.out / "events.jsonl").read_text()


def test_prompt_names_the_bounds_and_no_task_of_ours(solved):
    told = str(solved.server.bodies[0]).lower()
    assert "8 messages" in told
    assert "the metric is rmse" in told
    assert not [word for word in ("titanic", "spaceship", "cryosleep", "accuracy") if word in told]


def test_reports_never_hold_the_word_that_a_client_reacts_to(solved):
    assert solved.reports
    assert not [text for text in solved.reports if "validate" in text.lower()]


def test_quiet_model_is_told_to_write_a_submission(tmp_path):
    result = play(tmp_path, say("Done. DONE!"), run(SUBMIT), END)
    assert result.answer.submission is not None
    assert "submission.csv is not there" in result.server.last_told(1)


def test_model_that_never_writes_a_submission_ends_in_a_clear_failure(tmp_path):
    result = play(tmp_path, say("I am done."))
    assert result.answer.submission is None
    assert "Exceeded maximum output retries" in result.answer.reason
    assert len(result.server.bodies) == 3


def test_empty_replies_are_answered_and_not_the_end(tmp_path):
    result = play(tmp_path, say(""), say("", finish="length"), run(SUBMIT), END)
    assert "cut off" in result.server.last_told(2)
    assert result.answer.submission is not None


def test_word_done_drops_no_call_of_the_same_message_and_all_run_in_order(tmp_path):
    calls = [("run_python", f'{{"code": "{code}"}}') for code in ("n = 1", "n += 5", "print(n)")]
    result = play(
        tmp_path, Step(text="DONE with the EDA.", calls=[*calls, ("list_files", "{}")]),
        run(SUBMIT), END,
    )  # fmt: skip
    assert [event["output"].strip() for event in result.events("cell")[:3]] == ["", "", "6"]
    assert "(no files)" in result.server.last_told(1)
    assert result.answer.submission is not None


def test_malformed_tool_calls_are_sent_back_with_the_reason(tmp_path):
    bad = {
        '{"code": "print(1': "JSON",
        "{}": "code",
        "[1, 2]": "object",
        '{"code": 7}': "string",
    }
    steps = [Step(calls=[("run_python", arguments)]) for arguments in bad]
    cut_off = Step(calls=[("run_python", '{"code": "print(1')], finish="length")
    unknown = Step(calls=[("rm", '{"path": "data"}')])
    result = play(tmp_path, *steps, cut_off, unknown, run(SUBMIT), END, iterations=10)
    for number, word in enumerate(bad.values(), start=1):
        assert word.lower() in result.server.last_told(number).lower()
    assert "run_python" in result.server.last_told(6)  # which tools there are
    assert result.answer.submission is not None


def test_loop_ends_after_the_allowed_messages_and_keeps_what_was_valid(tmp_path):
    result = play(tmp_path, run(SUBMIT), call("list_files"), iterations=5)
    assert len(result.server.bodies) == 5
    assert result.answer.submission is not None
    assert "request_limit of 5" in result.answer.reason


def test_tokens_are_bounded(tmp_path):
    result = play(tmp_path, call("list_files"), total_tokens=300)
    assert len(result.server.bodies) == 3
    assert "token" in result.answer.reason


def test_whole_run_is_bounded_in_time_and_the_cell_it_cuts_short_counts(tmp_path):
    began = time.monotonic()
    result = play(tmp_path, run(f"{SUBMIT}\nimport time; time.sleep(60)"), seconds=6.0)
    assert time.monotonic() - began < 25
    assert result.answer.submission is not None
    assert result.record["written_by_cell"] == 1


def test_whole_run_is_bounded_in_time_while_the_endpoint_is_silent(tmp_path):
    began = time.monotonic()
    result = play(tmp_path, run(SUBMIT), say("late", seconds=12.0), seconds=5.0)
    assert time.monotonic() - began < 25
    assert result.answer.reason == "Time was up after 5 s."
    assert result.answer.submission is not None


@pytest.mark.filterwarnings("ignore::pydantic_ai.UsageLimitUnavailableWarning")
def test_halves_of_characters_break_nothing(tmp_path):
    reply = {
        "id": "r", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{
            "index": 0, "finish_reason": "tool_calls", "message": {
                "role": "assistant", "content": "a \ud800",
                "tool_calls": [{
                    "id": "c", "type": "function", "function": {
                        "name": "run_python",
                        "arguments": '{"code": "print(6 * 7) # \ud800"}',
                    },
                }],
            },
        }],
    }  # fmt: skip
    result = play(tmp_path, Step(raw=json.dumps(reply)), run(SUBMIT), END)
    assert "42" in result.server.last_told(1)
    assert result.answer.submission is not None


def test_reply_without_choices_fails_clearly_and_keeps_what_was_valid(tmp_path):
    result = play(tmp_path, run(SUBMIT), Step(body={"error": {"code": 400, "message": "no"}}))
    assert result.answer.submission is not None
    assert "status 400" in result.answer.reason


def test_unfit_submissions_are_sent_back_with_the_reason(tmp_path):
    unfit = {
        "open('submission.csv', 'w').write('a,b\\n1,2\\n')": "expected the columns",
        SUBMIT.replace("{float(row['worms']) * 2}", "7.5"): "say the same",
        "import shutil; shutil.copy('data/sample_submission.csv', 'submission.csv')": "untouched",
        "import os; os.remove('submission.csv'); os.symlink('/etc/passwd', 'submission.csv')": (
            "not there"
        ),
        "os.remove('submission.csv')": "not there",
        "f = open('submission.csv', 'w'); f.truncate(17_000_000)": "bytes; at most",
        WIDE: "found 90,000 columns",
        "os.remove('submission.csv'); os.mkfifo('submission.csv')": "not there",
    }
    steps = [step for code in unfit for step in (run(code), END)]
    mended = run("os.remove('submission.csv')"), run(SUBMIT), END
    result = play(tmp_path, *steps, *mended, iterations=24, nudges=10)
    told = [result.server.last_told(2 * number) for number in range(1, len(unfit) + 1)]
    for text, reason in zip(told, unfit.values(), strict=True):
        assert reason in text
        assert len(text) < 4000
    assert result.answer.submission is not None
    assert result.record["written_by_cell"] == 10


def test_predictions_that_cannot_be_compared_leave_the_submission_without_a_score(tmp_path):
    def decline(path):
        raise SubmissionError([f"{path.name}: row 3 is no probability"])

    result = play(tmp_path, run(SUBMIT + HELD_BACK), END, held_back=True, check=decline)
    assert result.answer.submission is not None
    assert result.answer.comparison is None
    told = result.server.last_told(1)
    assert "held_back_predictions.csv: row 3 is no probability" in told
    assert "sample submission" not in told


def test_end_without_predictions_is_sent_back_once(tmp_path):
    result = play(tmp_path, run(SUBMIT), END, END, held_back=True)
    assert len(result.server.bodies) == 3
    assert "Write held_back_predictions.csv for the rows held back" in result.server.last_told(2)
    assert result.answer.submission is not None
    assert result.record["held_back"] is None


def test_code_sees_no_answer_of_the_rows_held_back(tmp_path):
    look = "print(len(open('data/train.csv').readlines()), open('data/held_back.csv').readline())"
    result = play(tmp_path, run(look), run(SUBMIT + HELD_BACK), END, held_back=True)
    printed = result.events("cell")[0]["output"]
    assert printed.split() == [str(N_TRAIN - N_HELD + 1), "held_back_row,bed_id,worms,compost"]


def test_later_unfit_submission_does_not_replace_a_valid_one(tmp_path):
    spoil = "open('submission.csv', 'w').write('gone')"
    result = play(tmp_path, run(SUBMIT), run(spoil), END)
    assert result.answer.submission.read_text().startswith("bed_id,yield")
    assert result.record["written_by_cell"] == 1


def test_baseline_gives_the_form_where_there_is_no_sample(tmp_path):
    finished = tmp_path / "baseline"
    finished.mkdir()
    lines = [f"{n},{n % 4}\n" for n in range(80, 140)]
    (finished / "submission.csv").write_text("bed_id,yield\n" + "".join(lines))
    result = play(tmp_path, run(SUBMIT), END, baseline=finished)
    assert result.answer.submission is not None
    assert (result.out / "work" / "baseline_submission.csv").exists()


def test_without_bubblewrap_no_code_is_run_and_the_answer_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr("purple_agent.sandbox.bubblewrap.PROGRAM", "no-such-program")
    result = play(tmp_path, run(SUBMIT), END)
    assert result.answer.submission is None
    assert "no-such-program is not installed" in result.answer.reason
    assert result.server.bodies == []


def test_limits_alone_are_named_in_the_answer(tmp_path, monkeypatch):
    monkeypatch.setattr("purple_agent.sandbox.bubblewrap.PROGRAM", "no-such-program")
    result = play(tmp_path, run(SUBMIT), END, without_bubblewrap="limits")
    assert result.answer.submission is not None
    assert result.answer.sandbox.startswith("limits only: ")
    assert result.record["sandbox"] == result.answer.sandbox


def test_no_process_is_left_when_something_of_ours_fails(tmp_path, monkeypatch):
    def fail(*args, **named):
        raise ZeroDivisionError

    monkeypatch.setattr("purple_agent.llm.judge.check_submission", fail)
    with pytest.raises(ZeroDivisionError):
        play(tmp_path, run(SUBMIT), END)
    assert not [p for p in psutil.Process().children(recursive=True) if "bwrap" in p.name()]


def test_history_that_is_sent_stays_within_its_bound(tmp_path):
    long = run("print('x' * 7000)")
    result = play(
        tmp_path, run(SUBMIT), *[long] * 10, END, iterations=14, history_characters=20_000
    )
    sizes = [len(str(body["messages"])) for body in result.server.bodies]
    assert max(sizes) < 45_000
    assert "Tell how much a bed yields" in str(result.server.bodies[-1]["messages"])
    assert result.answer.submission is not None


def test_short_history_is_left_as_it_is():
    assert trimmer(10)([]) == []

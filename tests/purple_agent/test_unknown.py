"""A task that nobody knows, answered by the real baseline and a scripted model."""

import json

import numpy as np
import pandas as pd
import pytest

from purple_agent.orders import Order
from purple_agent.settings import Settings
from purple_agent.task_folder import TaskFolder
from purple_agent.work import routes
from purple_agent.work.telling import Telling
from tests.purple_agent.scripted import HELD_BACK, KEY, SUBMIT, garden, run, say, serving

WORSE = SUBMIT.replace("* 2", "* 3") + HELD_BACK.replace("* 2", "* 3")


@pytest.fixture
def folder(tmp_path):
    made = TaskFolder.make(tmp_path, "task", "context")
    garden(made.data)
    # Few rows and much noise, so that the rule that made them beats what can be learned from them.
    random = np.random.default_rng(0)
    train = pd.read_csv(made.data / "train.csv").iloc[:60]
    train["worms"] = random.permutation(np.arange(60))
    train["yield"] = 2 * train["worms"] + random.normal(size=60) * 3
    train.to_csv(made.data / "train.csv", index=False)
    return made


def table(folder, name):
    return pd.read_csv(folder.path / name)


def answers(folder):
    """Work on the task; return the answers that were told, and the last words."""
    order = Order.of(Settings(profile="quick", jobs=1), sharing=1, plain=False)
    routes.work(folder, order, Telling(folder))
    events = [json.loads(line) for line in folder.events.read_text().splitlines()]
    return [event for event in events if event["kind"] == "answer"], events[-1]["text"]


def model(monkeypatch, server):
    for name, value in {
        "MODEL_NAME": "scripted", "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY,
        "SOLVERS_AGENT_WITHOUT_BUBBLEWRAP": "limits",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)


def test_without_a_model_the_baseline_answers(folder, monkeypatch):
    monkeypatch.delenv("MODEL_NAME", raising=False)
    (answer,), last = answers(folder)
    assert answer["route"] == "baseline"
    assert answer["file"] == "baseline/submission.csv"
    assert "Out-of-fold score: " in answer["text"]
    assert table(folder, answer["file"])["yield"].nunique() > 3
    assert "Route: baseline, because no known task" in last


def test_model_that_is_better_on_the_same_rows_takes_its_place(folder, monkeypatch):
    with serving(run(SUBMIT + HELD_BACK), say("That is my answer.")) as server:
        model(monkeypatch, server)
        (first, second), last = answers(folder)
    assert (first["route"], second["route"]) == ("baseline", "agent")
    expected = 2.0 * pd.read_csv(folder.data / "test.csv")["worms"]
    assert table(folder, second["file"])["yield"].tolist() == expected.tolist()
    assert "Route: agent" in last
    recorded = json.loads((folder.agent / "answer.json").read_text())["held_back"]
    assert (
        f"{recorded['score']:.5f}, the baseline's there: {recorded['baseline']:.5f}"
        in second["text"]
    )
    assert recorded["baseline"] - recorded["score"] > recorded["error"] > 0
    shown, held = (table(folder, f"bench/{name}.csv") for name in ("train", "held_back"))
    assert len(shown) + len(held) == 60
    assert set(shown["bed_id"]).isdisjoint(held["bed_id"])


@pytest.mark.parametrize("code", [WORSE, SUBMIT], ids=["a worse score", "no score"])
def test_model_that_is_not_shown_to_be_better_changes_nothing(folder, monkeypatch, code):
    with serving(run(code), say("That is my answer.")) as server:
        model(monkeypatch, server)
        (answer,), last = answers(folder)
    assert answer["route"] == "baseline"
    assert "Route: baseline" in last


def test_any_model_is_better_than_a_constant(folder, monkeypatch):
    (folder.data / "test.csv").rename(folder.data / "later.csv")
    code = SUBMIT.replace("data/test.csv", "data/later.csv")
    with serving(run(code), say("That is my answer.")) as server:
        model(monkeypatch, server)
        (first, second), _ = answers(folder)
    assert "A constant for every row" in first["text"]
    assert second["route"] == "agent"


def test_refused_key_leaves_the_baseline(folder, monkeypatch):
    refused = say("")
    refused.status = 401
    with serving(refused) as server:
        model(monkeypatch, server)
        (answer,), last = answers(folder)
    assert answer["route"] == "baseline"
    assert "401" in last
    assert KEY not in last


def no_sample_id(folder):
    for name in ("train", "test"):
        table(folder, f"data/{name}.csv").drop(columns="bed_id").to_csv(
            folder.data / f"{name}.csv", index=False
        )
    table(folder, "data/sample_submission.csv")[["yield"]].to_csv(
        folder.data / "sample_submission.csv", index=False
    )
    return ["yield"]


def id_elsewhere(folder):
    test = table(folder, "data/test.csv")
    columns = ["yield", "worms", "bed_id"]
    test.assign(**{"yield": 0})[columns].to_csv(folder.data / "sample_submission.csv", index=False)
    return columns


@pytest.mark.parametrize("form", [no_sample_id, id_elsewhere])
def test_sample_that_the_baseline_answers_the_model_can_answer_too(folder, monkeypatch, form):
    columns = form(folder)
    submit = (
        "import pandas as pd\ntest = pd.read_csv('data/test.csv')\n"
        "test['yield'] = test['worms'] * 2.0\n"
        f"test[{columns}].to_csv('submission.csv', index=False)\nimport csv\n"
    )
    with serving(run(submit + HELD_BACK), say("That is my answer.")) as server:
        model(monkeypatch, server)
        (first, second), _ = answers(folder)
    assert second["route"] == "agent"
    assert list(table(folder, first["file"])) == list(table(folder, second["file"])) == columns
    told = str(server.bodies[0])
    assert ("No column names the rows" in told) == (columns == ["yield"])


def test_last_answer_is_the_models_own_choice_and_measured_once(folder, monkeypatch):
    good, bad = run(SUBMIT + HELD_BACK), run(WORSE)
    with serving(good, bad, say("That is my answer.")) as server:
        model(monkeypatch, server)
        (answer,), _ = answers(folder)
    assert answer["route"] == "baseline"
    recorded = json.loads((folder.agent / "answer.json").read_text())
    assert recorded["written_by_cell"] == 2
    assert f"{recorded['held_back']['score']:.5f}" not in str(server.bodies)


def test_data_as_the_agent_saw_them_go_when_the_data_go(folder):
    folder.bench.mkdir()
    folder.clear_data()
    assert not folder.bench.exists()
    assert not folder.data.exists()


def test_table_that_cannot_be_told_apart_is_named_in_the_reason(folder, monkeypatch):
    monkeypatch.delenv("MODEL_NAME", raising=False)
    (folder.data / "train.csv").write_text("bed_id,worms,worms,yield\n1,2,2,3\n")
    _, last = answers(folder)
    assert "cannot be told apart: 'train.csv' has columns of the same name: 'worms'." in last

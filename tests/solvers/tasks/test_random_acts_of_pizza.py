"""Requests read from JSON and described on a few rows, worked out by hand; all are made up."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest

from signatures import REGISTRY, BundleError, find
from solvers import contract, solve
from solvers.features import apply_rules
from solvers.models.broken_lines import BrokenLines, knots
from solvers.models.linear import Logistic
from solvers.models.text import NGrams, TextLinear
from solvers.tables import read_table
from solvers.target import Target
from solvers.tasks.random_acts_of_pizza import features
from solvers.tasks.random_acts_of_pizza.contract import Request, parse, usual_history
from solvers.tasks.random_acts_of_pizza.narratives import stories
from solvers.tasks.random_acts_of_pizza.requests import requests

SIGNATURE = REGISTRY["random-acts-of-pizza"]
LISTED = "requester_subreddits_at_request"
ODD = {
    "nothing": "",
    "no text": None,
    "blank": " \t\r\n ",
    "a word for missing": "N/A",
    "from right to left": "\u05d0\u05ea\u05d4 \u202e\u05d8\u05e4\u202c \u060c\u0623\u0646",
    "pictures": "\U0001f355\u200d\U0001f3fd please",
    "markup": "<p onclick='you()'>&lt;3</p><!-- pizza --> &#xD800;",
    "a null byte": "piz\x00za\x01\x1b[31m",
    "half of a pair": "piz\ud83dza \udfff",
    "a quote that is never closed": '"pizza\\',
    "a megabyte": "please, a pizza " * 65_000,
}


def records(table):
    """Rows as the competition's JSON has them: subreddits are a list, and numbers numbers."""
    rows = json.loads(table.to_json(orient="records"))
    return [row | {LISTED: json.loads(row[LISTED])} for row in rows]


def write(folder, tables, *, zipped=False):
    folder.mkdir(exist_ok=True)
    for name, table in zip(("train", "test"), tables, strict=False):
        content = table if isinstance(table, str) else json.dumps(records(table))
        if zipped:
            with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
                archive.writestr(f"{name}.json", content)
        else:
            (folder / f"{name}.json").write_text(content, encoding="utf-8")
    tables[2].to_csv(folder / "sampleSubmission.csv", index=False)
    return folder


def request(**told):
    """One parsed request; what is not told is 0 or empty."""
    names = contract.columns_of(Request)
    row = dict.fromkeys(names, 0.0) | {
        "request_id": "t3_a", "request_title": "", "request_text_edit_aware": "",
        "requester_username": "ann",
    } | told  # fmt: skip
    return parse(pd.DataFrame([row]))


def test_json_zipped_or_not_and_csv_are_the_same_data(tmp_path):
    tables = requests(60, 20, 0)
    (tmp_path / "csv").mkdir()
    for name, table in zip(("train", "test", "sampleSubmission"), tables, strict=True):
        table.to_csv(tmp_path / "csv" / f"{name}.csv", index=False)
    folders = [
        write(tmp_path / "json", tables),
        write(tmp_path / "zip", tables, zipped=True),
        tmp_path / "csv",
    ]
    runs = [
        solve(folder, out=tmp_path / f"run_{folder.name}", profile="quick", jobs=1, report=False)
        for folder in folders
    ]
    assert len({run.submission.read_bytes() for run in runs}) == 1
    first, second, third = (read_table(find(f).train, missing=("",)) for f in folders)
    pd.testing.assert_frame_equal(first, second)
    assert first[LISTED].tolist() == third[LISTED].tolist()


def test_a_list_is_read_as_one_text(tmp_path):
    (tmp_path / "train.json").write_text('[{"a": ["x", "\\u00e9"], "b": []}]')
    table = read_table(find(tmp_path).train, missing=("",))
    assert table.to_dict("list") == {"a": ['["x", "\\u00e9"]'], "b": ["[]"]}


def test_odd_texts_are_read_and_answered(tmp_path):
    train, test, sample = requests(60, len(ODD), 0)
    for column in ("request_text_edit_aware", "request_title"):
        texts = [*ODD.values(), *train[column][len(ODD) :]]
        train[column] = pd.Series(texts, dtype=object)
        test[column] = pd.Series(list(ODD.values()), dtype=object)
    folder = write(tmp_path / "data", (dumped(train), dumped(test), sample))
    run = solve(folder, out=tmp_path / "run", profile="quick", jobs=1, report=False)
    answers = pd.read_csv(run.submission)["requester_received_pizza"]
    assert len(answers) == len(ODD)
    assert answers.between(0, 1).all()


def dumped(table):
    """JSON by Python, which writes halves of pairs as they are."""
    rows = table.astype(object).to_dict("records")
    for row in rows:
        row[LISTED] = json.loads(row[LISTED])
    return json.dumps(rows, default=lambda number: number.item())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-1] + ",]",
        lambda text: text.replace("[Request]", '[Request]"', 1),
        lambda text: text[: len(text) // 2],
    ],
    ids=["a comma too many", "a quote too many", "half a file"],
)
def test_broken_json_is_refused_with_a_sentence(tmp_path, spoil):
    train, test, sample = requests(60, 20, 0)
    folder = write(tmp_path / "data", (spoil(json.dumps(records(train))), test, sample))
    with pytest.raises(BundleError, match="JSON"):
        solve(folder, out=tmp_path / "run", profile="quick", jobs=1)
    assert not (tmp_path / "run").exists()


def test_a_mark_of_byte_order_is_no_part_of_json(tmp_path):
    tables = requests(60, 20, 0)
    content = "\ufeff" + json.dumps(records(tables[0]))
    folder = write(tmp_path / "data", (content, *tables[1:]))
    assert len(read_table(find(folder).train, missing=("",))) == 60


def test_what_was_known_only_afterwards_and_who_gave_is_not_read():
    read = set(contract.columns_of(Request))
    assert read <= set(SIGNATURE.test_columns) - {"giver_username_if_known"}
    assert not [name for name in read if name.endswith("_at_retrieval")]


def test_what_is_not_known_of_a_requester_is_as_of_most():
    rows = pd.concat([request(requester_number_of_posts_at_request=n) for n in (1.0, 5.0, np.nan)])
    filled, counts = apply_rules(rows.reset_index(drop=True), (usual_history,))
    assert filled["n_posts"].tolist() == [1.0, 5.0, 3.0]
    assert counts == {"usual_history": 1}


def test_numbers_out_of_this_world_are_refused():
    rows = request(requester_number_of_posts_at_request="1e999", unix_timestamp_of_request_utc="-1")
    table = rows.rename(columns={"n_posts": "requester_number_of_posts_at_request"})
    told = " ".join(contract.check(table.astype(object), Request, name="train").failures)
    assert "a number of 0 or more" in told
    assert "seconds since 1970" in told


def test_moment_is_the_clock():
    rows = request(unix_timestamp_of_request_utc=86_400 * 40 + 3600 * 10.5)
    told = features.moment(rows, rows).iloc[0]
    assert told.to_dict() == {"days": 40.4375, "hour": 1.5, "day_of_month": 10, "month": 2}


def test_crowd_counts_others_before_and_after():
    hours = [0, 1, 30, 30, 24 * 9]
    rows = pd.concat([request(unix_timestamp_of_request_utc=3600.0 * h) for h in hours])
    told = features.crowd(rows, rows)
    assert told["asked_day_before"].tolist() == [0, 1, 0, 0, 0]
    assert told["asked_day_after"].tolist() == [1, 0, 0, 0, 0]
    assert told["asked_week_before"].tolist() == [0, 1, 2, 2, 0]
    assert told["asked_week_after"].tolist() == [3, 2, 0, 0, 0]


def test_history_is_what_was_done_and_how_it_was_liked():
    rows = request(
        requester_number_of_comments_at_request=6.0,
        requester_number_of_posts_at_request=3.0,
        requester_upvotes_minus_downvotes_at_request=-4.0,
        requester_upvotes_plus_downvotes_at_request=8.0,
        requester_account_age_in_days_at_request=1.0,
    )
    told = features.history(rows, rows).iloc[0]
    assert told["liked"] == pytest.approx(-0.3)
    assert told["posts_of_all"] == pytest.approx(0.3)
    assert told["karma_a_post"] == 0
    assert told["log_karma"] == pytest.approx(-np.log(5))
    assert told["comments_a_day"] == pytest.approx(np.log(4))


def test_wording_counts():
    rows = request(
        request_title="[Request] Ohio, US", request_text_edit_aware="SO hungry, 2 DAYS now!!"
    )
    told = np.expm1(features.wording(rows, rows).iloc[0]).round(6)
    assert told[["log_characters", "log_title", "log_words"]].tolist() == [23, 18, 5]
    assert told[["loud_words", "exclamations", "digits"]].tolist() == [1, 2, 1]


def test_stories_are_whole_words():
    told = stories("My dad was fired; rented a proofreader. Bills are due MONDAY")
    found = {name for name, n in told.items() if n}
    assert found == {"family", "job", "money", "time"}


def test_broken_lines_bend_where_the_classes_do():
    x = np.repeat(np.arange(11.0), 20)
    X = pd.DataFrame({"x": x, "constant": 1.0, "missing": np.nan})
    y = ((x > 2) & (x < 8)).astype(float)
    of = {"target": Target("t", ("0", "1")), "seed": 0}
    bent, straight = (
        model.fit_predict(X, y, X, **of).predictions[:, 0]
        for model in (BrokenLines(Logistic(C=1.0)), Logistic(C=1.0))
    )
    assert ((bent > 0.5) == (y == 1)).mean() > 0.9
    assert ((straight > 0.5) == (y == 1)).mean() < 0.7


def test_knots_are_of_different_values():
    assert knots(np.array([0.0] * 97 + [1.0, 2.0, np.nan]), 3).tolist() == [0, 1, 2]
    assert knots(np.array([np.nan]), 3).tolist() == []


def test_numbers_may_stand_beside_ngrams():
    random = np.random.default_rng(0)
    x = random.normal(size=80)
    X = pd.DataFrame({"text": pd.Series(["a b"] * 80).astype(pd.StringDtype("python")), "x": x})
    y = (x > 0).astype(float)
    told = [
        TextLinear((NGrams(),), numbers=weight)
        .fit_predict(X, y, X, target=Target("t", ("0", "1")), seed=0)
        .predictions[:, 0]
        for weight in (0.0, 1.0)
    ]
    assert np.ptp(told[0]) < 1e-6
    assert ((told[1] > 0.5) == (y == 1)).mean() > 0.95

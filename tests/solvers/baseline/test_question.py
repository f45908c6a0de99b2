"""What is asked, from the files' columns alone: nothing is fitted."""

import numpy as np
import pandas as pd
import pytest

from solvers import submission
from solvers.baseline.asked import UnclearError
from solvers.baseline.constant import constant
from solvers.baseline.metric import Told
from solvers.baseline.question import ask
from solvers.baseline.rows import dataset
from solvers.baseline.views import Views
from solvers.intake import Tables

N = 60
U = [str(i * i % 17) for i in range(2 * N)]
IDS = [str(i) for i in range(2 * N)]
NOTHING = Told(None, "")


def text(**columns):
    return pd.DataFrame({name: pd.Series(list(v), dtype=object) for name, v in columns.items()})


def classes(names, n=N):
    return [names[i % len(names)] for i in range(n)]


def tables(answer, sample, train_ids=True, **of_test):
    train = text(**({"id": IDS[:N]} if train_ids else {}), u=U[:N], **answer)
    test = text(**({"id": IDS[N:]} if train_ids else {}), u=U[N:], **of_test)
    return Tables(train, test, sample)


def answered(given, told=NOTHING):
    """Predict noise in the shape that is asked for, and build and check the submission."""
    question = ask(given, told)
    data = dataset(given, question).data
    random = np.random.default_rng(0)
    arrays = []
    for target in data.targets:
        array = random.random((len(data.form.ids), target.n_outputs))
        arrays.append(array / array.sum(axis=1, keepdims=True) if target.n_outputs > 1 else array)
    frame = submission.build(data.form, data.targets, arrays)
    submission.check(frame, data.form)
    return frame, question


NUMBERS = [f"{i / 7:.3f}" for i in range(N)]
BANDS = [f"class_{i}" for i in range(12)]


@pytest.mark.parametrize(
    ("given", "columns"),
    [
        (tables({"y": NUMBERS}, None, y=[None] * N), ["id", "y"]),
        (tables({"y": NUMBERS}, text(id=IDS[N:], y=["0"] * N), y=[None] * N), ["id", "y"]),
        (
            tables(
                {"label": classes("0123456789")},
                text(ImageId=IDS[1 : N + 1], Label=["0"] * N),
                train_ids=False,
            ),
            ["ImageId", "Label"],
        ),
        (tables({"y": NUMBERS}, text(y=["0.5"] * N), False), ["y"]),
        (
            tables(
                {"grade": classes([str(i) for i in range(25)])},
                text(id=IDS[N:], **{str(i): ["0"] * N for i in range(25)}),
            ),
            ["id", *(str(i) for i in range(25))],
        ),
        (
            tables(
                {"band": classes([str(i) for i in range(12)])},
                text(id=IDS[N:], **{band: ["0"] * N for band in BANDS}),
            ),
            ["id", *BANDS],
        ),
        (
            tables({"late": classes(["no", "yes"])}, text(id=IDS[N:], no=["1"] * N, yes=["0"] * N)),
            ["id", "no", "yes"],
        ),
        (
            tables(
                {"band": classes(["a", "b"])},
                text(id=IDS[N:], a=["1"] * N, b=["0"] * N, never=["0"] * N),
            ),
            ["id", "a", "b", "never"],
        ),
    ],
    ids=[
        "blank in test, no sample", "blank in test", "numbers of rows that test has not", "no id",
        "numbered classes", "endings that hold each other", "two classes, two columns",
        "a class that train has not",
    ],
)  # fmt: skip
def test_the_submission_has_the_shape_that_is_asked_for(given, columns):
    frame, _ = answered(given)
    assert list(frame.columns) == columns
    assert len(frame) == N
    if given.sample is not None:
        first = given.sample.columns[0]
        if first in ("id", "ImageId"):
            assert frame[first].tolist() == given.sample[first].tolist()


def test_fewer_rows_than_test_has_are_answered_in_the_samples_order():
    wanted = IDS[N + 50 : N : -1]
    frame, _ = answered(tables({"y": NUMBERS}, text(id=wanted, y=["0.5"] * 50)))
    assert frame["id"].tolist() == wanted


@pytest.mark.parametrize(
    "sample",
    [text(id=["x"] * N, y=["0"] * N), text(y=["0"] * 7), text(other=["0"] * N, more=["1"] * N)],
)
def test_what_cannot_be_told_is_unclear(sample):
    with pytest.raises(UnclearError):
        ask(tables({"y": NUMBERS}, sample), NOTHING)


@pytest.mark.parametrize("words", [["1", "2", "3"], ["-1", "1"], ["001", "002"], ["3", "5", "7"]])
@pytest.mark.parametrize("placeholder", ["0", "1"])
def test_numbered_classes_are_written_as_train_writes_them(words, placeholder):
    sample = text(id=IDS[N:], grade=[placeholder] * N)
    frame, _ = answered(tables({"grade": classes(words)}, sample), Told("accuracy", ""))
    assert set(frame["grade"]) <= set(words)


@pytest.mark.parametrize("power", [-1000, -300, 0, 133, 300])
def test_the_scale_of_a_target_is_not_seen_by_models(power):
    """A number of 1e40 is none in single precision, and one of 1e-310 hardly in double."""
    plain, scaled = (
        dataset(given, ask(given, NOTHING)).data
        for given in (
            tables({"y": [repr(float(np.ldexp(float(y), by))) for y in NUMBERS]}, None)
            for by in (0, power)
        )
    )
    seen = [data.targets[0].to_link(data.ys[0]) for data in (plain, scaled)]
    assert seen[0].tolist() == pytest.approx(seen[1].tolist(), rel=1e-12)
    assert 0.5 <= seen[0].std() < 1
    assert scaled.targets[0].from_link(seen[1]).tolist() == scaled.ys[0].tolist()


def test_numbers_without_a_square_are_unclear():
    with pytest.raises(UnclearError, match="have no square"):
        ask(tables({"y": [f"{y}e200" for y in NUMBERS]}, None), NOTHING)


@pytest.mark.parametrize("form", ["{:,.2f}", "{:.2f}%", "${:,.2f}", "{:.2f} €"])
def test_numbers_as_people_write_them_are_targets(form):
    values = [1000.0 * float(y) for y in NUMBERS]
    given = tables({"y": [form.format(y) for y in values]}, None)
    data = dataset(given, ask(given, NOTHING)).data
    assert data.targets[0].kind == "regression"
    assert sorted(data.ys[0]) == pytest.approx(sorted(values), abs=0.01)


def test_accuracy_in_passing_makes_no_classes_of_numbers():
    loose, sure = Told("accuracy", "", sure=False), Told("accuracy", "")
    for told in (loose, sure):
        assert ask(tables({"y": NUMBERS}, None), told).targets[0].kind == "regression"
    grades = classes([str(grade) for grade in range(25)])
    assert ask(tables({"y": grades}, None), loose).targets[0].kind == "regression"
    assert ask(tables({"y": grades}, None), sure).targets[0].kind == "multiclass"
    assert ask(tables({"y": classes(["no", "yes"])}, None), loose).metric.name == "accuracy"


@pytest.mark.parametrize("train_ids", [True, False])
def test_the_order_of_the_train_rows_is_forgotten_where_ids_do_not_tell_them_apart(train_ids):
    given = tables({"y": NUMBERS}, None, train_ids=train_ids)
    if train_ids:
        given.train["id"] = classes(["a", "b"])
    found = []
    for order in (slice(None), slice(None, None, -1)):
        train = given.train.iloc[order].reset_index(drop=True)
        rows = dataset(Tables(train, given.test, None), ask(given, NOTHING))
        assert train["y"].astype(float)[rows.train_rows].tolist() == rows.data.ys[0].tolist()
        found.append((rows.data.ys[0].tolist(), rows.data.rows["u"].tolist()))
    assert found[0] == found[1]


def test_a_sample_of_ids_alone_is_unclear():
    with pytest.raises(UnclearError, match="no column but"):
        ask(tables({"y": NUMBERS}, text(id=IDS[N:])), NOTHING)


def test_dates_of_any_year_are_dates():
    days = ["2020-01-31"] * 30 + ["2020-02-01"] * 29 + ["9999-12-31"]
    rows = text(until=days)
    features = Views({"until": "date"})(rows, rows)
    assert features["until (days)"].iloc[[0, -1]].tolist() == [18292.0, 2932896.0]
    assert features["until (year)"].max() == 9999.0


def test_a_number_beyond_single_precision_is_held():
    rows = text(u=["1", "1e39", "-1e300"])
    assert Views({"u": "number"})(rows, rows)["u"].abs().max() == 1e30


def test_a_number_and_a_class_at_once_are_unclear():
    with pytest.raises(UnclearError, match="some are numbers"):
        ask(tables({"y": NUMBERS, "band": classes(["a", "b"])}, None), NOTHING)


def test_the_letters_that_are_told_apart_are_the_same_in_any_order():
    rows = text(a=[f"{chr(0x4E00 + i)}{i}" for i in range(80)])
    letters = [
        set(Views({"a": "code"})(shuffled, shuffled)["a (first)"].dropna())
        for shuffled in (rows, rows[::-1])
    ]
    assert letters[0] == letters[1]
    assert len(letters[0]) == 50


def test_features_that_would_share_a_name_are_all_there():
    rows = text(**{"a": [f"c{i % 70}" for i in range(2 * N)], "a (count)": IDS, "a (length)": IDS})
    kinds = {"a": "code", "a (count)": "number", "a (length)": "number"}
    features = Views(kinds)(rows, rows)
    assert features["a (count)"].tolist() == [float(i) for i in IDS]
    assert features["a (count)'"].max() == 2.0


@pytest.mark.parametrize(
    ("answer", "sample", "told", "best"),
    [
        (classes(["cat", "dog", "cat"]), {"label": ["dog"] * 2}, NOTHING, {"label": "cat"}),
        (classes(["yes", "no", "no"]), {"label": ["0.5"] * 2}, Told("auc", ""), {"label": "0.333"}),
        (classes(["0", "1", "1"]), {"label": ["0"] * 2}, Told("accuracy", ""), {"label": "1"}),
        (classes(["0", "2", "2"]), {"label": ["0"] * 2}, NOTHING, {"label": "2"}),
        (classes("abb"), {"a": ["1"] * 2, "b": ["0"] * 2}, NOTHING, {"a": "0.333", "b": "0.667"}),
        (["same"] * N, {"label": ["?"] * 2}, NOTHING, {"label": "same"}),
    ],
)  # fmt: skip
def test_the_constant_of_pictures(answer, sample, told, best):
    train = text(id=IDS[:N], label=answer)
    frame, _ = constant(train, None, text(id=["7", "8"], **sample), told)
    assert frame["id"].tolist() == ["7", "8"]
    for column, value in best.items():
        found = frame[column].tolist()
        assert [f"{float(v):.3f}" if "." in value else v for v in found] == [value] * 2

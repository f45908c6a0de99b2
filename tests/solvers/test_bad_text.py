"""Odd texts are read like any other, or refused with a sentence; none ends in a traceback."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from signatures import REGISTRY
from solvers.cli.commands import app
from solvers.features import build_features

REJECTED = 4
FILES = ("train.csv", "test.csv", "sample_submission.csv")
TASKS = {
    "spooky-author-identification": ("text", ["EAP", "HPL", "MWS"]),
    "detecting-insults-in-social-commentary": ("Comment", ["Insult"]),
}
ODD = {
    "blank": " \t ",
    "a mark": ".",
    "from right to left": "\u05d0\u05ea\u05d4 \u202e\u05d8\u05e4\u202c \u060c\u0623\u0646",
    "pictures": "you 🤡\u200d👨🏽\ufe0f are 💩",
    "markup": "<p onclick='you()'>&lt;b&gt;fool</p><!-- you --> &#xD800; &#99999999;",
    "half of a pair, escaped": r'"\ud83d you \\ud800\\udfff fool"',
    "a quote that is never closed": '"you fool\\',
    "a formula": "=1+1;@SUM(A1)",
    "line ends": "you\r\n\r\nfool\n",
    "controls": "you\x01\x1b[31mfool\x7f\u2028\ufeff",
    "a null byte": "you\x00fool",
    "a word for missing": "NaN",
}
A_MEGABYTE = "you fool, " * 100_000
LONG = {
    "one letter": "a" * 1_000_000,
    "disguises": "a$$!@0 . i d i " * 70_000,
    "signs": "a" + "$" * 1_000_000,
    "backslashes": '"' + "\\" * 1_000_000,
    "names": "@you" * 250_000,
    "nothing but you": "you're " * 140_000,
}
REFUSED = {
    "nothing": (b"", "missing"),
    "half of a pair": (b"you \xed\xa0\xbd fool", "not UTF-8"),
    "a quote that the file never closes": (b'"you fool', "quote"),
}


@pytest.fixture(params=TASKS)
def task(request):
    """Slug, column of text, and synthetic tables of a task that reads."""
    column, outputs = TASKS[request.param]
    solver = REGISTRY[request.param].load_solver()
    return column, outputs, solver, solver.example(60, len(ODD) + 1, 0)


def solve(tables, folder, spoil=lambda content: content):
    folder.mkdir()
    for name, table in zip(FILES, tables, strict=True):
        table.to_csv(folder / name, index=False, lineterminator="\n")
    train = folder / "train.csv"
    train.write_bytes(spoil(train.read_bytes()))
    options = ["--out", str(folder.parent / "run"), "--jobs", "1", "--profile", "quick"]
    return CliRunner().invoke(app, ["solve", str(folder), *options, "--no-report"])


def with_texts(table, column, texts):
    """Put texts into the first rows, where the table has the column."""
    table = table.reset_index(drop=True).astype(object)
    if column in table:
        table.loc[: len(texts) - 1, column] = list(texts)
    return table


def test_odd_texts_are_read_and_answered(task, tmp_path):
    column, outputs, _, (train, test, sample) = task
    # A comment is an id, and none of test may be in train.
    train = with_texts(train, column, [f"{text} " for text in ODD.values()])
    test, sample = (with_texts(t, column, [*ODD.values(), A_MEGABYTE]) for t in (test, sample))
    result = solve((train, test, sample), tmp_path / "data")
    assert result.exit_code == 0, result.output
    answers = pd.read_csv(tmp_path / "run" / "submission.csv", keep_default_na=False)
    assert len(answers) == len(test)
    assert answers[outputs].apply(lambda given: given.between(0, 1)).all(axis=None)
    if column in answers:
        told = pd.read_csv(tmp_path / "data" / "test.csv", keep_default_na=False)
        assert answers[column].tolist() == told[column].tolist()


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_megabyte_takes_no_more_than_its_length(task, text):
    column, _, solver, (train, *_) = task
    rows = solver.parse(with_texts(train.head(2), column, [text, "you fool"]))
    told = build_features(rows, rows, solver.features).select_dtypes("number")
    assert np.isfinite(told.to_numpy()).all()


@pytest.mark.parametrize("case", REFUSED)
def test_a_broken_text_is_refused_with_a_sentence(task, tmp_path, case):
    column, _, _, (train, test, sample) = task
    written, words = REFUSED[case]
    train = with_texts(train, column, ["PUT HERE"])
    result = solve(
        (train, test, sample), tmp_path / "data", lambda b: b.replace(b"PUT HERE", written)
    )
    assert result.exit_code == REJECTED, result.output
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "run").exists()

"""The report of a run: what it says, what it withstands, what it costs."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from signatures import RunFolderError
from solvers.cli.commands import app
from solvers.record_types import RunRecord
from solvers.report import write_report
from solvers.report.importances import read_importances
from solvers.report.statistics import calibrate, confused, confusion, correlation, roc
from solvers.report.wording import TIMES, percent, seconds, shortened

# A test asks for `made` to make a run like one of conftest's, but for a detail.


@pytest.fixture
def made(made_kinds):
    return lambda kind, **changes: dataclasses.replace(made_kinds[kind], **changes)


class Page(HTMLParser):
    """Names of tags in order, ids, and all text outside of style."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._hidden = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._hidden = tag == "style"

    def handle_data(self, data):
        if not self._hidden:
            self.text += data.replace("\N{NO-BREAK SPACE}", " ")

    def of(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


def damage(run: Path, name: str, change) -> None:
    """Rewrite a parquet file as `change` turns its table."""
    parquet.write_table(change(parquet.read_table(run / name)), run / name)


# What a page is


KINDS = (
    "binary", "one-seed", "regression", "logarithms", "multiclass", "many-classes", "several",
    "hostile", "fallback",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_unique_and_every_reference_has_one(pages, kind):
    page = Page(pages[kind])
    ids = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    assert len(ids) == len(set(ids))
    text = pages[kind].read_text(encoding="utf-8")
    named = re.findall(r'(?:url\(|href=")#([^)"]+)', text)
    named += [
        word
        for _, attributes in page.tags
        for word in (attributes.get("aria-labelledby") or "").split()
    ]
    assert set(named) <= set(ids)


@pytest.mark.parametrize("kind", KINDS)
def test_headings_go_down_one_level_at_a_time_from_a_single_h1(pages, kind):
    levels = [int(tag[1]) for tag, _ in Page(pages[kind]).tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("kind", KINDS)
def test_page_asks_for_nothing_from_elsewhere(pages, kind):
    text = pages[kind].read_text(encoding="utf-8")
    page = Page(pages[kind])
    assert not page.of("script")
    assert not page.of("img")
    assert [link["href"][:5] for link in page.of("link")] == ["data:"]
    assert all(link["href"].startswith("#") for link in page.of("a"))
    assert "@import" not in text
    assert set(re.findall(r"url\((.)", text)) <= {"#"}
    (policy,) = (meta["content"] for meta in page.of("meta") if meta.get("http-equiv"))
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")


@pytest.mark.parametrize("kind", KINDS)
def test_no_colour_of_a_figure_is_fixed(pages, kind):
    svgs = re.findall(r"<svg.*?</svg>", pages[kind].read_text(encoding="utf-8"), re.DOTALL)
    assert svgs
    for svg in svgs:
        styles = " ".join(re.findall(r'<[^>]*style="([^"]*)"', svg))
        assert not re.search(r"(fill|stroke): #", styles)
        assert "var(--ink)" in styles


def test_known_task_shows_what_was_asked_for(pages):
    text = Page(pages["binary"]).text
    for said in (
        "garden-beds", "0.8140 ± 0.0012", "accuracy", f"90 rows {TIMES} 3 fold seeds",
        "The rows are synthetic.", "This is no leaderboard score", "standard error over fold seeds",
        "Calibration of the used blend", "ROC of base models", "Margins of the test rows",
        "Correlation of predictions", "Feature importance", "age_from_party", "When each stage ran",
        "train.csv", "Linux-x86_64", "numpy", "solvers verify", "Columns not used: colour",
        "A processor", "with uncommitted changes", "sampling error of 0.041",
    ):  # fmt: skip
        assert said in text, said


def test_one_fold_seed_has_no_error(pages):
    text = Page(pages["one-seed"]).text
    assert "±" not in text[: text.index("Base models, average and stack")]
    assert "no standard error to draw" in text
    assert "no label is decided" in text  # auc takes probabilities


def test_regression_shows_residuals_and_no_margins(pages):
    text = Page(pages["regression"]).text
    assert "Residuals against predictions" in text
    assert "Margins" not in text
    assert "log(1 + x)" not in text
    assert "log(1 + x)" in Page(pages["logarithms"]).text


def test_few_classes_are_a_matrix_and_many_are_pairs(pages):
    assert "Confusion matrix" in Page(pages["multiclass"]).text
    many = Page(pages["many-classes"]).text
    assert "Confusion matrix" not in many
    assert re.search(r"the 15 most frequent of \d+ kinds of mistake among 30 classes", many)


def test_each_of_several_targets_has_its_figures(pages):
    page = Page(pages["several"])
    ids = {attributes.get("id") for _, attributes in page.tags}
    assert {"t0-roc-head", "t1-density-head", "t2-mistakes-head"} <= ids
    assert {f"t{n}-alike-head" for n in range(3)} <= ids
    assert {f"t{n}-importance-head" for n in range(3)} <= ids


def test_targets_beyond_the_third_are_said_not_to_be_drawn(make_run, made):
    run = make_run(made("binary", targets={f"t{n}": ("no", "yes") for n in range(5)}, n=30))
    assert "Figures of the first 3 targets; 2 more" in Page(write_report(run)).text


def test_fallback_has_a_shorter_page_without_scores(pages):
    page = Page(pages["fallback"])
    assert "answered by the fallback agent" in page.text
    assert "no signature fits" in page.text
    assert "solvers verify" not in page.text
    assert "sha256sum --check" in page.text
    assert len(page.of("figure")) == 1


def test_earlier_verdicts_are_shown_and_broken_lines_passed_over(make_run):
    run = make_run("fallback")
    lines = [
        {"verdict": "same bytes", "checked": "2026-02-03T04:05:06+00:00", "rows": 9},
        {"verdict": "different", "checked": "2026-03-03T04:05:06+00:00"},
        ["no", "verdict"],
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines) + "{cut sho"
    (run / "verifications.jsonl").write_text(text, encoding="utf-8")
    text = Page(write_report(run)).text
    assert "same bytes" in text
    assert "2026-03-03T04:05:06+00:00" in text
    assert "No verification has been recorded" not in text


def test_real_run_has_a_report(finished, tmp_path):
    text = Page(write_report(finished[0].run, tmp_path / "page.html")).text
    assert "spaceship-titanic" in text
    assert "n = 240 rows" in text


# Whose words are whose


def test_words_of_the_data_stay_words(pages):
    page = Page(pages["hostile"])
    assert not page.of("script")
    hostile = "<script>alert('{{7*7}}')</script> & \"$x$\""
    assert hostile in page.text  # as text, in the heading for one
    raw = pages["hostile"].read_text(encoding="utf-8")
    assert "49" not in "".join(re.findall(r"alert\S*", raw))
    # In the figures too: neither markup nor formulas nor colours.
    drawn = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", raw))
    assert "&lt;s" in drawn
    assert "$x$" in drawn
    assert "#fe0001" in drawn
    assert hostile in " ".join(attributes.get("aria-label") or "" for _, attributes in page.tags)


def test_command_quotes_the_name_of_the_run(make_run):
    page = write_report(make_run(), name="/runs/it's; rm -rf")
    assert "solvers verify '/runs/it'\"'\"'s; rm -rf'" in Page(page).text


# The same run, the same page


def test_same_run_gives_the_same_bytes_in_any_process(make_run, tmp_path):
    run = make_run("multiclass")
    first = write_report(run, tmp_path / "first.html", name="r").read_bytes()
    assert write_report(run, tmp_path / "second.html", name="r").read_bytes() == first
    code = (
        "import sys; from pathlib import Path; from solvers.report import write_report;"
        "write_report(Path(sys.argv[1]), Path(sys.argv[2]), name='r');"
        "print([m for m in ('matplotlib.pyplot', 'sklearn', 'pandas') if m in sys.modules])"
    )
    settings = tmp_path / "matplotlibrc"
    settings.write_text("font.size: 20\naxes.grid: False\nsvg.hashsalt: other\n")
    done = subprocess.run(
        [sys.executable, "-c", code, str(run), str(tmp_path / "third.html")],
        env={**os.environ, "PYTHONHASHSEED": "11", "MATPLOTLIBRC": str(settings)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (tmp_path / "third.html").read_bytes() == first
    # And what costs much to import is not.
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_drawing_leaves_no_settings_behind(make_run):
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    write_report(make_run("fallback"))
    assert dict(mpl.rcParams) == before


def test_record_may_be_handed_over_before_it_is_written(make_run, tmp_path):
    run = make_run("fallback")
    record = RunRecord.model_validate_json((run / "run.json").read_text(encoding="utf-8"))
    with_file = write_report(run, tmp_path / "a.html").read_bytes()
    (run / "run.json").unlink()
    assert write_report(run, tmp_path / "b.html", record=record).read_bytes() == with_file


# Broken folders


def test_failed_report_leaves_what_was_there(make_run):
    run = make_run()
    page = run / "report.html"
    page.write_text("an earlier page")
    before = sorted(path.name for path in run.iterdir()), page.read_bytes()
    (run / "test_predictions.parquet").write_bytes(b"PAR1 but no more")
    with pytest.raises(RunFolderError):
        write_report(run)
    assert (sorted(path.name for path in run.iterdir()), page.read_bytes()) == before


def drop(column):
    return lambda table: table.drop_columns([column])


def put(column, values):
    def change(table):
        where = table.column_names.index(column)
        return table.set_column(where, column, [values(table.num_rows)])

    return change


OOF, TEST, GAIN = (
    f"{name}.parquet" for name in ("oof_predictions", "test_predictions", "feature_importance")
)
BROKEN = {
    "no truth": (OOF, drop("Transported"), "has no column 'Transported'"),
    "no model": (OOF, drop("xgboost"), "has no column 'xgboost'"),
    "no fold seed": (OOF, drop("fold_seed"), "has no column 'fold_seed'"),
    "no blend": (TEST, drop("average"), "has no column 'average'"),
    "no mean": (GAIN, drop("mean"), "has no column 'mean'"),
    "words": (OOF, put("xgboost", lambda n: pa.array(["a"] * n)), "has no numbers in column"),
    "nan": (OOF, put("average", lambda n: pa.array([np.nan] * n)), "missing or infinite"),
    "other label": (OOF, put("Transported", lambda n: pa.array(["x"] * n)), "no labels of the rec"),
    "lists": (OOF, put("Transported", lambda n: pa.array([["x"]] * n)), "has no labels in column"),
    "rows gone": (OOF, lambda table: table.slice(1), "does not hold each train row once"),
    "no rows": (OOF, lambda table: table.slice(0, 0), "does not hold each train row once"),
    "twice": (OOF, lambda t: t.append_column("xgboost", t["xgboost"]), "has more than one column"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_table_is_named_with_what_to_do(make_run, what):
    name, change, problem = BROKEN[what]
    run = make_run()
    damage(run, name, change)
    with pytest.raises(RunFolderError) as caught:
        write_report(run)
    assert problem in str(caught.value)
    assert str(run / name) in str(caught.value)
    assert "solvers solve" in str(caught.value)


@pytest.mark.parametrize("name", [OOF, TEST, GAIN])
@pytest.mark.parametrize("keep", [0, 0.5, 0.999])
def test_cut_off_table_is_a_sentence(make_run, name, keep):
    run = make_run()
    whole = (run / name).read_bytes()
    (run / name).write_bytes(whole[: int(keep * len(whole))])
    with pytest.raises(RunFolderError, match="is not a parquet file that can be read"):
        write_report(run)


def test_scrambled_table_is_a_sentence(make_run):
    run = make_run()
    whole = bytearray((run / OOF).read_bytes())
    whole[4 : len(whole) // 2] = b"\xff" * (len(whole) // 2 - 4)
    (run / OOF).write_bytes(whole)
    with pytest.raises(RunFolderError, match="oof_predictions"):
        write_report(run)


def test_missing_predictions_are_named_and_missing_importances_are_said(make_run):
    run = make_run()
    (run / GAIN).unlink()
    assert read_importances(run, ["Transported"]) == {}
    assert "No feature importance was recorded" in Page(write_report(run)).text
    (run / OOF).unlink()
    with pytest.raises(RunFolderError, match="is missing"):
        write_report(run)


def test_importances_of_no_model_are_none(make_run):
    run = make_run()
    damage(run, GAIN, lambda table: table.slice(0, 0))
    assert read_importances(run, ["Transported"]) == {}


@pytest.mark.parametrize("place", ["folder", "absent/page.html"])
def test_place_that_cannot_be_written_is_a_sentence(make_run, tmp_path, place):
    (tmp_path / "folder").mkdir()
    with pytest.raises(RunFolderError, match="--out"):
        write_report(make_run("fallback"), tmp_path / place)


def test_command_writes_and_says_where(make_run, tmp_path):
    run, runner = make_run("fallback"), CliRunner()
    done = runner.invoke(app, ["report", str(run)])
    assert (done.exit_code, done.stdout) == (0, f"report: {run / 'report.html'}\n")
    out = tmp_path / "page.html"
    done = runner.invoke(app, ["report", str(run), "--out", str(out), "--json"])
    assert json.loads(done.stdout) == {"run": str(run), "report": str(out)}
    assert out.is_file()


def test_command_fails_in_a_sentence(tmp_path):
    done = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert done.exit_code == 2
    assert "holds no run" in done.stderr
    assert "Traceback" not in done.stderr


# Large runs


def test_large_run_gives_a_small_page(make_run, made):
    large = made(
        "binary",
        targets={"class": tuple(f"class {n}" for n in range(99))},
        n=12_000,
        n_test=3_000,
        seeds=2,
        features=tuple(f"feature {n}" for n in range(3_000)),
        rules={f"rule_{n}": n for n in range(200)},
    )
    page = write_report(make_run(large))
    assert page.stat().st_size < 500_000
    text = Page(page).text
    assert "The 20 largest of 3,000 features" in text
    assert f"n = 12,000 rows {TIMES} 1 of 2 fold seeds" in text


def test_part_of_a_fold_seed_is_said_to_be_one(make_run, made, monkeypatch):
    monkeypatch.setattr("solvers.report.predicted._AT_ONCE", 200)
    text = Page(write_report(make_run())).text
    assert "n = the first 50 of 90 rows, by id, in the first fold seed" in text


def test_residuals_of_any_number_of_rows_take_little_room(make_run, made):
    page = write_report(make_run(made("regression", n=40_000)))
    assert page.stat().st_size < 250_000


# The numbers


def test_roc_has_the_area_that_scikit_learn_finds():
    from sklearn.metrics import roc_auc_score

    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 400).astype(float)
    probability = np.round(0.3 * truth + 0.7 * random.random(400), 1)  # many ties
    seed_of = np.repeat(np.arange(2), 200).astype(np.int16)
    curve = roc(truth, probability, seed_of)
    assert curve is not None
    expected = [
        roc_auc_score(truth[part], probability[part]) for part in (slice(200), slice(200, None))
    ]
    np.testing.assert_allclose(curve.areas, expected)
    assert curve.area_text().startswith(f"{np.mean(expected):.3f} ± ")


def test_roc_of_one_class_is_none_and_its_figure_is_left_out(make_run):
    assert roc(np.ones(4), np.linspace(0, 1, 4), np.zeros(4, dtype=np.int16)) is None
    run = make_run()
    damage(run, OOF, put("Transported", lambda n: pa.array(["True"] * n)))
    text = Page(write_report(run)).text
    assert "Calibration of the used blend" in text
    assert "ROC of base models" not in text


def test_calibration_counts_every_prediction_once_even_a_one():
    bins = calibrate(np.array([0.0, 0.1, 0.1999, 1.0]), np.array([0.0, 1.0, 0.0, 1.0]))
    assert bins.counts.tolist() == [1, 2, 0, 0, 0, 0, 0, 0, 0, 1]
    assert bins.observed[1] == 0.5


def test_correlation_of_classes_is_about_each_class_and_constants_have_none():
    first = np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    moved = first + np.array([0.5, -0.5])  # the means of the classes are no likeness
    constant = np.full((3, 2), 0.5)
    matrix = correlation([first, moved, constant])
    assert matrix[0, 1] == pytest.approx(1)
    assert np.isnan(matrix[0, 2])


def test_model_that_always_says_the_same_is_drawn(make_run):
    run = make_run()
    damage(run, OOF, put("xgboost", lambda n: pa.array([0.5] * n)))
    text = Page(write_report(run)).text
    assert "catboost and xgboost" in text
    assert "nan" in text


def test_mistakes_are_counted():
    truth, taken = np.array([0.0, 0, 0, 1, 2]), np.array([0.0, 1, 1, 1, 0])
    assert confusion(truth, taken, 3).tolist() == [[1, 2, 0], [0, 1, 0], [1, 0, 0]]
    first, second = confused(truth, taken, 3)
    assert (first.true, first.taken, first.count) == (0, 1, 2)
    assert first.share == pytest.approx(2 / 3)
    assert (second.true, second.taken, second.share) == (2, 0, 1)


def test_importances_are_means_over_models_and_what_a_model_lacks_is_zero(tmp_path):
    rows = [
        ("a", "y", "age", 0.9, 0.1, 6), ("a", "y", "cabin", 0.1, 0.1, 6),
        ("b", "y", "cabin", 1.0, 0.0, 6), ("b", "other", "age", 1.0, 0.0, 6),
    ]  # fmt: skip
    names = ("model", "target", "feature", "mean", "sd", "fits")
    table = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])
    parquet.write_table(table, tmp_path / GAIN)
    found = read_importances(tmp_path, ["y"])["y"]
    assert found.features == ["cabin", "age"]
    np.testing.assert_allclose(found.mean, [[0.1, 1.0], [0.9, 0.0]])


@pytest.mark.parametrize(
    ("value", "said"), [(59.94, "59.9 s"), (59.96, "1 min 00 s"), (3599.6, "1 h 00 min")]
)
def test_seconds_are_never_sixty(value, said):
    assert seconds(value) == said


def test_shares_are_rounded_to_what_they_are():
    said = [percent(share).split() for share in (0.0996, 0.9999, 1.0)]
    assert said == [["10.0", "%"], ["100", "%"], ["100", "%"]]


def test_names_lose_what_breaks_a_line():
    assert shortened("a\nb\x00c\u2028d") == "a b c d"


@pytest.mark.parametrize("name", ["run.json", "submission.csv", "oof_predictions.parquet"])
def test_nothing_but_a_report_is_replaced(finished, tmp_path, name):
    run = shutil.copytree(finished[0].run, tmp_path / "run")
    before = (run / name).read_bytes()
    with pytest.raises(RunFolderError, match="is none of ours; it is left as it is"):
        write_report(run, run / name)
    assert (run / name).read_bytes() == before
    assert write_report(run, run / "report.html").stat().st_size > 10_000


def test_a_device_is_not_replaced(finished):
    with pytest.raises(RunFolderError, match="is not a plain file"):
        write_report(finished[0].run, Path("/dev/null"))
    assert Path("/dev/null").is_char_device()

import gzip
import io
import os
import zipfile
from typing import Any

import pytest

import signatures
from signatures import BundleError, read_header
from signatures import folder as folder_module

# A role may have no file. Here it always has one.
find: Any = signatures.find

ROWS = "a,b\n1,2\n"


def zipped(name, content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def roles(bundle):
    members = (bundle.train, bundle.test, bundle.sample, bundle.description)
    return [member and member.name for member in members]


def test_roles_are_found_at_any_depth(dataset):
    names = ["train.csv", "test.csv", "sample_submission.csv", "description.md"]
    bundle = find(dataset({f"home/data/{name}": ROWS for name in names}))
    assert roles(bundle) == [f"home/data/{name}" for name in names]
    assert not bundle.is_archive


@pytest.mark.parametrize(
    "name",
    [
        "sample_submission.csv",
        "sampleSubmission.csv",
        "sample-submission.csv",
        "SampleSubmission.csv",
        "gender_submission.csv",
        "sample_submission_null.csv",
        "submission_sample.csv",
        "test_null.csv",
        "my submission.csv",
        "sample_submission.csv.zip",
        "sample_submission.csv.gz",
    ],
)
def test_sample_is_found_in_its_many_spellings(dataset, name):
    content: object = ROWS
    if name.endswith(".zip"):
        content = zipped("sample_submission.csv", ROWS)
    if name.endswith(".gz"):
        content = gzip.compress(ROWS.encode())
    bundle = find(dataset({"train.csv": ROWS, name: content}))
    assert roles(bundle) == ["train.csv", None, name, None]


def test_sure_spelling_of_the_sample_comes_first(dataset):
    names = ["a_submission.csv", "gender_submission.csv", "sample_submission.csv"]
    assert find(dataset(dict.fromkeys(names, ROWS))).sample.name == "sample_submission.csv"


def test_own_submissions_are_not_the_sample(dataset):
    files = {"train.csv": ROWS, "submission_1.csv": ROWS, "submission_2.csv": ROWS}
    assert find(dataset(files)).sample is None


@pytest.mark.parametrize("name", ["description.md", "data_description.txt", "Description.txt"])
def test_description_is_found(dataset, name):
    assert find(dataset({"train.csv": ROWS, name: "", "README.md": ""})).description.name == name


def test_readme_is_not_a_description(dataset):
    assert find(dataset({"train.csv": ROWS, "README.md": "", "notes.txt": ""})).description is None


@pytest.mark.parametrize(
    "name", ["spaceship_train.csv", "train_v2.csv", "Training.csv", "x.train.csv"]
)
def test_train_may_be_a_word_in_the_name(dataset, name):
    bundle = find(dataset({name: ROWS, "trains.csv": ROWS, "sample_train.csv": ROWS}))
    assert bundle.train.name == name


def test_exact_name_comes_before_a_word_in_the_name(dataset):
    files = dict.fromkeys(["train_old.csv", "train.csv", "train-2.csv"], ROWS)
    assert find(dataset(files)).train.name == "train.csv"


def test_training_table_is_not_the_file_about_both(dataset):
    bundle = find(dataset({"train_test_split.csv": ROWS}))
    assert roles(bundle) == [None] * 4


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["train.csv", "train.csv.gz"], "train.csv"),
        (["train.csv.gz", "train.parquet"], "train.parquet"),
        (["train.json", "train.csv"], "train.csv"),
    ],
)
def test_plainest_form_of_a_table_is_taken(dataset, names, taken):
    assert find(dataset(dict.fromkeys(names, ROWS))).train.name == taken


def test_plain_json_comes_before_its_zip(dataset):
    files = {"train.json": '[{"a": 1}]', "train.zip": zipped("train.json", '[{"b": 1}]')}
    assert find(dataset(files)).train.name == "train.json"


def test_two_folders_with_a_training_table_are_both_named(dataset):
    folder = dataset({"fish/train.csv": ROWS, "birds/train.csv": ROWS})
    with pytest.raises(BundleError, match=r"'birds/train.csv', 'fish/train.csv'\. Hand over"):
        find(folder)


def test_many_training_tables_are_named_by_three(dataset):
    folder = dataset({f"{letter}/train.csv": ROWS for letter in "abcde"})
    with pytest.raises(BundleError, match=r"holds 5 files .*'c/train.csv' and 2 more"):
        find(folder)


def test_deeper_training_table_is_still_a_second_one(dataset):
    folder = dataset({"train.csv": ROWS, "test.csv": ROWS, "old/train.csv": ROWS})
    with pytest.raises(BundleError, match="could be the training table"):
        find(folder)


def test_two_spellings_in_one_folder_are_two_tables(dataset):
    folder = dataset({"train.csv": ROWS, "Train.CSV": ROWS})
    if len(os.listdir(folder)) == 1:
        pytest.skip("this file system does not tell the two names apart")
    with pytest.raises(BundleError, match="could be the training table"):
        find(folder)


@pytest.mark.parametrize("junk", ["__MACOSX/train.csv", ".backup/train.csv", "x/._train.csv"])
def test_junk_is_ignored(dataset, junk):
    bundle = find(dataset({"d/train.csv": ROWS, junk: ROWS}))
    assert [member.name for member in bundle.members] == ["d/train.csv"]


def test_test_table_beside_train_is_taken(dataset):
    bundle = find(dataset({"public/train.csv": "", "public/test.csv": "", "private/test.csv": ""}))
    assert bundle.test.name == "public/test.csv"


def test_test_table_in_another_folder_is_taken_if_it_is_the_only_one(dataset):
    assert find(dataset({"a/train.csv": "", "b/test.csv": ""})).test.name == "b/test.csv"


def test_two_test_tables_away_from_train_are_both_named(dataset):
    with pytest.raises(BundleError, match="2 files that could be the test table"):
        find(dataset({"a/train.csv": "", "b/test.csv": "", "c/test.csv": ""}))


def test_images_are_listed_and_not_opened(dataset):
    images = {f"images/{number}.jpg": b"\xff\xd8" for number in range(1000)}
    bundle = find(dataset({"train.csv": ROWS, "train/7/geometry.xyz": "", **images}))
    assert len(bundle.members) == 1002
    assert bundle.train.name == "train.csv"
    assert (bundle.members[0].format, bundle.members[0].size) == ("", 2)


def test_names_are_sorted(dataset):
    bundle = find(dataset(dict.fromkeys(["b/x", "a", "c", "b/a"], "")))
    assert [member.name for member in bundle.members] == ["a", "b/a", "b/x", "c"]


def test_link_to_a_file_is_followed_and_to_a_folder_is_not(dataset, tmp_path):
    outside = dataset({"train.csv": ROWS}, "outside")
    folder = dataset({}, "inside")
    try:
        (folder / "train.csv").symlink_to(outside / "train.csv")
        (folder / "loop").symlink_to(folder, target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")
    assert [member.name for member in find(folder).members] == ["train.csv"]


def test_too_many_files_are_refused(dataset, monkeypatch):
    monkeypatch.setattr(folder_module, "MAX_FILES", 10)
    with pytest.raises(BundleError, match="more than 10 files"):
        find(dataset({str(number): "" for number in range(11)}))


def test_missing_path_is_named(tmp_path):
    with pytest.raises(BundleError, match="nowhere' does not exist"):
        find(tmp_path / "nowhere")


def test_table_itself_asks_for_its_folder(dataset):
    folder = dataset({"train.csv": ROWS, "train.csv.gz": gzip.compress(ROWS.encode())})
    for name in ("train.csv", "train.csv.gz"):
        with pytest.raises(BundleError, match="Hand over the folder it lies in") as error:
            find(folder / name)
        assert repr(str(folder)) in str(error.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BundleError, match="neither a folder nor a file"):
        find(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("train.csv", ROWS.encode(), "csv"),
        ("train.csv.gz", gzip.compress(ROWS.encode()), "csv"),
        ("train.csv.zip", zipped("train.csv", ROWS), "csv"),
        ("train.csv.zip", zipped("unnamed", ROWS), "csv"),
        ("train.zip", zipped("train.csv", ROWS), "csv"),
        ("train.zip", zipped("deep/data.csv", ROWS), "csv"),
    ],
)
def test_member_opens_decompressed(dataset, packed, name, content, format):
    for path in (
        dataset({name: content}),
        packed({f"home/data/{name}": content}),
        packed({name: content}, "data.zip"),
    ):
        train = find(path).train
        assert train.format == format
        with train.open() as stream:
            assert stream.read() == ROWS.encode()


def test_zip_of_tsv_and_zip_of_json_are_tables(dataset):
    folder = dataset(
        {
            "train.tsv.zip": zipped("train.tsv", "a\tb\n"),
            "test.zip": zipped("test.json", '[{"a": 1}]'),
        }
    )
    bundle = find(folder)
    assert (bundle.train.format, read_header(bundle.train).delimiter) == ("tsv", "\t")
    assert (bundle.test.format, read_header(bundle.test).columns) == ("json", ("a",))


def test_zip_of_images_is_no_table(dataset):
    folder = dataset({"train.zip": zipped("1.jpg", "x"), "train_labels.csv": ROWS})
    assert find(folder).train.name == "train_labels.csv"


def test_damaged_zip_of_a_table_is_named(dataset):
    folder = dataset({"train.csv.zip": zipped("train.csv", ROWS)[:-30]})
    with pytest.raises(BundleError, match=r"train.csv.zip' is damaged or cut short"):
        find(folder)


def test_truncated_gz_is_named(dataset):
    folder = dataset({"train.csv.gz": gzip.compress(os.urandom(5000).hex().encode())[:2000]})
    with pytest.raises(BundleError, match=r"train.csv.gz' is damaged or cut short"):
        read_header(find(folder).train)


def test_damage_after_the_header_is_told_while_reading(dataset):
    content = b"a,b\n" + os.urandom(2**21).hex().encode()
    folder = dataset({"train.csv.gz": gzip.compress(content, 1)[:-5000]})
    train = find(folder).train
    assert read_header(train).columns == ("a", "b")
    with train.open() as stream, pytest.raises(BundleError, match="damaged or cut short"):
        stream.read()


def test_something_else_under_a_gz_name_is_damaged(dataset):
    with pytest.raises(BundleError, match="damaged or cut short"):
        read_header(find(dataset({"train.csv.gz": ROWS})).train)


def test_file_that_vanished_is_named(dataset):
    folder = dataset({"train.csv": ROWS})
    train = find(folder).train
    (folder / "train.csv").unlink()
    with pytest.raises(BundleError, match=r"train.csv' cannot be read"):
        train.open()
    with pytest.raises(BundleError, match=r"train.csv' cannot be read"):
        _ = train.size

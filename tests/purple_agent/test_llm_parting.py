"""What the sandbox sees of the data where rows are held back, and what it does not."""

import gzip
import json
import tarfile
import zipfile

import pandas as pd
import pytest

import signatures
from tests.purple_agent.scripted import N_HELD, N_TRAIN, Rows, garden, part


@pytest.fixture
def data(tmp_path):
    return garden(tmp_path / "data")


def parted(data, tmp_path):
    return part(signatures.find(data), Rows(data), tmp_path / "bench")


def seen(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_train_lacks_the_rows_that_lie_beside_it_without_their_answers(data, tmp_path):
    found = parted(data, tmp_path)
    assert found.rows == "held_back.csv"
    train = pd.read_csv(data / "train.csv")
    pd.testing.assert_frame_equal(pd.read_csv(found.folder / "train.csv"), train.iloc[:-N_HELD])
    held = pd.read_csv(found.folder / "held_back.csv")
    assert list(held) == ["held_back_row", "bed_id", "worms", "compost"]
    assert held["bed_id"].tolist() == train["bed_id"].tolist()[-N_HELD:]
    for name in ("test.csv", "sample_submission.csv", "description.md"):
        assert (found.folder / name).read_bytes() == (data / name).read_bytes()


def test_no_other_copy_of_the_answers_is_shown(data, tmp_path):
    train = pd.read_csv(data / "train.csv")
    train.to_csv(data / "train.tsv", sep="\t", index=False)
    train.to_json(data / "everything.json", orient="records")
    train.to_parquet(data / "old.parquet")
    train[["bed_id", "yield"]].rename(columns={"yield": " Yield"}).to_csv(
        data / "answers.csv", index=False
    )
    (data / "more").mkdir()
    (data / "more" / "notes.csv.gz").write_bytes(gzip.compress((data / "train.csv").read_bytes()))
    (data / "table.txt").write_bytes((data / "train.csv").read_bytes())
    (data / "nested.json").write_text(json.dumps({"beds": train.to_dict("list")}))
    with zipfile.ZipFile(data / "original.zip", "w") as archive:
        archive.write(data / "train.csv", "beds.csv")
    with tarfile.open(data / "all.tar.gz", "w:gz") as archive:
        archive.add(data / "train.csv", "train.csv")
    (data / "held_back.csv").write_bytes((data / "train.csv").read_bytes())
    found = parted(data, tmp_path)
    assert seen(found.folder) == [
        "description.md", "held_back.csv", "sample_submission.csv", "test.csv", "train.csv",
    ]  # fmt: skip
    assert len(found.left_out) == 10
    assert "yield" not in (found.folder / "held_back.csv").read_text()


@pytest.mark.parametrize(
    "write",
    [
        lambda train: train.rename(columns={"yield": "y"}).to_csv(index=False),
        lambda train: train.astype(float).to_csv(index=False, header=list("abcd")),
        lambda train: train.iloc[3:].to_csv(index=False, header=False),
        lambda train: "# of the garden\n" + train.to_csv(index=False),
        lambda train: train[["yield"]].to_csv(index=False, header=["y"]),
        lambda train: train.T.to_csv(),
    ],
    ids=["renamed", "as numbers", "no header", "a comment first", "in the same order", "turned"],
)
def test_answers_by_another_name_are_not_shown(data, tmp_path, write):
    (data / "more.csv").write_text(write(pd.read_csv(data / "train.csv")))
    assert parted(data, tmp_path).left_out == ("more.csv",)


def test_table_that_tells_as_much_of_test_is_shown(data, tmp_path):
    beds = pd.concat([pd.read_csv(data / f"{name}.csv")["bed_id"] for name in ("train", "test")])
    beds.to_frame().assign(soil="clay").to_csv(data / "beds.csv", index=False)
    assert parted(data, tmp_path).left_out == ()


def test_pictures_that_lie_by_their_answers_are_not_shown(data, tmp_path):
    for place in ("train/Rich", "train/poor", "test/a", "test/b"):
        (data / "pictures" / place).mkdir(parents=True)
        (data / "pictures" / place / "7.jpg").write_bytes(b"a picture")
    found = parted(data, tmp_path)
    assert set(found.left_out) == {"pictures/train/Rich/7.jpg", "pictures/train/poor/7.jpg"}


def test_files_that_cannot_hold_the_answers_are_shown(data, tmp_path):
    pd.DataFrame({"compost": [0, 1], "smell": ["a", "b"]}).to_csv(data / "kinds.csv", index=False)
    (data / "pictures").mkdir()
    (data / "pictures" / "7.JPG").write_bytes(b"a picture")
    found = parted(data, tmp_path)
    assert (found.folder / "kinds.csv").read_bytes() == (data / "kinds.csv").read_bytes()
    assert (found.folder / "pictures" / "7.JPG").read_bytes() == b"a picture"
    assert found.left_out == ()


def test_tables_in_zips_and_folders_are_shown_as_tables(data, tmp_path):
    nested = data / "home" / "data"
    nested.mkdir(parents=True)
    for name in ("train", "test"):
        with zipfile.ZipFile(nested / f"{name}.csv.zip", "w") as archive:
            archive.write(data / f"{name}.csv", f"{name}.csv")
    rows = Rows(data)
    for name in ("train", "test"):
        (data / f"{name}.csv").unlink()
    (data / "sample_submission.csv").rename(nested / "sample_submission.csv")
    found = part(signatures.find(data), rows, tmp_path / "bench")
    assert found.rows == "home/data/held_back.csv"
    assert "home/data/test.csv" in seen(found.folder)
    assert len(pd.read_csv(found.folder / "home/data/train.csv")) == N_TRAIN - N_HELD
    assert not [name for name in seen(found.folder) if name.endswith(".zip")]


def test_copies_are_no_way_to_change_the_data(data, tmp_path):
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    found = parted(data, tmp_path)
    for name in ("train.csv", "test.csv", "sample_submission.csv", "description.md"):
        (found.folder / name).write_bytes(b"changed")
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before

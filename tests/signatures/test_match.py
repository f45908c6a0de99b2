import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import signatures
from signatures import AmbiguousTaskError, Registry, UnknownTaskError, match

LIBRARIES = [
    *("pandas", "numpy", "scipy", "sklearn", "lightgbm", "xgboost", "catboost"),
    *("pandera", "pyarrow", "joblib", "typer", "rich"),
]


def header(columns):
    return ",".join(columns) + "\n"


def test_spaceship_is_known_from_its_header_alone(dataset, spaceship):
    found = match(dataset({"train.csv": header(spaceship)}))
    assert found.slug == "spaceship-titanic"
    assert (found.missing, found.unexpected, dict(found.respelled)) == ((), (), {})


def test_order_of_columns_does_not_matter(dataset, spaceship):
    assert match(dataset({"train.csv": header(spaceship[::-1])})).slug == "spaceship-titanic"


def test_match_tells_missing_unexpected_and_respelled_columns(dataset, spaceship):
    changed = [
        {"VIP": "Deck", "FoodCourt": "food court", "Spa": " Spa"}.get(c, c) for c in spaceship
    ]
    found = match(dataset({"train.csv": header(changed)}))
    assert found.missing == ("VIP",)
    assert found.unexpected == ("Deck",)
    assert dict(found.respelled) == {"FoodCourt": "food court", "Spa": " Spa"}


def test_match_as_dict_is_json(dataset, fish_registry):
    folder = dataset({"train.csv": "fish,fins,scales,length,weight", "test.csv": "fish"})
    told = match(folder, fish_registry).to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["slug"] == "fish-weights"
    assert told["files"] == {
        "train": "train.csv",
        "test": "test.csv",
        "sample": None,
        "description": None,
    }


def test_match_says_what_else_has_these_columns(dataset, signature_file):
    registry = Registry([signature_file(like=["The course data have them too."]).parent])
    found = match(dataset({"train.csv": "fish,fins,scales,length,weight"}), registry)
    assert found.like == ("The course data have them too.",)


def test_match_survives_pickling(dataset, fish_registry):
    found = match(dataset({"train.csv": "fish,fins,scales,length,weight"}), fish_registry)
    assert pickle.loads(pickle.dumps(found)) == found


def test_near_miss_names_the_missing_column(dataset, spaceship):
    spaceship.remove("Cabin")
    with pytest.raises(UnknownTaskError, match=r"1 column missing \('Cabin'\)") as error:
        match(dataset({"train.csv": header(spaceship)}))
    nearest = error.value.nearest
    assert nearest is not None
    assert (nearest.slug, nearest.missing) == ("spaceship-titanic", ("Cabin",))


def test_near_miss_names_the_unexpected_column(dataset, spaceship):
    spaceship[spaceship.index("Cabin")] = "Berth"
    with pytest.raises(UnknownTaskError, match=r"1 unexpected \('Berth'\)"):
        match(dataset({"train.csv": header(spaceship)}))


@pytest.mark.parametrize("written", ["cabin", " Cabin", "CABIN ", "Ca_bin", "Ca-bin", "Ca bin"])
def test_near_miss_names_the_column_spelled_differently(dataset, spaceship, written):
    spaceship[spaceship.index("Cabin")] = written
    with pytest.raises(UnknownTaskError, match="rename") as error:
        match(dataset({"train.csv": header(spaceship)}))
    assert f"'Cabin' is written {written!r}" in str(error.value)
    nearest = error.value.nearest
    assert nearest is not None
    assert nearest.missing == nearest.unexpected == ()


def test_miss_gives_three_examples_and_counts_the_rest(dataset, spaceship):
    columns = [c for c in spaceship if c not in ("Cabin", "Age", "VIP", "Spa", "Name")]
    with pytest.raises(UnknownTaskError, match=r"'Cabin', 'Age', 'VIP' and 2 more"):
        match(dataset({"train.csv": header(columns)}))


def test_miss_says_that_nothing_is_near(dataset):
    with pytest.raises(UnknownTaskError, match=r"None is near.* 8 %") as error:
        match(dataset({"train.csv": "Age,b,c"}))
    assert error.value.nearest is None


def test_miss_says_that_no_column_is_shared(dataset):
    with pytest.raises(UnknownTaskError, match="none shares a column"):
        match(dataset({"train.csv": "a,b,c"}))


def test_no_task_is_registered(dataset, tmp_path):
    (tmp_path / "none").mkdir()
    with pytest.raises(UnknownTaskError, match="fallback"):
        match(dataset({"train.csv": "a,b,c"}), Registry([tmp_path / "none"]))


def test_no_training_table_names_what_was_seen(dataset):
    folder = dataset({"a.csv": "x", "b.csv": "x", "c.csv": "x", "d.csv": "x"})
    with pytest.raises(UnknownTaskError, match=r"'a.csv', 'b.csv', 'c.csv' and 1 more") as error:
        match(folder)
    assert "Name the training table train" in str(error.value)


def test_empty_folder_is_unknown(dataset):
    with pytest.raises(UnknownTaskError, match="there are no files"):
        match(dataset({}))


def test_two_equally_good_tasks_are_both_named(dataset, signature_file):
    folder = signature_file("fish-a").parent
    signature_file("fish-b")
    with pytest.raises(AmbiguousTaskError, match="'fish-a', 'fish-b'") as error:
        match(dataset({"train.csv": "fish,fins,scales,length,weight"}), Registry([folder]))
    assert error.value.matches == ("fish-a", "fish-b")


def test_task_with_fewest_missing_columns_wins(dataset, signature_file):
    columns = ["fish", "fins", "scales", "length", "weight"]
    folder = signature_file("fish-a").parent
    signature_file("fish-b", columns=[*columns, "gills"])
    table = dataset({"train.csv": header(columns)})
    assert match(table, Registry([folder])).slug == "fish-a"


def test_task_with_fewest_unexpected_columns_wins_among_equals(dataset, signature_file):
    columns = ["fish", "fins", "scales", "length", "weight"]
    folder = signature_file("fish-a").parent
    signature_file("fish-b", columns=[*columns, "gills"])
    table = dataset({"train.csv": header([*columns, "gills"])})
    assert match(table, Registry([folder])).slug == "fish-b"


def test_respelled_column_fits_worse_than_the_exact_one(dataset, signature_file):
    columns = ["fish", "fins", "scales", "length", "weight"]
    folder = signature_file("fish-a", columns=["fish", "fins", "scales", "LENGTH", "weight"]).parent
    signature_file("fish-b")
    assert match(dataset({"train.csv": header(columns)}), Registry([folder])).slug == "fish-b"


def test_one_of_a_thousand_tasks_is_found(dataset, signature_file):
    for number in range(1000):
        columns = [f"c{number}_{place}" for place in range(20)]
        path = signature_file(
            f"task-{number}", key=columns[:2], columns=columns, id=columns[3], target=columns[:1]
        )
    registry = Registry([path.parent])
    table = dataset({"train.csv": header(f"c500_{place}" for place in range(20))})
    assert match(table, registry).slug == "task-500"
    assert len(registry) == 1000
    # Nine hundred and ninety-nine of them were never parsed.
    assert list(registry._signatures) == ["task-500"]


def test_match_loads_only_the_standard_library(dataset, spaceship):
    folder = dataset({"train.csv": header(spaceship)})
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); "
        "from signatures import match; print(match(sys.argv[1]).slug); "
        f"print([name for name in {LIBRARIES} if name in sys.modules]); "
        "packages = {name.partition('.')[0] for name in sys.modules}; "
        "print(sorted(packages - set(sys.stdlib_module_names) - {'signatures', '__main__'}))"
    )
    # -I and -S: whatever an installer or an editor has on the path could import more.
    root = str(Path(signatures.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", code, str(folder), root],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == ["spaceship-titanic", "[]", "[]"]

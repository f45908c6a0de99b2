import os
import sys
import tomllib

import pytest

from signatures import REGISTRY, Registry, SignatureError, layout, match
from signatures.sources import BUILT_IN, GROUP


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a made-up distribution that announces tasks under an entry point."""

    def install(value):
        site = tmp_path / "site"
        info = site / "fish_tasks-1.0.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fish-tasks\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\nfish = {value}\n")
        monkeypatch.syspath_prepend(site)

    return install


def test_built_in_tasks_are_known():
    assert "spaceship-titanic" in REGISTRY
    assert list(REGISTRY) == sorted(path.stem for path in BUILT_IN.glob("*.toml"))


@pytest.mark.parametrize("slug", Registry([BUILT_IN]))
def test_built_in_signature_is_valid_and_scanned_without_parsing(slug):
    signature = REGISTRY[slug]
    text = (BUILT_IN / f"{slug}.toml").read_text(encoding="utf-8")
    assert layout.scan(text) == (signature.key, signature.columns)


def test_registry_is_read_only():
    with pytest.raises(TypeError):
        REGISTRY["x"] = REGISTRY["spaceship-titanic"]  # type: ignore[index]


def test_unknown_slug_names_a_similar_one():
    with pytest.raises(KeyError, match="'spaceship-titanic'"):
        REGISTRY["spaceship-titanc"]
    assert REGISTRY.get("nothing") is None
    assert "nothing" not in REGISTRY


def test_registry_reads_at_first_use(tmp_path, signature_file):
    registry = Registry([tmp_path / "tasks"])
    signature_file()
    assert list(registry) == ["fish-weights"]


def test_signature_is_read_once(fish_registry):
    assert fish_registry["fish-weights"] is fish_registry["fish-weights"]


def test_folder_named_by_the_user_is_read(dataset, signature_file, monkeypatch):
    one, two = signature_file("fish-a", "one").parent, signature_file("fish-b", "two").parent
    monkeypatch.setenv("KNOWN_TASKS_PATH", os.pathsep.join([str(one), "", str(two), str(one)]))
    registry = Registry()
    assert {"fish-a", "fish-b", "spaceship-titanic"} <= registry.keys()


def test_task_in_a_folder_named_by_the_user_matches(dataset, signature_file, monkeypatch):
    monkeypatch.setenv("KNOWN_TASKS_PATH", str(signature_file().parent))
    folder = dataset({"train.csv": "fish,fins,scales,length,weight"})
    assert match(folder, Registry()).slug == "fish-weights"


def test_solver_may_lie_beside_its_signature(signature_file, monkeypatch):
    folder = signature_file(solver="fish_beside_its_signature:SOLVER").parent
    (folder / "fish_beside_its_signature.py").write_text("SOLVER = 'swim'")
    monkeypatch.setenv("KNOWN_TASKS_PATH", os.path.relpath(folder))
    assert Registry()["fish-weights"].load_solver() == "swim"
    del sys.modules["fish_beside_its_signature"]


def test_module_beside_a_signature_takes_the_place_of_none(signature_file, monkeypatch):
    folder = signature_file(solver="tabnanny:SOLVER").parent
    (folder / "tabnanny.py").write_text("SOLVER = 'swim'")
    monkeypatch.setenv("KNOWN_TASKS_PATH", str(folder))
    with pytest.raises(SignatureError, match="module 'tabnanny' has no 'SOLVER'"):
        Registry()["fish-weights"].load_solver()


def test_absent_folder_named_by_the_user_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("KNOWN_TASKS_PATH", str(tmp_path / "nowhere"))
    with pytest.raises(SignatureError, match=r"folder .*nowhere' .*KNOWN_TASKS_PATH names it"):
        len(Registry())


def test_one_slug_in_two_folders_names_both_files(signature_file):
    one, two = signature_file(folder="one"), signature_file(folder="two")
    with pytest.raises(SignatureError) as error:
        len(Registry([one.parent, two.parent]))
    assert str(one) in str(error.value)
    assert str(two) in str(error.value)


def test_built_in_task_cannot_be_replaced(signature_file, monkeypatch):
    path = signature_file("spaceship-titanic")
    monkeypatch.setenv("KNOWN_TASKS_PATH", str(path.parent))
    with pytest.raises(SignatureError, match="already described"):
        len(Registry())


def test_file_name_that_is_no_slug_is_an_error(signature_file):
    path = signature_file("Fish_1")
    with pytest.raises(SignatureError, match="'Fish_1', expected lower-case words"):
        len(Registry([path.parent]))


def test_other_files_in_the_folder_are_left_alone(signature_file):
    folder = signature_file().parent
    (folder / "README.md").write_text("x")
    (folder / "._fish.toml").write_bytes(b"\x00")
    assert list(Registry([folder])) == ["fish-weights"]


def test_broken_signature_is_never_skipped(dataset, signature_file):
    path = signature_file("broken")
    path.write_text("not toml")
    signature_file()
    folder = dataset({"train.csv": "fish,fins,scales,length,weight"})
    with pytest.raises(SignatureError, match=r"broken\.toml"):
        match(folder, Registry([path.parent]))


@pytest.mark.parametrize(
    "value", ["fish_tasks_for_a_test.data", "fish_tasks_for_a_test.data.plugin"]
)
def test_installed_package_brings_tasks_and_is_not_run(installed, signature_file, tmp_path, value):
    folder = signature_file(folder="site/fish_tasks_for_a_test/data").parent
    for module in (folder / "__init__.py", folder.parent / "__init__.py", folder / "plugin.py"):
        module.write_text("raise RuntimeError('this was run')")
    installed(value)
    assert Registry()["fish-weights"].title == "Fish weights"


def test_installed_package_without_code_brings_tasks(installed, signature_file):
    signature_file(folder="site/fish_data_for_a_test")
    installed("fish_data_for_a_test")
    assert "fish-weights" in Registry()


@pytest.mark.parametrize("value", ["absent_for_a_test", "absent_for_a_test.tasks", "json.absent"])
def test_entry_point_to_no_module_is_an_error(installed, value):
    installed(value)
    with pytest.raises(SignatureError, match=f"{value}' .*entry point 'fish' names it"):
        len(Registry())


def test_entry_point_to_a_package_without_signatures_is_an_error(installed, tmp_path):
    installed("empty_for_a_test")
    (tmp_path / "site" / "empty_for_a_test").mkdir()
    with pytest.raises(SignatureError, match="no signature file lies there"):
        len(Registry())


@pytest.mark.parametrize(
    "text",
    [
        'key = ["a", "b"]\ncolumns = ["a", "b", "c"]',
        "columns = ['a', \"b\",\n  # \"x\", ]\n  'c' , # y\n]  # z\nkey = [ 'a','b' , ]",
        'title = "key = [1]"\nkey=["a","b"]\ncolumns=["a","b","c"]\n[metric]\nkey = ["z"]',
        'key\t=\t["a", "b"]\ncolumns = ["a", "b", "c"]\n# columns = ["d"]\n  # key = ["d"]',
        'key = ["a#b", ",", "]"]\ncolumns = ["", "[", "x=\'y\'"]',
    ],
)
def test_scan_finds_what_the_parser_finds(text):
    parsed = tomllib.loads(text)
    assert layout.scan(text) == (tuple(parsed["key"]), tuple(parsed["columns"]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        'key = ["a"]',
        '[task]\nkey = ["a"]\ncolumns = ["a"]',
        'note = """\nkey = ["x"]\n"""\nkey = ["a"]\ncolumns = ["a"]',
        "note = '''\nkey = [\"x\"]\n'''\nkey = ['a']\ncolumns = ['a']",
        'key = ["\\u0061"]\ncolumns = ["a"]',
        'key = ["a", 1]\ncolumns = ["a"]',
        '"key" = ["a"]\ncolumns = ["a"]',
        'key = [["a"]]\ncolumns = ["a"]',
    ],
)
def test_scan_leaves_what_it_does_not_understand_to_the_parser(text):
    assert layout.scan(text) is None


def test_task_that_the_scan_does_not_understand_still_matches(dataset, signature_file):
    path = signature_file()
    text = path.read_text()
    path.write_text(text.replace("fins", "\\u0066ins").replace("Fish weights", '""Fish weights""'))
    assert layout.scan(path.read_text()) is None
    folder = dataset({"train.csv": "fish,fins,scales,length,weight"})
    assert match(folder, Registry([path.parent])).slug == "fish-weights"

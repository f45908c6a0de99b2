"""What is shipped and installed: bounds, lock, wheel, and no address of a registry anywhere."""

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("signatures", "solvers", "purple_agent")
# Spelled in two halves, so that this file does not name what it looks for.
REGISTRY_HOSTS = tuple(
    left + right
    for left, right in [
        ("py", "pi.org"),
        ("python", "hosted"),
        ("npm", "js.org"),
        ("npm", "js.com"),
        ("deb.", "debian"),
        ("conda.", "anaconda"),
    ]
)
# The platforms of the lock. XGBoost comes as its CPU build where that exists.
PLATFORMS = {
    "linux-x86_64": ("linux", "x86_64", "xgboost-cpu"),
    "linux-aarch64": ("linux", "aarch64", "xgboost-cpu"),
    "macos-arm64": ("darwin", "arm64", "xgboost"),
    "macos-x86_64": ("darwin", "x86_64", "xgboost"),
}


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def lock_entries() -> Iterator[tuple[Requirement, list[str]]]:
    """Yield each requirement of the lock with its hashes."""
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    code = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    for entry in code.replace("\\\n", " ").splitlines():
        requirement, *hashes = entry.split("--hash=")
        if requirement.strip():
            yield Requirement(requirement), [digest.strip() for digest in hashes]


def locked_on(system: str, machine: str) -> dict[str, str]:
    """Map distribution name to version, as the lock installs it on one platform."""
    here: dict[str, str] = {
        **default_environment(),  # type: ignore[dict-item]
        "sys_platform": system,
        "platform_machine": machine,
    }
    return {
        canonicalize_name(requirement.name): str(requirement.specifier).removeprefix("==")
        for requirement, _ in lock_entries()
        if requirement.marker is None or requirement.marker.evaluate(here)
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        yield archive


def test_every_locked_requirement_is_pinned_and_hashed():
    entries = list(lock_entries())
    assert len(entries) > len(project()["dependencies"])
    for requirement, hashes in entries:
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), requirement


def test_lock_names_no_address_and_no_path():
    option = re.compile(r"--?(index|extra-index|find-links|trusted-host|[rcief]\b)")
    path = re.compile(r"(^|[\s=@'\"])(/|\.{1,2}/|~/)")
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines():
        assert "://" not in line
        assert not option.search(line), line
        assert not path.search(line), line


@pytest.mark.parametrize(
    "text",
    [
        *project()["dependencies"],
        *(t for e in ("agent", "images") for t in project()["optional-dependencies"][e]),
    ],
)
def test_runtime_dependency_has_both_bounds(text):
    operators = sorted(bound.operator for bound in Requirement(text).specifier)
    assert operators == ["<", ">="]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_lock_satisfies_every_dependency(platform):
    system, machine, xgboost = PLATFORMS[platform]
    locked = locked_on(system, machine)
    extras = project()["optional-dependencies"].values()
    for text in [*project()["dependencies"], *(text for extra in extras for text in extra)]:
        wanted = Requirement(text)
        name = xgboost if wanted.name == "xgboost" else canonicalize_name(wanted.name)
        assert name in locked, f"{name} is not in the lock: run make lock"
        assert locked[name] in wanted.specifier, f"{name} {locked[name]}: run make lock"


@pytest.mark.parametrize("platform", PLATFORMS)
def test_lock_never_installs_two_xgboosts(platform):
    # Both distributions write the folder xgboost/: together they overwrite each other.
    system, machine, xgboost = PLATFORMS[platform]
    assert [name for name in locked_on(system, machine) if name.startswith("xgboost")] == [xgboost]


def test_lock_holds_one_version_of_each_library():
    # So that a recorded score holds on every supported Python and platform.
    names = [canonicalize_name(requirement.name) for requirement, _ in lock_entries()]
    assert len(names) == len(set(names))
    versions = {locked_on(system, machine)[name] for system, machine, name in PLATFORMS.values()}
    assert len(versions) == 1, f"xgboost and xgboost-cpu differ: {versions}"


def test_ruff_is_pinned_once():
    (ruff,) = (
        Requirement(text)
        for text in project()["optional-dependencies"]["dev"]
        if Requirement(text).name == "ruff"
    )
    assert str(ruff.specifier).startswith("==")
    # A hook with a `rev` would bring a second version.
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert ".venv/bin/ruff" in hooks
    assert not re.search(r"^\s*(- )?rev\s*:", hooks, flags=re.MULTILINE)


def test_wheel_holds_every_signature(wheel):
    signatures = {path.name for path in (ROOT / "signatures" / "tasks").glob("*.toml")}
    assert signatures
    assert {f"signatures/tasks/{name}" for name in signatures} <= set(wheel.namelist())


@pytest.mark.parametrize("package", PACKAGES)
def test_wheel_holds_every_module(wheel, package):
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py")}
    assert f"{package}/__init__.py" in modules
    assert modules <= set(wheel.namelist())


def test_wheel_holds_nothing_else(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_console_script_runs_the_command_line():
    assert project()["scripts"] == {"solvers": "solvers.cli:main"}
    script = EntryPoint("solvers", project()["scripts"]["solvers"], "console_scripts")
    assert callable(script.load())


def test_no_file_names_a_registry_host():
    # Files that are not committed yet count too; ignored ones do not.
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: nothing says which files are tracked")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    assert ROOT / "pyproject.toml" in files
    for path in files:
        text = path.read_bytes().decode("utf-8", errors="replace").lower()
        named = [host for host in REGISTRY_HOSTS if host in text]
        assert not named, f"{path.relative_to(ROOT)} names {named[0]}"

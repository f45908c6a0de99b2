"""What a run ran on: all that is known to change bytes, and what tells two machines apart."""

import hashlib
import platform
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import threadpoolctl

DISTRIBUTION = "known-task-solvers"

# Library and the distributions that provide it. Each can move a bit of a prediction.
_PACKAGES = {
    "numpy": ("numpy",),
    "pandas": ("pandas",),
    "scipy": ("scipy",),
    "scikit-learn": ("scikit-learn",),
    "lightgbm": ("lightgbm",),
    "xgboost": ("xgboost", "xgboost-cpu"),
    "catboost": ("catboost",),
    "pandera": ("pandera",),
    "pyarrow": ("pyarrow",),
    "joblib": ("joblib",),
    "threadpoolctl": ("threadpoolctl",),
    "pillow": ("pillow",),
}


_PARTS = ("signatures", "solvers")  # our own packages


def describe() -> dict[str, Any]:
    """Describe Python, packages, machine, linear algebra and the code's own version."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(),
        "packages": packages(),
        "cpu": _cpu(),
        "blas": _blas(),
        "code": _code(),
    }


def packages() -> dict[str, str | None]:
    """Give the version of each library that can move a bit of a prediction."""
    return {name: _version(names) for name, names in _PACKAGES.items()}


def _version(distributions: tuple[str, ...]) -> str | None:
    for name in distributions:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


def _cpu() -> dict[str, Any]:
    """Model and flags as Linux tells them; the bare architecture elsewhere."""
    facts = {"machine": platform.machine(), "model": platform.processor(), "flags": ""}
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return facts
    for line in reversed(lines):
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            facts["model"] = value.strip()
        elif key.strip() in {"flags", "Features"}:
            facts["flags"] = " ".join(sorted(value.split()))
    return facts


def _blas() -> list[dict[str, Any]]:
    """Linear algebra libraries that are loaded; how fits are spread does not change them."""
    wanted = ("internal_api", "version", "architecture", "threading_layer")
    pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
    facts = [{key: pool[key] for key in wanted if key in pool} for pool in pools]
    return sorted(facts, key=str)


@cache
def _code() -> dict[str, Any]:
    """Name the distribution's version, a digest of its source and, in a checkout, the commit."""
    root = Path(__file__).resolve().parent.parent
    facts = {"version": _version((DISTRIBUTION,)), "sha256": _source(root)}
    commit = dirty = None
    if (root / ".git").exists():
        with suppress(OSError, subprocess.CalledProcessError):
            commit = _git(root, "rev-parse", "HEAD")
            dirty = bool(_git(root, "status", "--porcelain", "--", *_PARTS))
    return {**facts, "commit": commit, "dirty": dirty}


@cache
def _source(root: Path) -> str:
    """Digest all modules of both packages: equal for a checkout and an installed copy of it."""
    digest = hashlib.sha256()
    for package in _PARTS:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def command_line() -> list[str]:
    """Repeat the words of the command that is running."""
    return list(sys.orig_argv)

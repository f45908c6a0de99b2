"""What a run ran on: all that is known to change bytes, and what tells two machines apart."""

import platform
import resource
import subprocess
import sys
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
}


def describe() -> dict[str, Any]:
    """Describe Python, packages, machine, linear algebra and the code's own version."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(),
        "packages": {name: _version(names) for name, names in _PACKAGES.items()},
        "cpu": _cpu(),
        "blas": _blas(),
        "code": _code(),
    }


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
    wanted = ("internal_api", "version", "architecture", "threading_layer", "num_threads")
    pools = threadpoolctl.threadpool_info()
    facts = [{key: pool[key] for key in wanted if key in pool} for pool in pools]
    return sorted(facts, key=str)


def _code() -> dict[str, Any]:
    """Name the distribution's version and, in a checkout, the git commit."""
    root = Path(__file__).resolve().parent.parent
    version = _version((DISTRIBUTION,))
    if not (root / ".git").exists():
        return {"version": version, "commit": None, "dirty": None}
    try:
        commit = _git(root, "rev-parse", "HEAD")
        dirty = bool(_git(root, "status", "--porcelain", "--untracked-files=no"))
    except (OSError, subprocess.CalledProcessError):
        return {"version": version, "commit": None, "dirty": None}
    return {"version": version, "commit": commit, "dirty": dirty}


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def command_line() -> list[str]:
    """Repeat the words of the command that is running."""
    return list(sys.orig_argv)


def peak_mb() -> float:
    """Largest resident size of this process so far, in MB (10^6 bytes)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts in KiB, macOS in bytes.
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6

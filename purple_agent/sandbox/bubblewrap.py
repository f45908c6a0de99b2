"""Walls of bubblewrap: namespaces in which nothing of this machine is seen but what is named."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from purple_agent.sandbox.limits import MB, Limits

PROGRAM = "bwrap"
# Names that no checkout or environment lies under: what is mounted there would hide it.
WORK, HOME = "/workbench", "/tmp"
DATA = "data"  # in the work folder
PROBE_SECONDS = 30
OWN = ("purple_agent", "signatures", "solvers")

_SYSTEM = ("/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin")
# No list of users, no host names, no certificates of ours: what libraries need to be loaded.
_SETTINGS = (
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/mime.types",
)
# `--disable-userns` closes the way to new capabilities, and with them to most holes of a kernel.
_NAMESPACES = (
    "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net",
    "--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session",
    "--uid", "1000", "--gid", "1000", "--hostname", "sandbox",
)  # fmt: skip


def command(data: Path, work: Path, sockets: Path, limits: Limits) -> list[str]:
    """Return the start of a command line; what follows it runs inside the walls.

    Parameters
    ----------
    data : Path
        The folder of input files, seen read-only as ``data`` in the work folder.
    work : Path
        The folder that code may write to, and starts in.
    sockets : Path
        A folder that is seen under its own path, for the kernel's sockets.
    """
    size = str(limits.temporary_mb * MB)
    (work / DATA).mkdir(exist_ok=True)
    return [
        shutil.which(PROGRAM) or PROGRAM, *_NAMESPACES, "--clearenv", *_variables(limits),
        *_system(), "--proc", "/proc", "--dev", "/dev",
        "--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs", HOME,
        *_interpreter(),
        "--bind", str(work), WORK, "--ro-bind", str(data), f"{WORK}/{DATA}",
        "--bind", str(sockets), str(sockets),
        # The folders that hold these mounts lie in memory too, without a limit on their size.
        "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK, "--",
    ]  # fmt: skip


def why_not(data: Path, work: Path, sockets: Path, limits: Limits) -> str:
    """Try the walls, and return why they cannot be built here, or an empty string."""
    if shutil.which(PROGRAM) is None:
        return f"the program {PROGRAM} is not installed"
    attempt = [*command(data, work, sockets, limits), sys.executable, "-I", "-c", "pass"]
    try:
        done = subprocess.run(
            attempt,
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{PROGRAM} cannot be run ({error})"
    said = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else f"{PROGRAM} says: {said[-1] if said else 'nothing'}"


def shown_place(path: Path) -> Path | None:
    """Return the folder of this machine that is seen inside the walls and holds `path`, if any."""
    path = path.resolve()
    places = [Path("/usr"), *map(Path, _SYSTEM), *_prefixes()]
    return next((place for place in places if path.is_relative_to(place.resolve())), None)


def _prefixes() -> list[Path]:
    return [Path(prefix) for prefix in dict.fromkeys((sys.base_prefix, sys.prefix))]


def _variables(limits: Limits) -> list[str]:
    pairs = limits.environment(HOME).items()
    return [part for name, value in pairs for part in ("--setenv", name, value)]


def _system() -> list[str]:
    """Show the system read-only, with the links that lead into it."""
    shown = ["--ro-bind", "/usr", "/usr"]
    for path in _SYSTEM:
        if os.path.islink(path):
            shown += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            shown += ["--ro-bind", path, path]
    for path in _SETTINGS:
        shown += ["--ro-bind-try", path, path]
    return shown


def _interpreter() -> list[str]:
    """Show this Python and its packages, which may lie in a home folder, but for our own."""
    shown: list[str] = []
    prefixes = _prefixes()
    for prefix in prefixes:
        if not prefix.is_relative_to("/usr"):
            shown += ["--ro-bind", str(prefix), str(prefix)]
    # Solvers of known tasks are no part of what a model can do by itself.
    here = Path(__file__).resolve().parents[2]
    for package in OWN:
        hidden = here / package
        if any(hidden.is_relative_to(prefix) for prefix in (*prefixes, Path("/usr"))):
            shown += ["--tmpfs", str(hidden), "--remount-ro", str(hidden)]
    return shown

"""Fetch a known task's dataset from Kaggle, by Kaggle's own client, with its cache and credentials.

The client is imported at the first call: it is an extra. Each way in which it can fail has a
sentence with what to do next.
"""

import errno
import os
import re
import shutil
import sys
from contextlib import redirect_stdout
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from signatures import REGISTRY, KnownTaskError, MissingDependencyError, RunFolderError
from signatures.wording import quoted
from solvers.files import remove

_COMPETITION = re.compile(r"https?://(?:www\.)?kaggle\.com/(?:competitions|c)/([\w-]+)")
_TOKEN = (
    "Make a token on https://www.kaggle.com/settings/api, and give it as KAGGLE_API_TOKEN or in "
    "~/.kaggle/access_token."
)


class FetchError(KnownTaskError, RuntimeError):
    """A dataset could not be fetched."""

    fields = ("task", "reason", "next")

    def __init__(self, task: str, reason: str, next: str) -> None:
        self.task, self.reason, self.next = task, reason, next
        super().__init__(f"{task!r} was not fetched: {reason}. {next}")


def fetch(task: str, out: Path | None = None, *, force: bool = False) -> Path:
    """Download a known task's dataset, unless it was before.

    Parameters
    ----------
    task : str
        Its slug.
    out : Path, optional
        A new or empty folder to copy it to; by default it stays in the client's cache.
    force : bool
        Whether to download it anew, and to replace what an earlier fetch left in `out`.

    Returns
    -------
    Path
        The folder with the dataset.

    Raises
    ------
    FetchError
        If it cannot be downloaded.
    RunFolderError
        If `out` holds anything else.
    MissingDependencyError
        If the client is not installed.
    """
    competition = _competition(task)
    if out is not None:
        _refuse_taken(out, force=force)
    found = _download(task, competition, force=force)
    return found if out is None else _copied(found, out)


def _competition(task: str) -> str:
    """Name the competition that a known task's data come from."""
    if task not in REGISTRY:
        near = get_close_matches(task, REGISTRY, 3)
        known = f"Did you mean {quoted(near)}? " if near else ""
        raise FetchError(
            task, "no known task has that name", f"{known}`solvers list` shows them all."
        )
    source = REGISTRY[task].source
    match = _COMPETITION.match(source)
    if match is None:
        reason = f"its data come from elsewhere ({source})"
        raise FetchError(task, reason, "Fetch them by hand, then: solvers solve FOLDER")
    return match[1]


def _download(task: str, competition: str, *, force: bool) -> Path:
    library = "kagglehub"
    try:
        with redirect_stdout(sys.stderr):  # where it then says what it does
            from kagglehub import competition_download
    except ImportError as error:
        raise MissingDependencyError(library, "kaggle") from error
    try:
        return Path(competition_download(competition, force_download=force))
    except Exception as error:
        told = _told(error, f"https://www.kaggle.com/competitions/{competition}")
        if told is None:
            raise
        raise FetchError(task, *told) from error


def _told(error: Exception, page: str) -> tuple[str, str] | None:
    """Say what went wrong and what to do next; None for what is told elsewhere, or is a bug."""
    import requests
    from kagglehub import exceptions as refused

    what = str(error).rstrip(".")
    if isinstance(error, refused.UnauthenticatedError):
        return "Kaggle wants to know who asks, and found no token", _TOKEN
    if isinstance(error, requests.HTTPError):
        return _refusal(error.response, page)
    if isinstance(error, requests.RequestException):
        cure = f"Check the network and any proxy. Or download it by hand from {page}/data."
        return f"Kaggle could not be reached ({type(error).__name__})", cure
    if isinstance(error, refused.DataCorruptionError):
        return "what arrived is damaged, and was thrown away", "Try again."
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        cure = "Free some space, or name a folder on another disk in KAGGLEHUB_CACHE."
        return f"the disk is full ({error.filename or 'where the client keeps files'})", cure
    if isinstance(error, ValueError):  # of a file of credentials that it cannot read
        return what, _TOKEN
    if isinstance(
        error, refused.BackendError | refused.CredentialError | refused.KaggleEnvironmentError
    ):
        cure = "Add the competition with 'Add input' beside the notebook."
        return f"the notebook's own service refused: {what}", cure
    return None


def _refusal(response: Any, page: str) -> tuple[str, str]:
    """Say why the server refuses, and what to do."""
    status = getattr(response, "status_code", None)
    if status == 401:
        return "Kaggle does not accept the token", _TOKEN
    if status == 403:
        reason = "Kaggle does not let this account have it; most often its rules are not accepted"
        return reason, f"Accept them on {page}/rules, and try again."
    if status == 404:
        reason = "Kaggle has no competition of that name"
        return reason, f"Look at {page}; if it has moved, the task's signature has to say so."
    if status == 429:
        return "Kaggle was asked too often", "Wait a while, and try again."
    return f"Kaggle answered {status}", "Try again later."


def _refuse_taken(out: Path, *, force: bool) -> None:
    """Refuse a place that holds anything, before it takes long."""
    if out.exists() and not out.is_dir():
        raise RunFolderError(str(out), "is a file", "Choose a folder with --out.")
    if out.exists() and any(out.iterdir()) and not force:
        cure = "Choose another with --out, or replace what was fetched before with --force."
        raise RunFolderError(str(out), "is not empty", cure)


def _copied(found: Path, out: Path) -> Path:
    """Copy beside the place, then move: what lies there is the whole dataset or the old one."""
    mine = {path.name for path in found.iterdir()}
    others = sorted({path.name for path in out.iterdir()} - mine) if out.exists() else []
    if others:
        problem = f"holds what is not the dataset's: {quoted(others[:3])}"
        raise RunFolderError(str(out), problem, "It is left as it is. Choose another with --out.")
    out.parent.mkdir(parents=True, exist_ok=True)
    place = out.resolve()
    half = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        shutil.copytree(found, half)
        remove(place)
        half.rename(place)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return out

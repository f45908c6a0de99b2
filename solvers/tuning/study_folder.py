"""The folder of a study: who may write there, what it was made from, and how it goes on."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from signatures import RunFolderError
from solvers.files import remove, write_whole
from solvers.places import claimed, make_folders, refuse_bad_place, remove_empty

STUDY = "study.json"
JOURNAL = "journal.log"
LOG = "log.jsonl"
FITS = "fits"
RESULT = "result.json"


class StudyFolder:
    """A folder in which a study goes on from whatever it was killed at.

    Parameters
    ----------
    out : Path
        A folder that does not exist or is empty; with `resume`, that of a study.
    inputs : Path
        The dataset, into which nothing is written.

    Raises
    ------
    RunFolderError
        On entering, if the folder cannot be used; nothing has been written then.
    """

    def __init__(self, out: Path, inputs: Path, *, resume: bool) -> None:
        self.out = out
        self._inputs = inputs
        self._resume = resume
        self._made: list[Path] = []
        self._claimed = ExitStack()

    def __enter__(self) -> Self:
        """Make the folder, or say why it cannot be used."""
        refuse_bad_place(self.out, self._inputs)
        if self._resume and not self.path(STUDY).is_file():
            problem = "holds no study that could go on"
            raise RunFolderError(str(self.out), problem, "Begin it without --resume.")
        try:
            make_folders(self.out, self._made)
            self._claimed.enter_context(claimed(self.out))
            if not self._resume:
                self._refuse_taken()
        except OSError as error:
            self._claimed.close()
            remove_empty(self._made)
            if isinstance(error, RunFolderError):
                raise
            problem = f"cannot be written to ({error.strerror})"
            cure = "Choose another folder with --out."
            raise RunFolderError(str(self.out), problem, cure) from error
        return self

    def _refuse_taken(self) -> None:
        if self.path(STUDY).exists():
            problem = "holds a study already"
            cure = "Go on with it by --resume, or choose another folder with --out."
            raise RunFolderError(str(self.out), problem, cure)
        if any(self.out.iterdir()):
            cure = "Empty it, or choose another folder with --out."
            raise RunFolderError(str(self.out), "is not empty", cure)

    def path(self, name: str) -> Path:
        """Name a file in the folder."""
        return self.out / name

    def begin(self, made_from: Mapping[str, Any]) -> None:
        """Write down what the study is made from, or hold it against what was written.

        Raises
        ------
        RunFolderError
            If any of it has changed: later trials would go by scores that are not theirs.
        """
        path = self.path(STUDY)
        if not self._resume:
            write_whole(path, json.dumps(made_from, indent=2) + "\n")
            return
        try:
            before = dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, RecursionError) as error:
            cure = "Delete the study's folder and start it again."
            raise RunFolderError(str(path), "cannot be read", cure) from error
        changed = [n for n in {**before, **made_from} if before.get(n) != made_from.get(n)]
        if changed:
            problem = f"was begun with other facts: {', '.join(changed)} changed since"
            cure = "Put back what changed, or start a new study in another folder with --out."
            raise RunFolderError(str(self.out), problem, cure)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Leave a study that can go on, or nothing where no trial has ended."""
        if error is not None and not self.path(JOURNAL).exists() and not self._resume:
            remove(self.path(STUDY))
            remove(self.path(LOG))
            self._claimed.close()
            remove_empty(self._made)
            return
        self._claimed.close()
        if error is not None and not isinstance(error, RunFolderError):
            error.add_note("The trials that have ended are kept: go on by --resume.")

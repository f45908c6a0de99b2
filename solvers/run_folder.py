"""The folder of a run: all of it is written out of sight, then moved to its place."""

import os
import shlex
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from signatures import KnownTaskError, RunFolderError
from signatures.wording import counted
from solvers.files import remove
from solvers.places import claimed, make_folders, refuse_bad_place, refuse_taken_place, remove_empty
from solvers.request import INPUT, REQUEST, Request, write_request
from solvers.run_record import RECORD, UNFINISHED

SUBMISSION = "submission.csv"
OOF = "oof_predictions.parquet"
TEST = "test_predictions.parquet"
IMPORTANCE = "feature_importance.parquet"
FITS = "fits"
EVIDENCE = "fallback"  # what a fallback writes on its way to an answer
LOG = "log.jsonl"
_WORKING = frozenset({REQUEST, INPUT, FITS})  # of use while the run goes on
_KEPT = _WORKING | {LOG, EVIDENCE}  # of use to a later sitting
_LAST = (LOG, SUBMISSION, RECORD)  # the log is written to until then


class RunFolder:
    """A run's output folder, which looks finished only when it is.

    Files are written to the hidden folder ``.unfinished`` inside it. `publish` moves them up,
    ``run.json`` last: a folder without it is not a finished run. Leaving the ``with`` block
    without `publish` removes all that was made, unless finished fits are kept there: then the
    run can go on later. While the block lasts no other process can have the folder.

    Parameters
    ----------
    out : Path
        A folder that does not exist or is empty. It may be a mount, so nothing is written beside
        it. To go on with a run: its folder.
    request : Request
        What the run was asked to do.

    Raises
    ------
    RunFolderError
        On entering, if the folder cannot be used; nothing has been written then.
    """

    def __init__(self, out: Path, request: Request) -> None:
        self.out = out
        self._request = request
        self._made: list[Path] = []
        self._moved: list[str] = []
        self._began = False  # whether what lies there is this process's own
        self._published = False
        self._claimed = ExitStack()

    @property
    def _resumed(self) -> bool:
        return self._request.sittings > 1

    def __enter__(self) -> Self:
        """Make the folder, or say why it cannot be used."""
        if not self._resumed:
            refuse_bad_place(self.out, Path(self._request.path))
        try:
            make_folders(self.out, self._made)
            self._claimed.enter_context(claimed(self.out))
            if self._resumed:
                self._take_back(self._left_in_place())
                self._tidy_up()
            else:
                refuse_taken_place(self.out)
                (self.out / UNFINISHED).mkdir()
                self._began = True
            write_request(self.out / UNFINISHED, self._request)
        except RunFolderError:
            self._give_up()
            raise
        except OSError as error:
            self._give_up()
            raise RunFolderError(
                path=str(self.out),
                problem=f"cannot be written to ({error.strerror})",
                next="Choose another folder with --out.",
            ) from error
        return self

    def path(self, name: str) -> Path:
        """Where to write the file `name` while the run is going on."""
        return self.out / UNFINISHED / name

    def publish(self) -> None:
        """Move all files to their place; the log, the submission and the record come last."""
        # A hidden file is half of something that was being written when an earlier sitting ended.
        found = {name for name in os.listdir(self.out / UNFINISHED) if not name.startswith(".")}
        names = found - _WORKING
        for name in (*sorted(names.difference(_LAST)), *filter(names.__contains__, _LAST)):
            _flush(self.path(name))
            self._moved.append(name)
            os.replace(self.path(name), self.out / name)
        self._published = True
        shutil.rmtree(self.out / UNFINISHED, ignore_errors=True)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Leave a finished run, one that can go on, or nothing."""
        if self._published:
            self._claimed.close()
            return
        self._take_back(self._moved)
        kept = n_kept_fits(self.out)
        if not kept and not self._resumed and not any(self.path(EVIDENCE).glob("*")):
            self._give_up()
            if error is not None and not isinstance(error, KnownTaskError):
                error.add_note("Nothing was kept.")
            return
        self._claimed.close()
        if error is not None and not kept and self.path(EVIDENCE).exists():
            error.add_note(f"What the fallback left is kept in {str(self.path(EVIDENCE))!r}.")
        elif error is not None and not isinstance(error, RunFolderError):
            error.add_note(
                f"Kept: {counted(kept, 'finished fit')}. "
                f"Go on with: solvers solve --resume {shlex.quote(str(self.out))}"
            )

    def _give_up(self) -> None:
        """Remove what this process made, and no folder that anything else was put into."""
        if self._began:
            shutil.rmtree(self.out / UNFINISHED, ignore_errors=True)
        self._claimed.close()
        remove_empty(self._made)

    def _left_in_place(self) -> list[str]:
        """Name what an earlier sitting moved to its place before it was killed."""
        return [name for name in os.listdir(self.out) if name != UNFINISHED]

    def _tidy_up(self) -> None:
        """Remove what is of no use to a later sitting, and what is not what it should be.

        Links are not followed, nor pipes waited for: what is written or read here is a plain file.
        """
        for place, kept in ((self.path(""), _KEPT), (self.path(FITS), None)):
            for path in place.iterdir() if place.is_dir() else ():
                whole = path.is_dir() if path.name in (FITS, EVIDENCE) else path.is_file()
                if path.is_symlink() or not whole or (kept is not None and path.name not in kept):
                    remove(path)

    def _take_back(self, names: list[str]) -> None:
        """Move files back out of sight: the run is not finished."""
        for name in names:
            if (self.out / name).exists():
                remove(self.path(name))
                os.replace(self.out / name, self.path(name))


def clear_away(out: Path) -> None:
    """Remove what a finished run that was killed in its last moment has left."""
    with claimed(out):
        shutil.rmtree(out / UNFINISHED, ignore_errors=True)


def n_kept_fits(out: Path) -> int:
    """Count the finished fits that an unfinished run keeps."""
    return len(list((out / UNFINISHED / FITS).glob("*.npz")))


def _flush(path: Path) -> None:
    """Make sure a file's bytes, or a folder's, are on the disk before its name says so."""
    for file in path.rglob("*") if path.is_dir() else [path]:
        if file.is_file():
            with file.open("rb") as stream:
                os.fsync(stream.fileno())

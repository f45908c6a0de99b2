"""One HTML file that tells what a run solved and how it did, made of the run's folder alone."""

from pathlib import Path

from signatures import RunFolderError
from solvers.files import refuse_another, write_whole
from solvers.record_types import RunRecord
from solvers.run_record import read_record

REPORT = "report.html"
MARK = b'content="known-task-solvers"'  # in the head of each page of ours

__all__ = ["REPORT", "write_report"]


def write_report(
    run: Path,
    out: Path | None = None,
    *,
    record: RunRecord | None = None,
    name: str | None = None,
) -> Path:
    """Write the report of a run; the same run gives the same bytes.

    Parameters
    ----------
    run : Path
        The folder that holds the run's files; it may be one that is not published yet.
    out : Path, optional
        The file to write, by default ``report.html`` in `run`. One that is there is replaced.
    record : RunRecord, optional
        The run's record, by default the one in `run`.
    name : str, optional
        What the page calls the run, in the commands that verify it; by default `run`.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    RunFolderError
        If `run` is not the folder of a finished run, one of its files is missing or damaged, or
        `out` cannot be written.
    """
    if record is None:
        record = read_record(run)
    place = run / REPORT if out is None else out
    if place.is_dir():
        raise RunFolderError(str(place), "is a folder", "Give the name of a file with --out.")
    if not place.parent.is_dir():
        problem = "cannot be written: its folder does not exist"
        raise RunFolderError(str(place), problem, "Make the folder, or choose another with --out.")
    refuse_another(place, MARK, "--out")
    # Nothing heavy is imported before it is clear that there is a run, and a place for its report.
    from solvers.report.page import render

    text = render(run, record, str(run) if name is None else name)
    # A name that is no Unicode text, as file names may be, still makes a page.
    write_whole(place, text)
    return place

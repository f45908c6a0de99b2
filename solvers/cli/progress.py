"""Progress on stderr: a line for each stage, and a bar while the fits run."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from solvers.log import LOGGER, FitEnd, Stage

if TYPE_CHECKING:
    from solvers.tuning.telling import TrialEnd


@contextmanager
def progress(*, verbose: bool) -> Iterator["ProgressBar"]:
    """Draw progress on stderr and show warnings there; with `verbose`, each event of the log."""
    console = Console(stderr=True)
    handler = _Shown(console, logging.DEBUG if verbose else logging.WARNING)
    LOGGER.addHandler(handler)
    try:
        with ProgressBar(console) as watcher:
            yield watcher
    finally:
        LOGGER.removeHandler(handler)


class _Shown(logging.Handler):
    """Prints the events of the log that nobody else prints."""

    def __init__(self, console: Console, level: int) -> None:
        super().__init__(level)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        """Print one event as a line."""
        details = dict(getattr(record, "details", {}))
        event = record.getMessage()
        # A stage has a line of its own; why a run stopped is the last line, whatever is shown.
        if event == "stage" or (event == "stopped" and self.level > logging.DEBUG):
            return
        facts = " ".join(f"{name}={value}" for name, value in details.items() if name != "reason")
        reason = f": {details['reason']}" if "reason" in details else ""
        line = f"{record.levelname.lower()}: {event}{f' ({facts})' if facts else ''}{reason}"
        with suppress(OSError):
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class ProgressBar:
    """A `TuningWatcher` that draws with Rich; where stderr is no terminal, it prints lines only."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description:<9}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[score]}", markup=False),
            console=console,
            transient=True,
            # Not `console.is_terminal`: FORCE_COLOR, which notebooks set, makes that true.
            disable=not console.file.isatty(),
        )
        self._console = console
        self._bar = self._progress.add_task("starting", total=None, score="")

    def __enter__(self) -> Self:
        """Start drawing."""
        with suppress(OSError):
            self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop drawing."""
        with suppress(OSError):
            self._progress.stop()

    # A display that cannot be written to, such as a pipe whose reader is gone, stops no work.

    def stage_begins(self, name: str) -> None:
        """Name the stage in front of the bar."""
        with suppress(OSError):
            self._progress.reset(self._bar, description=name, total=None, score="")

    def stage_ends(self, stage: Stage) -> None:
        """Leave a line that stays."""
        line = f"{stage.stage:<9}{stage.seconds:8.1f} s   {stage.note}".rstrip()
        with suppress(OSError):
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def trial_ends(self, end: "TrialEnd") -> None:
        """Move the bar on and show the best score of the study."""
        score = f"best {end.best:.5f}"
        with suppress(OSError):
            self._progress.update(self._bar, completed=end.done, total=end.total, score=score)

    def fit_ends(self, end: FitEnd) -> None:
        """Move the bar on and show the running score of the model."""
        value = "" if end.score is None else f"{end.score:.4f} "
        score = f"{end.model} {value}(fit {end.cpu_seconds:.1f} s)"
        with suppress(OSError):
            self._progress.update(self._bar, completed=end.done, total=end.total, score=score)

"""Tell the service what happens, in the task's folder."""

from pathlib import Path

from purple_agent.task_folder import TaskFolder
from purple_agent.told import Kind, Told
from solvers.files import append_line
from solvers.log import FitEnd, Stage

STAGES = {  # every stage of a run of a known task's solver or the baseline
    "match": "Recognising the task.",
    "libraries": "Loading the libraries.",
    "read": "Reading the tables.",
    "check": "Checking the data against what is known of the task.",
    "infer": "Working out what is to be predicted, and from what.",
    "constant": "Looking for the best constant, for there is nothing to learn from.",
    "features": "Building features.",
    "folds": "Cutting folds.",
    "fit": "Fitting models.",
    "stack": "Combining the models.",
    "write": "Writing the submission.",
    "report": "Writing the report.",
}


class Telling:
    """Writes what the service is to know; it is also a `solvers.log.Watcher`.

    Parameters
    ----------
    folder : TaskFolder
        The task's folder; its place is taken out of every sentence.
    """

    def __init__(self, folder: TaskFolder) -> None:
        self._folder = folder

    def tell(self, kind: Kind, text: str, **more: str) -> None:
        """Tell one thing."""
        clean = {name: self._folder.clean(value) for name, value in more.items()}
        told = Told(kind=kind, text=self._folder.clean(text), **clean)
        append_line(self._folder.events, told.model_dump_json(exclude_defaults=True))

    def answer(self, submission: Path, text: str, *, route: str, reason: str) -> None:
        """Hand a submission over; it has to lie in the task's folder."""
        file = str(submission.relative_to(self._folder.path))
        self.tell("answer", text, file=file, route=route, reason=reason)

    def say(self, text: str) -> None:
        """Say what is being done."""
        self.tell("stage", text)

    def stage_begins(self, name: str) -> None:
        """Say which stage begins."""
        self.say(STAGES.get(name, f"Stage {name}."))

    def stage_ends(self, stage: Stage) -> None:
        """Say nothing: the next one begins."""

    def fit_ends(self, end: FitEnd) -> None:
        """Say how far the fits are."""
        self.tell("progress", f"Fitting models: {end.done} of {end.total} fits, {end.model}.")

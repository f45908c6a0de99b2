"""What the model is told: how to go about any table, and the facts of this one."""

from collections.abc import Sequence

from purple_agent.llm.folders import Folders
from purple_agent.llm.parting import Parted
from purple_agent.llm.settings import AgentSettings
from purple_agent.llm.task import PREDICTIONS, SUBMISSION, Task
from solvers.baseline.foreign_predictions import ROW

DESCRIPTION = 20_000  # characters of the task's own text
LISTED = 60  # files
NAMED = 50  # columns

INSTRUCTIONS = """\
You are a data scientist who answers a prediction task on tables, by writing and running code.

Go through these phases, one or a few tool calls each, and say in a sentence what you learned:
1. Explore: read the description, look at train, test and the sample submission. What is one row?
   What is predicted, by which metric? What is missing, what repeats, what links rows together?
2. Features: derive what the columns suggest. Learn whatever uses the target inside each fold only.
3. Models: fit several different ones out of fold (gradient boosting from more than one library,
   and a linear or kernel model), and compare their out-of-fold scores.
4. Stack: average or stack their out-of-fold predictions where that scores better.
5. Submit: write the submission. Do this early with a simple model, so that there is one.
6. Tune: use what is left for the idea that promises most; keep it only if it scores better.

Rules:
- Only the tools do anything. Code runs in one Jupyter kernel: variables stay from cell to cell.
  The kernel has no network; nothing can be installed.
- Your code starts in the working folder and may write there. The input files are in data/, which
  cannot be written to. No other folder is yours.
- Print little: long output is cut. Do not print progress bars or whole tables.
- A cell that takes too long is interrupted, then killed; after that its variables are lost.
- A submission has the columns of the sample submission and its ids, each as often as there; where
  it has no ids, a row for each of the sample's, in the same order. A constant, or a copy of the
  sample, is refused.
- You are done when check_submission says that the submission has passed and you have no better
  idea: then answer with one paragraph on what you did, without a tool call. Nothing else ends the
  work.
"""


def opening(task: Task, folders: Folders, settings: AgentSettings) -> str:
    """Write the first message: the task's text, its files and its form."""
    parts = [f"The input files, with their sizes in bytes:\n{_files(folders)}"]
    if text := task.description(DESCRIPTION).strip():
        parts.append(f"The task's own description:\n<description>\n{text}\n</description>")
    parts.append(_form(task))
    if task.parted is not None:
        parts.append(_held_back(task.parted))
    if task.baseline is not None:
        parts.append(
            "baseline_submission.csv is the answer of a plain baseline, which is to be beaten."
        )
    limits = settings.limits
    parts.append(
        f"Bounds: {settings.iterations} messages of yours, {settings.seconds:,.0f} s in all, "
        f"{limits.cell_seconds:,.0f} s a cell, {limits.memory_mb:,} MB of memory, "
        f"{limits.processes} processes, {limits.threads} CPU cores, {limits.disk_mb:,} MB on disk."
    )
    return "\n\n".join(parts)


def _files(folders: Folders) -> str:
    return "\n".join(folders.listing("data", LISTED)) or "(none)"


def _held_back(parted: Parted) -> str:
    contest = parted.contest
    told = (
        f"data/{parted.rows} holds {contest.n_rows:,} rows of the training table, numbered in its "
        f"column {ROW}: what is to be predicted there is kept from you. Beside the submission, "
        f"write {PREDICTIONS} with the columns {_named([ROW, *contest.predicted])}, in the "
        f"notation of the submission, one line for each of these rows. We score it, and the "
        f"submission is used if that score beats the baseline's on these rows. You are not told "
        f"the score: compare models by cross-validation on the training table. Both files come "
        f"from the same models: write both in one cell. The last submission that came with such "
        f"predictions is handed in, so write a later one only if it is better."
    )
    if parted.left_out:
        names = _named(parted.left_out)
        told += f" Not among the input files are {names}, for they may hold those answers."
    return told


def _form(task: Task) -> str:
    if task.sample is None:
        return f"There is no sample submission. Write {SUBMISSION} as the description asks."
    head = task.sample.head(5).to_csv(index=False)
    of = "The sample submission" if task.has_sample else "The form of a submission"
    keys = task.keys
    parts = [
        f"The column {keys.id} names the rows."
        if keys.id is not None
        else "No column names the rows: they are known by their order, which is that of the sample."
    ]
    if keys.repeated:
        parts.append(f"Repeated from the test table, and not predicted: {_named(keys.repeated)}.")
    parts.append(f"To be predicted: {_named(task.targets)}.")
    told = " ".join(parts)
    return f"{of} has {len(task.sample):,} rows; write {SUBMISSION} like it. {told}\n{head}"


def _named(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - NAMED:,} more" if len(columns) > NAMED else ""
    return ", ".join(columns[:NAMED]) + more


def standing(iteration: int, seconds_left: float, settings: AgentSettings, *, fit: bool) -> str:
    """Write the line under each tool's result: what is left."""
    left = settings.iterations - iteration
    line = f"[message {iteration} of {settings.iterations}; {seconds_left:,.0f} s left]"
    if not fit and (left <= 5 or seconds_left < settings.seconds / 5):
        line += f" There is no valid {SUBMISSION} yet: write one now, from what you have."
    return line

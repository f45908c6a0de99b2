"""The LLM agent, as an answer to what no solver knows; only where a model is set up."""

import os
from typing import TYPE_CHECKING

from pydantic import ValidationError

from purple_agent.orders import Order
from purple_agent.removal import remove
from purple_agent.task_folder import TaskFolder
from purple_agent.work.candidates import Candidate
from purple_agent.work.telling import Telling

if TYPE_CHECKING:
    from solvers.baseline.contest import Contest

MODEL = "MODEL_NAME"


def answer(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> Candidate | None:
    """Let the agent answer; None where no model is set up."""
    if not os.environ.get(MODEL):
        return None
    from purple_agent.llm import AgentSettings
    from purple_agent.llm import answer as let_answer
    from purple_agent.llm.settings import unusable

    try:
        settings = AgentSettings()
    except ValidationError as error:
        return Candidate(None, None, unusable(error))
    remove(folder.agent)  # of an earlier sitting
    folder.agent.mkdir()
    contest = None if baseline is None else _contest(folder)
    given = let_answer(
        folder.data,
        folder.agent,
        settings=settings,
        report=telling.say,
        baseline=None if baseline is None else folder.baseline,
        folds=None if contest is None else contest.write_folds(folder.path / "folds.csv"),
        scorer=None if contest is None else contest.score_of,
        higher_is_better=contest is None or contest.metric.higher_is_better,
    )
    return Candidate(given.submission, given.score, given.reason)


def _contest(folder: TaskFolder) -> "Contest | None":
    """Find the rows and folds that the baseline was scored on, if it was."""
    from solvers.baseline.contest import Contest
    from solvers.run_record import RECORD

    if not (folder.baseline / RECORD).exists():
        return None
    return Contest.of(folder.baseline, folder.data)

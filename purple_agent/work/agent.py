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
    from purple_agent.llm.parting import Parted

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
    remove(folder.agent, folder.bench)  # of an earlier sitting
    folder.agent.mkdir()
    given = let_answer(
        folder.data,
        folder.agent,
        settings=settings,
        report=telling.say,
        baseline=None if baseline is None else folder.baseline,
        parted=None if baseline is None else _parted(folder),
    )
    compared = given.comparison
    if compared is None:
        return Candidate(given.submission, None, given.reason)
    return Candidate(
        submission=given.submission,
        score=compared.score,
        reason=given.reason,
        higher_is_better=compared.higher_is_better,
        rival=compared.baseline,
        error=compared.error,
    )


def _parted(folder: TaskFolder) -> "Parted | None":
    """Hold rows back that the baseline was scored on, if it was."""
    import signatures
    from purple_agent.llm.parting import part
    from solvers.baseline.contest import Contest
    from solvers.run_record import RECORD

    if not (folder.baseline / RECORD).exists():
        return None
    contest = Contest.of(folder.baseline, folder.data)
    return None if contest is None else part(signatures.find(folder.data), contest, folder.bench)

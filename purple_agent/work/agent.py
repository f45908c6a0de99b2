"""The LLM agent, as an answer to what no solver knows; only where a model is set up."""

import os
from importlib import import_module

from purple_agent.orders import Order
from purple_agent.task_folder import TaskFolder
from purple_agent.work.candidates import Candidate
from purple_agent.work.telling import Telling

MODEL = "MODEL_NAME"


def answer(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> Candidate | None:
    """Let the agent answer; None where no model is set up."""
    if not os.environ.get(MODEL):
        return None
    llm = import_module("purple_agent.llm")
    settings = import_module("purple_agent.llm.settings").Settings()
    folder.agent.mkdir(exist_ok=True)
    given = llm.answer(
        folder.data,
        folder.agent,
        settings=settings,
        report=telling.say,
        baseline=baseline.submission if baseline else None,
        folds=baseline.folds if baseline else None,
    )
    return Candidate(given.submission, given.score, given.reason)

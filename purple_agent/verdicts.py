"""Verdicts on a submission's form, which an evaluator gives in a message of its own."""

import asyncio


class Verdicts:
    """Brings verdicts to the tasks that wait for them, by the conversation they belong to."""

    def __init__(self) -> None:
        self._awaited: dict[str, asyncio.Future[str]] = {}

    def expect(self, context: str) -> "asyncio.Future[str]":
        """Begin to wait, before it is asked."""
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._awaited[context] = future
        return future

    def give(self, context: str, text: str) -> bool:
        """Hand a verdict over; return whether anybody was waiting for it."""
        future = self._awaited.pop(context, None)
        if future is None or future.done():
            return False
        future.set_result(text)
        return True

    def give_up(self, context: str) -> None:
        """Wait no longer."""
        self._awaited.pop(context, None)


def accepted(verdict: str) -> bool:
    """Tell a verdict that lets the submission pass.

    >>> accepted("Submission is valid."), accepted("Submission invalid! The attempt ...")
    (True, False)
    """
    return "is valid" in verdict

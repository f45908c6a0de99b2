"""Verdicts on a submission's form, which an evaluator gives in a message of its own."""

import asyncio
from collections import defaultdict

Awaited = asyncio.Future[str]


class Verdicts:
    """Brings verdicts to the tasks that wait for them, by the conversation they belong to.

    A verdict names no task. Where several of one conversation wait, it is for the one that asked
    first.
    """

    def __init__(self) -> None:
        self._awaited: defaultdict[str, list[Awaited]] = defaultdict(list)

    def expect(self, context: str) -> Awaited:
        """Begin to wait, before it is asked."""
        future: Awaited = asyncio.get_running_loop().create_future()
        self._awaited[context].append(future)
        return future

    def give(self, context: str, text: str) -> bool:
        """Hand a verdict over; return whether anybody was waiting for it."""
        for future in self._awaited.get(context, ()):
            if not future.done():
                future.set_result(text)
                return True
        return False

    def give_up(self, context: str, future: Awaited) -> None:
        """Wait no longer for one's own."""
        waiting = self._awaited[context]
        if future in waiting:
            waiting.remove(future)
        if not waiting:
            del self._awaited[context]


def accepted(verdict: str) -> bool:
    """Tell a verdict that lets the submission pass.

    >>> accepted("Submission is valid."), accepted("Submission invalid! The attempt ...")
    (True, False)
    """
    return "is valid" in verdict

"""What stands in the way of a draft."""

from signatures import KnownTaskError
from signatures.wording import sentences


class DraftError(KnownTaskError, ValueError):
    """What was asked for cannot be drafted; nothing was written."""

    fields = ("problem", "next")

    def __init__(self, problem: str, next: str) -> None:
        self.problem, self.next = problem, next
        super().__init__(sentences([problem, next]))

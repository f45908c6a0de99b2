"""What keeps the agent from answering."""

from signatures import KnownTaskError
from signatures.wording import sentences


class AgentError(KnownTaskError, RuntimeError):
    """No model is set up, or none of its answers can be handed in."""

    fields = ("problem", "next")

    def __init__(self, problem: str, next: str = "") -> None:
        self.problem, self.next = problem, next
        super().__init__(sentences([problem, next]))


class OutsideError(KnownTaskError, PermissionError):
    """A path leads out of the data and work folders, or to no plain file."""

    fields = ("name", "problem")

    def __init__(self, name: str, problem: str) -> None:
        self.name, self.problem = name, problem
        super().__init__(f"{name!r} {problem}. Name a file in the working folder or in data/.")

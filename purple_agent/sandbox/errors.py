"""What can go wrong with the sandbox itself, not with the code that runs in it."""

from signatures import KnownTaskError


class SandboxError(KnownTaskError, RuntimeError):
    """The sandbox cannot be built, or its kernel does not start."""

    fields = ("problem", "next")

    def __init__(self, problem: str, next: str) -> None:
        self.problem, self.next = problem, next
        super().__init__(f"Code cannot be run in a sandbox: {problem}. {next}")

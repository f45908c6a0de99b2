"""Calls handed to workers, each tried once more when it fails, and never dropped."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from joblib.externals.loky.process_executor import BrokenProcessPool

from signatures import KnownTaskError
from solvers.workers import Workers

ATTEMPTS = 2


class WorkerLostError(KnownTaskError, RuntimeError):
    """The operating system ended a worker, and again when its work was tried once more."""

    fields = ("jobs",)

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        super().__init__(
            f"A process that was fitting a model was ended from outside twice, with {jobs} at "
            "work; most often memory ran out. Use a smaller --jobs."
        )


class CallFailedError(KnownTaskError, RuntimeError):
    """A call failed twice. Its cause is the error of the second time."""

    fields = ("arguments", "reason")

    def __init__(self, arguments: tuple[Any, ...], reason: str) -> None:
        self.arguments, self.reason = arguments, reason
        super().__init__(f"A call failed twice: {reason}")


@dataclass
class _Call:
    arguments: tuple[Any, ...]
    attempts: int = 0


class Calls:
    """Calls of one function with many arguments.

    Parameters
    ----------
    on_retry : function, optional
        Told of the arguments and the error, before a call is tried again.
    """

    def __init__(
        self,
        workers: Workers,
        function: Callable[..., Any],
        on_retry: Callable[[tuple[Any, ...], BaseException], None] | None = None,
    ) -> None:
        self._workers = workers
        self._function = function
        self._on_retry = on_retry
        self._again: list[_Call] = []
        self._running: dict[Future[Any], _Call] = {}

    def run(self, arguments: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, int]]:
        """Yield each call's result and the number of its attempts, as they come, in any order.

        Raises
        ------
        CallFailedError
            If a call fails twice. An error raised on purpose is not tried again.
        WorkerLostError
            If the operating system twice kills a worker under the same call.
        """
        waiting = map(_Call, arguments)
        while True:
            self._hand_over(waiting)
            if not self._running:
                return
            ended = [
                (self._running.pop(future), future)
                for future in wait(self._running, return_when=FIRST_COMPLETED).done
            ]
            # What succeeded comes first, for a pool that broke takes all that is under way along.
            failed = []
            for call, future in ended:
                if (error := future.exception()) is None:
                    yield future.result(), call.attempts
                else:
                    failed.append((call, error))
            self._try_again(failed)

    def _hand_over(self, waiting: Iterator[_Call]) -> None:
        while len(self._running) < self._workers.capacity:
            call = self._again.pop() if self._again else next(waiting, None)
            if call is None:
                return
            call.attempts += 1
            self._running[self._workers.submit(self._function, *call.arguments)] = call

    def _try_again(self, failed: list[tuple[_Call, BaseException]]) -> None:
        broken = [error for _, error in failed if isinstance(error, BrokenProcessPool)]
        if broken:
            failed = failed + [(call, broken[0]) for call in self._running.values()]
            self._running.clear()
            self._workers.restart()
        for call, error in failed:
            self._refuse(call, error)
            if self._on_retry is not None:
                self._on_retry(call.arguments, error)
            self._again.append(call)

    def _refuse(self, call: _Call, error: BaseException) -> None:
        """Raise where trying again would be of no use, or was of none."""
        if isinstance(error, KnownTaskError):
            raise error
        if call.attempts < ATTEMPTS:
            return
        if isinstance(error, BrokenProcessPool):
            raise WorkerLostError(self._workers.jobs) from error
        raise CallFailedError(call.arguments, f"{type(error).__name__}: {error}") from error

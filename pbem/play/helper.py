"""Helper processes, so that long computations do not block the threads of this process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from threading import RLock, Thread
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Q = TypeVar("_Q")
_A = TypeVar("_A")


class HelperEndedError(Exception):
    """Raised if a helper process was stopped, or ended by the system, before it finished."""

    def __init__(self, *, is_stopped: bool) -> None:
        super().__init__(is_stopped)
        self.is_stopped = is_stopped


class Helper:
    """One or several processes that call functions; they start with the first call.

    They end with this program, even if it is killed, and ignore Ctrl-C. A thread may `stop` them
    while other threads wait for results.

    >>> helper = Helper()
    >>> helper.stop()
    >>> helper.call(abs, -1)
    Traceback (most recent call last):
    pbem.play.helper.HelperEndedError: True
    """

    def __init__(self, count: int = 1) -> None:
        self._count = count
        self._changing = RLock()
        self._pool: Executor | None = None
        # A pipe through which nothing is sent: the processes end when it is closed.
        self._ends: Any = None
        self._is_stopped = False

    def call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return the result of a module-level function with picklable arguments.

        Raises the function's error, or HelperEndedError; unless the helper was stopped, the next
        call starts it again.
        """
        return self._result(self._submit(function, *args, **kwargs))

    def share(self, function: Callable[[_Q], _A], things: Sequence[_Q]) -> Iterable[_A]:
        """Call a function with each item, in parallel, and yield the results in order.

        Raises the same errors as `call`.
        """
        return map(self._result, [self._submit(function, thing) for thing in things])

    def stop(self) -> None:
        """End the processes now, and start no others, even if they were stopped before."""
        with self._changing:
            self._is_stopped = True
            self.end()

    def end(self) -> None:
        """End the processes now; the next call starts new ones."""
        with self._changing:
            if self._pool is not None:
                self._ends.close()
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None

    def _submit(self, function: Callable[..., _T], *args: Any, **kwargs: Any) -> Future[_T]:
        with self._changing, _no_interrupts():
            if self._is_stopped:
                raise HelperEndedError(is_stopped=True)
            for _ in range(2):
                if self._pool is None:
                    self._pool = self._start_pool()
                try:
                    return self._pool.submit(function, *args, **kwargs)
                except BrokenExecutor:
                    self.end()
            raise HelperEndedError(is_stopped=False)

    def _start_pool(self) -> Executor:
        # Imported lazily: not every system has processes.
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # Spawned, because in a fork the locks of other threads would never be released.
        context = get_context("spawn")
        hears_end, self._ends = context.Pipe(duplex=False)
        return ProcessPoolExecutor(self._count, context, belong_to_parent, (hears_end,))

    def _result(self, future: Future[_T]) -> _T:
        try:
            return future.result()
        except (BrokenExecutor, CancelledError):
            raise HelperEndedError(is_stopped=self._is_stopped) from None


def belong_to_parent(end: Any = None) -> None:
    """Ignore Ctrl-C, and end with the parent process, or when that pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, args=(end,), daemon=True).start()


def _end_with_parent(end: Any) -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel, *filter(None, [end])])
        os._exit(1)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Block Ctrl-C while a process starts, which inherits the block."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Processes that compute for this one, so that long work keeps none of its threads waiting."""

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


class HelperEnded(Exception):
    """A process ended before it was done: it was stopped, or else the system ended it."""

    def __init__(self, *, is_stopped: bool) -> None:
        super().__init__(is_stopped)
        self.is_stopped = is_stopped


class Helper:
    """Processes that call functions, one or as many as wanted; they begin with the first call.

    They end with this program, however that ends and whatever they are at, and leave Ctrl-C to it.
    A thread may `stop` them while others wait for them.
    """

    def __init__(self, count: int = 1) -> None:
        self._count = count
        self._changing = RLock()
        self._pool: Executor | None = None
        # Nothing is ever sent: they hear at one end of a pipe when the other is closed.
        self._ends: Any = None
        self._is_stopped = False

    def call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a function of a module gives there, with arguments that can be pickled.

        Raises what it raises, and HelperEnded: unless it was stopped, the next call begins again.
        """
        return self._result(self._submit(function, *args, **kwargs))

    def share(self, function: Callable[[_Q], _A], things: Sequence[_Q]) -> Iterable[_A]:
        """Call a function with each of some things, all at once, and yield the results in order.

        Raises as `call` does.
        """
        return map(self._result, [self._submit(function, thing) for thing in things])

    def stop(self) -> None:
        """End them now, whatever they are at, for good; they may be stopped already."""
        with self._changing:
            self._is_stopped = True
            self.end()

    def end(self) -> None:
        """End them now; the next call begins others."""
        with self._changing:
            if self._pool is not None:
                self._ends.close()
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None

    def _submit(self, function: Callable[..., _T], *args: Any, **kwargs: Any) -> Future[_T]:
        with self._changing, _no_interrupts():
            if self._is_stopped:
                raise HelperEnded(is_stopped=True)
            for _ in range(2):
                if self._pool is None:
                    self._pool = self._begun()
                try:
                    return self._pool.submit(function, *args, **kwargs)
                except BrokenExecutor:
                    self.end()
            raise HelperEnded(is_stopped=False)

    def _begun(self) -> Executor:
        # Imported here because not every system that looks at games has processes.
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # Not a copy of this process, in which other threads may hold locks that nobody would free.
        context = get_context("spawn")
        hears_end, self._ends = context.Pipe(duplex=False)
        return ProcessPoolExecutor(self._count, context, belong_to_parent, (hears_end,))

    def _result(self, future: Future[_T]) -> _T:
        try:
            return future.result()
        except (BrokenExecutor, CancelledError):
            raise HelperEnded(is_stopped=self._is_stopped) from None


def belong_to_parent(end: Any = None) -> None:
    """Leave Ctrl-C to the process that began this one, and end with it, or if that pipe ends."""
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
    """Keep Ctrl-C from a process that is begun, if it inherits what its parent does not hear."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

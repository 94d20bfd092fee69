"""Processes that compute for this one, so that what takes long keeps no thread of it waiting."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock
from typing import Any, ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Q = TypeVar("_Q")
_A = TypeVar("_A")


class HelperEnded(Exception):
    """The process has ended before it was through: it was stopped, or the system ended it."""


class Helper:
    """A process that calls functions, one after another; it begins with the first.

    It ends with this program, however that ends, and leaves Ctrl-C to it. A thread may `stop` it
    while others wait for it.
    """

    def __init__(self) -> None:
        # Not a copy of this process, in which other threads may hold what nobody would release.
        self._context = get_context("spawn")
        self._one_at_a_time = Lock()
        self._changing = Lock()
        self._pipe: Connection | None = None
        self._stop: Callable[[], object] = lambda: None
        self._is_stopped = False

    def call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """What a function of a module gives there, with arguments that can be pickled.

        Raises what it raises, and HelperEnded; unless it was stopped, the next call begins anew.
        """
        with self._one_at_a_time:
            pipe = self._begun()
            try:
                pipe.send((function, args, kwargs))
                found, error = pipe.recv()
            except (EOFError, OSError):
                self._pipe = None
                raise HelperEnded from None
        if error is not None:
            raise error
        result: _T = found
        return result

    def stop(self) -> None:
        """End it now, whatever it is at, for good; it may be stopped already."""
        with self._changing:
            self._is_stopped = True
            self._stop()

    def _begun(self) -> Connection:
        with self._changing:
            if self._is_stopped:
                raise HelperEnded
            if self._pipe is None:
                here, there = self._context.Pipe()
                process = self._context.Process(target=_serve, args=(there,), daemon=True)
                with _no_interrupts():
                    process.start()
                # What is held open here as well would never end for whoever reads it.
                there.close()
                self._pipe, self._stop = here, process.terminate
            return self._pipe


class Shared(Protocol):
    """Calls a function with each of some things; what comes of each, in the same sequence."""

    def __call__(self, function: Callable[[_Q], _A], things: Sequence[_Q], /) -> Iterable[_A]:
        """All calls are begun at once; raises what they raise, as soon as it is their turn."""


@contextmanager
def helpers(count: int) -> Iterator[Shared]:
    """So many processes that share what there is to compute; at the end they are stopped at once.

    Raises HelperEnded where the system ends one of them.
    """
    free, every = SimpleQueue[Helper](), [Helper() for _ in range(count)]
    for helper in every:
        free.put(helper)
    waiting = ThreadPoolExecutor(count)

    def call(function: Callable[[_Q], _A], thing: _Q) -> _A:
        helper = free.get()
        try:
            return helper.call(function, thing)
        finally:
            free.put(helper)

    def share(function: Callable[[_Q], _A], things: Sequence[_Q]) -> Iterable[_A]:
        return waiting.map(partial(call, function), things)

    try:
        yield share
    finally:
        for helper in every:
            helper.stop()
        waiting.shutdown(cancel_futures=True)


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The other process has ended.
    with suppress(EOFError, OSError):
        while True:
            function, args, kwargs = pipe.recv()
            found: Any = None
            failed: Exception | None = None
            try:
                found = function(*args, **kwargs)
            except Exception as error:
                failed = error
            pipe.send((found, failed))


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Where a process that is begun inherits what its parent does not hear, keep Ctrl-C from it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

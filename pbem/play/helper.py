"""A process that computes for this one, so that what takes long keeps no thread of it waiting."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


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

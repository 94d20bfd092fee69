"""Processes that compute for this one, so that long work keeps none of its threads waiting."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pickle import dumps, loads
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Q = TypeVar("_Q")
_A = TypeVar("_A")


PATIENCE = 5.0
"""In seconds: a process that has closed its pipe ends sooner."""


class _Pipe(Protocol):
    """An end of a pipe; each system has its own kind."""

    def send(self, obj: Any, /) -> None: ...
    def send_bytes(self, buf: bytes, /) -> None: ...
    def recv(self) -> Any: ...
    def recv_bytes(self) -> bytes: ...
    def close(self) -> None: ...


class HelperEnded(Exception):
    """The process has ended before it was done: it was stopped, or the system ended it.

    `is_killed` says that it was ended the way a system does that runs out of memory.
    """

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.is_killed = code == -9


class Helper:
    """A process that calls functions, one after another; it begins with the first.

    It ends with this program, however that ends and whatever it is at, and leaves Ctrl-C to it. A
    thread may `stop` it while others wait for it.
    """

    def __init__(self) -> None:
        # Not a copy of this process, in which other threads may hold locks that nobody would
        # release.
        self._context = get_context("spawn")
        self._one_at_a_time = Lock()
        self._changing = Lock()
        self._pipe: _Pipe | None = None
        self._process: BaseProcess | None = None
        self._is_stopped = False

    def call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """What a function of a module gives there, with arguments that can be pickled.

        Raises what it raises, or RuntimeError with its text where that or what it gave cannot be
        pickled; and HelperEnded: unless it was stopped, the next call begins again.
        """
        with self._one_at_a_time:
            pipe = self._begun()
            try:
                pipe.send((function, args, kwargs))
                found, error = pipe.recv()
            except (EOFError, OSError):
                raise HelperEnded(self._forgotten()) from None
            except BaseException:
                # An answer still to come would be taken for that of the next call.
                self._forgotten(patience=0)
                raise
        if error is not None:
            raise error
        result: _T = found
        return result

    def stop(self) -> None:
        """End it now, whatever it is at, for good; it may be stopped already."""
        with self._changing:
            self._is_stopped = True
            if self._process is not None:
                self._process.terminate()

    def _forgotten(self, patience: float = PATIENCE) -> int | None:
        """What the process ended with, stopped if need be; the next call begins another."""
        with self._changing:
            process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if pipe is not None:
            pipe.close()
        if process is None:
            return None
        process.join(patience)
        process.terminate()
        process.join(PATIENCE)
        return process.exitcode

    def _begun(self) -> _Pipe:
        with self._changing:
            if self._is_stopped:
                raise HelperEnded
            if self._pipe is None:
                here, there = self._context.Pipe()
                process = self._context.Process(target=_serve, args=(there,), daemon=True)
                with _no_interrupts():
                    process.start()
                # An end that is held open here as well would never close for its reader.
                there.close()
                self._pipe, self._process = here, process
            return self._pipe


class Shared(Protocol):
    """Calls a function with each of some things; what comes of each, in the same sequence."""

    def __call__(self, function: Callable[[_Q], _A], things: Sequence[_Q], /) -> Iterable[_A]:
        """All calls are begun at once; raises what they raise, as soon as it is their turn."""


@contextmanager
def helpers(count: int) -> Iterator[Shared]:
    """How many processes that share what there is to compute; at the end they are stopped at once.

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


def belong_to_parent() -> None:
    """What a helper does first: leave Ctrl-C to the process that began it, and end with that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _serve(pipe: _Pipe) -> None:
    belong_to_parent()
    # The other process has ended, or wants no more.
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))


def _answer(asked: bytes) -> bytes:
    found: object = None
    failed: Exception | None = None
    try:
        function, args, kwargs = loads(asked)
        found = function(*args, **kwargs)
    except Exception as error:
        failed = error
    try:
        answer = dumps((found, failed))
        if failed is not None:
            # Many errors can be pickled and not unpickled.
            loads(answer)
        return answer
    except Exception as error:
        return dumps((None, RuntimeError(repr(failed or error))))


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

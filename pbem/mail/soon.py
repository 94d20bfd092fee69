"""Work done in a thread of its own, because it may never end.

Nobody waits for it longer than agreed, nor does the end of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Thread
from time import monotonic
from typing import TypeVar

_T = TypeVar("_T")


def all_in_time(seconds: float, deeds: Sequence[Callable[[], _T]], otherwise: _T) -> list[_T]:
    """What each of these comes to, in their order, or `otherwise` where that takes longer."""
    begun, end = [_begun(deed) for deed in deeds], monotonic() + seconds
    found = []
    for each in begun:
        try:
            found.append(each.result(max(0.0, end - monotonic())))
        except TimeoutError:
            found.append(otherwise)
    return found


def _begun(deed: Callable[[], _T]) -> Future[_T]:
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(deed())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future

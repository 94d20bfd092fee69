"""A thread that does one thing after another, for an event loop that waits for none of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Worker:
    """A thread of that name; it never keeps the program from ending.

    What it is doing when the program ends is left where it is, as if the computer were switched
    off: who does not want that waits for `idle`.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Callable[[], object]] = SimpleQueue()
        Thread(target=self._work, name=name, daemon=True).start()

    async def run(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Have a function called there, after all that was asked for before; raises what it raises.

        It is called even where nobody waits for it any more.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_T] = loop.create_future()

        def settle(result: Any, error: BaseException | None) -> None:
            if done.cancelled():
                return
            if error is None:
                done.set_result(result)
            else:
                done.set_exception(error)

        def task() -> None:
            result, failed = None, None
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                failed = error
            # The loop may have ended meanwhile.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, result, failed)

        self._tasks.put(task)
        return await done

    def put(self, function: Callable[[], object]) -> None:
        """Have a function called there, after all that was asked for before; from any thread.

        Nobody hears what it raises.
        """
        self._tasks.put(function)

    async def idle(self, seconds: float) -> bool:
        """Wait until all that was asked for is done, so long at most; whether it is."""
        try:
            await asyncio.wait_for(self.run(lambda: None), seconds)
        except TimeoutError:
            return False
        return True

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            # Whatever becomes of this, what is asked for next is to be done.
            with suppress(Exception):
                task()

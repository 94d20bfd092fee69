"""A thread that does one thing after another, for an event loop that waits for none of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

_T = TypeVar("_T")


class Worker:
    """A thread of that name; it never keeps the program from ending.

    What it is doing when the program ends is left where it is, as if the computer were switched
    off.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Callable[[], object]] = SimpleQueue()
        Thread(target=self._work, name=name, daemon=True).start()

    async def run(self, function: Callable[[], _T]) -> _T:
        """Call a function there, after all that was asked for before, and return its result.

        It is called even if nobody waits for it any more.
        """
        done: Future[_T] = Future()

        def task() -> None:
            try:
                result = function()
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(result)

        self._tasks.put(task)
        return await asyncio.wrap_future(done)

    def put(self, function: Callable[[], object]) -> None:
        """Have a function called there, after all that was asked for before; from any thread.

        Nobody hears what it raises.
        """
        self._tasks.put(function)

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            # Whatever becomes of this, what is asked for next is to be done.
            with suppress(Exception):
                task()

"""A thread goes on, whatever it is asked to do."""

from __future__ import annotations

import asyncio

import pytest

from pbem.play.store import LibraryFailed
from pbem.web.server import WorkerThread


def test_what_fails_keeps_nothing_else_from_being_done() -> None:
    async def scene() -> list[int]:
        worker, done = WorkerThread("test"), list[int]()

        def fail() -> None:
            raise LibraryFailed("it is busy")

        worker.put(fail)
        worker.put(lambda: done.append(1))
        with pytest.raises(LibraryFailed, match="busy"):
            await worker.run(fail)
        await worker.run(lambda: done.append(2))
        return done

    assert asyncio.run(asyncio.wait_for(scene(), 60)) == [1, 2]

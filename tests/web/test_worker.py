"""A worker thread survives failing calls."""

from __future__ import annotations

import asyncio

import pytest

from pbem.play.store import StoreError
from pbem.web.server import WorkerThread


def test_worker_runs_calls_after_a_failed_one() -> None:
    async def scene() -> list[int]:
        worker, calls = WorkerThread("test"), list[int]()

        def fail() -> None:
            raise StoreError("it is busy")

        worker.put(fail)
        worker.put(lambda: calls.append(1))
        with pytest.raises(StoreError, match="busy"):
            await worker.run(fail)
        await worker.run(lambda: calls.append(2))
        return calls

    assert asyncio.run(asyncio.wait_for(scene(), 60)) == [1, 2]

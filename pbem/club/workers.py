"""Executors of tasks: processes of this machine, or workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from pbem.club import import_extra
from pbem.errors import UsageError, describe_error
from pbem.play.helper import belong_to_parent

T = TypeVar("T")

MAX_QUEUED_TASKS = 1000
"""The maximum number of queued tasks, which is more than any cluster runs at once."""


@contextmanager
def processes(number: int | None) -> Iterator[Executor]:
    """Yield an executor of `number` processes, or of one per core; they end with this process."""
    # Do not fork, because a progress bar has its own thread.
    with ProcessPoolExecutor(number, get_context("spawn"), initializer=belong_to_parent) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Yield an executor of the workers of the Dask scheduler at an address, `tcp://host:8786`.

    Dask gives the tasks of a lost worker to others. Raises UsageError if there is no scheduler.
    """
    distributed = import_extra("distributed", "cluster")
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        raise UsageError(
            "No Dask scheduler answers at {address}: {reason}.",
            address=address,
            reason=describe_error(error),
        ) from error
    with client:
        executor = client.get_executor(pure=False)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)


def run_tasks(
    executor: Executor,
    function: Callable[..., T],
    tasks: Iterable[tuple[Any, ...]],
    queued: int = MAX_QUEUED_TASKS,
) -> Iterator[T]:
    """Yield the result of a function for each task as soon as it is available, in any order.

    At most `queued` tasks are taken in advance, because they may be large.
    """
    pending = iter(tasks)
    pending_tasks: set[Future[T]] = set()
    while True:
        for task in islice(pending, queued - len(pending_tasks)):
            pending_tasks.add(executor.submit(function, *task))
        if not pending_tasks:
            return
        finished, pending_tasks = wait(pending_tasks, return_when=FIRST_COMPLETED)
        # Yield successful results before the exception of a failed task.
        for future in sorted(finished, key=_has_failed):
            yield future.result()


def _has_failed(task: Future[Any]) -> bool:
    return task.cancelled() or task.exception() is not None

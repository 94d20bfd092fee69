"""Workers that play the games of a measurement: processes of this machine, or a cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from subprocess import PIPE, Popen
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.balance import __main__ as command
from pbem.club.workers import cluster, run_tasks
from pbem.errors import UsageError

QUICK = ["--british", "hammer", "--french", "raiders", "--edition", "second", "--processes", "1"]


@pytest.mark.slow
def test_cluster_workers_play_the_same_games_as_local_ones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[Any] = []

    class Client:
        def __init__(self, address: str) -> None:
            calls.append(address)

        def __enter__(self) -> Client:
            return self

        def __exit__(self, *_: object) -> None:
            calls.append("left")

        def get_executor(self, **options: object) -> Executor:
            calls.append(options)
            return ThreadPoolExecutor(2)

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    games = [*QUICK, "--rules", "none", "--games", "2"]
    assert command.main(games) == 0
    here = capsys.readouterr().out
    assert command.main([*games, "--cluster", "tcp://scheduler:8786"]) == 0
    assert capsys.readouterr().out == here
    assert calls == ["tcp://scheduler:8786", {"pure": False}, "left"]


def test_cluster_without_dask_or_its_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(address: str) -> None:
        raise OSError("timed out")

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"\[cluster\]"), cluster("tcp://nowhere:1"):
        pass
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=unreachable))
    with pytest.raises(UsageError, match="tcp://nowhere:1"), cluster("tcp://nowhere:1"):
        pass


def test_worker_processes_end_with_their_parent() -> None:
    script = """
from time import sleep
from pbem.club.workers import processes
with processes(1) as pool:
    busy = pool.submit(sleep, 60)
    while not busy.running():
        sleep(0.01)
    print("begun", flush=True)
    sleep(60)
"""
    started = Popen([sys.executable, "-c", script], stdout=PIPE, text=True)
    assert started.stdout is not None
    assert started.stdout.readline() == "begun\n"
    started.kill()
    # The pipe ends when no process has it open.
    assert started.communicate(timeout=60)[0] == ""


def test_tasks_are_submitted_as_they_are_needed() -> None:
    submitted: list[int] = []

    def tasks() -> Iterator[tuple[int]]:
        for number in range(20):
            submitted.append(number)
            yield (number,)

    with ThreadPoolExecutor(2) as threads:
        finished = run_tasks(threads, lambda number: number**2, tasks(), 3)
        first = list(islice(finished, 5))
        assert len(submitted) <= 5 + 3
        assert sorted([*first, *finished]) == [number**2 for number in range(20)]


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_results_before_a_failure_are_returned(is_cancelled: bool) -> None:

    class AtOnce(Executor):
        def submit(self, *task: Any, **_: Any) -> Future[Any]:
            future = Future[Any]()
            number = task[1]
            if number % 7:
                future.set_result(number)
            elif is_cancelled:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_exception(BrokenProcessPool())
            return future

    results = []
    with pytest.raises(CancelledError if is_cancelled else BrokenProcessPool):
        for number in run_tasks(AtOnce(), abs, [(number,) for number in range(14)]):
            results.append(number)
    assert sorted(results) == [number for number in range(14) if number % 7]

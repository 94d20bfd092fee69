"""The pages in a browser that runs them itself: `python -m benchmarks.site`.

The figures are those of a phone with a quarter of this computer's speed: the processor time of the
Python worker times four, which does not depend on other programs that run. Chromium throttles only
the thread of the page, and not that of a worker. Needs Linux.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter

from playwright.sync_api import expect

from benchmarks.timing import Claim
from benchmarks.web import CLICK
from pbem.web.site.build import build, open_server
from tests.board.browser import browser
from tests.site.visiting import IDENTITY, LONG, Visit, long_game

SLOWNESS = 4
"""The processor time on a phone, divided by that on this computer."""
FIRST, LATER, UNKNOWN, KNOWN, SIGN, CLICK_MS = 30.0, 6.0, 10.0, 1.5, 1.0, 200.0
"""The bounds of a first and a later visit, of reading a file, and of a signature in seconds."""
MAX_MEGABYTES = 350.0
CLICKS = 8
_TICKS = os.sysconf("SC_CLK_TCK")
_WORKER = "DedicatedWorker"
"""The name of the thread of a worker."""


def worker_seconds() -> float:
    """Return the processor time of the oldest worker of browsers that this process started.

    The second worker of the site is younger.
    """
    fields = [
        (task / "stat").read_text().rpartition(") ")[2].split()
        for process in _descendants(os.getpid())
        for task in Path(f"/proc/{process}/task").iterdir()
        if (task / "comm").read_text().strip() == _WORKER
    ]
    # The numbers of proc_pid_stat(5), from the third on: utime and stime, and starttime.
    oldest = min(fields, key=lambda field: int(field[19]), default=None)
    return sum(map(int, oldest[11:13])) / _TICKS if oldest else 0.0


def worker_megabytes() -> float:
    """Return the memory of the process in which workers run, its own share of shared pages."""
    for process in _descendants(os.getpid()):
        tasks = Path(f"/proc/{process}/task").iterdir()
        if any((task / "comm").read_text().strip() == _WORKER for task in tasks):
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return 0.0


def _descendants(process: int) -> Iterator[int]:
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            yield child
            yield from _descendants(child)


def claim(name: str, bound: float, action: Callable[[], object], *, is_new: bool = False) -> Claim:
    """Return the time of an action on a phone, in seconds; `is_new` if it starts the worker."""
    before, start = 0.0 if is_new else worker_seconds(), perf_counter()
    action()
    passed = perf_counter() - start
    seconds = SLOWNESS * (worker_seconds() - before)
    return Claim(name, seconds, " s", bound, f"here {passed:.1f} s passed")


@contextmanager
def visit() -> Iterator[Visit]:
    """Serve the site, and yield an empty tab."""
    with TemporaryDirectory() as name, browser() as started:
        folder = Path(name) / "public"
        build(folder)
        with open_server(folder) as server, started.new_context(locale="en") as context:
            Thread(target=server.serve_forever, daemon=True).start()
            yield Visit(context, f"http://127.0.0.1:{server.server_port}/")
            server.shutdown()


def measure() -> Iterator[Claim]:
    """Yield the times of visits, of files and of a turn in the long game, and the memory."""
    with visit() as tab, TemporaryDirectory() as name:
        file = Path(name) / "game.toml"
        file.write_bytes(long_game())
        frame = tab.frame
        yield claim("first visit to the site", FIRST, tab.open, is_new=True)
        tab.put_home({"identity.toml": IDENTITY})
        yield claim("later visit to the site", LATER, tab.open, is_new=True)

        def upload(selector: str) -> None:
            frame.locator("#file").set_input_files(file)
            expect(frame.locator(selector)).to_be_visible(timeout=LONG)

        yield claim("an unknown file of a long game", UNKNOWN, partial(upload, "#said a"))
        frame.locator("#said a").click()
        expect(frame.locator("#resign")).to_be_visible(timeout=LONG)
        tab.page.wait_for_url("**/games/*")
        tab.page.wait_for_load_state("networkidle")
        path = tab.path
        tab.open()
        tab.page.wait_for_load_state("networkidle")
        yield claim("the same file again, and its page", KNOWN, partial(upload, "#resign"))
        tab.open(path)
        expect(frame.locator("#resign")).to_be_visible(timeout=LONG)
        tab.page.wait_for_load_state("networkidle")
        clicks = [_click(tab, number) for number in range(CLICKS)]
        yield Claim("a click on the site", median(clicks), " ms", CLICK_MS, f"{CLICKS} clicks")
        frame.locator("#resign").click()
        expect(frame.locator("#sign")).to_be_visible(timeout=LONG)
        tab.page.wait_for_load_state("networkidle")

        def sign() -> None:
            frame.locator("#sign").click()
            expect(frame.locator("#posting section")).to_be_visible(timeout=LONG)

        yield claim("a signature on the site", SIGN, sign)
        yield Claim("memory of the site with both workers", worker_megabytes(), " MB")
        while any(worker.url.endswith("robot-worker.js") for worker in tab.page.workers):
            tab.page.wait_for_timeout(1000)
        yield Claim("memory of the site at rest", worker_megabytes(), " MB", MAX_MEGABYTES)


def _click(tab: Visit, number: int) -> float:
    """Return the processor time of the worker for a click on a card, on a phone in milliseconds."""
    page = tab.page.frames[1]
    before = worker_seconds()
    page.evaluate(CLICK, number % page.locator(".own-hand .card.lit").count())
    return 1000 * SLOWNESS * (worker_seconds() - before)


if __name__ == "__main__":
    for result in measure():
        print(result)

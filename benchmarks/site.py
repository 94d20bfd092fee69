"""The pages in a browser that runs them itself: `python -m benchmarks.site`.

The figures are those of a phone with a quarter of this computer's speed: the processor time of the
Python worker times four, which does not depend on other programs that run. Chromium throttles only
the thread of the page, and not that of a worker. The memory is that of a browser without developer
tools, which keep copies of all files. Needs Linux.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter, sleep

from playwright.sync_api import expect, sync_playwright

from benchmarks.timing import Claim
from benchmarks.web import CLICK
from pbem.web.site.build import build, open_server
from tests.board.browser import options, program
from tests.site.visiting import IDENTITY, LONG, Visit, long_game

SLOWNESS = 4
"""The processor time on a phone, divided by that on this computer."""
FIRST, LATER, UNKNOWN, KNOWN, SIGN, CLICK_MS = 30.0, 6.0, 10.0, 1.5, 1.0, 200.0
"""The bounds of a first and a later visit, of reading a file, and of a signature in seconds."""
MAX_MEGABYTES = 350.0
LIMIT = 120.0
"""The seconds after which the measurement of the memory fails."""
CLICKS = 8
_TICKS = os.sysconf("SC_CLK_TCK")
_WORKER = "DedicatedWorker"
"""The name of the thread of a worker."""


def workers() -> list[Path]:
    """Return the folders of workers of browsers that this process started, the oldest first."""
    return [
        task
        for process in _descendants(os.getpid())
        for task in sorted(Path(f"/proc/{process}/task").iterdir(), key=lambda path: int(path.name))
        if (task / "comm").read_text().strip() == _WORKER
    ]


def worker_seconds() -> float:
    """Return the processor time of the first worker; the second worker of the site is younger."""
    # The numbers of proc_pid_stat(5), from the third on: utime and stime.
    stats = ((task / "stat").read_text().rpartition(") ")[2].split() for task in workers())
    return next((sum(map(int, stat[11:13])) / _TICKS for stat in stats), 0.0)


def worker_megabytes() -> float:
    """Return the memory of the process in which workers run, its own share of shared pages."""
    lines = (workers()[0].parents[1] / "smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


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
def serve() -> Iterator[tuple[str, Path]]:
    """Serve the site, and yield its address and an empty folder."""
    # A browser that is ended may still write for a moment.
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        build(folder / "public")
        with open_server(folder / "public") as server:
            Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/", folder
            server.shutdown()


def measure() -> Iterator[Claim]:
    """Yield the times of visits, of files and of a turn in the long game, and the memory."""
    with serve() as (address, folder):
        file, profile = folder / "game.toml", folder / "profile"
        file.write_bytes(long_game())
        path = yield from measure_times(address, file, profile)
        yield from measure_memory(f"{address}{path}", profile)


def measure_times(address: str, file: Path, profile: Path) -> Generator[Claim, None, str]:
    """Yield the times with a file of the long game; return the path of its page.

    The browser leaves the home of the player in the folder `profile`.
    """
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch_persistent_context(
            profile, executable_path=program(), args=options(), locale="en"
        ) as context,
    ):
        tab = Visit(context, address)
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
        tab.put_home({"identity.toml": IDENTITY})
        tab.open().upload(file)
        expect(frame.locator("#time:not([inert])")).to_be_visible(timeout=LONG)
        return path


def measure_memory(address: str, profile: Path) -> Iterator[Claim]:
    """Yield the memory while the second worker draws the long game at an address, and later."""
    command = [str(program()), *options(), f"--user-data-dir={profile}", address]
    # Without an open port a browser without windows may end at once.
    with Popen([*command, "--headless", "--remote-debugging-port=0"], stderr=DEVNULL) as browser:
        sizes, end = list[float](), perf_counter() + LIMIT
        while not sizes or len(workers()) > 1:
            if perf_counter() > end:
                raise TimeoutError("the second worker did not start and end")
            sleep(0.1)
            if len(workers()) > 1:
                sizes.append(worker_megabytes())
        yield Claim("memory of the site with both workers", max(sizes), " MB", MAX_MEGABYTES)
        yield Claim("memory of the site at rest", worker_megabytes(), " MB", MAX_MEGABYTES)
        browser.terminate()


def _click(tab: Visit, number: int) -> float:
    """Return the processor time of the worker for a click on a card, on a phone in milliseconds."""
    page = tab.page.frames[1]
    before = worker_seconds()
    page.evaluate(CLICK, number % page.locator(".own-hand .card.lit").count())
    return 1000 * SLOWNESS * (worker_seconds() - before)


if __name__ == "__main__":
    for result in measure():
        print(result)

"""The page of a long game: the costs of rendering it, relative to its log, and of viewing it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, CDPSession, Page

from benchmarks.commands import ACRES
from benchmarks.timing import Claim, compare, run
from engine.sides import Side
from tests.board.browser import READY, SCREEN, browser, program
from tests.play.correspondents import Correspondents

TURNS = 132
EDITION, SEED = "second", 161
"""The edition and seed of a practice game with `TURNS` turns, or one more."""
MAX_PAGE_RATIO, MAX_STEP_MS, MAX_PAINT_MS, MAX_KILOBYTES = 3.0, 16.0, 300.0, 400.0
PAINT_COUNT = 9
"""The number of measurements of the first paint."""
GO_SCRIPT = """
(turn) => {
  const slider = document.getElementById("slider");
  slider.value = turn;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  // Asked how high it is, the page has to be laid out.
  return document.documentElement.scrollHeight;
}
"""
"""The script that goes to a turn, including the layout."""
TIME_METRICS = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
"""The browser's metrics of a step, in seconds of thread time."""
PAINT_SCRIPT = """
() => new Promise((done) => new PerformanceObserver((entries, observer) => {
  const first = entries.getEntries().find((entry) => entry.name === "first-contentful-paint");
  if (first) { observer.disconnect(); done(first.startTime); }
}).observe({ type: "paint", buffered: true }))
"""
"""The script that returns the milliseconds until the first contentful paint."""


def write_long_game(file: Path) -> None:
    """Write a finished practice game of `TURNS` turns, which shows both hands."""
    pair = Correspondents(Random(SEED))
    game = pair.join(pair.invite(Side.BRITISH, edition=EDITION))
    while game.match.next_side is not None:
        game = pair.answer(game)
    assert TURNS <= game.match.state.turn + 1 <= TURNS + 1
    file.write_bytes(game.save.write())


def measure() -> Iterator[Claim]:
    """Yield the cost and size of the page and, with a browser, the cost of viewing it."""
    with TemporaryDirectory() as name:
        file, page = Path(name, "game.toml"), Path(name, "game.html")
        write_long_game(file)

        def make_page() -> None:
            page.unlink(missing_ok=True)
            run([*ACRES, "board", str(file), "--page", str(page)])

        def print_log() -> None:
            run([*ACRES, "log", str(file)])

        yield compare(make_page, print_log).claim(f"page of {TURNS} turns / log", MAX_PAGE_RATIO)
        yield Claim(f"page of {TURNS} turns", page.stat().st_size / 1000, " kB", MAX_KILOBYTES)
        if program() is not None:
            with browser() as running_browser:
                yield from view_page(running_browser, page)


def view_page(browser: Browser, page: Path) -> Iterator[Claim]:
    """Yield the milliseconds of a step to the next or previous turn, and of the first paint."""
    paints = []
    for _ in range(PAINT_COUNT):
        with browser.new_context(viewport=SCREEN) as context:
            window = context.new_page()
            window.goto(page.as_uri())
            paints.append(float(window.evaluate(PAINT_SCRIPT)))
    with browser.new_context(viewport=SCREEN) as context:
        window = context.new_page()
        window.goto(page.as_uri())
        window.wait_for_selector(READY)
        session = context.new_cdp_session(window)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        last = int(window.get_attribute("#slider", "max") or 0)
        turns = [*range(last + 1)]
        window.evaluate(GO_SCRIPT, 1)
        steps = [*_steps(window, session, [*turns, *reversed(turns[:-1])])]
        jumps = [*_steps(window, session, [last, 0] * 3)]
    detail = (
        f"median of {len(steps)}: {median(steps):.1f} ms; from end to end {median(jumps):.1f} ms"
    )
    yield Claim("step in the browser, the slowest", max(steps), " ms", MAX_STEP_MS, detail)
    slowest = f"slowest of {len(paints)}: {max(paints):.0f} ms"
    yield Claim("first paint from disk", median(paints), " ms", MAX_PAINT_MS, slowest)


def _steps(window: Page, session: CDPSession, turns: Iterable[int]) -> Iterator[float]:
    """Yield the processor time in milliseconds of going to each of `turns`."""
    before = _thread_time(session)
    for turn in turns:
        window.evaluate(GO_SCRIPT, turn)
        after = _thread_time(session)
        yield 1000 * (after - before)
        before = after


def _thread_time(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return sum(float(metric["value"]) for metric in metrics if metric["name"] in TIME_METRICS)


if __name__ == "__main__":
    for claim in measure():
        print(claim, flush=True)

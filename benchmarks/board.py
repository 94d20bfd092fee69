"""The page of a long game: the cost of making it compared with its log, and of viewing it."""

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
"""The edition and seed of a practice game, by its number of turns (or one more)."""
MAKING, STEP, PAINT, SIZE = 3.0, 16.0, 300.0, 400.0
OPENED = 9
"""The number of times that a page is opened for its first paint."""
GO = """
(turn) => {
  const slider = document.getElementById("slider");
  slider.value = turn;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  // Asked how high it is, the page has to be laid out.
  return document.documentElement.scrollHeight;
}
"""
"""Go to a turn, including the layout."""
SPENT = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
"""The metrics of the browser for a step, in seconds of thread time."""
PAINTED = """
() => new Promise((done) => new PerformanceObserver((entries, observer) => {
  const first = entries.getEntries().find((entry) => entry.name === "first-contentful-paint");
  if (first) { observer.disconnect(); done(first.startTime); }
}).observe({ type: "paint", buffered: true }))
"""
"""The milliseconds from the navigation to the first contentful paint."""


def long_game(file: Path) -> None:
    """Write a finished practice game of that length, so that both hands are shown."""
    pair = Correspondents(Random(SEED))
    game = pair.join(pair.invite(Side.BRITISH, edition=EDITION))
    while game.match.next_side is not None:
        game = pair.answer(game)
    assert TURNS <= game.match.state.turn + 1 <= TURNS + 1
    file.write_bytes(game.save.write())


def measure() -> Iterator[Claim]:
    """Yield the cost of making the page, its size and, if there is a browser, of viewing it."""
    with TemporaryDirectory() as name:
        file, page = Path(name, "game.toml"), Path(name, "game.html")
        long_game(file)

        def make() -> None:
            page.unlink(missing_ok=True)
            run([*ACRES, "board", str(file), "--page", str(page)])

        def tell() -> None:
            run([*ACRES, "log", str(file)])

        yield compare(make, tell).claim(f"page of {TURNS} turns / log", MAKING)
        yield Claim(f"page of {TURNS} turns", page.stat().st_size / 1000, " kB", SIZE)
        if program() is not None:
            with browser() as launched:
                yield from view_page(launched, page)


def view_page(browser: Browser, page: Path) -> Iterator[Claim]:
    """Yield the milliseconds of a step to the next or previous turn, and of the first paint."""
    paints = []
    for _ in range(OPENED):
        with browser.new_context(viewport=SCREEN) as context:
            window = context.new_page()
            window.goto(page.as_uri())
            paints.append(float(window.evaluate(PAINTED)))
    with browser.new_context(viewport=SCREEN) as context:
        window = context.new_page()
        window.goto(page.as_uri())
        window.wait_for_selector(READY)
        session = context.new_cdp_session(window)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        last = int(window.get_attribute("#slider", "max") or 0)
        turns = [*range(last + 1)]
        window.evaluate(GO, 1)
        steps = [*_steps(window, session, [*turns, *reversed(turns[:-1])])]
        jumps = [*_steps(window, session, [last, 0] * 3)]
    detail = (
        f"median of {len(steps)}: {median(steps):.1f} ms; from end to end {median(jumps):.1f} ms"
    )
    yield Claim("step in the browser, the slowest", max(steps), " ms", STEP, detail)
    slowest = f"slowest of {len(paints)}: {max(paints):.0f} ms"
    yield Claim("first paint from disk", median(paints), " ms", PAINT, slowest)


def _steps(window: Page, session: CDPSession, turns: Iterable[int]) -> Iterator[float]:
    """Yield the processor time in milliseconds of going to each of these turns."""
    before = _spent(session)
    for turn in turns:
        window.evaluate(GO, turn)
        after = _spent(session)
        yield 1000 * (after - before)
        before = after


def _spent(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return sum(float(metric["value"]) for metric in metrics if metric["name"] in SPENT)


if __name__ == "__main__":
    for claim in measure():
        print(claim, flush=True)

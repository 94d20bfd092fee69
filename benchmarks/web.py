"""The pages of `acres board`: their start time, and their memory with many open games."""

from __future__ import annotations

import http.client
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.commands import ACRES, IMPORTS
from benchmarks.timing import Claim, processor_time, run
from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.savefile.save_file import SaveFile
from tests.board.browser import browser, program
from tests.play.matches import TIME, identities, play
from tests.signing import accept, invite
from tests.web.inline import Visitor

LIBRARIES = f"{IMPORTS}; import jinja2, starlette.applications, uvicorn, imapclient, keyring"
GAMES, TURNS = 20, 40
MAX_START_MS, MAX_MEGABYTES = 500.0, 120.0
"""The bounds of the start in milliseconds beyond importing libraries, and of memory in MB."""
MAX_CLICK_MS = 50.0
"""The bound of the time from a click to the next parts, in milliseconds."""
MAX_RESPONSE_KB = 8.0
"""The bound of the average response to an order, in kB."""
PRACTICE = Path(__file__).parents[1] / "saves" / "practice"
ORDERS = ("allow", "pass", "pass")
"""Legal orders in the practice game."""
RUNS = 7
CLICKS = 8
CLICK = """
async (place) => {
  const card = document.querySelectorAll(".own-hand .card.lit")[place], began = performance.now();
  const shown = new Promise((done) => {
    const watch = new MutationObserver(() => done(watch.disconnect()));
    watch.observe(document.getElementById("choice"), { childList: true });
  });
  card.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await shown;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const took = performance.now() - began;
  document.getElementById("clear").click();
  await new Promise((done) => setTimeout(done, 200));
  return took;
}
"""
"""The script that clicks a card, waits until the next parts are painted, and clears the choice."""


def prepare_home(folder: Path) -> Path:
    """Return a home in a folder with many games between two players."""
    anna, bela = identities()
    home, random = folder / "home", Random("pages")
    with Session.create(Home(home), anna):
        pass
    for number in range(GAMES):
        match = invite(
            anna,
            side=Side.BRITISH,
            nonce=random.randbytes(32),
            time=TIME,
            lists=16,
            edition="second",
            house_rules=(),
            home_support="asked",
            start_card=None,
        )
        match = accept(match, bela, nonce=random.randbytes(32), time=TIME, side=Side.FRENCH)
        match = play(match, PracticePlayer(Random(number)).choose, turns=TURNS)
        (folder / f"game-{number}.toml").write_bytes(SaveFile(tuple(match.records)).write())
    run([*ACRES, "--home", str(home), "games", "add", str(folder)])
    return home


class Board:
    """The running command, which serves pages to a browser."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._id = process.pid
        _, _, address = process.stdout.readline().partition("http://")
        self._host, _, path = address.strip().partition("/")
        self._cookie = ""
        self.ask(f"/{path}")

    def ask(self, path: str) -> str:
        """Return the page at a path."""
        connection = http.client.HTTPConnection(self._host)
        connection.request("GET", path, headers={"Cookie": self._cookie, "Accept": "text/html"})
        response = connection.getresponse()
        self._cookie = (response.headers["set-cookie"] or self._cookie).partition(";")[0]
        text = response.read().decode()
        connection.close()
        return text

    def clicks(self, games: Iterable[str]) -> list[float]:
        """Return the milliseconds of clicks on cards in a browser, none without a browser.

        The clicks are made in the first game in which the player can give an order.
        """
        if program() is None:
            return []
        name, _, value = self._cookie.partition("=")
        url = f"http://{self._host}"
        with browser() as running_browser, running_browser.new_context() as context:
            context.add_cookies([{"name": name, "value": value, "url": url}])
            page = context.new_page()
            for game in games:
                page.goto(f"{url}/games/{game}")
                page.wait_for_selector("#time:not([inert])")
                # A library built from files has no record of signatures, and the page asks.
                if page.locator("[data-agree]").count():
                    page.click("[data-agree]")
                    page.wait_for_selector(".kinds")
                if cards := page.locator(".own-hand .card.lit").count():
                    return [page.evaluate(CLICK, number % cards) for number in range(CLICKS)]
        return []

    @property
    def memory(self) -> float:
        """The resident memory in MB, or 0 if the system does not report it."""
        status = Path(f"/proc/{self._id}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


@contextmanager
def board(home: Path) -> Iterator[Board]:
    """Run the command until the end of the block."""
    words = ["--home", str(home), "board", "--no-browser"]
    with subprocess.Popen(
        [sys.executable, *ACRES, *words], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Board(process)
        finally:
            process.kill()


def order_sizes(folder: Path) -> Iterator[int]:
    """Yield the bytes of the response to each order in the practice game, and to its undo."""
    shutil.copy(PRACTICE / "british" / "identity.toml", folder)
    file = PRACTICE / "game-041.toml"
    visitor = Visitor(folder)
    visitor.pages.service.inbox().add(file)
    page = f"/games/{visitor.pages.service.games()[0].id.hex()}"
    visitor.get(page, accept="text/html")
    visitor.stand = visitor.get(f"{page}/parts").data["stand"]
    for order in ORDERS:
        yield len(visitor.post(f"{page}/order", order=order).body)
    for _ in ORDERS:
        yield len(visitor.post(f"{page}/undo").body)


def _show(home: Path) -> None:
    """Open the list of games, including the start of the command."""
    with board(home) as board_process:
        assert board_process.ask("/").count("/games/") >= GAMES


def _import() -> None:
    run(["-c", LIBRARIES])


def measure() -> Iterator[Claim]:
    """Yield the time to the list, the memory with all games open, and the size of responses."""
    with TemporaryDirectory() as name:
        sizes = [*order_sizes(Path(name))]
    longest = f"the longest of {len(sizes)}: {max(sizes) / 1000:.1f} kB"
    yield Claim(
        "an order on a page", sum(sizes) / len(sizes) / 1000, " kB", MAX_RESPONSE_KB, longest
    )
    with TemporaryDirectory() as name:
        home = prepare_home(Path(name))
        _show(home)
        # Measure processor time, because other processes may be running.
        pairs = [
            (processor_time(lambda: _show(home)), processor_time(_import)) for _ in range(RUNS)
        ]
        start_time = 1000 * median(total - imports for total, imports in pairs)
        detail = f"libraries {1000 * median(imports for _, imports in pairs):.0f} ms"
        yield Claim(f"pages up, with {GAMES} games", start_time, " ms", MAX_START_MS, detail)
        with board(home) as board_process:
            games_page = board_process.ask("/")
            ids = {part.partition('"')[0] for part in games_page.split('href="/games/')[1:]}
            for id in ids:
                board_process.ask(f"/games/{id}")
            yield Claim(
                f"pages with {len(ids)} games open", board_process.memory, " MB", MAX_MEGABYTES
            )
            if clicks := board_process.clicks(sorted(ids)):
                longest = f"the longest of {len(clicks)}: {max(clicks):.0f} ms"
                yield Claim(
                    "a click on a card shows what can follow",
                    median(clicks),
                    " ms",
                    MAX_CLICK_MS,
                    longest,
                )


if __name__ == "__main__":
    for claim in measure():
        print(claim)

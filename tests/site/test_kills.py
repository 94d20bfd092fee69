"""The worker, its tab or the browser is killed at any step of signing: nothing shown is lost.

The game is the long one. Each kill freezes the Python worker at a step, and ends it there.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, expect

from pbem.play.home import Home
from pbem.play.store import Store
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.board.browser import program
from tests.site.visiting import IDENTITY, LONG, Visit, long_game
from tests.web.hands import READY

FREEZE = """
(step) => {
  const wrap = (type, name, isDue, after) => {
    const call = type.prototype[name];
    type.prototype[name] = function (...given) {
      const freeze = () => { console.log("frozen"); for (;;); };
      if (isDue(given) && !after) freeze();
      const result = call.apply(this, given);
      if (isDue(given)) freeze();
      return result;
    };
  };
  const steps = {
    asked: () => wrap(BroadcastChannel, "postMessage", ([message]) => message.taken),
    signed: () => wrap(IDBDatabase, "transaction", ([, mode]) => mode === "readwrite"),
    storing: () => wrap(IDBObjectStore, "put", () => true, true),
    stored: () => wrap(BroadcastChannel, "postMessage", ([message]) => message.answer),
  };
  steps[step]();
}
"""
"""Stops the worker for ever before it works, before or while it stores, or before it answers."""
STEPS = {"asked": False, "signed": False, "storing": False, "stored": True}
"""True for each step after which the record must be found."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the long game."""
    path = tmp_path_factory.mktemp("game") / "game.toml"
    path.write_bytes(long_game())
    return path


def sign_until_frozen(visit: Visit, step: str) -> None:
    """Resign, and freeze the worker at a step of signing."""
    # Then all requests of the new page have been answered.
    expect(visit.frame.locator(READY)).to_be_attached()
    visit.frame.locator("#resign").click()
    sign = visit.frame.locator("#sign")
    expect(sign).to_be_visible()
    visit.worker.evaluate(FREEZE, step)
    with visit.page.expect_console_message(lambda message: message.text == "frozen"):
        sign.click()


def check_home(files: dict[str, bytes], folder: Path, game: Path, *, is_signed: bool) -> None:
    """Fail unless the library has the record and its file, or neither."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    home, before = Home(folder), SaveFile.read(game.read_bytes()).records
    assert home.own_key is not None
    with Store(home.library_path, home.own_key) as store:
        signed = store.signed_hashes(before[0].hash)
    new = [SaveFile.read(path.read_bytes()).records for path in home.games.glob("*.toml")]
    longest = max(new, key=len)
    assert (len(before) in signed) == is_signed
    assert len(longest) == len(before) + is_signed
    if is_signed:
        assert longest[-1].hash == signed[len(before)]
        assert Match.replay(longest).is_over


def check_kill(
    visit: Visit, game: Path, step: str, kill: Callable[[Visit], Visit], folder: Path
) -> Visit:
    """Kill the worker at a step of signing, and fail if a record was lost, or signed twice."""
    path = visit.path
    sign_until_frozen(visit, step)
    visit = kill(visit)
    (folder / step).mkdir(parents=True)
    check_home(visit.home(), folder / step, game, is_signed=STEPS[step])
    visit.open(path)
    if not STEPS[step]:
        visit.frame.locator("#resign").click()
        visit.frame.locator("#sign").click()
    expect(visit.frame.locator("#posting section")).to_be_visible(timeout=LONG)
    (folder / f"{step}-after").mkdir()
    check_home(visit.home(), folder / f"{step}-after", game, is_signed=True)
    return visit


def kill_in_turn(
    visit: Visit, game: Path, kill: Callable[[Visit], Visit], folder: Path, *steps: str
) -> None:
    """Kill the worker at each of these steps, beginning with the same home each time."""
    visit.put_home({"identity.toml": IDENTITY})
    visit.open().upload(game)
    path, home = visit.path, visit.home()
    for step in steps:
        visit.put_home(home)
        visit = check_kill(visit.open(path), game, step, kill, folder)


def close_tab(visit: Visit) -> Visit:
    """Close the tab, and open another one."""
    context = visit.page.context
    visit.page.close()
    return Visit(context, visit.address)


def reload(visit: Visit) -> Visit:
    """Leave the shell, which terminates its worker."""
    visit.page.goto("about:blank")
    return visit


def crash(visit: Visit) -> Visit:
    """End the process of the tab, as a system does that needs its memory, and open another tab."""
    with visit.page.expect_event("crash"), suppress(Error):
        visit.page.goto("chrome://crash")
    return close_tab(visit)


@pytest.mark.slow
def test_a_worker_that_ends_while_it_stores_loses_nothing(
    browser: Browser, site_address: str, game: Path, tmp_path: Path
) -> None:
    with browser.new_context(locale="en") as context:
        kill_in_turn(Visit(context, site_address), game, reload, tmp_path, "storing")


@pytest.mark.long
@pytest.mark.parametrize("kill", [reload, close_tab, crash])
def test_a_tab_that_ends_loses_nothing(
    browser: Browser, site_address: str, game: Path, tmp_path: Path, kill: Callable[[Visit], Visit]
) -> None:
    with browser.new_context(locale="en") as context:
        kill_in_turn(Visit(context, site_address), game, kill, tmp_path, *STEPS)


@pytest.mark.long
def test_a_killed_browser_loses_nothing(
    browser: Browser, site_address: str, game: Path, tmp_path: Path
) -> None:
    profile, contexts = tmp_path / "profile", list[BrowserContext]()

    def start() -> Visit:
        contexts.append(
            browser.browser_type.launch_persistent_context(
                profile, executable_path=program(), args=["--no-sandbox"], locale="en"
            )
        )
        return Visit(contexts[-1], site_address)

    def kill(visit: Visit) -> Visit:
        for process in processes_with(f"--user-data-dir={profile}"):
            os.kill(process, signal.SIGKILL)
        return start()

    kill_in_turn(start(), game, kill, tmp_path, *STEPS)
    contexts[-1].close()


def processes_with(argument: str) -> list[int]:
    """Return the ids of the processes with a command-line argument."""
    commands = {path.parent.name: path for path in Path("/proc").glob("[0-9]*/cmdline")}
    return [
        int(process)
        for process, path in commands.items()
        if argument.encode() in path.read_bytes().split(b"\0")
    ]

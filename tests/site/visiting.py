"""A visit of the site in Chromium, and the player's home in the storage of the browser."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Worker, expect

from engine.sides import Side
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import ROOT

HOME = "/home/acres"
SECONDS = 1000
"""Milliseconds, in which Playwright counts."""
LONG = 120 * SECONDS
"""The time for a start of Python, on a busy computer; also for all that tests expect."""
expect.set_options(timeout=LONG)
PRACTICE = ROOT / "saves" / "practice"
IDENTITY = (PRACTICE / "british" / "identity.toml").read_bytes()
"""The identity file of the British player of the long game."""
_OPEN = """
async (address) => {
  const opening = indexedDB.open(`acres ${address}`, 1);
  const make = (name) => opening.result.createObjectStore(name);
  opening.onupgradeneeded = () => ["files", "site"].forEach(make);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const files = opening.result.transaction("files", "readwrite").objectStore("files");
"""
_PUT = (
    _OPEN.replace("(address)", "([address, contents])")
    + """
  files.clear();
  for (const [path, content] of Object.entries(contents))
    files.put(Uint8Array.fromBase64(content), path);
  await new Promise((resolve) => (files.transaction.oncomplete = resolve));
  opening.result.close();
}
"""
)
_GET = (
    _OPEN
    + """
  const read = (request) =>
    new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const paths = await read(files.getAllKeys()), contents = await read(files.getAll());
  opening.result.close();
  return Object.fromEntries(paths.map((path, number) => [path, contents[number].toBase64()]));
}
"""
)


def long_game(records: int = 120) -> bytes:
    """Return the file of a long game at 1,024 lists, after at least so many records.

    The British have to answer.
    """
    save = SaveFile.read((PRACTICE / "game-130.toml").read_bytes())
    while True:
        part = save._replace(records=save.records[:records])
        if Match.replay(part.records).next_side is Side.BRITISH:
            return part.write()
        records += 1


class Visit:
    """A tab with the site at an address, in a browser with one storage."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        context.set_default_timeout(LONG)
        self.page: Page = context.new_page()
        self.address = address
        self.frame = self.page.frame_locator("#page")

    def open(self, path: str = "") -> Visit:
        """Open a page of the site, and wait until it is shown."""
        self.page.goto(f"{self.address}{path}")
        expect(self.frame.locator("main")).to_be_visible(timeout=LONG)
        return self

    def begin(self, name: str = "Anna") -> None:
        """Give a name on the first page."""
        self.frame.get_by_label("Your name").fill(name)
        self.frame.get_by_role("button", name="Begin").click()
        expect(self.frame.get_by_role("link", name="robot")).to_be_visible(timeout=LONG)

    def upload(self, path: Path, *, is_warned: bool = True) -> None:
        """Choose a file on the list of games, and open its game, perhaps after a warning."""
        self.frame.locator("#file").set_input_files(path)
        if is_warned:
            self.frame.locator("#said a").click()
        expect(self.frame.locator(".play")).to_be_visible(timeout=LONG)
        self.page.wait_for_url("**/games/*")

    def accept(self) -> None:
        """Accept the invitation on its page, and wait until the page has a board."""
        self.frame.get_by_role("button", name="Accept").first.click()
        expect(self.frame.locator(".drawing")).to_be_visible(timeout=LONG)

    def take_money(self) -> None:
        """Take money with the first card that can be chosen."""
        self.frame.get_by_role("button", name="Take", exact=True).click()
        expect(self.frame.locator("#choice [data-out]")).to_have_count(1)
        self.frame.locator(".own-hand .lit").first.click()
        self.frame.get_by_role("button", name=re.compile("^Yes: Take ")).click()

    @property
    def path(self) -> str:
        """The path of the page below the address of the site."""
        return self.page.url.removeprefix(self.address)

    @property
    def worker(self) -> Worker:
        """The Python worker of the tab."""
        return next(each for each in self.page.workers if each.url.endswith("app/worker.js"))

    # --- storage, while the tab shows no page of the site

    def put_home(self, files: Mapping[str, bytes]) -> None:
        """Replace all files of the home; the tab then shows a file."""
        self.page.goto(f"{self.address}app/shell.css")
        texts = {f"{HOME}/{name}": b64encode(data).decode() for name, data in files.items()}
        self.page.evaluate(_PUT, [self.address, texts])

    def home(self) -> dict[str, bytes]:
        """Return the stored files of the home; the tab then shows a file."""
        self.page.goto(f"{self.address}app/shell.css")
        texts = self.page.evaluate(_GET, self.address)
        return {
            path.removeprefix(f"{HOME}/"): b64decode(text)
            for path, text in texts.items()
            if "acres-part" not in path and not path.endswith("-journal")
        }

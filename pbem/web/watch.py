"""Arrivals while pages are open: new files in folders, and changes by other programs.

The watched folders are those of listed games, the home's folder for games, and those that the
player added. New files are handled as `acres games add` does. If another program writes into the
library, a command or another `acres board`, the time of its file shows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from engine.message import Phrase
from pbem.errors import InputError
from pbem.play.game_list import inbox_folders, watched_folders
from pbem.play.incoming import NewFileFinder
from pbem.play.store import GameEntry, Stamp, StoreError
from pbem.text.proof.arrivals import folder_news
from pbem.web.pages import Pages

POLL_SECONDS = 1.0
"""Seconds between two polls."""


class FolderWatcher:
    """A watch over the player's folders and those in `also`; it tells the pages about changes."""

    def __init__(self, pages: Pages, also: Sequence[Path] = ()) -> None:
        self._pages = pages
        self._service = pages.service
        self._also = [folder.absolute() for folder in also]
        self._new = NewFileFinder()
        self._library: Stamp | None = None
        self._listed: dict[bytes, GameEntry] | None = None

    async def run(self) -> None:
        """Poll for ever."""
        while True:
            # The list of games reports a broken library; it is tried again.
            with suppress(Exception):
                await self.poll()
            await asyncio.sleep(POLL_SECONDS)

    async def poll(self) -> None:
        """Add new files, and tell the pages about changes."""
        await self._compare()
        for path in await self._pages.host.run("watch", self._settled):
            for message in await self._pages.run(self._take_in, path):
                self._pages.announce(message)
        await self._compare()

    def _settled(self) -> list[Path]:
        """Return the new files; a folder on another computer may take a while."""
        own = [*self._also]
        # Wrong settings are reported by `acres mail`.
        with suppress(InputError):
            own += watched_folders(self._service.home)
        return self._new.find(inbox_folders(self._service.home, (self._listed or {}).values(), own))

    def _take_in(self, path: Path) -> list[Phrase]:
        """Add a file, and return sentences about it. Called by the game service."""
        service = self._service
        if not service.home.has_identity:
            return []
        try:
            came = service.inbox().add(path)
        except StoreError:
            # The list of games reports a broken library; the file is tried again.
            self._new.forget(path)
            return []
        service.invalidate_games()
        now = service.home.clock()
        return [text for arrival in came for text in folder_news(arrival, now, service.command)]

    async def _compare(self) -> None:
        """Tell the pages which games have changed, if the library has been written."""
        stamp = self._service.library_stamp()
        if self._listed is not None and stamp == self._library:
            return
        self._library = stamp
        before = self._listed
        self._listed = {entry.id: entry for entry in await self._pages.run(self._service.games)}
        if before is None or before == self._listed:
            return
        for id in before.keys() | self._listed.keys():
            if before.get(id) != self._listed.get(id):
                self._pages.events.send("game", game=id.hex())
        self._pages.events.send("games")

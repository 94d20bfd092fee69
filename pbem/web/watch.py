"""Arrivals while pages are open: files in folders, and changes by other programs.

Files arrive in folders: those in which files of listed games lie, the one for games in the home,
and those that the player watches. They are taken as `acres games add` does. Whatever else writes
into the library, a command or another `acres board`, is seen by the time of its file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from engine.message import Phrase
from pbem.errors import Unreadable
from pbem.play.incoming import NewFiles
from pbem.play.listed import places, watched
from pbem.play.store import LibraryFailed, Listed, Stamp
from pbem.text.proof.arrivals import folder_news
from pbem.web.pages import Pages

LOOKS = 1.0
"""In seconds: how often it looks."""


class FolderWatcher:
    """The folders of the player, and those `also` named; what comes there is told to the pages."""

    def __init__(self, pages: Pages, also: Sequence[Path] = ()) -> None:
        self._pages = pages
        self._service = pages.service
        self._also = [folder.absolute() for folder in also]
        self._new = NewFiles()
        self._library: Stamp | None = None
        self._listed: dict[bytes, Listed] | None = None

    async def run(self) -> None:
        """Look until nobody wants it any more."""
        while True:
            # The list of games says what is wrong with the library; it is looked at again.
            with suppress(Exception):
                await self.poll()
            await asyncio.sleep(LOOKS)

    async def poll(self) -> None:
        """Take in what came, and tell what has changed."""
        await self._compare()
        for path in await self._pages.host.run("watch", self._settled):
            for said in await self._pages.run(self._take_in, path):
                self._pages.tell(said)
        await self._compare()

    def _settled(self) -> list[Path]:
        """Return the files that came; a folder on another computer may keep it waiting."""
        named = [*self._also]
        # If the settings are wrong, the page that sets up mail says so.
        with suppress(Unreadable):
            named += watched(self._service.home)
        return self._new.look(places(self._service.home, (self._listed or {}).values(), named))

    def _take_in(self, path: Path) -> list[Phrase]:
        """Take in a file, and return what is to be told of it. To be called at the service."""
        service = self._service
        if not service.home.has_identity:
            return []
        try:
            came = service.inbox().add(path)
        except LibraryFailed:
            # The list of games says what is wrong with the library; then it is tried again.
            self._new.forget(path)
            return []
        service.invalidate_games()
        now = service.home.clock()
        return [said for each in came for said in folder_news(each, now, service.command)]

    async def _compare(self) -> None:
        """Tell which games are other ones than before, if anybody has written into the library."""
        stamp = self._service.library_stamp()
        if self._listed is not None and stamp == self._library:
            return
        self._library = stamp
        before = self._listed
        self._listed = {each.id: each for each in await self._pages.run(self._service.games)}
        if before is None or before == self._listed:
            return
        for id in before.keys() | self._listed.keys():
            if before.get(id) != self._listed.get(id):
                self._pages.events.tell("game", game=id.hex())
        self._pages.events.tell("games")

"""Arrivals while pages are open: new files in folders, and changes by other programs.

The watched folders are the folders of listed games, the home's folder for games, and folders that
the player added. New files are handled as by `acres games add`. If a command or another `acres
board` writes into the library, the modification time of the library shows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from engine.message import Phrase
from pbem.errors import AcresError, InputError, bug_message
from pbem.play.game_list import inbox_folders, watched_folders
from pbem.play.inbox import ArrivalKind
from pbem.play.incoming import NewFileFinder
from pbem.play.store import GameEntry, Stamp, StoreError
from pbem.text.proof.arrivals import folder_news
from pbem.web.pages import Pages

POLL_SECONDS = 1.0
"""The seconds between two polls."""


class FolderWatcher:
    """Polls the player's folders and `extra_folders`, and reports changes to the pages."""

    def __init__(self, pages: Pages, extra_folders: Sequence[Path] = ()) -> None:
        self._pages = pages
        self._service = pages.service
        self._extra_folders = [folder.absolute() for folder in extra_folders]
        self._finder = NewFileFinder()
        self._library_stamp: Stamp | None = None
        self._entries: dict[bytes, GameEntry] | None = None

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            try:
                await self.poll()
            except Exception as error:
                self._report(error)
            await asyncio.sleep(POLL_SECONDS)

    async def poll(self) -> None:
        """Add new files, and notify the pages of changes."""
        await self._report_changes()
        for path in await self._pages.host.run("watch", self._find_files):
            try:
                for message, game in await self._pages.run(self._add_file, path):
                    self._pages.announce(message, game)
            except Exception as error:
                # A file that fails does not stop the others.
                self._report(error)
        await self._report_changes()

    def _report(self, error: Exception) -> None:
        """Announce an error, once for each kind; the list of games reports a broken library."""
        message = bug_message(error)
        if (message, b"") not in self._pages.news and not isinstance(
            error, AcresError | StoreError
        ):
            self._pages.announce(message)

    def _find_files(self) -> list[Path]:
        """Return the new files, which may take a while in a network folder."""
        home, folders = self._service.home, [*self._extra_folders]
        # Wrong settings are reported by `acres mail`.
        with suppress(InputError):
            folders += watched_folders(home)
        return self._finder.find(inbox_folders(home, (self._entries or {}).values(), folders))

    def _add_file(self, path: Path) -> list[tuple[Phrase, bytes]]:
        """Add a file, and return sentences about it as in `Pages.news`.

        Called by the game service.
        """
        service = self._service
        if not service.home.has_identity:
            return []
        try:
            arrivals = service.inbox().add(path)
        except StoreError:
            # The list of games reports a broken library; the file is tried again.
            self._finder.forget(path)
            return []
        service.invalidate_games()
        now = service.home.clock()
        return [
            # The first one tells the state of the game, and any others are warnings.
            (
                text,
                arrival.game_id or b"" if arrival.kind is ArrivalKind.NEW and not number else b"",
            )
            for arrival in arrivals
            for number, text in enumerate(folder_news(arrival, now, service.command))
        ]

    async def _report_changes(self) -> None:
        """Notify the pages of changed games if the library has changed."""
        stamp = self._service.library_stamp()
        if self._entries is not None and stamp == self._library_stamp:
            return
        self._library_stamp = stamp
        previous = self._entries
        self._entries = {entry.id: entry for entry in await self._pages.run(self._service.games)}
        if previous is None or previous == self._entries:
            return
        for id in previous.keys() | self._entries.keys():
            if previous.get(id) != self._entries.get(id):
                self._pages.events.send("game", game=id.hex())
        self._pages.events.send("games")

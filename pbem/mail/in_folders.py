"""Looking for what came into folders since the last look, whenever that was.

What is new there is noted in the library. If nothing is, a look costs milliseconds, however many
files there are: they are recognized by their times and sizes, which the library keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.message import Message, Said, sentences
from pbem.library import LibraryFailed
from pbem.play.new_files import FolderFails, stamps_soon
from pbem.play.own_library import OwnLibrary

if TYPE_CHECKING:
    from pbem.mail.intake import Came


def look_through(
    own: OwnLibrary,
    folders: Iterable[Path],
    folder: Path,
    command: str,
    *,
    anew: bool = False,
    warn: Callable[[Said], None] = lambda said: None,
) -> list[Came]:
    """What came into these folders since they were looked through last, noted and told of.

    With `anew` all their files are looked through. What comes out of a message without a game that
    is known goes into `folder`; `command` is how the program is called. An invitation comes again
    at every look, until it is taken up; a file that could not be taken in is tried again at the
    next. Where the library cannot be read, nothing comes: whoever reads it then is told. Of what
    cannot be noted in it, and of a folder that fails, `warn` is told.
    """
    came: list[Came] = []
    with suppress(LibraryFailed):
        for each in folders:
            try:
                came += _came_into(own, each, folder, command, anew=anew)
            except FolderFails as error:
                warn(error.said)
    return came


def _came_into(
    own: OwnLibrary, place: Path, folder: Path, command: str, *, anew: bool
) -> list[Came]:
    stamps = own.stamps()
    before, now = stamps.known(place), stamps_soon(place)
    known = {} if before is None or anew else before
    new = {name: stamp for name, stamp in now.items() if known.get(name) != stamp}
    came: list[Came] = []
    if new:
        # Imported here because most looks find nothing, and need nothing of what reads files.
        from pbem.mail.intake import Taker

        taker = Taker(own, folder, command, is_learning=before is None)
        try:
            for name in sorted(new, key=lambda name: (new[name].changed, name)):
                came += taker.take_in(place / name)
        except LibraryFailed as error:
            told = Message(
                "What came into your folders cannot be noted in the library of your games: "
                "{reason}.",
                reason=error,
            )
            raise FolderFails(sentences(told, error.remedy)) from None
        came = [each for each in came if each.invitation is None or taker.is_open(each)]
        for each in came:
            if each.invitation is not None and each.invitation.parent == place:
                now.pop(each.invitation.name, None)
        for path in taker.left:
            now.pop(path.name, None)
    if now != before:
        stamps.note(place, now)
    return came

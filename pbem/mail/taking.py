"""Taking a save file out of a message or a mailbox, wherever the player has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from engine.message import Said
from pbem.errors import Unreadable
from pbem.foreign import shown
from pbem.mail.choice import Place, choose, files_in, no_file
from pbem.mail.found import Found
from pbem.mail.given import CHOOSES, Given, Seeker, is_choice
from pbem.mail.messages import SavedMail, is_maildir, is_mbox, is_mh
from pbem.mail.search import restored_file
from pbem.savefile.disk import is_file, is_folder


def take_from(
    source: Path | BinaryIO, seeker: Seeker, label: Said = "", begun: bytes = b""
) -> Given:
    """The file that is meant in a message or a mailbox, or in a stream of that `label`.

    So much of the stream has been read as has `begun`. Raises as `choose`.
    """
    mailbox, place = _opened(source, label, begun)
    return choose(_looked_through(mailbox, seeker.note), place, seeker)


def all_files(
    source: Path | BinaryIO, note: Callable[[Said], None], label: Said = ""
) -> list[tuple[Given, Found]]:
    """All save files in a message or a mailbox; Unreadable without any.

    `note` is told what there is to know of what else is in it.
    """
    mailbox, place = _opened(source, label)
    saves = [each for each in _looked_through(mailbox, note) if not each.is_evidence]
    if not saves:
        raise Unreadable(no_file(place))
    return [(place.given(each), each) for each in saves]


def _opened(source: Path | BinaryIO, label: Said, begun: bytes = b"") -> tuple[SavedMail, Place]:
    """The mailbox that a player names, and what it is called."""
    if not isinstance(source, Path):
        return SavedMail(source, begun), Place(label, "")
    path, game = source, ""
    if is_choice(path):
        before, _, game = str(path).rpartition(CHOOSES)
        path = Path(before)
    if is_folder(path) and not (is_maildir(path) or is_mh(path)):
        raise Unreadable("{file} is a folder, not a file or a mailbox (Maildir or MH).", file=path)
    single = path if is_file(path) and not is_mbox(path) else None
    return SavedMail(path), Place(shown(path), f"{path}{CHOOSES}", game.lower(), single)


def _looked_through(mailbox: SavedMail, note: Callable[[Said], None]) -> list[Found]:
    files, notes = files_in(mailbox)
    for each in notes:
        note(each)
    return files


def restored(given: Given) -> Given | None:
    """A file that was restored, with what had to be mended; None where it is not to be."""
    found = restored_file(given.data) if given.found is None else None
    if found is None:
        return None
    return given._replace(data=found.data, mends=given.mends | found.mends)

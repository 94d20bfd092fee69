"""Finding a player's games in files, of which the library is made anew."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.message import Message, Said, sentences
from pbem.cli import console
from pbem.cli.home import program
from pbem.cli.own_library import up_to_you
from pbem.cli.progress import CHECKING_FILES, progress
from pbem.errors import NotProved, Unreadable
from pbem.library import Library, Seen
from pbem.mail.given import INPUT, as_utf8, is_save_file
from pbem.protocol.known import Verified
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import is_file, is_folder, read_file
from pbem.savefile.save_file import SaveFile
from pbem.words.phrases import files_counted

_SUFFIX = ".toml"
_SUFFIXES = (_SUFFIX, ".eml")
_MAILBOXES = ("", ".mbox", ".mbx")
_FORMAT = b"acres-save"
"""It stands in every file of a game, and in few others, which would take long to read."""


class Chain(NamedTuple):
    """The records of a file, what it is in words, and where it lies: None for one in a mailbox."""

    label: Said
    path: Path | None
    records: Sequence[Record]

    @property
    def is_in_message(self) -> bool:
        """Whether it is no file by itself."""
        return self.path is None or self.path.suffix != _SUFFIX

    def begins(self, other: Chain) -> bool:
        """Whether these records are all in the other file, and are the first in it."""
        pairs = zip(self.records, other.records, strict=False)
        is_shorter = len(self.records) <= len(other.records)
        return is_shorter and all(Verified.of(one) == Verified.of(two) for one, two in pairs)


class Added(NamedTuple):
    """A file of an own game that was noted, and whether it brought back what is to be minded."""

    game: bytes
    has_learnt: bool


def add_all(library: Library, paths: Sequence[Path]) -> None:
    """Note every own game in these files, and those in these folders, and say how many were found.

    Raises Unreadable for a file that was named and is none of a game.
    """
    chains = list(_chains(paths))
    with progress(CHECKING_FILES) as course:
        added = [a for chain in course.passing(_telling(chains)) for a in _add(library, chain)]
    found = Message.counted(
        "Found {count} game of yours in {files}.",
        "Found {count} games of yours in {files}.",
        len({each.game for each in added}),
        files=files_counted(len(chains)),
    )
    console.say(found)
    if any(each.has_learnt for each in added):
        learnt = Message(
            "What you have signed in them is remembered again, as far as it is in these files."
        )
        console.say(sentences(learnt, up_to_you()))


def _chains(paths: Sequence[Path]) -> Iterator[Chain]:
    for path in paths:
        if not is_folder(path):
            yield from _chains_in(path)
            continue
        for file in _below(path):
            # A folder may hold anything.
            with suppress(Unreadable):
                yield from _chains_in(file) if file.suffix != _SUFFIX else _chain_of(file)


def _chain_of(file: Path) -> Iterator[Chain]:
    """The save file that lies in a folder; none where it is something else."""
    data = as_utf8(read_file(file))
    if _FORMAT in data:
        yield Chain(str(file), file, SaveFile.read(data).records)


def _chains_in(path: Path) -> Iterator[Chain]:
    """The save file at that path, or those in a message or a mailbox; Unreadable without any."""
    if is_file(path) and is_save_file(data := read_file(path)):
        yield Chain(str(path), path, SaveFile.read(as_utf8(data)).records)
        return
    from pbem.mail.taking import all_files

    is_stream = str(path) == INPUT
    source, label = (sys.stdin.buffer, Message("standard input")) if is_stream else (path, "")
    for each, found in all_files(source, console.warn, label):
        yield Chain(each.label, each.path, found.records)


def _below(folder: Path) -> Iterator[Path]:
    """What may hold save files in a folder: files, messages, mailboxes."""
    from pbem.mail.messages import MAILDIR, is_maildir, is_mbox

    for parent, folders, names in os.walk(folder):
        if is_maildir(Path(parent)):
            folders[:] = [name for name in folders if name not in MAILDIR]
            yield Path(parent)
        folders.sort()
        # Anything else under such a name, a pipe say, might never end.
        for file in filter(os.path.isfile, (Path(parent, name) for name in sorted(names))):
            if file.suffix in _SUFFIXES or (file.suffix in _MAILBOXES and is_mbox(file)):
                yield file


def _telling(chains: Iterable[Chain]) -> list[Chain]:
    """The chains that tell something, each before one that goes on from it.

    Of those that are the beginning of a longer one, that is only the last file of the other player:
    so that the last files of both are known.
    """
    longest: list[Chain] = []
    last_but_one: dict[int, Chain] = {}
    for chain in sorted(chains, key=lambda chain: (-len(chain.records), chain.is_in_message)):
        whole = next((n for n, other in enumerate(longest) if chain.begins(other)), None)
        if whole is None:
            longest.append(chain)
        elif (len(longest[whole].records) - len(chain.records)) % 2:
            last_but_one.setdefault(whole, chain)
    return [*last_but_one.values(), *reversed(longest)]


def _add(library: Library, chain: Chain) -> Iterator[Added]:
    """Note a file, if its game is an own one."""
    try:
        match = Match.replay(chain.records, library.known(chain.records[0].hash))
    except NotProved as error:
        console.warn(
            Message(
                "{file} was left out: its record {number} does not hold. Why, {command} audit "
                "says.",
                file=chain.label,
                number=error.finding.record,
                command=program(),
            )
        )
        return
    seen = Seen.of(match, library.key, chain.path)
    if seen is None:
        return
    _warn_of_two(library, seen, chain.label)
    has_learnt = library.note(seen, begins=True)
    yield Added(seen.id, has_learnt and not seen.game.is_finished)


def _warn_of_two(library: Library, seen: Seen, label: Said) -> None:
    """Say of a file that another record was signed than it holds."""
    signed = library.hashes(seen.id)
    for record in seen.records:
        if not seen.is_by(library.key, record):
            continue
        if signed.get(record.index, record.hash) != record.hash:
            console.warn(
                Message(
                    "{file} holds another record {number} in your name than the one that is "
                    "remembered as signed. Both are kept in mind; go on from one of them only.",
                    file=label,
                    number=record.index,
                )
            )
            return

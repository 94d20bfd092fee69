"""A player's games, collected from files and mailboxes: a library is rebuilt from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.message import Message, Said
from pbem.errors import NotProved, Unreadable
from pbem.play.inbox.given import FORMAT, as_utf8, is_maildir, is_mbox, is_save_file
from pbem.play.new_files import is_called_save, may_hold_turn
from pbem.play.store import Seen, Store
from pbem.protocol.known import Verified
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.armour import blocks_in
from pbem.savefile.disk import is_file, is_folder, read_file
from pbem.savefile.save_file import SaveFile

Warn = Callable[[Said], None]
_MAILBOXES = ("", ".mbox", ".mbx")


class Chain(NamedTuple):
    """The records of a file, what it is in words, and where it lies: None for one in a mailbox."""

    label: Said
    path: Path | None
    records: Sequence[Record]

    @property
    def is_in_message(self) -> bool:
        """Whether it is no file by itself."""
        return self.path is None or not is_called_save(self.path)

    def begins(self, other: Chain) -> bool:
        """Whether these records are all in the other file, and are the first in it."""
        pairs = zip(self.records, other.records, strict=False)
        is_shorter = len(self.records) <= len(other.records)
        return is_shorter and all(Verified.of(one) == Verified.of(two) for one, two in pairs)


class Collected(NamedTuple):
    """How many games of the player were found, in how many files.

    `has_learnt` says whether a file brought back what was signed in a game that goes on.
    """

    games: int
    files: int
    has_learnt: bool


def collect(
    library: Store,
    sources: Sequence[Path | bytes],
    command: str,
    warn: Warn,
    passing: Callable[[Sequence[Chain]], Iterable[Chain]] = iter,
    *,
    is_learning: bool = False,
) -> Collected:
    """Note every game of the player's in these files and folders, and in bytes of standard input.

    What is wrong with one that is not named is told to `warn`, with how to run `command`; for a
    file that is named and is none of a game, Unreadable is raised. `is_learning` is as for
    `Store.note`.
    """
    chains = list(_chains(sources, warn))
    games, has_learnt = set[bytes](), False
    for chain in passing(_telling(chains)):
        seen = _own(library, chain, command, warn)
        if seen is not None:
            games.add(seen.id)
            was_learnt = library.note(seen, begins=True, is_learning=is_learning)
            has_learnt = has_learnt or (was_learnt and not seen.game.is_finished)
    return Collected(len(games), len(chains), has_learnt)


def _chains(sources: Sequence[Path | bytes], warn: Warn) -> Iterator[Chain]:
    for source in sources:
        if not isinstance(source, Path) or not is_folder(source):
            yield from _chains_in(source, warn)
            continue
        for file in _below(source):
            # A folder may hold anything.
            with suppress(Unreadable):
                yield from _chain_of(file, warn) if is_called_save(file) else _chains_in(file, warn)


def _chain_of(file: Path, warn: Warn) -> Iterator[Chain]:
    """The save file that lies in a folder, maybe in armour; none where it is something else."""
    data = as_utf8(read_file(file))
    if FORMAT in data:
        yield Chain(str(file), file, SaveFile.read(data).records)
    elif blocks_in(data, 1):
        yield from _chains_in(file, warn)


def _chains_in(source: Path | bytes, warn: Warn) -> Iterator[Chain]:
    """The save file at that path, or those in a message or a mailbox; Unreadable without any."""
    label: Said = Message("standard input")
    if isinstance(source, Path):
        if is_file(source) and is_save_file(data := read_file(source)):
            yield Chain(str(source), source, SaveFile.read(as_utf8(data)).records)
            return
        label = ""
    # Imported lazily: most files are no messages.
    from pbem.play.inbox.choice import all_files

    for each, found in all_files(source, warn, label):
        yield Chain(each.label, each.path, found.records)


def _below(folder: Path) -> Iterator[Path]:
    """What may hold save files in a folder: files, messages, mailboxes."""
    for parent, folders, names in os.walk(folder):
        if is_maildir(Path(parent)):
            folders[:] = [name for name in folders if name not in ("cur", "new", "tmp")]
            yield Path(parent)
        folders.sort()
        # Anything else under such a name, a pipe say, might never end.
        for file in filter(os.path.isfile, (Path(parent, name) for name in sorted(names))):
            if may_hold_turn(file.name) or (file.suffix in _MAILBOXES and is_mbox(file)):
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


def _own(library: Store, chain: Chain, command: str, warn: Warn) -> Seen | None:
    """A file as it is noted; None where its game is not the player's, or it does not hold."""
    try:
        match = Match.replay(chain.records, library.known(chain.records[0].hash).verified)
    except NotProved as error:
        warn(
            Message(
                "{file} was left out: its record {number} is not valid. {command} audit says why.",
                file=chain.label,
                number=error.finding.record,
                command=command,
            )
        )
        return None
    seen = Seen.of(match, library.key, chain.path)
    if seen is not None and (other := _contradicting(library, seen)) is not None:
        warn(
            Message(
                "{file} holds a record {number} in your name that differs from the one remembered "
                "as signed. Both are remembered now; go on from only one of them.",
                file=chain.label,
                number=other.index,
            )
        )
    return seen


def _contradicting(library: Store, seen: Seen) -> Record | None:
    """The first own record of a file in whose place another one was signed."""
    signed = library.signed_hashes(seen.id)
    own = (record for record in seen.records if seen.is_by(library.key, record))
    return next((r for r in own if signed.get(r.index, r.hash) != r.hash), None)

"""The file that is meant among those in a message or a mailbox, and what is told of the others.

In each game it is the one that goes furthest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.message import Message, Run, Said, commas, joined_with_semicolons, sentences
from pbem.errors import AcresError, NotProved, Unreadable, WrongUse
from pbem.foreign import mailbox as told_address
from pbem.foreign import named, quoted, shown
from pbem.play.inbox.incoming import (
    CHOOSES,
    IncomingFile,
    Seeker,
    is_choice,
    is_maildir,
    is_mbox,
)
from pbem.play.inbox.message import files_of, messages_in
from pbem.play.store import Listed
from pbem.play.store.entries import YOU
from pbem.protocol.record import Record, check_link, check_signature
from pbem.savefile.disk import is_file, is_folder

MOST_TOLD = 3
"""How many things are told of each kind, and of others how many there are."""


class TwoWays(AcresError):
    """There are two `files` of one game that go on in different ways."""

    exit_status = 1

    def __init__(self, sentence: Said, files: tuple[IncomingFile, IncomingFile]) -> None:
        super().__init__(sentence)
        self.files = files


class Place(NamedTuple):
    """A message or a mailbox, with its `label` in sentences.

    A game in it is named behind the `word`, which is empty for what no command can name. `game` is
    the beginning of the number of the game that is meant, `path` where a message by itself is
    found again.
    """

    label: Said
    word: str = ""
    game: str = ""
    path: Path | None = None

    def named(self, file: IncomingFile) -> IncomingFile:
        """Return a file that was found in it, as it is called."""
        return file._replace(label=Run((self.label, ", ", file.where)), path=self.path)

    def choosing(self, game: Candidates) -> str:
        """Return the word of a command that means this game in it."""
        return quoted(Path(f"{self.word}{game.number}"))


class Candidates(NamedTuple):
    """The files of one game.

    `ends` are those that go on furthest, each in another way: mostly one, else somebody signed two
    records after the same one, or two players took up one invitation. `older` are all others.
    """

    id: bytes
    ends: list[IncomingFile]
    older: list[IncomingFile]

    @property
    def number(self) -> str:
        """The number by which the game is called."""
        return self.id.hex()[:8]

    @property
    def told(self) -> Message:
        """Its number and who plays it, by the names that stand in it."""
        steps = [record.steps[0] for record in self.ends[0].records[:2]]
        names = [named(name) for step in steps if (name := str(getattr(step, "name", "")))]
        if len(names) == 2:
            player, opponent = names
            who = Message("{player} against {opponent}", player=player, opponent=opponent)
        else:
            who = Message("an invitation from {player}", player=names[0])
        return Run((f"{self.number}, ", who))

    def end(self, known: Listed | None) -> IncomingFile | None:
        """Return the file that counts: the only end, or the one that goes on as the known game."""
        if len(self.ends) == 1:
            return self.ends[0]
        if known is None:
            return None
        at, last = known.game.records, known.game.last
        going_on = [e for e in self.ends if len(e.records) >= at and e.records[at - 1].hash == last]
        return going_on[0] if len(going_on) == 1 else None


def take_from(source: Path | bytes, label: Said, seeker: Seeker) -> IncomingFile:
    """Return the file that is meant in a message or a mailbox, or in bytes of that label.

    Raises Unreadable if there is none, WrongUse if it is not clear which is meant, and TwoWays if
    two go on in different ways, unless one does so as the player's game does and nobody `compares`
    them.
    """
    place, mailbox = _open(source, label)
    return choose(files_in(mailbox, seeker.note), place, seeker)


def all_files(
    source: Path | bytes, label: Said, note: Callable[[Said], None]
) -> list[IncomingFile]:
    """Return all save files in a message or a mailbox; raises Unreadable if there is none.

    `note` is told of what cannot be read.
    """
    place, mailbox = _open(source, label)
    saves = [each for each in files_in(mailbox, note) if not each.is_evidence]
    if not saves:
        raise Unreadable(no_file(place))
    return [place.named(each) for each in saves]


def _open(source: Path | bytes, label: Said) -> tuple[Place, Path | bytes]:
    """Return how a message or a mailbox is called, and where it is."""
    if isinstance(source, bytes):
        return Place(label), source
    path, game = source, ""
    if is_choice(path):
        before, _, game = str(path).rpartition(CHOOSES)
        path = Path(before)
    if is_folder(path) and not is_maildir(path):
        raise Unreadable("{file} is a folder, not a file or a mailbox (Maildir).", file=path)
    single = path if is_file(path) and not is_mbox(path) else None
    return Place(shown(path), f"{path}{CHOOSES}", game.lower(), single), path


def files_in(mailbox: Path | bytes, note: Callable[[Said], None]) -> list[IncomingFile]:
    """Return the files in a mailbox; of several save files those whose signatures hold, if any.

    `note` is told of what cannot be read. Raises Unreadable if all that is in it is damaged.
    """
    found: list[IncomingFile] = []
    failed: list[Unreadable] = []
    for message in messages_in(mailbox, note):
        try:
            found += files_of(message)
        except Unreadable as error:
            failed.append(error)
    if failed and not found:
        raise failed[-1]
    for failure in failed[-MOST_TOLD:]:
        note(failure.said)
    if len(failed) > MOST_TOLD:
        note(
            Message.counted(
                "{count} more message that may hold a save file cannot be read.",
                "{count} more messages that may hold a save file cannot be read.",
                len(failed) - MOST_TOLD,
            )
        )
    saves = [each for each in found if not each.is_evidence]
    sound = [each for each in saves if _holds(each.records)] if len(saves) > 1 else []
    return [*(sound or saves), *(each for each in found if each.is_evidence)]


def _holds(records: Sequence[Record]) -> bool:
    """Return True if each record follows the one before it and is signed by its author."""
    try:
        for index, record in enumerate(records):
            check_link(record, records[:index])
            check_signature(record, records[:index])
    except NotProved:
        return False
    return True


def choose(files: Sequence[IncomingFile], place: Place, seeker: Seeker) -> IncomingFile:
    """Return the file that is meant among those in a mailbox; raises as `take_from`."""
    evidence = [each for each in files if each.is_evidence]
    games = by_game(files)
    if place.game:
        games = [game for game in games if game.id.hex().startswith(place.game)]
    if not games and evidence and not place.game:
        return place.named(evidence[0])
    if not games:
        raise Unreadable(no_file(place))
    known = seeker.own.listed() if seeker.own else {}
    game, *more = _meant(games, known, seeker)
    if more:
        raise WrongUse(_several(place, [game, *more]))
    end = game.end(None if seeker.compares else known.get(game.id))
    if end is None:
        two = Message(
            "There are two files of game {game} in {source} that go on differently.",
            game=game.number,
            source=place.label,
        )
        one, other = map(place.named, game.ends[:2])
        raise TwoWays(sentences(two, _how_to_audit(place, game, seeker.called)), (one, other))
    if len(game.ends) > 1:
        another = Message(
            "In {source} there is another file of this game, which goes on differently from the "
            "one that you play.",
            source=place.label,
        )
        seeker.note(sentences(another, _how_to_audit(place, game, seeker.called)))
    if evidence:
        seeker.note(
            # Translators: {where} is as “the attachment fork.toml” or “the text of the message”.
            Message(
                "There is evidence of a fork too, {where}: to see what it proves, save it and "
                "audit it.",
                where=evidence[0].where,
            )
        )
    for note in _about_others(game, end, [each for each in games if each is not game]):
        seeker.note(note)
    if end.cut:
        seeker.note(end.cut)
    return place.named(end)


def no_file(place: Place) -> Message:
    """Return the sentence that there is no save file there."""
    if place.game:
        return Message(
            "There is no save file of game {game} in {source}.",
            game=place.game,
            source=place.label,
        )
    # Translators: {source} is the name of a file or folder, or “standard input”. So too in the
    # next ones.
    return Message("There is no save file in {source}.", source=place.label)


def by_game(files: Iterable[IncomingFile]) -> list[Candidates]:
    """Return the files of each game, the longest first; evidence is left out."""
    games: dict[bytes, Candidates] = {}
    newest_first = sorted(
        (found for found in files if not found.is_evidence),
        key=lambda found: -len(found.records),
    )
    for found in newest_first:
        game = found.records[0].hash
        of_game = games.setdefault(game, Candidates(game, [], []))
        is_older = any(map(found.begins, of_game.ends))
        (of_game.older if is_older else of_game.ends).append(found)
    return list(games.values())


def _meant(
    games: Sequence[Candidates], listed: Mapping[bytes, Listed], seeker: Seeker
) -> Sequence[Candidates]:
    """Return the only game, or those that wait for the player; all if none does."""
    if seeker.joins:
        games = [game for game in games if len(game.ends[0].records) == 1] or games
    if len(games) == 1:
        return games
    waiting = [g for g in games if any(_waits(end, listed, seeker) for end in g.ends)]
    return waiting or games


def _waits(end: IncomingFile, listed: Mapping[bytes, Listed], seeker: Seeker) -> bool:
    """Return True if the game in a file waits for the player, as far as is known.

    A file that is older than what the library knows waits for nobody.
    """
    records = end.records
    known = listed.get(records[0].hash)
    if known is not None and len(records) <= known.game.records:
        return known.game.waits_for == YOU and len(records) == known.game.records
    # A guest who has yet to join has none.
    inviter, guest = [*(getattr(record.steps[0], "key", None) for record in records[:2]), None][:2]
    return seeker.own is not None and (
        seeker.own.key == (guest if len(records) % 2 else inviter)
        or (len(records) == 1 and seeker.joins and seeker.own.key != inviter)
    )


# --- what is told of the others


def _several(place: Place, games: Sequence[Candidates]) -> Message:
    several = Message.counted(
        "There are files of {count} game in {source}: {games}.",
        "There are files of {count} games in {source}: {games}.",
        len(games),
        source=place.label,
        games=joined_with_semicolons(game.told for game in games[:12]),
    )
    if not place.word:
        return sentences(several, Message("Give only the message you mean."))
    file = place.choosing(games[0])
    which = Message("Say which with the beginning of its number: {file}", file=file)
    return sentences(several, which)


def _how_to_audit(place: Place, game: Candidates, called: str) -> Message:
    audit = f"{called} audit"
    if not place.word:
        return Message("Save both, to see who signed twice: {command} ONE OTHER", command=audit)
    return Message(
        "To find out whether somebody signed twice: {command}",
        command=f"{audit} {place.choosing(game)}",
    )


def _about_others(
    game: Candidates, end: IncomingFile, others: Sequence[Candidates]
) -> Iterator[Said]:
    if game.older:
        older = [
            # An older file, by what it was in and how far it goes.
            Message(
                "{where} (up to record {record})",
                where=_origin(each),
                record=len(each.records) - 1,
            )
            for each in game.older
        ]
        yield Message(
            "The newest file of the game was taken, from {where}; left aside as older: {files}.",
            where=_origin(end),
            files=_few(older),
        )
    if others:
        yield Message(
            "Files of other games were left aside: {games}.",
            games=_few([each.told for each in others], joined_with_semicolons),
        )


def _few(told: Sequence[Said], joined: Callable[[Sequence[Said]], Said] = commas) -> Said:
    first, more = joined(told[:MOST_TOLD]), len(told) - MOST_TOLD
    if more <= 0:
        return first
    # Translators: a list of files or games, which names only the first ones.
    return Message.counted("{list} and {count} more", "{list} and {count} more", more, list=first)


def _origin(found: IncomingFile) -> Said:
    """Return where a file was, in words."""
    if not found.envelope.address:
        return found.where
    address = told_address(found.envelope.address)
    # Translators: {where} is as “the attachment bela-004.toml” or “the text of the message”.
    return Message("{where} by {address}", where=found.where, address=address)

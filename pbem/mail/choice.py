"""Which file is meant of those in a mailbox: of each game the one that goes on furthest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from language import plural
from pbem.errors import Unreadable
from pbem.library import Listed
from pbem.library.games import YOU
from pbem.mail.messages import SavedMail
from pbem.mail.search import Found, files_of, holds
from pbem.protocol.record import Record
from pbem.protocol.verified import Verified

MOST_TOLD = 3
"""So many things are told of each kind, and of others how many there are."""


class InMailbox(NamedTuple):
    """What is in a mailbox: save files, evidence of forks, and `notes` on what is to be known."""

    files: list[Found]
    evidence: list[Found]
    notes: list[str]


class Candidates(NamedTuple):
    """The files of one game.

    `ends` are those that go on furthest, each in another way: mostly one, else somebody signed two
    records after the same one, or two players took up one invitation. `older` are all others.
    """

    id: bytes
    ends: list[Found]
    older: list[Found]

    @property
    def number(self) -> str:
        """How the game is called."""
        return self.id.hex()[:8]

    @property
    def names(self) -> list[str]:
        """Who plays it, by the names that stand in it: one alone in an invitation."""
        first = self.ends[0].records[:2]
        return [name for record in first if (name := str(getattr(record.steps[0], "name", "")))]

    def end(self, known: Listed | None) -> Found | None:
        """The file that counts: the only end, or the one that goes on as the game is known to."""
        if len(self.ends) == 1:
            return self.ends[0]
        if known is None:
            return None
        at, last = known.game.records, known.game.last
        going_on = [e for e in self.ends if len(e.records) >= at and e.records[at - 1].hash == last]
        return going_on[0] if len(going_on) == 1 else None


def files_in(mailbox: SavedMail) -> InMailbox:
    """What is in a mailbox; raises Unreadable where all that is in it is damaged."""
    found: list[Found] = []
    failed: list[Unreadable] = []
    for message in mailbox:
        try:
            found += files_of(message)
        except Unreadable as error:
            failed.append(error)
    failed += mailbox.missed
    if failed and not found:
        raise failed[-1]
    notes = [str(failure) for failure in failed[-MOST_TOLD:]]
    if len(failed) > MOST_TOLD:
        notes.append(
            plural(
                "{count} more message that may hold a save file cannot be read.",
                "{count} more messages that may hold a save file cannot be read.",
                len(failed) - MOST_TOLD,
            )
        )
    if mailbox.skipped:
        notes.append(
            plural(
                "{count} message larger than any with a save file should be left out.",
                "{count} messages larger than any with a save file should be left out.",
                mailbox.skipped,
            )
        )
    saves = [each for each in found if not each.is_evidence]
    if len(saves) > 1:
        saves = [each for each in saves if holds(each.records)] or saves
    return InMailbox(saves, [each for each in found if each.is_evidence], notes)


def by_game(files: Iterable[Found]) -> list[Candidates]:
    """The files of each game, in the order in which they were found first; evidence is left out."""
    games: dict[bytes, Candidates] = {}
    newest_first = sorted(
        (found for found in files if not found.is_evidence),
        key=lambda found: -len(found.records),
    )
    for found in newest_first:
        game = found.records[0].hash
        of_game = games.setdefault(game, Candidates(game, [], []))
        is_older = any(_goes_on(end.records, found.records) for end in of_game.ends)
        (of_game.older if is_older else of_game.ends).append(found)
    return list(games.values())


def _goes_on(longer: tuple[Record, ...], shorter: tuple[Record, ...]) -> bool:
    """Whether all records of one file are the first of the other."""
    last = len(shorter) - 1
    return Verified.of(longer[last]) == Verified.of(shorter[last])


def meant(
    games: Sequence[Candidates], listed: Mapping[bytes, Listed], key: bytes | None, *, joins: bool
) -> Sequence[Candidates]:
    """The game that is meant: the only one, or the only one that waits for the player of that key.

    More than one where that is not clear. Who `joins` means an invitation.
    """
    if joins:
        games = [game for game in games if len(game.ends[0].records) == 1] or games
    if len(games) == 1:
        return games
    waiting = [g for g in games if any(_waits(e, listed, key, joins=joins) for e in g.ends)]
    return waiting or games


def _waits(end: Found, listed: Mapping[bytes, Listed], key: bytes | None, *, joins: bool) -> bool:
    """Whether the game in a file waits for the player with that key, as far as is known.

    A file that is older than what the library knows waits for nobody.
    """
    records = end.records
    known = listed.get(records[0].hash)
    if known is not None and len(records) <= known.game.records:
        return known.game.waits_for == YOU and len(records) == known.game.records
    # A guest who has yet to join has none.
    inviter, guest = [*(getattr(record.steps[0], "key", None) for record in records[:2]), None][:2]
    return key is not None and (
        key == (guest if len(records) % 2 else inviter)
        or (len(records) == 1 and joins and key != inviter)
    )

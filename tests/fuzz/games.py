"""Valid files for mutants: short games of all kinds, with their meanings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from random import Random
from typing import Any

from engine.sides import Side
from pbem.play.game_file import pack
from pbem.play.look import Secrets
from pbem.protocol.cache import Snapshot, VerifiedRecord
from pbem.protocol.identity import Box, Identity
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.play.matches import TIME, answer, any_order, begin, identities, seat_to_write
from tests.seats import NextRecord
from tests.signing import end
from tests.vectors.games import load, players

STRANGER = Identity("Mallory", "mallory@example.org", bytes(range(32)))
NOTES = "they hold Rangers"
HOUSE_RULES = ("french-siege-exchange", "french-start-choice", "paid-reshuffle",
               "locations-in-reserve")  # fmt: skip


@dataclass(frozen=True)
class Game:
    """A game with its file, and the keys of inviter and guest."""

    name: str
    save: SaveFile
    authors: tuple[Identity, Identity]

    @cached_property
    def data(self) -> bytes:
        """The file."""
        return self.save.write()

    @cached_property
    def known(self) -> frozenset[VerifiedRecord]:
        """The records and openings that a library verified earlier."""
        return frozenset(map(VerifiedRecord.of, self.save.records))

    @cached_property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """The snapshots of the file at its middle and before its end."""
        match, snapshots = Match(self.known), []
        for record in self.save.records:
            match.add(record)
            if match.is_joined:
                snapshots.append(match.copy()._own_snapshot)
        both = snapshots[:-1][-1:] + snapshots[: len(snapshots) // 2][-1:]
        return tuple(snapshot for snapshot in both if snapshot)

    @cached_property
    def meanings(self) -> list[object]:
        """The meaning of the game after each record."""
        match, result = Match(), []
        for record in self.save.records:
            match.add(record)
            result.append(meaning(match))
        return result

    @cached_property
    def notes(self) -> dict[str, str]:
        """The notes in the boxes, by side."""
        return dict.fromkeys(self.save.boxes, NOTES)


def meaning(match: Match) -> object:
    """Return all facts of a match; matches with equal meanings are equal."""
    position: tuple[object, ...] = ()
    if match.has_table:
        requests = tuple(match.table.grant_request(side) for side in Side)
        owed = tuple(match.decks[side].epoch_to_open for side in Side)
        position = (match.state.key(), requests, owed, tuple(match.moves))
    return (
        [record.hash for record in match.records],
        match.entrants.copy(),
        match.secrets.copy(),
        match.follow_ups,
        tuple(match.dropped),
        match.next_side,
        position,
    )


@cache
def find_game(name: str) -> Game:
    """Return the game with that name, which is made once."""
    return _MAKERS[name](name)


@cache
def games() -> list[Game]:
    """Return a game of each kind: editions, house rules, follow-ups, invitations, ends, closes."""
    return [find_game(name) for name in NAMES]


def _begin(name: str, *, seed: int, records: int, follows_up: bool = False, **options: Any) -> Game:
    random = Random(seed)
    match = begin(seed, **{"lists": 8, **options})
    if records < len(match.records):
        return _game(name, Match.replay(match.records[:records]), seed)
    choose = any_order(random)
    while len(match.records) < records:
        match = answer(match, choose, seed, lambda: follows_up and random.random() < 0.8)
    return _game(name, match, seed)


def _play_resigned_game(name: str, *, seed: int, records: int, closes: int) -> Game:
    match, choose = begin(seed, lists=8), any_order(Random(seed))
    while len(match.records) < records:
        match = answer(match, choose, seed)
    is_over = False
    while not is_over or (len(match.secrets) < closes and match.next_side is not None):
        draft = NextRecord(seat_to_write(match, seed), TIME, resigns=not is_over)
        end(draft)
        match, is_over = draft.match, True
    return _game(name, match, seed)


def _game(name: str, match: Match, seed: int) -> Game:
    boxes: Mapping[str, Box] = {}
    # Each box is sealed at its owner's last record, as in exchanged files.
    for number in (len(match.records) - 1, len(match.records)):
        if number < 1:
            continue
        then = Match.replay(match.records[:number])
        who = identities(seed)[(number - 1) % 2]
        if who.public_key in [entrant.key for entrant in then.entrants.values()]:
            boxes = pack(then, Secrets.of(then, who), boxes, NOTES).boxes
    save = pack(match, None, boxes, "")
    return Game(name, save, identities(seed))


def _load(name: str) -> Game:
    save, facts = load(name)
    inviter, guest = (identity for identity, _ in players(facts))
    return Game(name, save, (inviter, guest))


_MAKERS: dict[str, Callable[[str], Game]] = {
    "invitation": partial(_begin, seed=0, records=1),
    "open-invitation": partial(_begin, seed=1, records=1, side=None, guest=Side.FRENCH),
    "joined": partial(_begin, seed=2, records=2, side=None, guest=Side.BRITISH),
    "first": partial(_begin, seed=3, records=12, edition="first"),
    "second": partial(_begin, seed=4, records=17),
    "follow-ups": partial(_begin, seed=5, records=24, follows_up=True),
    "ahead": partial(_begin, seed=6, records=20, home_support="ahead", follows_up=True),
    "revised": partial(_begin, seed=7, records=16, edition="first-revised", follows_up=True),
    "house-rules": partial(
        _begin, seed=12, records=18, house_rules=HOUSE_RULES, start_card="trader"
    ),
    "many-lists": partial(_begin, seed=8, records=9, lists=256),
    "given-up": partial(_play_resigned_game, seed=9, records=9, closes=0),
    "half-closed": partial(_play_resigned_game, seed=10, records=10, closes=1),
    "closed": partial(_play_resigned_game, seed=11, records=11, closes=2),
    "game-follow-ups": _load,
    "game-ahead": _load,
}
NAMES = list(_MAKERS)

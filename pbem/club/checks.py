"""The problems of a club: cheats, late moves, missing files, and games against its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from engine.message import Message
from engine.sides import Side
from pbem.club.games import ClubGame, ForkEvidence, Row
from pbem.club.standings import Standings
from pbem.foreign import display_name, slugify
from pbem.text.phrases import day_in_numbers


class Kind(StrEnum):
    """The kinds of problems, in the order of the report."""

    CHEATED = "cheated"
    KEYS = "keys"
    UNCOUNTED = "uncounted"
    MISSING = "missing"
    OVERDUE = "overdue"
    ADJUDICATION = "adjudication"


class Problem(NamedTuple):
    """A problem in words, with the id of its game; the id is empty if there is no game."""

    kind: Kind
    game: str
    text: Message


def find_problems(standings: Standings, rows: Sequence[Row], now: str) -> list[Problem]:
    """Return the problems of a club, by kind, at the time `now`.

    `rows` are all that was read from the files. A delay is counted from the time of the last
    record, which its author signed.
    """
    problems = [
        *_cheats(standings, rows),
        *_keys(standings),
        *(Problem(Kind.UNCOUNTED, row.game.unique_id, row.reason) for row in standings.uncounted),
        *_delays(standings, now),
        *_adjudications(standings),
    ]
    return sorted(problems, key=lambda problem: [*Kind].index(problem.kind))


def _cheats(standings: Standings, rows: Sequence[Row]) -> Iterator[Problem]:
    for row in rows:
        if isinstance(row, ClubGame):
            names = {who.key: who.name for who in row.players.values()}
            for proof in row.accusations:
                name = standings.name_of(proof.key) or names.get(proof.key, "")
                text = Message(
                    "{name} cheated in record {number}: {reason}",
                    name=display_name(name),
                    number=proof.index,
                    reason=proof.sentence,
                )
                yield Problem(Kind.CHEATED, row.unique_id, text)
        elif isinstance(row, ForkEvidence) and (name := standings.name_of(row.key)):
            text = Message(
                "{name} signed two different turns: {file} proves it",
                name=display_name(name),
                file=row.name,
            )
            yield Problem(Kind.CHEATED, "", text)


def _keys(standings: Standings) -> Iterator[Problem]:
    """Yield the members in whose names somebody plays with a key that is not theirs."""
    members = {slugify(member.name): member.name for member in standings.club.member}
    for game, _ in standings.uncounted:
        for who in game.players.values():
            name = members.get(slugify(who.name))
            if name and not standings.name_of(who.key):
                text = Message(
                    "somebody plays as {name} with another key, {digits}: ask {name}, and sign a "
                    "[[replacement]] if it is theirs",
                    name=display_name(name),
                    digits=who.key.hex(),
                )
                yield Problem(Kind.KEYS, game.unique_id, text)


def _delays(standings: Standings, now: str) -> Iterator[Problem]:
    """Yield the games that lack a file, or a move within the pace."""
    for row in standings.pairings:
        game = row.game
        if row.winner:
            continue
        if game is None or game.missing:
            missing = game.missing if game else None
            text = (
                Message(
                    "{pair}: record {number} is missing, which {file} is or mentions: ask for it",
                    pair=pair_text(row.names),
                    number=missing.index,
                    file=missing.file,
                )
                if missing
                else Message(
                    "{pair}, round {number}: there is no file of this game",
                    pair=pair_text(row.names),
                    number=row.round,
                )
            )
            yield Problem(Kind.MISSING, game.unique_id if game else "", text)
        elif game.owed and game.owed.side:
            waited = datetime.fromisoformat(now) - datetime.fromisoformat(game.owed.since)
            if waited.days >= standings.club.pace_days:
                text = Message.counted(
                    "{pair}: {name} has been to move for {count} day, since {date}",
                    "{pair}: {name} has been to move for {count} days, since {date}",
                    waited.days,
                    pair=pair_text(row.names),
                    name=display_name(row.names[game.owed.side]),
                    date=day_in_numbers(game.owed.since),
                )
                yield Problem(Kind.OVERDUE, game.unique_id, text)


def _adjudications(standings: Standings) -> Iterator[Problem]:
    used = [row.adjudication for row in standings.pairings]
    for number, line in enumerate(standings.club.adjudication, 1):
        if line not in used:
            text = Message("adjudication {number} is about no game of the club", number=number)
            yield Problem(Kind.ADJUDICATION, line.game, text)


def pair_text(names: Mapping[Side, str]) -> Message:
    """Return the names of two players, the British first."""
    british, french = (display_name(names[side]) for side in Side)
    return Message("{british} (British) – {french} (French)", british=british, french=french)

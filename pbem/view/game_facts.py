"""`acres turn show --json`: a game as plain data. docs/json.md tells other programs its shape."""

from __future__ import annotations

from typing import TypedDict

from engine.sides import Side
from pbem.play.game_file import GameFile
from pbem.play.look import Look
from pbem.protocol.entrance import Entrant
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Invite
from pbem.view.chronicle import (
    Chronicle,
    DeedFacts,
    DroppedFacts,
    deed_facts,
    dropped_facts,
    dropped_in,
    last_deeds,
    turn_facts,
)
from pbem.view.position_facts import position_facts
from pbem.view.shape import PositionFacts


class PlayerFacts(TypedDict):
    """A player as the file names them; `key` is the public key."""

    name: str
    email: str
    key: str


class RecordFacts(TypedDict):
    """The last record of what is looked at, and how many the file has."""

    index: int
    of: int
    side: str
    time: str


class AnnouncedFacts(TypedDict):
    """What its author has ordered to follow the other player's answer, whatever it is."""

    side: str
    orders: list[str]


class GameFacts(TypedDict):
    """A game as somebody sees it; `position` is None while nobody has joined it.

    `players` are by side, an inviter who leaves the choice of side under "any". `after_turn` is the
    turn after which it is looked at, None for the game as it stands and after a record. `next` is
    the side that writes next, `last` what was done since the turn before, or in the one that is
    looked back at; `notes` are the player's own.
    """

    game: str
    edition: str
    house_rules: list[str]
    lists: int
    home_support: str
    players: dict[str, PlayerFacts]
    viewer: str | None
    after_turn: int | None
    record: RecordFacts
    next: str | None
    closed: list[str]
    position: PositionFacts | None
    last: list[DeedFacts]
    dropped: list[DroppedFacts]
    announced: AnnouncedFacts | None
    notes: str | None


def look_facts(look: Look) -> GameFacts:
    """A game that was joined, as somebody sees it, with the deeds that were done last."""
    facts = invitation_facts(look.game, look.match)
    match = look.match
    deeds = last_deeds(match, look.viewer)
    dropped = dropped_in(match, {deed.record for deed in deeds})
    facts["viewer"] = look.viewer.value if look.viewer else None
    facts["position"] = position_facts(look.state, look.viewer, look.ahead, look.also)
    facts["last"] = [deed_facts(deed, look.own) for deed in deeds]
    facts["dropped"] = [dropped_facts(each) for each in dropped]
    if match.follow_ups:
        orders = [order.notation() for order in match.follow_ups]
        facts["announced"] = {"side": match.state.active.value, "orders": orders}
    facts["notes"] = look.notes.text if look.notes else None
    return facts


def look_back_facts(game: GameFile, chronicle: Chronicle, number: int) -> GameFacts:
    """A game as it was after a turn, 0 the setup; raises WrongUse where there is no such turn."""
    turn, told, viewer = chronicle.turn(number), turn_facts(chronicle, number), chronicle.viewer
    facts = invitation_facts(game, game.match)
    facts["viewer"] = viewer.value if viewer else None
    facts["after_turn"] = number
    facts["record"] = _record(game, game.match.records[turn.records[-1]])
    if number < chronicle.last:
        facts["next"] = turn.state.active.value
    facts["position"] = position_facts(chronicle.view(number), viewer, also=chronicle.also)
    facts["last"], facts["dropped"] = told["deeds"], told["dropped"]
    return facts


def invitation_facts(game: GameFile, match: Match) -> GameFacts:
    """What everybody may know of the game of a file as it was in a `match`, but its position."""
    invite = match.invite
    return {
        "game": match.id.hex(),
        "edition": invite.edition,
        "house_rules": sorted(invite.house_rules),
        "lists": invite.lists,
        "home_support": invite.home_support,
        "players": _players(match),
        "viewer": None,
        "after_turn": None,
        "record": _record(game, match.last),
        "next": match.next_side.value if match.next_side else None,
        "closed": [side.value for side in Side if side in game.match.secrets],
        "position": None,
        "last": [],
        "dropped": [],
        "announced": None,
        "notes": None,
    }


def _record(game: GameFile, record: Record) -> RecordFacts:
    return {
        "index": record.index,
        "of": len(game.match.records),
        "side": record.side,
        "time": record.time,
    }


def _players(match: Match) -> dict[str, PlayerFacts]:
    """Who has entered: the inviter alone until somebody joins."""
    if not match.entrants:
        return {match.invite.side: _player(match.invite)}
    return {side.value: _player(match.entrants[side]) for side in Side if side in match.entrants}


def _player(entry: Entrant | Invite) -> PlayerFacts:
    return {"name": entry.name, "email": entry.email, "key": entry.key.hex()}

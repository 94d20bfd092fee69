"""`acres turn show --json`: a game as plain data. docs/json.md tells other programs its shape."""

from __future__ import annotations

from engine.sides import Side
from pbem.play.game_file import GameFile
from pbem.play.look import Look
from pbem.protocol.entrance import Entrant
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Invite
from pbem.view.chronicle import Chronicle, dropped_in, last_deeds
from pbem.view.deed_facts import deed_facts, dropped_facts, turn_facts
from pbem.view.position_facts import position_facts
from pbem.view.shape import GameFacts, PlayerFacts, RecordFacts


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

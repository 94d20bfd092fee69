"""A player's games and opponents as plain data: whose move it is, since when, who is who.

docs/json.md tells other programs the shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.play.store import Acquaintance, Listed, Recognised, credible
from pbem.play.store.entries import NOBODY, YOU
from pbem.play.store.known_players import are_addresses_alike, are_names_alike


def waits_since(listed: Listed, now: str) -> str | None:
    """Since when a game waits, by the clock here if that is known; None if nobody can say."""
    return credible(listed.arrived, listed.game.since, now)


def overdue(listed: Listed, now: str) -> timedelta | None:
    """By how much the next move is late; None where it is not, or no pace was agreed."""
    since = waits_since(listed, now)
    if since is None or listed.pace is None or listed.game.waits_for == NOBODY:
        return None
    waited = datetime.fromisoformat(now) - datetime.fromisoformat(since)
    late = waited - timedelta(days=listed.pace)
    return late if late > timedelta() else None


def file_to_answer(listed: Listed) -> Path | None:
    """The file that the player is to look at; None where nothing waits for it."""
    return listed.file_in if listed.game.waits_for == YOU else None


def listed_facts(listed: Listed, now: str) -> dict[str, Any]:
    """A game as the library lists it."""
    game, late = listed.game, overdue(listed, now)
    return {
        "game": listed.id.hex(),
        "edition": game.edition,
        "house_rules": game.house_rules.split(),
        "side": None if listed.own_side is None else game.side,
        "opponent": game.opponent or None,
        "email": game.email or None,
        "records": game.records,
        "turn": game.turn or None,
        "waits_for": game.waits_for,
        "due": game.due or None,
        "since": game.since,
        "arrived": listed.arrived or None,
        "winner": game.winner or None,
        "pace_days": listed.pace,
        "overdue_days": None if late is None else late.days,
        "file_in": None if listed.file_in is None else str(listed.file_in),
        "file_out": None if listed.file_out is None else str(listed.file_out),
    }


# --- who is who


def players_meant(met: Iterable[Acquaintance], typed: str) -> list[Acquaintance]:
    """The players whom a text means: the beginning of a key, or else a name or an address."""
    digits = "".join(typed.split()).lower().removeprefix("key")
    by_key, by_name = list[Acquaintance](), list[Acquaintance]()
    for one in met:
        names = [one.nickname, *(person.name for person in one.people)]
        is_named = any(name and are_names_alike(name, typed) for name in names)
        if digits and one.key.hex().startswith(digits):
            by_key.append(one)
        elif is_named or any(are_addresses_alike(person.email, typed) for person in one.people):
            by_name.append(one)
    return by_key + by_name


def player_facts(one: Acquaintance) -> dict[str, Any]:
    """A player who was met."""
    return {
        "key": one.key.hex(),
        "people": [{"name": person.name, "email": person.email or None} for person in one.people],
        "nickname": one.nickname or None,
        "since": one.since or None,
        "games": one.games,
        "passes_for": one.passes_for.key.hex() if one.passes_for else None,
    }


def recognised_facts(recognised: Recognised) -> dict[str, Any]:
    """What is known of an opponent."""
    person, other = recognised.person, recognised.other
    return {
        "key": person.key.hex(),
        "trust": recognised.trust.value,
        "known_key": other.key.hex() if other else None,
        "nickname": recognised.nickname or None,
    }

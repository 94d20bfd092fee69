"""Standings and problems of a club, as facts for `--json` and in words.

The texts are in the table `club` of `pbem/text/tables.toml`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from engine.message import NOTHING, Concat, Message, Phrase, semicolon_list
from engine.sides import Side
from pbem.club.club_file import LADDER, Club, Pair
from pbem.club.ratings import Rating
from pbem.club.standings import Pairing, Place, Standings
from pbem.club.verdicts import ClubGame, ForkEvidence, Row
from pbem.foreign import clean, display_name, slugify
from pbem.play.signing import is_signed
from pbem.protocol.schema import decode_bytes
from pbem.text.facts.json_data import Facts, to_json_data
from pbem.text.language import Line, Tone, item, row
from pbem.text.phrases import day_in_numbers, row_text
from pbem.text.rules.editions import house_rule_names, rules_name

STANDINGS, SIGNATURE = "standings.json", "standings.json.sig"
"""The names of signed standings and of their signature."""

# --- facts


def standings_facts(standings: Standings) -> Facts:
    """Return the standings as facts; docs/json.md has their keys."""
    club, ratings = standings.club, standings.ratings
    return {
        "club": club.name,
        "season": [club.begins.isoformat(), club.ends.isoformat()],
        "organiser": club.organiser,
        "pairing": club.pairing,
        "table": standings.places,
        "ladder": standings.ladder if club.pairing == LADDER else None,
        "ratings": [
            {"name": name, **rating._asdict(), "curve": ratings.curves[name]}
            for name, rating in ratings.players.items()
        ],
        "sides": [
            {"edition": edition, "house_rules": rules, **worth._asdict()}
            for (edition, rules), worth in ratings.sides.items()
        ],
        "games": [_game_facts(pairing) for pairing in standings.pairings],
        "uncounted": [
            {"game": game.unique_id, "reason": reason} for game, reason in standings.uncounted
        ],
    }


def _game_facts(pairing: Pairing) -> Facts:
    game, line = pairing.game, pairing.adjudication
    result = game.result if game else None
    return {
        "game": game.unique_id if game else None,
        "round": pairing.round or None,
        "players": pairing.names,
        "winner": pairing.winner,
        "reason": line.reason if line else result.cause if result else None,
        "adjudicated": line is not None,
        "provisional": pairing.is_provisional,
        "rated": bool(game and pairing.winner and not pairing.unrated),
        "unrated": pairing.unrated or None,
    }


def standings_document(standings: Standings) -> bytes:
    """Return the standings as the JSON text that the organiser signs."""
    return (json.dumps(to_json_data(standings_facts(standings)), indent=2) + "\n").encode()


def has_signature(folder: Path, document: bytes, club: Club) -> bool:
    """Return True if the organiser's signature of a document is in a folder."""
    try:
        signature = decode_bytes((folder / SIGNATURE).read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return False
    return is_signed(document, signature, bytes.fromhex(club.organiser))


# --- standings in words


def standings_text(standings: Standings) -> Iterator[Line]:
    """Yield the standings under headings; each figure stands with its number of games."""
    ratings = standings.ratings
    yield Line(display_name(standings.club.name), Tone.HEAD)
    for place in standings.places:
        yield row(Concat((f"{place.rank}. ", display_name(place.name))), place_text(place))
    if standings.club.pairing == LADDER:
        yield from _heading("ladder")
        for rung, name in enumerate(standings.ladder, 1):
            yield item(Concat((f"{rung}. ", display_name(name))))
    yield from _heading("ratings")
    for name, rating in ratings.players.items():
        yield row(display_name(name), rating_text(rating))
    yield from _heading("sides")
    for rules, worth in ratings.sides.items():
        yield row(rules_name(*rules), side_text(worth))
    yield from _heading("uncounted") if standings.uncounted else ()
    for game, reason in standings.uncounted:
        yield row(game.unique_id[:8], reason)


def _heading(key: str) -> Iterator[Line]:
    yield from (Line(), Line(row_text("club-page", key), Tone.HEAD))


def place_text(place: Place) -> Message:
    """Return the results of a member in words."""
    return row_text("club", "place", **place._asdict())


def rating_text(rating: Rating) -> Message:
    """Return a rating with its uncertainty and its number of games."""
    error = 2 * rating.deviation
    return row_text("club", "rating", points=rating.points, error=error, games=rating.games)


def side_text(worth: Rating) -> Message:
    """Return the share of games that the British win, with its uncertainty and number of games."""
    low, percent, high = (round(100 * worth.expected(by)) for by in (-2, 0, 2))
    return row_text("club", "side", percent=percent, low=low, high=high, games=worth.games)


def result_text(pairing: Pairing) -> Phrase:
    """Return the result of a game in words, with the reservations about it."""
    line, game = pairing.adjudication, pairing.game
    if pairing.winner is None:
        return row_text("club", "going on" if game else "no file")
    name = display_name(pairing.names[pairing.winner])
    if line:
        return row_text("club", "won by adjudication", name=name, reason=clean(line.reason))
    if game is None or game.result is None:
        return NOTHING
    points = {side.value: game.result.points[side] for side in Side}
    texts = [row_text("club", "won", name=name, reason=game.result.cause, **points)]
    texts += [row_text("club", "unrated", reason=pairing.unrated)] if pairing.unrated else []
    texts += [row_text("club", "provisional")] if pairing.is_provisional else []
    return semicolon_list(texts)


def pair_text(names: Mapping[Side, str]) -> Message:
    """Return the names of two players, the British first."""
    return row_text("club", "pair", **{side.value: display_name(names[side]) for side in Side})


def invitation_text(club: Club, number: int, pair: Pair) -> Iterator[Line]:
    """Yield the text with which the organiser invites a pair to their game in a round."""
    british, french = map(display_name, pair)
    facts = {"british": british, "french": french, "number": number, "days": club.pace_days}
    rules = house_rule_names(club.house_rules)
    yield Line(row_text("club", "invitation", club=display_name(club.name), **facts))
    yield Line(f"  acres new --side british --edition {club.editions[0]}", is_whole=True)
    yield Line(row_text("club", "invitation to rules", rules=rules)) if rules else Line()
    yield Line(row_text("club", "invitation to join", **facts))
    yield Line("  acres join FILE", is_whole=True)
    yield Line(row_text("club", "invitation to copy", **facts))
    yield Line()


# --- problems


class Problem(NamedTuple):
    """A problem in words, with its kind and the id of its game, which is empty without one."""

    kind: str
    game: str
    text: Message


def find_problems(standings: Standings, rows: Iterable[Row], now: str) -> list[Problem]:
    """Return the problems of a club, by kind, at the time `now`.

    `rows` are all that was read from the files. A delay is counted from the time of the last
    record, which its author signed.
    """
    return [
        *_cheats(standings, rows),
        *_keys(standings),
        *(Problem("uncounted", game.unique_id, why) for game, why in standings.uncounted),
        *_delays(standings, now),
        *_adjudications(standings),
    ]


def _problem(kind: str, game: ClubGame | None, **facts: object) -> Problem:
    return Problem(kind, game.unique_id if game else "", row_text("club-problems", kind, **facts))


def _cheats(standings: Standings, rows: Iterable[Row]) -> Iterator[Problem]:
    for entry in rows:
        if isinstance(entry, ClubGame):
            names = {who.key: who.name for who in (entry.inviter, *entry.players.values())}
            for proof in entry.accusations:
                name, why = display_name(names.get(proof.key, "")), proof.sentence
                yield _problem("cheated", entry, name=name, number=proof.index, reason=why)
        elif isinstance(entry, ForkEvidence) and (member := standings.name_of(entry.key)):
            yield _problem("forked", None, name=display_name(member), file=entry.name)


def _keys(standings: Standings) -> Iterator[Problem]:
    """Yield the members in whose names somebody plays with a key that is not theirs."""
    members = {slugify(member.name): member.name for member in standings.club.member}
    for game, _ in standings.uncounted:
        for who in game.players.values():
            name = members.get(slugify(who.name))
            if name and not standings.name_of(who.key):
                yield _problem("keys", game, name=display_name(name), digits=who.key.hex())


def _delays(standings: Standings, now: str) -> Iterator[Problem]:
    """Yield the games that lack a file, or a move within the pace."""
    for pairing in standings.pairings:
        game, pair = pairing.game, pair_text(pairing.names)
        if pairing.winner:
            continue
        if game is None:
            yield _problem("absent", None, pair=pair, round=pairing.round)
        elif game.missing:
            yield _problem("missing", game, pair=pair, **vars(game.missing))
        elif game.owed and game.owed.side:
            since = game.owed.since
            days = (datetime.fromisoformat(now) - datetime.fromisoformat(since)).days
            if days >= standings.club.pace_days:
                name = display_name(pairing.names[game.owed.side])
                date = day_in_numbers(since)
                yield _problem("overdue", game, pair=pair, name=name, days=days, date=date)


def _adjudications(standings: Standings) -> Iterator[Problem]:
    used = [pairing.adjudication for pairing in standings.pairings]
    for number, line in enumerate(standings.club.adjudication, 1):
        if line not in used:
            yield _problem("adjudication", None, number=number)

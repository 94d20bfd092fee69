"""Standings as facts for `--json`, as text, and as the document that the organiser signs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine.message import Concat, Message, Phrase, semicolon_list
from engine.sides import Side
from pbem.club.club_file import LADDER, Club, Pair, Replacement, SignedLine, line_label
from pbem.club.ratings import Rating
from pbem.club.standings import Pairing, Place, Standings
from pbem.foreign import clean, display_name
from pbem.text.facts.json_data import Facts, to_json_data
from pbem.text.language import Line, Tone, item, row
from pbem.text.rules.editions import house_rule_names, rules_name


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
            for name, rating in sorted(ratings.players.items(), key=lambda item: -item[1].points)
        ],
        "sides": [
            {"edition": edition, "house_rules": rules, **worth._asdict()}
            for (edition, rules), worth in ratings.sides.items()
        ],
        "games": [_game_facts(row) for row in standings.pairings],
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
        "edition": game.edition if game else None,
        "house_rules": game.house_rules if game else None,
        "turns": game.turns if game else None,
        "points": result.points if result else None,
        "first": game.first if game else None,
        "last": game.last if game else None,
    }


def standings_document(standings: Standings) -> bytes:
    """Return the standings as the JSON text that the organiser signs."""
    return (json.dumps(to_json_data(standings_facts(standings)), indent=2) + "\n").encode()


# --- in words


def standings_text(standings: Standings) -> Iterator[Line]:
    """Yield the standings under headings; each figure stands with its number of games."""
    yield Line(display_name(standings.club.name), Tone.HEAD)
    for place in standings.places:
        yield row(Concat((str(place.rank), ". ", display_name(place.name))), place_text(place))
    if standings.club.pairing == LADDER:
        yield from _section(Message("The ladder"))
        for rung, name in enumerate(standings.ladder, 1):
            yield item(Concat((str(rung), ". ", display_name(name))))
    yield from _section(Message("Ratings"))
    rated = standings.ratings.players
    for name in sorted(rated, key=lambda name: -rated[name].points):
        yield row(display_name(name), estimate_text(rated[name]))
    yield from _section(Message("The British against equal opponents"))
    for rules, worth in standings.ratings.sides.items():
        yield row(rules_name(*rules), side_text(worth))
    if standings.uncounted:
        yield from _section(Message("What does not count"))
    for game, reason in standings.uncounted:
        yield row(game.unique_id[:8], reason)


def _section(heading: Message) -> Iterator[Line]:
    yield Line()
    yield Line(heading, Tone.HEAD)


def place_text(place: Place) -> Message:
    """Return the results of a member in words."""
    text = Message.counted(
        "{count} point; won: {won}, lost: {lost}, British: {british}",
        "{count} points; won: {won}, lost: {lost}, British: {british}",
        place.points,
        won=place.won,
        lost=place.lost,
        british=place.as_british,
    )
    if not place.provisional:
        return text
    return Message("{text}; provisional: {number}", text=text, number=place.provisional)


def estimate_text(rating: Rating) -> Message:
    """Return a rating with its uncertainty and its number of games."""
    return Message.counted(
        "{points} ± {deviation} from {count} game",
        "{points} ± {deviation} from {count} games",
        rating.games,
        points=rating.points,
        deviation=2 * rating.deviation,
    )


def side_text(worth: Rating) -> Message:
    """Return the share of games that the British win, with its uncertainty and number of games."""
    return Message.counted(
        "win {percent} % (between {low} and {high} %), from {count} game",
        "win {percent} % (between {low} and {high} %), from {count} games",
        worth.games,
        **{
            name: round(100 * worth.expected(by))
            for name, by in (("low", -2), ("percent", 0), ("high", 2))
        },
    )


def result_text(pairing: Pairing) -> Phrase:
    """Return the result of a game in words, with the reservations about it."""
    line, game = pairing.adjudication, pairing.game
    if pairing.winner is None:
        return Message("in progress") if game else Message("no file yet")
    name = display_name(pairing.names[pairing.winner])
    if line:
        return Message("{name} won by adjudication: {reason}", name=name, reason=clean(line.reason))
    assert game and game.result
    points = Message("{british} to {french}", **{side: game.result.points[side] for side in Side})
    text = Message(
        "{name} won: {reason} ({points})", name=name, reason=game.result.cause, points=points
    )
    remarks = [
        text,
        pairing.unrated and Message("not rated, because {reason}", reason=pairing.unrated),
    ]
    remarks += [Message("provisional, until both have closed it")] * pairing.is_provisional
    return semicolon_list(filter(None, remarks))


def line_text(line: SignedLine) -> Message:
    """Return a line that the organiser signs, in words."""
    if isinstance(line, Replacement):
        return Message("the key {old} is replaced by {new}", old=line.old, new=line.new)
    winner = {Side.BRITISH: line.british, Side.FRENCH: line.french}[Side(line.winner)]
    return Message(
        "{game}: decided for {name}, because {reason}",
        game=line_label(line),
        name=display_name(winner) if winner else Side(line.winner).label,
        reason=clean(line.reason),
    )


def invitation_text(club: Club, number: int, pair: Pair) -> Iterator[Line]:
    """Yield the text with which the organiser invites a pair to their game in a round."""
    british, french = map(display_name, pair)
    yield Line(
        Message(
            "{british} and {french}, you play in round {number} of {club}: {british} as the "
            "British, {french} as the French. {british} begins with:",
            british=british,
            french=french,
            number=number,
            club=display_name(club.name),
        )
    )
    yield Line(f"  acres new --side british --edition {club.editions[0]}", is_whole=True)
    if club.house_rules:
        rules = house_rule_names(club.house_rules)
        yield Line(Message("You may agree on house rules: {rules}.", rules=rules))
    yield Line(Message("{french} accepts the file with:", french=french))
    yield Line("  acres join FILE", is_whole=True)
    pace = Message.counted(
        "Please answer each file within {count} day, and send the organiser a copy.",
        "Please answer each file within {count} days, and send the organiser a copy.",
        club.pace_days,
    )
    yield Line(pace)
    yield Line()

"""The facts of a position in words: pieces, points, sieges, endings; used by all screens.

`pbem.text.board` describes the map itself: each location with its connections.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.choices import Choices, Parts
from engine.message import NOTHING, Concat, Message, Phrase, comma_list, mark, sentences
from engine.orders import Reinforce
from engine.position import card_strengths, score
from engine.ruleset import CAPTURE_GOAL
from engine.sides import Side
from engine.state import EndReason, State
from engine.turn import due_ending, endings, outcome
from pbem.play.game_file import game_result, next_purpose
from pbem.protocol.match import Match
from pbem.text.facts.position_facts import PositionFacts, SideFacts, SiegeFacts, siege_facts
from pbem.text.language import Line, Tone, item
from pbem.text.phrases import (
    Name,
    capitalize,
    money_amount,
    name_list,
    no_wrap,
    piece_key,
    piece_supply,
    point_count,
    row_text,
    with_sign,
)

# --- the board


def settlements_text(facts: PositionFacts, side: Side, name: Name) -> list[tuple[Phrase, ...]]:
    """Return a row for each place of a side: name, * if besieged or - if cut off, piece, points."""
    rows: list[tuple[Phrase, ...]] = []
    for place in facts.locations:
        if place.owner is side:
            mark = "*" if place.besieger else "" if place.supplied else "-"
            piece = row_text("pieces", piece_key(place.piece == "town", place.fortified))
            rows.append((name(place.location), mark, piece, str(place.points or "")))
    return rows


def free_places_text(facts: PositionFacts, name: Name) -> Message:
    """Return the neutral locations, with the points for a village there."""
    free = (place for place in facts.locations if place.owner is None)
    text = name_list(Concat((name(p.location), str(p.value or "")), " ") for p in free)
    return Message("neutral: {places}", places=text or Message.within("places", "none"))


# --- the score


def counts(side: SideFacts) -> dict[str, Phrase]:
    """Return the counts of a side by the key of their label."""
    captured = Message("{number} of {goal}", number=side.points.captures, goal=CAPTURE_GOAL)
    return {
        "points": str(side.points.total),
        "money": str(side.money),
        "hand": str(side.hand.size),
        "draw": str(side.draw_pile),
        "discard": str(len(side.discard_pile)),
        "villages": str(side.villages_left),
        "towns": str(side.towns_left),
        "captured": captured,
    }


def counts_text(side: SideFacts) -> Message:
    """Return the counts of a side as a phrase."""
    captured = Message(
        "{number} of {goal} points captured", number=side.points.captures, goal=CAPTURE_GOAL
    )
    return comma_list(
        (
            Message.counted("{count} victory point", "{count} victory points", side.points.total),
            money_amount(side.money),
            Message.counted("{count} card in hand", "{count} cards in hand", side.hand.size),
            Message("{number} in the draw pile", number=side.draw_pile),
            Message("{number} in the discard pile", number=len(side.discard_pile)),
            piece_supply(side.villages_left, side.towns_left),
            captured,
        )
    )


# --- sieges


def siege_text(siege: SiegeFacts, name: Name) -> Iterator[Line]:
    """Yield a siege: a heading, both sides' cards, the winner as it stands, and the cost."""
    yield Line(siege_heading(siege, name), Tone.HEAD)
    for side in (siege.besieger, siege.defender):
        yield item(sentences(capitalize(side.label), siege_side_text(siege, side, name)))
    yield item(siege_standing(siege))
    if cost := siege_cost(siege, name):
        yield item(cost)


def siege_heading(siege: SiegeFacts, name: Name) -> Message:
    """Return the location of a siege, the besieger, and the marker."""
    return Message(
        "Siege of {place} by the {side}: {strength}",
        place=name(siege.location),
        side=siege.besieger.label,
        strength=with_sign(siege.marker),
    )


def siege_cost(siege: SiegeFacts, name: Name) -> Message | None:
    """Return the card that a siege will cost its loser, as a sentence; None if none was chosen."""
    if siege.cost is None:
        return None
    return Message("Whoever loses it gives {card} back.", card=name(siege.cost))


def siege_standing(siege: SiegeFacts) -> Message:
    """Return the winner of a siege as it stands, as a sentence."""
    winner = siege.winner or siege.besieger
    key = "standing" if siege.winner else "undecided"
    return row_text(
        "siege",
        "won" if siege.won and siege.winner else key,
        besieger=siege.besieger.label,
        attack=siege.sides[siege.besieger].wins_with,
        defender=siege.defender.label,
        defence=siege.sides[siege.defender].wins_with,
        side=winner.label,
        winner=winner.label,
        loser=winner.opponent.label,
        holding=siege.sides[winner.opponent].holds_with,
        winning=siege.sides[winner.opponent].wins_with,
    )


def siege_side_text(siege: SiegeFacts, side: Side, name: Name) -> Message:
    """Return one side's strength and cards at a siege: `3: Regular Infantry 2, Boston 1`."""
    facts = siege.sides[side]
    parts = [no_wrap(sentences(name(c.card), str(c.strength))) for c in facts.cards]
    if siege.defender is side:
        parts.insert(0, no_wrap(Message("the place itself {strength}", strength=siege.place)))
    cards = comma_list(parts) or Message("no card")
    # Translators: the strength of a side at a siege, and the cards that make it up.
    message = mark("{strength}: {cards}")
    if not facts.supplied:
        message = mark("{strength}: {cards}; cut off, no card can be added")
    text = Message(message, strength=facts.strength, cards=cards)
    if siege.beyond and siege.besieger is side:
        # Translators: {told} is the strength of a side at a siege, and the cards that make it up.
        lost = mark("{told}; {beyond} of it lost beyond the end of the track")
        return Message(lost, told=text, beyond=siege.beyond)
    return text


def siege_advice(state: State, choices: Choices, name: Name) -> Iterator[Phrase]:
    """Yield the winner of each siege as it stands, and the cards that can be added to it now.

    The sentences are for the player whose turn it is.
    """
    side, other = state.active, state.active.opponent
    is_held_up = any(
        ending.is_delayed and ending.remaining == 0 for at in Side for ending in endings(state, at)
    )
    # Two sieges may hold up the end.
    end = [row_text("siege", "ends the game")] if is_held_up and len(state.sieges) == 1 else []
    for besieger, siege in state.sieges.items():
        standing = siege_facts(state, besieger, siege)
        strengths = card_strengths(state, side, siege.location)
        needs = {
            player: facts.holds_with if standing.winner else facts.wins_with
            for player, facts in standing.sides.items()
        }
        whose = {None: "undecided", side: "ours"}.get(standing.winner, "theirs")
        text = row_text(
            "siege",
            f"in turn: {whose}",
            place=name(siege.location),
            side=other.label,
            ours=needs[side],
            theirs=needs[other],
        )
        cards = choices.next_parts(Parts(Reinforce, siege.location)).cards
        added = [no_wrap(sentences(name(card), str(strengths[card]))) for card in cards]
        advice = row_text("siege", "to add" if cards else "nothing to add", cards=comma_list(added))
        yield sentences(text, *end, advice)


# --- endings


def endings_text(facts: PositionFacts, name: Name) -> list[Phrase]:
    """Return the leading side and the ways to end the game, without numbers."""
    if facts.outcome:
        return []
    conditions = Message(
        "The game ends when a side has no villages or no towns left, or has captured {points}.",
        points=point_count(CAPTURE_GOAL),
    )
    return [_lead_text(facts), conditions, *near_endings_text(facts, name)]


def near_endings_text(facts: PositionFacts, name: Name) -> list[Phrase]:
    """Return endings that are due, held up by a siege, or decided by one location.

    The list is empty if the game is over.
    """
    if facts.outcome:
        return []
    return [*_due_endings(facts), *_held_up_endings(facts, name), *_home_endings(facts, name)]


def _lead_text(facts: PositionFacts) -> Message:
    points = lead(facts)
    if not points:
        return Message("The points are equal, and the French win a tie.")
    side = facts.leads.label
    return Message.counted(
        "The {side} lead by {count} point.", "The {side} lead by {count} points.", points, side=side
    )


def lead(facts: PositionFacts) -> int:
    """Return the lead of the side that would win now, in points."""
    british, french = (facts.sides[side].points.total for side in Side)
    return abs(british - french)


def _due_endings(facts: PositionFacts) -> Iterator[Phrase]:
    for ending in facts.endings:
        if ending.due:
            winner = facts.leads if ending.by.is_on_points else ending.side
            yield _due_text(ending.by, ending.side, winner)


def _due_text(by: EndReason, side: Side, winner: Side) -> Message:
    points = point_count(CAPTURE_GOAL)
    return row_text("due", by, side=side.label, winner=winner.label, points=points)


def coming_end_text(state: State, finished: Side | None) -> Message:
    """Return how the game ends when one of the next two turns begins; empty if no end is due.

    `finished` is the side that has finished its turn, if any: the next turn begins at once.
    """
    side = state.active
    ending = due_ending(state, side.opponent) or due_ending(state, side)
    if ending is None or state.outcome:
        return NOTHING
    winner = outcome(state, ending).winner
    if ending.side is side or finished is not side:
        return _due_text(ending.by, ending.side, winner)
    points, fewer = (score(state, at).total for at in (winner, winner.opponent))
    template = mark("This ends the game: the {side} win, {points} to {fewer}.")
    if not ending.by.is_on_points:
        template = mark("This ends the game: the {side} win.")
    elif points == fewer:
        template = mark("This ends the game: the {side} win the tie, {points} to {fewer}.")
    return Message(template, side=winner.label, points=points, fewer=fewer)


def _held_up_endings(facts: PositionFacts, name: Name) -> Iterator[Phrase]:
    """Yield complete endings that a siege holds up."""
    besieged = [name(siege.location) for siege in facts.sieges]
    for ending in facts.endings:
        if ending.waits and ending.left == 0:
            yield row_text(
                "held-up",
                f"{ending.by} {len(besieged)}",
                side=ending.side.label,
                points=point_count(CAPTURE_GOAL),
                place=besieged[0],
                other=besieged[-1],
            )


def _home_endings(facts: PositionFacts, name: Name) -> Iterator[Phrase]:
    """Yield locations that would win the game at once, or by a siege under way."""
    for ending in facts.endings:
        if ending.location is None or ending.left is None or ending.due:
            continue
        label, place = ending.side.label, name(ending.location)
        if ending.by is EndReason.SETTLING:
            yield Message("A {side} village in {place} would win at once.", side=label, place=place)
        else:
            yield Message(
                "The siege of {place} would win the game for the {side}.", side=label, place=place
            )


def standing_text(match: Match) -> Message:
    """Return the side that writes next and its purpose, or the result of the game."""
    side = match.next_side
    if match.state.outcome is None:
        assert side is not None
        purpose = next_purpose(match)
        return Message("The {side} write next: {what}.", side=side.label, what=purpose)
    won = game_result(match.state)
    if side is None:
        return sentences(won, Message("Both sides have closed the game."))
    return sentences(won, Message("The {side} close the game.", side=side.label))

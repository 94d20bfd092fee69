"""The facts of a position in words, the same in every form of the screen."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from engine.endings import EndsBy
from engine.ruleset import CAPTURE_GOAL
from engine.sides import Side
from pbem.cli.position.layout import kept
from pbem.cli.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.cli.position.shape import (
        CardFacts,
        EndingFacts,
        HandFacts,
        PositionFacts,
        SideFacts,
        SiegeFacts,
        StockFacts,
    )
    from pbem.cli.words import Name

RAIDS = {
    "raid": "raid",
    "extend-raid": "longer raid",
    "ambush": "ambush",
    "block-raid": "block raid",
    "block-ambush": "block ambush",
}
"""The parts that a card can play in raids and ambushes."""


# --- cards


def card_told(card: CardFacts, name: Name) -> str:
    """What a card in hand is good for, in a few words."""
    facts = list(card["symbols"])
    if card["money"]:
        facts.append(f"{card['money']} money")
    if card["strength"]:
        facts.append(f"strength {card['strength']}")
    if card["strength_defending"]:
        facts.append(f"strength {card['strength_defending']} (defending)")
    if card["action"]:
        facts.append(card["action"].replace("-", " "))
    facts += [RAIDS[part] for part in card["raids"]]
    leads = "; ".join(_leads(card, name))
    told = "; ".join(filter(None, (", ".join(facts), leads)))
    if card["idle"] is None:
        return told
    return f"idle ({card['idle']}); {told}" if told else f"idle ({card['idle']})"


def _leads(card: CardFacts, name: Name) -> Iterator[str]:
    """Where a card leads as the board is now: `settle Canso, Kennebec (ship)`."""
    useful = [(reach["use"], reach["by"], reach["location"]) for reach in card["reaches"]]
    useful = sorted(reach for reach in useful if reach[0])
    for (use, by), reached in groupby(reversed(useful), key=lambda reach: reach[:2]):
        places = ", ".join(sorted(kept(name(location)) for _, _, location in reached))
        yield f"{use} {places} ({' or '.join(by)})"


def cards_told(cards: Mapping[str, int], name: Name) -> str:
    """Cards with their copies by printed names: `Boston, Militia x2`; `none` if none."""
    named = sorted((name(card), copies) for card, copies in cards.items())
    return ", ".join(kept(f"{card} x{n}" if n > 1 else card) for card, n in named) or "none"


def pile_told(cards: Iterable[str], name: Name) -> str:
    """Cards of a pile by printed names, as `cards_told`."""
    return cards_told(Counter(cards), name)


def stock_told(stock: Iterable[StockFacts], name: Name) -> str:
    """Cards to draft, each kind with its price and number: `Militia 2 (x3)`; `none` if none."""
    told = (
        f"{name(kind['card'])} {kind['price']}"
        + (f" (x{kind['copies']})" if kind["copies"] > 1 else "")
        for kind in stock
    )
    return ", ".join(map(kept, told)) or "none"


# --- what is hidden


def hidden_hand_told(side: SideFacts, name: Name) -> str:
    """What is known of a hand that is not open, with the chances of what may be in it."""
    hand, unseen = side["hand"], side["unseen"]
    shown = pile_told((card["card"] for card in hand["cards"]), name) if hand["cards"] else ""
    if not hand["face_down"]:
        return shown or "no card"
    parts = [shown] if shown else []
    parts.append(f"{counted(hand['face_down'], 'card')} face down")
    parts += _chances(side, name)
    if unseen["blocks_raid"] or unseen["blocks_ambush"]:
        parts.append(
            f"blocks any raid {percent(unseen['blocks_raid'])}, "
            f"an ambush {percent(unseen['blocks_ambush'])}"
        )
    return "; ".join(parts)


def _chances(side: SideFacts, name: Name) -> Iterator[str]:
    """The cards that may be face down, those of one chance together: `60%: Trader, Governor`."""
    unseen = side["unseen"]
    if unseen["surely_in_hand"]:
        yield f"surely {cards_told(unseen['surely_in_hand'], name)}"
    known = {card["card"] for card in side["hand"]["cards"]} | set(unseen["surely_in_hand"])
    open_ones = [(chance, card) for card, chance in unseen["chances"].items() if card not in known]
    for chance, cards in groupby(sorted(open_ones, reverse=True), key=lambda pair: pair[0]):
        told = sorted(kept(name(card)) for _, card in cards)
        yield f"{percent(chance)}{' each' if len(told) > 1 else ''}: {', '.join(told)}"


def percent(chance: float) -> str:
    """A chance as people say it; only what is sure is 0% or 100%."""
    if 0 < chance < 1:
        return f"{min(99, max(1, round(100 * chance)))}%"
    return f"{round(100 * chance)}%"


def draw_pile_told(side: SideFacts, name: Name) -> str:
    """What has to lie in a draw pile; empty where nothing does that may not as well be in hand."""
    surely = side["unseen"]["surely_in_draw_pile"]
    left = side["draw_pile"] - sum(surely.values())
    if surely and left:
        return f"{cards_told(surely, name)}, and {counted(left, 'card')} of those not in hand"
    return cards_told(surely, name) if surely and not left else ""


def coming_told(hand: HandFacts) -> str:
    """That cards come to a hand; empty where none do."""
    coming = hand["coming"]
    if not coming:
        return ""
    come = f"{counted(coming, 'card')} {'comes' if coming == 1 else 'come'}"
    return f"{'and ' if hand['cards'] else ''}{come} with the opponent's answer"


# --- the score


def counts_told(side: SideFacts) -> str:
    """What is counted of a side, in a phrase."""
    return (
        f"{counted(side['points']['total'], 'victory point')}, {side['money']} money, "
        f"{counted(side['hand']['size'], 'card')} in hand, {side['draw_pile']} in the draw pile, "
        f"{len(side['discard_pile'])} in the discard pile, "
        f"{counted(side['villages_left'], 'village')} and {counted(side['towns_left'], 'town')} "
        f"left, {side['points']['captures']} of {CAPTURE_GOAL} points captured"
    )


# --- sieges


def siege_standing(siege: SiegeFacts) -> str:
    """Who wins a siege as it stands, as a sentence."""
    besieger, defender = Side(siege["besieger"]), Side(siege["defender"])
    sides = siege["sides"]
    if siege["won"] and siege["winner"]:
        return f"The {Side(siege['winner']).label} have won it: it is resolved now."
    if siege["winner"] is None:
        return (
            f"Undecided: the {besieger.label} win with {sides[besieger.value]['wins_with']} more, "
            f"the {defender.label} with {sides[defender.value]['wins_with']} more."
        )
    loser = Side(siege["winner"]).opponent
    needs = sides[loser.value]
    return (
        f"As it stands the {loser.opponent.label} win at the start of their turn; the "
        f"{loser.label} hold out with {needs['holds_with']} more and win with "
        f"{needs['wins_with']} more."
    )


def siege_side_told(siege: SiegeFacts, side: Side, name: Name) -> str:
    """What one side has at a siege: `3: Regular Infantry 2, Boston 1`."""
    facts = siege["sides"][side.value]
    parts = [kept(f"{name(card['card'])} {card['strength']}") for card in facts["cards"]]
    if siege["defender"] == side.value:
        parts.insert(0, kept(f"the place itself {siege['place']}"))
    told = f"{facts['strength']}: {', '.join(parts) or 'no card'}"
    return told if facts["supplied"] else f"{told}; cut off, no card can be added"


# --- how it ends


def endings_told(facts: PositionFacts, name: Name) -> list[str]:
    """Who is ahead, and what ends the game, in sentences; how much is left, the score counts."""
    if facts["outcome"]:
        return []
    always = f"No village or town left, or {CAPTURE_GOAL} points captured, ends the game."
    return [_lead(facts), always, *near_endings_told(facts, name)]


def near_endings_told(facts: PositionFacts, name: Name) -> list[str]:
    """What ends the game soon, in sentences: an end that is due or held up, or decided by a place.

    Empty where nothing does, or where it is over.
    """
    if facts["outcome"]:
        return []
    return [*_due(facts), *_waiting(facts, name), *_homes(facts, name)]


def _lead(facts: PositionFacts) -> str:
    ahead = lead(facts)
    if not ahead:
        return "The points are equal, and the French win a tie."
    return f"The {Side(facts['leads']).label} lead by {counted(ahead, 'point')}."


def lead(facts: PositionFacts) -> int:
    """By how many points the side is ahead that would win now."""
    british, french = (facts["sides"][side.value]["points"]["total"] for side in Side)
    return abs(british - french)


def _why(ending: EndingFacts) -> str:
    """What a side has that ends the game."""
    return {
        EndsBy.TOWNS: "have no town left to place",
        EndsBy.VILLAGES: "have no village left to place",
        EndsBy.CAPTURES: f"have captured {CAPTURE_GOAL} points",
        EndsBy.HOME_SIEGE: "have won the siege of a home",
        EndsBy.SETTLING: "have settled",
    }[EndsBy(ending["by"])]


def _due(facts: PositionFacts) -> Iterator[str]:
    for ending in facts["endings"]:
        if ending["due"]:
            side = Side(ending["side"])
            winner = Side(facts["leads"]) if EndsBy(ending["by"]).is_on_points else side
            yield (
                f"If nothing changes it ends when the next {side.label} turn begins, because the "
                f"{side.label} {_why(ending)}; the {winner.label} would win."
            )


def _waiting(facts: PositionFacts, name: Name) -> Iterator[str]:
    """What a siege holds up of that for which nothing is missing any more."""
    besieged = " and ".join(name(siege["location"]) for siege in facts["sieges"])
    for ending in facts["endings"]:
        if ending["waits"] and ending["left"] == 0:
            label = Side(ending["side"]).label
            verb = "holds" if len(facts["sieges"]) == 1 else "hold"
            what = "siege" if len(facts["sieges"]) == 1 else "sieges"
            yield f"The {label} {_why(ending)}, but the {what} of {besieged} {verb} the end up."


def _homes(facts: PositionFacts, name: Name) -> Iterator[str]:
    """What would win the game at once, or with a siege that is under way."""
    for ending in facts["endings"]:
        if ending["location"] is None or ending["left"] is None or ending["due"]:
            continue
        label, place = Side(ending["side"]).label, name(ending["location"])
        if ending["by"] == EndsBy.SETTLING:
            yield f"A {label} village in {place} would win at once."
        else:
            yield f"The siege of {place} would win the game for the {label}."

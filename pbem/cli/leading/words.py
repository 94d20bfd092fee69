"""The led turn in words: what can be chosen, and what an order costs and does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.orders import End, Order
from engine.ruleset import TOWN_CAPTURED
from engine.sides import Side
from engine.sieges import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from engine.state import Decision, Event
from engine.ways import Ways
from pbem.answer import DRAWING, Answer
from pbem.cli import console
from pbem.cli.leading.menu import Line, Offer, offer
from pbem.cli.leading.preview import Preview, SiegeChange, glance
from pbem.cli.prospect import cards_of, risk_told
from pbem.cli.words import Name, counted, listed, signed

INTRODUCTION = "Type a number, or an order such as: take Boston. The word help lists what else."
HELP_BEGINS = "Type the number of a choice, or an order, such as: take Boston. There is also:"
HELP = (
    ("?", "what can be chosen; with words, such as ? settle or ? boston, only that"),
    ("show", "the position"),
    ("map", "the map"),
    ("hand", "your cards"),
    ("last", "what happened last"),
    ("undo", "takes the last order back; undo all takes back every order"),
    ("notes", "your private notes, in your editor"),
    ("wait", "leaves the rest of the turn for after the answer, where one comes first"),
    ("help", "these words again"),
    ("quit", "leaves, and nothing is written"),
    ("back", "the list before; so does Enter alone, or it ends a turn that is used up"),
)
CONFIRM = "Enter does it, n goes back: "
CONFIRM_HINT = "Enter does it, n leaves it undone; or type another order."
ENTER_ENDS = "Enter ends it."
NO_ANSWER = "There is no answer to wait for: the rest of the turn is yours to say now."


# --- what can be chosen


def line_told(ways: Ways, line: Line, name: Name) -> str:
    """What stands under a number: an order with what it costs and brings, or how many begin so."""
    if line.order is not None:
        remark = remark_on(glance(ways, line.order))
        text = line.order.text(name)
    else:
        remark, text = offer_told(offer(ways, line.begun)), line.begun.text(name)
    return f"{text} ({remark})" if remark else text


def offer_told(offered: Offer) -> str:
    """How many orders there are to choose from, and what they cost."""
    count = "many orders" if offered.number is None else counted(offered.number, "order")
    if offered.number is None and offered.most:
        return f"{count}, {offered.least} money or more"
    if offered.least < offered.most:
        return f"{count}, {offered.least} to {offered.most} money"
    return f"{count}, {offered.most} money" if offered.most else count


def remark_on(seen: Preview) -> str:
    """What an order costs and brings, in short."""
    earned = seen.money(seen.side).after - seen.money(seen.side).before + seen.cost
    points, at_best = seen.points(seen.side), seen.points_at_best
    gained = points.after - points.before
    remarks = [
        f"{seen.cost} money" if seen.cost else "",
        "free action" if seen.is_free and not isinstance(seen.order, End) else "",
        f"brings {earned} money" if earned > 0 else "",
        f"{gained:+} {_points(gained)}" if gained else "",
        f"up to {at_best:+} {_points(at_best)}" if at_best > max(gained, 0) else "",
        *(_siege_remark(change) for change in seen.sieges),
        "" if seen.is_certain else "depends on the answer",
    ]
    return ", ".join(filter(None, remarks))


def _points(number: int) -> str:
    return "point" if abs(number) == 1 else "points"


def _siege_remark(change: SiegeChange) -> str:
    if change.after is None:
        return "ends the siege"
    if change.before is None:
        return f"the siege begins at {signed(change.after)}"
    return f"the siege goes from {signed(change.before)} to {signed(change.after)}"


# --- what an order costs and does


def told(answer: Answer, seen: Preview, name: Name) -> list[str]:
    """What an order does, in sentences: cost, effects, points, sieges, and what is shown."""
    other = console.named(answer.match.entrants[seen.side.opponent].name)
    sentences = [_cost(seen), *_effects(seen, name), *_scores(seen)]
    sentences += [_siege(change, seen.side, name) for change in seen.sieges]
    if seen.cards_to_come:
        sentences.append(f"You draw {counted(seen.cards_to_come, 'card')}.")
    if seen.interruption and isinstance(seen.order, DRAWING):
        sentences.append(f"{cards_of(seen.order)} come with the answer of {other}.")
    elif seen.interruption:
        sentences.append(f"{other} has to answer first.")
    if seen.shown:
        sentences.append(f"{other} sees from your hand: {listed(seen.shown, name)}.")
    sentences += [risk_told(answer, risk) for risk in seen.risks]
    return [sentence for sentence in sentences if sentence]


def _cost(seen: Preview) -> str:
    price = f"{seen.cost} money"
    if not seen.in_turn:
        return f"It costs {price}." if seen.cost else ""
    if isinstance(seen.order, End):
        return ""
    if seen.is_free:
        return f"It is a free action and costs {price}." if seen.cost else "It is a free action."
    return f"It takes an action and {price}." if seen.cost else "It takes an action."


def _scores(seen: Preview) -> Iterator[str]:
    """How the money and the victory points of both sides change."""
    for side in (seen.side, seen.side.opponent):
        whose = _whose(side, seen.side)
        money, points = seen.money(side), seen.points(side)
        if money.before != money.after:
            yield f"{whose} money: {money.before}, then {money.after}."
        if points.before != points.after:
            yield f"{whose} victory points: {points.before}, then {points.after}."
    hoped = seen.points_at_best
    if hoped > max(0, seen.points(seen.side).after - seen.points(seen.side).before):
        yield f"If it succeeds, it brings {hoped} victory {_points(hoped)}."


def _whose(side: Side, viewer: Side) -> str:
    return "Your" if side is viewer else f"{side.label}"


def _siege(change: SiegeChange, viewer: Side, name: Name) -> str:
    """What becomes of a siege, and what that means, as a sentence; that it ends, its event says."""
    if change.after is None:
        return ""
    place = name(change.location)
    if change.before is None:
        moved = f"The siege of {place} begins at {signed(change.after)}"
    else:
        before, after = signed(change.before), signed(change.after)
        moved = f"The siege of {place}: {before}, then {after}"
    if change.winner is None:
        attacks = change.besieger is viewer
        ours, theirs = (BESIEGER_WINS_AT, DEFENDER_WINS_AT)[:: 1 if attacks else -1]
        foe = viewer.opponent.label
        return f"{moved}; you win it at {ours:+}, the {foe} at {theirs:+}."
    if change.winner is viewer:
        return f"{moved}; you win it if that stands when your next turn begins."
    return f"{moved}; the {change.winner.label} win it if that stands when their turn begins."


EFFECTS: dict[str, Callable[[Event, str, Name], str]] = {
    "settled": lambda e, who, n: f"{who} place a village in {_place(e, n)}.",
    "developed": lambda e, who, n: f"The village in {_place(e, n)} becomes a town.",
    "fortified": lambda e, who, n: f"{_place(e, n)} gets a fortification.",
    "card gained": lambda e, who, n: f"{who} gain the card {listed(e.cards, n)}.",
    "card lost": lambda e, who, n: f"{who} give {listed(e.cards, n)} back.",
    "captured": lambda e, who, n: _captured(e, who, n),
    "raid succeeded": lambda e, who, n: _captured(e, who, n),
    "siege won": lambda e, who, n: f"{who} win the siege of {_place(e, n)}.",
    "left neutral": lambda e, who, n: f"{_place(e, n)} becomes nobody's.",
    "siege relieved": lambda e, who, n: f"{who} hold {_place(e, n)}, and its siege is over.",
    "siege lifted": lambda e, who, n: f"The siege of {_place(e, n)} is lifted.",
    "withdrew": lambda e, who, n: f"{who} give up the siege of {_place(e, n)}.",
    "location given up": lambda e, who, n: f"{who} give {_place(e, n)} up.",
    "town reduced": lambda e, who, n: f"A village is left in {_place(e, n)}.",
    "card converted": lambda e, who, n: f"{who} lose the card {listed(e.cards, n)}.",
    "card given up": lambda e, who, n: f"{who} lose the card {listed(e.cards, n)}.",
    "cards returned": lambda e, who, n: (
        f"{listed(e.cards, n)} goes back to where it can be taken again."
        if len(e.cards) == 1
        else f"{listed(e.cards, n)} go back to where they can be taken again."
    ),
    "card fetched": lambda e, who, n: f"{who} take {listed(e.cards, n)} to hand.",
    "reserve retrieved": lambda e, who, n: f"{who} take {listed(e.cards, n)} to hand.",
    "blocked": lambda e, who, n: "The attack comes to nothing.",
    "action returned": lambda e, who, n: f"{who} get the action back.",
    "game over": lambda e, who, n: f"With this {who[0].lower()}{who[1:]} win the game.",
}
"""What to say of an event that an order will cause; `who` is the subject of the sentence."""
UNSAID = frozenset(
    {
        "ambushed",
        "besieged",
        "conversion tried",
        "drew",
        "hand shown",
        "paid",
        "raided",
        "received",
        "refilled",
        "reinforced",
        "shuffled",
        "siege stands",
        "turn ended",
    }
)
"""Events that are plain from the order, or told by the numbers."""


def _effects(seen: Preview, name: Name) -> Iterator[str]:
    for event in seen.events:
        if event.what in EFFECTS:
            who = "You" if event.side is seen.side else f"The {event.side.label}"
            yield EFFECTS[event.what](event, who, name)


def _place(event: Event, name: Name) -> str:
    assert event.location is not None
    return name(event.location)


def _captured(event: Event, who: str, name: Name) -> str:
    piece = "town" if event.amount == TOWN_CAPTURED else "village"
    points = counted(event.amount, "point")
    return f"{who} capture a {piece} at {_place(event, name)}, for {points}."


# --- the course of the turn


def interruption_told(answer: Answer, order: Order) -> str:
    """That an order has to be answered first, or that its cards come with the answer."""
    other = console.named(answer.match.entrants[answer.seat.side.opponent].name)
    if isinstance(order, DRAWING):
        return f"{cards_of(order)} come with the answer of {other}."
    return f"{other} has to answer first."


def nothing_given(answer: Answer) -> str:
    """What Enter alone cannot do at the beginning of the list, and what can be done."""
    if answer.view().awaiting.decision is Decision.TURN and answer.may_follow_up:
        return "Something is left to decide; ? lists it, and wait leaves it for after the answer."
    return "Something is left to decide; ? lists what you can do."

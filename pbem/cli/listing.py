"""The legal orders as a list, for people and as data for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import game
from engine.naming import nearest, normal
from engine.orders import ORDERS
from engine.state import Decision
from engine.ways import Begun, all_of
from pbem.cli import console
from pbem.cli.leading.menu import MOST_LISTED, Line, menu_of, offer
from pbem.cli.leading.words import line_told, offer_told
from pbem.cli.words import names
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.state import State
    from engine.ways import Ways
    from pbem.answer import Answer
    from pbem.cli.words import Name
    from pbem.match import Match


class Choice(NamedTuple):
    """A legal order with its price; `is_certain` unless it depends on an answer to come."""

    order: Order
    cost: int
    is_free: bool
    is_certain: bool


def legal_in(worlds: Sequence[State]) -> list[Choice]:
    """Every order that is legal in one of the worlds; those of the first come first."""
    found: dict[Order, Choice] = {}
    for world in worlds:
        in_turn = world.awaiting.decision is Decision.TURN
        for order in game.legal_orders(world):
            if order not in found:
                is_free = in_turn and game.is_free(world, order)
                is_certain = not any(game.objections(other, order) for other in worlds)
                found[order] = Choice(order, game.cost(world, order), is_free, is_certain)
    return list(found.values())


def choices(worlds: Sequence[State], wanted: str = "") -> dict[str, list[Choice]]:
    """The orders that are legal in one of the worlds, by verb.

    `wanted` keeps those in which each of its words begins one.
    """
    name = names(worlds[0])
    found: dict[str, list[Choice]] = {}
    for choice in legal_in(worlds):
        words = normal(choice.order.text(name)).split()
        if all(any(w.startswith(part) for w in words) for part in normal(wanted).split()):
            found.setdefault(choice.order.words(), []).append(choice)
    for orders in found.values():
        orders.sort(key=lambda choice: (len(choice.order.cards), choice.order.text(name)))
    return found


def listed_choices(worlds: Sequence[State], words: Sequence[str]) -> dict[str, list[Choice]]:
    """The legal orders by verb in which each of the words begins one.

    Raises WrongUse, with the nearest words, for a word that no order of this game has.
    """
    known = _vocabulary(worlds[0])
    for word in normal(" ".join(words)).split():
        if not any(other.startswith(word) for other in known):
            near = " or ".join(nearest(word, known))
            meant = f" Do you mean {near}?" if near else ""
            raise WrongUse(f"No order has the word “{word}”.{meant}")
    return choices(worlds, " ".join(words))


def _vocabulary(state: State) -> list[str]:
    """All words of verbs, locations and cards of the side that decides, as they are compared."""
    catalogue = state.ruleset.catalogue
    texts = [kind.words() for kind in ORDERS.values()]
    texts += [place.name for place in catalogue.locations.values()]
    texts += [card.name for card in catalogue.cards[state.awaiting.side].values()]
    return sorted({word for text in texts for word in normal(text).split()})


def none_with(words: Sequence[str]) -> str:
    """That no legal order has these words, as a sentence."""
    if len(words) == 1:
        return f"No order that is legal now has the word “{words[0]}”."
    quoted = " and ".join(f"“{word}”" for word in words)
    return f"No order that is legal now has the words {quoted}."


def say_orders(ways: Ways, orders: Mapping[str, Sequence[Choice]], name: Name) -> None:
    """Print orders by verb, each with what it costs and brings."""
    for verb, listed in orders.items():
        console.say(verb, style="bold")
        for choice in listed:
            console.item(line_told(ways, Line(all_of(choice.order), choice.order), name))


def say_in_short(ways: Ways, name: Name, command: str) -> None:
    """Print what can be ordered: each order, or where they are many, how they begin.

    `command` is the one that lists them. Nothing is listed only to be counted.
    """
    many = []
    for kind in ways.kinds():
        begun, verb = Begun(kind), kind.words()
        listed = ways.orders(begun, MOST_LISTED)
        if listed is None:
            many.append(verb)
            console.say(f"{verb} ({offer_told(offer(ways, begun))})", style="bold")
        else:
            console.say(verb, style="bold")
        for line in menu_of(ways, begun).lines:
            console.item(line_told(ways, line, name))
    if many:
        console.say("To see each order, add --all, or words such as:")
        console.say_whole(f"  {command} {many[0]}")


def legal_facts(answer: Answer, words: Sequence[str]) -> dict[str, Any]:
    """What `answer` can order now, with the facts of its game, as plain data."""
    facts = game_facts(answer.match) | {"side": answer.seat.side.value}
    facts["money"] = answer.view().players[answer.seat.side].money
    if answer.is_complete and not answer.may_follow_up:
        view = answer.view()
        facts |= {"decision": "nothing", "location": view.awaiting.location}
        return facts | {"actions_left": view.actions_left, "orders": []}
    worlds = answer.worlds
    state, name = worlds[0], names(worlds[0])
    found = listed_choices(worlds, words) if words else {"": legal_in(worlds)}
    return facts | {
        "decision": state.awaiting.decision.value,
        "location": state.awaiting.location,
        "actions_left": state.actions_left,
        "orders": [
            {
                "order": choice.order.notation(),
                "text": choice.order.text(name),
                "cost": choice.cost,
                "free": choice.is_free,
                "certain": choice.is_certain,
            }
            for of_verb in found.values()
            for choice in of_verb
        ],
    }


def closed_facts(match: Match) -> dict[str, Any]:
    """The same of a game in which nothing can be ordered by anybody any more."""
    nobody: dict[str, Any] = {"side": None, "money": None, "decision": "over", "location": None}
    return game_facts(match) | nobody | {"actions_left": 0, "orders": []}


def game_facts(match: Match) -> dict[str, Any]:
    """Which game it is, by which rules, and its turn, as plain data."""
    invitation = match.invite
    return {
        "game": match.id.hex(),
        "edition": invitation.edition,
        "house_rules": sorted(invitation.house_rules),
        "turn": match.state.turn + 1,
    }

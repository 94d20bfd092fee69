"""The legal orders as a list, for people and as data for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.naming import nearest, normal
from engine.orders import ORDERS
from pbem.cli import console
from pbem.cli.choices import Choice, choices, legal_in
from pbem.cli.report import counted, names
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from engine.state import State
    from pbem.answer import Answer
    from pbem.cli.report import Name
    from pbem.match import Match

MOST_IN_FULL = 12
"""Of one kind of order so many are listed one by one; more are counted in groups."""


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


def say_listing(
    found: Mapping[str, Sequence[Choice]], name: Name, in_short: str | None = None
) -> None:
    """Print orders by verb.

    `in_short` is the command that lists them, where long groups are to be told by their parts.
    """
    shortened = []
    for verb, orders in found.items():
        if in_short is None or len(orders) <= MOST_IN_FULL:
            console.say(verb, style="bold")
            lines = [_told(choice, name) for choice in orders]
        else:
            shortened.append(verb)
            console.say(f"{verb} ({len(orders)})", style="bold")
            lines = _groups(orders, name)
        for line in lines:
            console.item(line)
    if shortened:
        console.say("To see each order, add --all, or words such as:")
        console.say_whole(f"  {in_short} {shortened[0]}")


def _told(choice: Choice, name: Name) -> str:
    text = choice.order.text(name)
    return f"{text} ({choice.remark})" if choice.remark else text


def _groups(orders: Sequence[Choice], name: Name) -> list[str]:
    """A line for the orders of each location, of each first card, or else with each card.

    Each part is what the name of it would choose as a word.
    """
    groups: dict[str, list[Choice]] = {}
    for choice in orders:
        order = choice.order
        if order.location is not None:
            heads = {order.location}
        else:
            heads = set(order.cards[: order.ordered] or order.cards)
        for head in heads:
            groups.setdefault(name(head), []).append(choice)
    return [_group(head, groups[head], name) for head in sorted(groups)]


def _group(head: str, orders: Sequence[Choice], name: Name) -> str:
    if len(orders) == 1:
        return _told(orders[0], name)
    least, most = (pick(choice.cost for choice in orders) for pick in (min, max))
    price = f" for {least} to {most} money" if most > least else f" for {most} money"
    such = f"such as {_told(orders[0], name)}"
    return f"{head}: {counted(len(orders), 'way')}{price if most else ''}, {such}"


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

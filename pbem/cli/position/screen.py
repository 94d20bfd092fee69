"""The position, printed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from engine.geography import supplied, usable
from engine.scoring import score
from engine.sides import Side
from engine.sieges import (
    BESIEGER_WINS_AT,
    DEFENDER_WINS_AT,
    card_strength,
    siege_strength,
)
from engine.state import Decision
from pbem.cli import console
from pbem.cli.position.colours import STYLES
from pbem.cli.report import counted, listed, names

if TYPE_CHECKING:
    from engine.catalogue import Card
    from engine.state import Siege, State

WIDE = 64
"""So many columns it takes to show both sides of the board beside each other."""


def say_position(
    state: State,
    viewer: Side | None,
    ahead: Sequence[str] = (),
    also: Collection[Side] = (),
) -> None:
    """Print everything on the table, and the hand of `viewer`.

    `ahead` are the next cards of the viewer's draw pile that can be seen; the hands of `also` are
    open too.
    """
    _say_facts(state)
    for besieger, siege in state.sieges.items():
        _say_siege(state, besieger, siege)
    if viewer is not None:
        say_hand(state, viewer, ahead)
    others = [side for side in Side if side in also and side is not viewer]
    for side in others:
        _say_hand(state, side, f"{side.label} hand")
    _say_cards(state, {viewer, *others})
    _say_board(state)


def say_hand(state: State, side: Side, ahead: Sequence[str] = ()) -> None:
    """Print the cards in the hand of `side`, whose own it is; `ahead` are the next to be drawn."""
    _say_hand(state, side, "Your hand")
    coming = _cards_coming(state, side)
    if coming:
        come = f"{counted(coming, 'card')} {'comes' if coming == 1 else 'come'}"
        has_cards = bool(state.players[side].hand)
        console.item(f"{'and ' if has_cards else ''}{come} with your opponent's answer")
    if ahead:
        name = names(state)
        console.item(f"you can see ahead: {', '.join(name(card) for card in ahead)}")


def _say_hand(state: State, side: Side, title: str) -> None:
    """Print the known cards in a hand, with what each is good for."""
    console.heading(f"{title} ({state.players[side].money} money)")
    hand = sorted(state.players[side].hand)
    if not hand and not _cards_coming(state, side):
        console.item("no card")
    width = max((len(state.ruleset.card(side, card).name) for card in hand), default=0)
    name = names(state)
    for card in hand:
        facts = _facts(state, side, state.ruleset.card(side, card))
        console.say_hanging(f"  {name(card).ljust(width)}  ", facts)


def _cards_coming(state: State, side: Side) -> int:
    """How many cards come to `side`, whose own view this is, with the other player's answer."""
    decision, awaited_side, *_ = state.awaiting
    asked = decision is Decision.DRAW and awaited_side is side
    # Foreseen are those that lie face down before their own player.
    return len(state.players[side].hidden) + (state.awaiting.amount if asked else 0)


def _facts(state: State, side: Side, card: Card) -> str:
    """What a card is good for, in a few words."""
    name = names(state)
    facts = sorted(card.symbols)
    if card.money:
        facts.append(f"{card.money} money")
    if card.military or card.military_defending:
        where = " (defending)" if card.military_defending else ""
        facts.append(f"strength {card.military or card.military_defending}{where}")
    if card.action:
        facts.append(card.action.replace("-", " "))
    for deed, can in (
        ("raid", card.raid),
        ("longer raid", card.extends_raid),
        ("ambush", card.ambush),
        ("block raid", card.blocks_raid),
        ("block ambush", card.blocks_ambush),
    ):
        if can:
            facts.append(deed)
    text = ", ".join(facts)
    for transport, places in card.reaches.items():
        text += f"{'; ' if text else ''}{transport} to {listed(places, name)}"
    if not usable(state, side, card.id):
        text = f"idle: lost, besieged or without supply; {text}"
    return text


def _say_facts(state: State) -> None:
    table = Table.grid(padding=(0, 3 if console.width() >= WIDE else 1))
    # Only the words may be broken into lines, never the numbers.
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_row("", *(Text(side.label, style=f"bold {STYLES[side]}") for side in Side))
    players = [state.players[side] for side in Side]
    rows: list[tuple[str, list[object]]] = [
        ("Victory points", [score(state, side).total for side in Side]),
        ("Money", [p.money for p in players]),
        ("Cards in hand", [p.hand_size for p in players]),
        ("Draw pile", [len(p.draw_pile) for p in players]),
        ("Discard pile", [len(p.discard) for p in players]),
        ("Villages left", [state.villages_left(side) for side in Side]),
        ("Towns left", [state.towns_left(side) for side in Side]),
        ("Villages captured", [p.captured_villages for p in players]),
        ("Towns captured", [p.captured_towns for p in players]),
        ("Points of captures", [state.captured_points(side) for side in Side]),
    ]
    for label, values in rows:
        table.add_row(label, *map(str, values))
    console.say()
    console.show(table)
    console.say(f"Fortifications left: {state.fortifications_left()}")


def _say_siege(state: State, besieger: Side, siege: Siege) -> None:
    name = names(state)
    defender = besieger.opponent
    strength = siege_strength(state, besieger)
    console.heading(f"Siege of {name(siege.location)} by the {besieger.label}: {strength:+}")
    for side in (besieger, defender):
        cards = ", ".join(
            f"{name(card)} {card_strength(state, side, card, siege.location)}"
            for card in siege.cards[side]
        )
        console.item(f"{side.label}: {cards or 'no card'}")
    console.item(
        f"{besieger.label} win at {BESIEGER_WINS_AT:+}: {_need(BESIEGER_WINS_AT - strength)}"
    )
    console.item(
        f"{defender.label} win at {DEFENDER_WINS_AT:+}: {_need(strength - DEFENDER_WINS_AT)}"
    )


def _need(missing: int) -> str:
    return f"{missing} more needed" if missing > 0 else "so it stands"


def _say_cards(state: State, told: Collection[Side | None]) -> None:
    """Print the cards that lie open, and what must be in the piles that do not.

    The hands of the sides in `told` were printed already.
    """
    name = names(state)
    for side in Side:
        player = state.players[side]
        console.heading(f"{side.label} cards")
        if side not in told:
            shown = f"{listed(player.hand, name)}; " if player.hand else ""
            console.item(f"hand: {shown}{counted(len(player.hidden), 'card')} face down")
        if player.reserve:
            console.item(f"reserve: {listed(player.reserve, name)}")
        unseen = [card for epoch in player.unseen for card in epoch]
        hidden = "draw pile" if not player.hidden else "draw pile or face down in hand"
        console.item(f"{hidden}: {listed(unseen, name)}")
        console.item(f"discard pile: {listed(player.discard, name)}")
        stock = [card for card, left in player.empire.items() for _ in range(left)]
        console.item(f"to draft: {_priced(state, side, stock)}")
    console.heading("Neutral cards to draft")
    stock = [card for card, left in state.neutral.items() for _ in range(left)]
    console.item(_priced(state, Side.BRITISH, stock))


def _priced(state: State, side: Side, stock: list[str]) -> str:
    """Cards to draft, each kind with its price and number."""
    name = names(state)
    kinds = sorted(set(stock), key=lambda card: (state.ruleset.card(side, card).cost, name(card)))
    return (
        ", ".join(
            f"{name(card)} {state.ruleset.card(side, card).cost}"
            + (f" (x{stock.count(card)})" if stock.count(card) > 1 else "")
            for card in kinds
        )
        or "none"
    )


def _say_board(state: State) -> None:
    places = state.ruleset.catalogue.locations
    console.heading("The board, with victory points (* under siege, - without supply)")
    if console.width() >= WIDE:
        _show_settlements(state, *Side)
    else:
        for side in Side:
            _show_settlements(state, side)
            console.say()
    free = sorted(
        f"{place.name} {place.victory_points}" if place.victory_points else place.name
        for place in places.values()
        if place.id not in state.board
    )
    console.item(f"nobody's: {', '.join(free) or 'none'}")


def _show_settlements(state: State, *sides: Side) -> None:
    """Print what these sides control, beside each other."""
    table = Table.grid(padding=(0, 1))
    for _ in sides:
        table.add_column(no_wrap=console.width() >= WIDE)
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        # A gap between the two sides.
        table.add_column(width=2)
    table.columns.pop()
    columns = [_settlements(state, side) for side in sides]
    for rows in zip_longest(*columns, fillvalue=("", "", "")):
        cells: list[Text] = []
        for side, row in zip(sides, rows, strict=True):
            cells += [Text(cell, style=STYLES[side]) for cell in row] + [Text("")]
        table.add_row(*cells[:-1])
    console.show(table)


def _settlements(state: State, side: Side) -> list[tuple[str, str, str]]:
    """Name, kind and points of what a side controls, by name."""
    places = state.ruleset.catalogue.locations
    points = score(state, side).locations
    in_supply = supplied(state, side)
    rows = [(side.label, "", str(sum(points.values())))]
    for place in sorted(points, key=lambda place: places[place].name):
        settlement = state.board[place]
        mark = "*" if state.besieger(place) else "" if place in in_supply else "-"
        kind = ("town" if settlement.town else "village") + " fort" * settlement.fortified
        rows.append((f"{places[place].name}{mark}", kind, str(points[place] or "")))
    return rows

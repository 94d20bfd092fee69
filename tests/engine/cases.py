"""Cases of the rules: positions, the orders played in them, and the facts that must follow.

A file of `rules/` is a table of cases by title:

    ["a raided town becomes a village"]
    active = "french"
    british = { hand = "boston", towns = "deerfield" }
    french = { hand = "coureurs-de-bois", villages = "kennebec" }
    play = [
        ["raid Halifax: Coureurs de Bois", "does not belong to the enemy"],
        "raid Deerfield: Coureurs de Bois",
        "allow",
        { board = { deerfield = "british village" }, french = { captured = [0, 1] } },
    ]

The position: `british` and `french` have the fields of `Seat`, with ids separated by spaces. Other
keys are optional: `new_game` instead of the seats, `active` ("british"), `actions` (2), `turn`,
`house_rules`, `flags` of a ruleset, and `editions`: if a rule of `rules.toml` names the case, those
of the rulebooks that say the rule, else the second.

The steps of `play`:

- A text is an order, which must be legal and is given. Chance is answered after it: the first slots
  are drawn, and turn out to be the first unseen cards by the alphabet. `end turn` is a `pass` for
  each action left, and `end`.
- A pair is an order, which is not given, and its answer: `true` if it is legal, else a part of the
  reason for refusing it.
- A table has facts of the position: see `FACTS` and `SIDE_FACTS`.

Orders are as a player types them, with cards in any sequence. An order in the notation of save
files, without capitals (`settle deerfield: new-haven, st-marys, boston`), keeps its sequence.

Several positions under one title (`[["title"]]`) differ from the first only in the keys that they
have; a seat differs in single fields.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from engine.chance import Draw, Reveal
from engine.events import Event
from engine.game import legal_orders
from engine.order import Order, UnreadableOrderError
from engine.orders import ORDERS, Raid
from engine.position import current_winner, score, siege_strength, supplied_locations
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from engine.state import State, new_game
from tests.engine.invariants import check_invariants
from tests.engine.positions import Seat, deal, do, is_allowed, position, refusal

FOLDER = Path(__file__).with_name("rules")
OPTIONS = {"active", "actions", "turn", "editions", "house_rules", "flags", "new_game"}
KEYS = {"british", "french", "play"} | OPTIONS

Table = dict[str, Any]


class Case(NamedTuple):
    """A position of a case with its steps, under a title of a file (`family`)."""

    family: str
    title: str
    number: int
    table: Table

    @property
    def editions(self) -> frozenset[str]:
        """The editions that the case names; none if the rules that it shows name them."""
        return frozenset(self.table.get("editions", ()))

    def check(self, edition: str) -> None:
        """Play the steps in an edition; raises AssertionError for the first that does not hold."""
        play = begin({**self.table, "edition": edition, "play": ()})
        for number, step in enumerate(self.table["play"], 1):
            try:
                play.take(step)
            except Exception as error:
                error.add_note(f"step {number} of “{self.title}”, {edition} edition")
                raise


def cases_of(family: str, title: str, tables: Table | list[Table]) -> Iterator[Case]:
    """Yield the cases under a title; raises AssertionError for a case that could not fail."""
    first, *others = tables if isinstance(tables, list) else [tables]
    sides = [side.value for side in Side]
    for number, other in enumerate([{}, *others], 1):
        table = {**first, **other}
        table |= {side: {**first.get(side, {}), **other.get(side, {})} for side in sides}
        assert table.keys() <= KEYS, f"{title}: {table.keys() - KEYS} are no keys of a case"
        assert all(table["play"]), f"{title} has an empty step"
        assert any(not isinstance(step, str) for step in table["play"]), f"{title} cannot fail"
        yield Case(family, title, number, table)


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases of the files in `rules/`."""
    return tuple(
        case
        for path in sorted(FOLDER.glob("*.toml"))
        for title, tables in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for case in cases_of(path.stem, title, tables)
    )


# --- positions


def position_of(table: Mapping[str, Any]) -> State:
    """Return the position of a table after the orders in its `play`."""
    return begin(table).state


def begin(table: Mapping[str, Any]) -> Play:
    """Lay out the position of a table, and give the orders in its `play`."""
    ruleset = Ruleset.of(table.get("edition", DEFAULT_EDITION), table.get("house_rules", ()))
    if "flags" in table:
        ruleset = ruleset._replace(**table["flags"])
    if table.get("new_game"):
        state = new_game(ruleset)
    else:
        seats = [Seat(**table.get(side.value, {})) for side in Side]
        options = {name: table[name] for name in ("actions", "turn") if name in table}
        active = Side(table.get("active", Side.BRITISH))
        state = position(*seats, active=active, ruleset=ruleset, **options)
    play = Play(state)
    for order in table.get("play", ()):
        play.give(order)
    return play


def position_for(kind: type[Order]) -> State:
    """Return a position of the cases in which an order of a kind is legal."""
    verb = kind.english_verb()
    for case in cases():
        orders = [step for step in case.table["play"] if isinstance(step, str)]
        if any(f"{order} ".startswith(f"{verb} ") for order in orders):
            edition = min(case.editions, default=DEFAULT_EDITION)
            play = begin({**case.table, "edition": edition, "play": ()})
            for order in orders:
                if any(type(legal) is kind for legal in legal_orders(play.state)):
                    return play.state
                play.give(order)
    raise AssertionError(f"no case of tests/engine/rules gives a {verb}: add one")


def load_positions(path: Path) -> dict[str, Callable[[], State]]:
    """Return functions by name that build the positions of a TOML file."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: partial(position_of, table) for name, table in tables.items()}


# --- steps


class Play:
    """A position being played, with the events and the chance that came of the last order."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.chance = answer_chance(state)

    def take(self, step: Any) -> None:
        """Take one step of a case; raises AssertionError if it does not hold."""
        before = self.state.key()
        if isinstance(step, str):
            self.give(step)
            check_invariants(self.state)
            return
        if isinstance(step, dict):
            self.compare(step)
        else:
            self.try_order(*step)
        assert self.state.key() == before

    def give(self, text: str) -> None:
        """Give an order, and answer chance until a player decides."""
        if text == "end turn":
            for order in ["pass"] * self.state.actions_left:
                self.give(order)
            text = "end"
        self.events = do(self.state, text)
        self.chance = answer_chance(self.state)

    def try_order(self, text: str, answer: str | bool) -> None:
        """Compare an answer with that of the engine, and do not give the order."""
        if answer is True:
            assert is_allowed(self.state, text), f"{text}: {refusal(self.state, text)}"
            return
        try:
            reason = refusal(self.state, text)
        except UnreadableOrderError as error:
            reason = str(error)
        assert str(answer) in reason, f"{text}: {reason}"

    def compare(self, facts: Table) -> None:
        """Raise AssertionError unless the position has the facts of a step."""
        for name, value in facts.items():
            if name not in set(Side):
                actual = FACTS[name](self, value)
                assert actual == value, f"{name}: {actual}"
                continue
            for part, expected in value.items():
                actual = SIDE_FACTS[part](self.state, Side(name), expected)
                wanted = sorted(expected.split()) if isinstance(expected, str) else expected
                assert actual == wanted, f"{name} {part}: {actual}"


def answer_chance(state: State) -> list[str]:
    """Answer chance until a player decides, and return the answers: `draw 3`, `shuffle`."""
    return [
        f"draw {len(chance.slots)}" if isinstance(chance, Draw) else "shuffle"
        for chance in deal(state)
        if not isinstance(chance, Reveal)
    ]


# --- facts of the position


def _decision(play: Play, _: Any) -> str:
    decision, side, location, *_rest = play.state.awaiting
    return f"{side} {decision}" + (f": {location}" if location else "")


def _board(play: Play, places: Table) -> dict[str, str]:
    return {place: _piece(play.state, place) for place in places}


def _piece(state: State, place: str) -> str:
    settlement = state.board.get(place)
    if settlement is None:
        return "nobody"
    kind = "town" if settlement.town else "village"
    return f"{settlement.owner} {kind}" + ", fortified" * settlement.fortified


def _lists(play: Play, verbs: Table) -> dict[str, list[str] | int]:
    assert verbs.keys() <= ORDERS.keys(), f"no kinds of order: {verbs.keys() - ORDERS.keys()}"
    orders = {verb: list[str]() for verb in verbs}
    for order in legal_orders(play.state):
        if order.verb in orders:
            orders[order.verb].append(order.notation().removeprefix(order.verb).strip())
    return {
        verb: len(listed) if isinstance(verbs[verb], int) else sorted(listed)
        for verb, listed in orders.items()
    }


def _raids(play: Play, hands: Table) -> dict[str, str]:
    targets = {hand: set[str]() for hand in hands}
    for order in legal_orders(play.state):
        for hand in hands:
            if isinstance(order, Raid) and sorted(order.cards) == sorted(hand.split()):
                targets[hand].add(order.target)
    return {hand: " ".join(sorted(places)) for hand, places in targets.items()}


def _events(play: Play, events: list[str]) -> list[str]:
    actual = [
        " ".join([type(event).__name__, *(str(getattr(event, name)) for name in event.fields)])
        for event in play.events
    ]
    begun = [text[: len(begin)] for text, begin in zip(actual, events, strict=False)]
    return events if begun == events and len(actual) == len(events) else actual


FACTS: Mapping[str, Callable[[Play, Any], Any]] = {
    # The side that decides and its decision, with the location that it is about:
    # `british turn`, `french raid reply: deerfield`.
    "asks": _decision,
    "active": lambda play, _: play.state.active,
    "actions": lambda play, _: play.state.actions_left,
    # A side, or `nobody`; and the reason.
    "winner": lambda play, _: play.state.outcome.winner if play.state.outcome else "nobody",
    "ending": lambda play, _: str(play.state.outcome.reason) if play.state.outcome else "",
    # Pieces by location: `british town, fortified`, or `nobody`.
    "board": _board,
    "discs_left": lambda play, _: play.state.fortifications_left(),
    # The besieged locations by besieger, and by location the side that would win the siege.
    "sieges": lambda play, _: {side: siege.location for side, siege in play.state.sieges.items()},
    "stands_won": lambda play, _: {
        siege.location: current_winner(play.state, besieger) or "nobody"
        for besieger, siege in play.state.sieges.items()
    },
    # All legal orders of a kind, in the notation of save files without the kind, or their number.
    "lists": _lists,
    # The locations that a raid with exactly these cards may reach.
    "raids": _raids,
    # The events of the last order, as far as each is said: `CardLost`, `CardLost french`, with
    # further fields. And the chance that followed the order.
    "events": _events,
    "chance": lambda play, _: play.chance,
}


def _pile(cards: Callable[[State, Side], Iterable[str]]) -> Callable[[State, Side, str], list[str]]:
    return lambda state, side, _: sorted(cards(state, side))


def _named_cards(
    cards: Callable[[State, Side], Iterable[str]],
) -> Callable[[State, Side, str], list[str]]:
    """Compare only the ids that a fact names."""
    return lambda state, side, ids: sorted(
        (Counter(ids.split()) & Counter(cards(state, side))).elements()
    )


def _at_siege(state: State, side: Side, besieger: Side) -> list[str]:
    return state.sieges[besieger].cards[side] if besieger in state.sieges else []


def _stock(state: State, side: Side, cards: Table) -> dict[str, int]:
    player = state.players[side]
    return {
        card: (card in player.locations) + player.empire.get(card, 0) + state.neutral.get(card, 0)
        for card in cards
    }


SIDE_FACTS: Mapping[str, Callable[[State, Side, Any], Any]] = {
    "money": lambda state, side, _: state.players[side].money,
    "points": lambda state, side, _: score(state, side).total,
    # Villages and towns: captured, and left in stock.
    "captured": lambda state, side, _: [
        state.players[side].captured_villages,
        state.players[side].captured_towns,
    ],
    "pieces_left": lambda state, side, _: [state.villages_left(side), state.towns_left(side)],
    # The strength of the siege that this side has laid.
    "strength": lambda state, side, _: siege_strength(state, side),
    # All cards of a pile, in any sequence; `discards` are some of the discard pile, `top` its last.
    "hand": _pile(lambda state, side: state.players[side].hand),
    "reserve": _pile(lambda state, side: state.players[side].reserve),
    "discard": _pile(lambda state, side: state.players[side].discard),
    "discards": _named_cards(lambda state, side: state.players[side].discard),
    "top": lambda state, side, ids: sorted(state.players[side].discard[-len(ids.split()) :]),
    "siege": _pile(lambda state, side: _at_siege(state, side, side)),
    "besieged": _pile(lambda state, side: _at_siege(state, side, side.opponent)),
    # The number of cards in hand and in the draw pile, and of those that are available, by card.
    "hand_size": lambda state, side, _: state.players[side].hand_size,
    "pile": lambda state, side, _: len(state.players[side].draw_pile),
    "stock": _stock,
    # Some locations that have supply, and some that have none.
    "supplied": _named_cards(lambda state, side: supplied_locations(state, side)),
    "cut_off": lambda state, side, ids: sorted({*ids.split()} - supplied_locations(state, side)),
}

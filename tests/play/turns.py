"""Turns and records from whole games, for tests that need a certain position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Ambush, Convert, HomeSupport, Raid
from engine.players.practice import PracticePlayer
from engine.ruleset import DEFAULT_EDITION, HOME_SUPPORT_DRAW
from engine.state import Decision
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from tests.play.matches import TIME, Chooser, any_order, begin, seat_to_write
from tests.seats import NextRecord
from tests.signing import end


def practice_chooser(random: Random) -> Chooser:
    """Return the chooser of a practice player."""
    return PracticePlayer(random).choose


def begin_record(match: Match, seed: int) -> NextRecord:
    """Begin the next record of a match."""
    return NextRecord(seat_to_write(match, seed), TIME)


class Game:
    """A game by its seed, which is played once, and only as far as a test has read it.

    Dozens of tests search the same games for a position.
    """

    def __init__(self, seed: int, players: Callable[[Random], Chooser], match: Match) -> None:
        self._seed = seed
        self._choose = players(Random(seed))
        self._matches = [match]

    @staticmethod
    @cache
    def of(
        seed: int,
        players: Callable[[Random], Chooser],
        lists: int,
        home_support: str,
        edition: str = DEFAULT_EDITION,
        *house_rules: str,
    ) -> Game:
        match = begin(
            seed, lists=lists, home_support=home_support, edition=edition, house_rules=house_rules
        )
        return Game(seed, players, match)

    def matches(self, longest: int = 1000) -> Iterator[Match]:
        """Yield the match before each record, up to `longest`; do not change it."""
        for number in range(longest):
            if number == len(self._matches):
                draft = begin_record(self._matches[-1], self._seed)
                while not draft.is_complete:
                    draft.order(self._choose(draft.view()))
                end(draft)
                self._matches.append(draft.match)
            match = self._matches[number]
            if match.is_over or len(match.records) >= longest:
                return
            yield match


class OpenTurn(NamedTuple):
    """An open turn with two actions, and the seed of its game."""

    answer: Turn
    seed: int

    @property
    def match(self) -> Match:
        """The match that is answered."""
        return self.answer.game.match


def practice_turns(
    home_support: str = "asked",
    games: int = 140,
    edition: str = DEFAULT_EDITION,
    house_rules: Iterable[str] = (),
    first_seed: int = 0,
) -> Iterator[OpenTurn]:
    """Yield turns of practice games, without orders."""
    for seed in range(first_seed, games):
        game = Game.of(seed, practice_chooser, 2, home_support, edition, *house_rules)
        for match in game.matches():
            answer = begin_record(match, seed)
            state = answer.view()
            if state.awaiting.decision is Decision.TURN and state.actions_left == 2:
                yield OpenTurn(answer, seed)


ATTACKS = [(Raid, 0), (Ambush, 0), (Convert, 3)]
"""Attacks, each with the seed of the first game in which a turn can begin with it."""


def take_back(answer: Turn, remaining: int = 0) -> None:
    """Undo the orders of a turn except for the first `remaining`."""
    while len(answer.orders) > remaining:
        answer.undo()


def first_legal_order(answer: Turn, *kinds: type[Order]) -> Order | None:
    """Return the first legal order of these kinds."""
    return next((o for o in legal_orders(answer.view()) if isinstance(o, kinds)), None)


def find_turn(
    find_orders: Callable[[Turn], list[Order] | None],
    home_support: str = "asked",
    first_seed: int = 0,
    edition: str = DEFAULT_EDITION,
) -> tuple[OpenTurn, list[Order]]:
    """Return the first turn for which `find_orders` finds orders, without them, and the orders.

    The search begins at game `first_seed`, to save time.
    """
    for turn in practice_turns(home_support, edition=edition, first_seed=first_seed):
        orders = find_orders(turn.answer)
        take_back(turn.answer)
        if orders:
            return turn, orders
    raise AssertionError("no such turn in these games")


def sequence_finder(*kinds: type[Order]) -> Callable[[Turn], list[Order] | None]:
    """Return a function that finds legal orders of these kinds in a sequence."""

    def find_orders(answer: Turn) -> list[Order] | None:
        orders: list[Order] = []
        pile = answer.match.decks[answer.side].undrawn
        # The rest of a pile needs no answer.
        if HomeSupport in kinds and len(pile) <= HOME_SUPPORT_DRAW:
            return None
        for kind in kinds:
            order = first_legal_order(answer, kind)
            if order is None:
                return None
            answer.order(order)
            orders.append(order)
        return orders

    return find_orders


def find_risky_raids(answer: Turn) -> list[Order] | None:
    """Return two raids on one place, of which the second is legal only if the first is blocked."""
    for one in [o for o in legal_orders(answer.view()) if isinstance(o, Raid)]:
        answer.order(one)
        for two in [o for o in legal_orders(answer.view()) if isinstance(o, Raid)]:
            if two.target == one.target:
                answer.order(two)
                if answer.foresight and answer.foresight.risks:
                    return [one, two]
                take_back(answer, 1)
        take_back(answer)
    return None


def find_wasteful_orders(answer: Turn) -> list[Order] | None:
    """Return a raid, and an order that is legal before it but uncertain after it."""
    raid = first_legal_order(answer, Raid)
    if raid is None:
        return None
    answer.order(raid)
    for second in legal_orders(answer.view()):
        answer.order(second)
        if answer.foresight and answer.foresight.risks:
            answer.end_turn()
            if answer.better_sequence():
                return [raid, second]
        take_back(answer)
        answer.order(raid)
    return None


# --- records


GAMES, LONGEST = 300, 300


def find_draft(
    condition: Callable[[NextRecord], bool],
    home_support: str = "asked",
    players: Callable[[Random], Chooser] = any_order,
    lists: int = 2,
    first_seed: int = 0,
) -> tuple[NextRecord, int]:
    """Return the first draft without orders that fulfils `condition`, and the seed of its game.

    The search begins at game `first_seed`, to save time.
    """
    for seed in range(first_seed, GAMES):
        for match in Game.of(seed, players, lists, home_support).matches(LONGEST):
            draft = begin_record(match, seed)
            if not draft.is_complete and condition(draft):
                return draft, seed
    raise AssertionError("no such position in these games")


def legal_orders_of(draft: NextRecord, *kinds: type[Order]) -> list[Order]:
    return [order for order in legal_orders(draft.view()) if isinstance(order, kinds)]


def can_order(*kinds: type[Order], actions: int = 2) -> Callable[[NextRecord], bool]:

    def condition(draft: NextRecord) -> bool:
        state = draft.view()
        in_turn = state.awaiting.decision is Decision.TURN and state.actions_left == actions
        return in_turn and bool(legal_orders_of(draft, *kinds))

    return condition

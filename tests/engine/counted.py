"""The fixed positions whose orders and states are counted in `docs/counting.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from engine.game import apply, legal_orders
from engine.state import State
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, do, position


def british_deal() -> State:
    """The first turn of the game."""
    return position(
        Seat(hand="boston new-haven new-york philadelphia st-marys", money=12),
        Seat(hand="louisbourg montreal quebec regular-infantry-initial trader", money=5),
        actions=1,
        turn=0,
    )


def french_deal() -> State:
    """The first turn of the French, the British having passed."""
    return position(
        Seat(hand="boston new-haven new-york philadelphia st-marys", money=12),
        Seat(hand="louisbourg montreal quebec regular-infantry-initial trader", money=5),
        active=FRENCH,
        actions=1,
        turn=1,
    )


def frontier() -> State:
    """A British turn inland: a route to two forts, walls, Rangers in reach of Quebec."""
    return position(
        Seat(
            hand="albany fort-william-henry rangers fortification",
            villages="albany fort-william-henry kennebec",
            money=3,
        ),
        Seat(villages="fort-st-john"),
    )


def two_sieges() -> State:
    """A French turn with a siege on either side, Siege Artillery in hand and a reserve."""
    return position(
        Seat(siege="siege-artillery militia", besieged="rangers", villages="halifax", money=6),
        Seat(
            hand="siege-artillery ships quebec fortification home-support",
            reserve="militia military-leader",
            besieged="regular-infantry regular-infantry-initial",
            siege="regular-infantry",
            villages="canso",
            money=7,
        ),
        active=FRENCH,
        besieging={BRITISH: "louisbourg", FRENCH: "halifax"},
    )


def raid_reply() -> State:
    """A raid on Deerfield, to be answered."""
    state = position(
        Seat(
            hand="deerfield militia rangers neutral-fortification new-haven",
            villages="deerfield",
        ),
        Seat(hand="native-americans", villages="kennebec fort-halifax"),
        active=FRENCH,
    )
    do(state, "raid Deerfield: Native Americans")
    return state


def ambush_reply() -> State:
    """An ambush, with cards to lose in hand and in reserve and one to block with."""
    state = position(
        Seat(
            hand="regular-infantry regular-infantry militia neutral-native-americans boston",
            reserve="siege-artillery governor",
        ),
        Seat(hand="coureurs-de-bois", money=2),
        active=FRENCH,
    )
    do(state, "ambush Coureurs de Bois")
    return state


def two_sieges_won() -> State:
    """The start of a British turn that has won a siege as besieger and one as defender."""
    state = position(
        Seat(
            hand="new-york st-marys boston philadelphia settlers",
            siege="siege-artillery regular-infantry",
            besieged="militia militia",
        ),
        Seat(
            hand="gaspe montreal quebec tadoussac trader",
            siege="militia",
            besieged="fortification",
        ),
        active=FRENCH,
        actions=0,
        besieging={BRITISH: "port-royal", FRENCH: "pemaquid"},
    )
    do(state, "end")
    deal(state)
    return state


def losers_card() -> State:
    """The end of a French turn in which Louisbourg stands lost and costs a card."""
    state = position(
        Seat(
            hand="new-york philadelphia boston",
            siege="siege-artillery regular-infantry regular-infantry regular-infantry",
        ),
        Seat(
            hand="gaspe montreal quebec tadoussac",
            besieged="regular-infantry militia militia port-royal",
        ),
        active=FRENCH,
        actions=0,
        besieging={BRITISH: "louisbourg"},
    )
    do(state, "end")
    return state


def withdrawal() -> State:
    """The French have given up Port Royal; the British may settle there with a settler card."""
    state = position(
        Seat(hand="boston new-york norfolk settlers militia", siege="militia"),
        Seat(hand="quebec louisbourg", besieged="militia"),
        active=FRENCH,
        besieging={BRITISH: "port-royal"},
    )
    do(state, "withdraw Port Royal: Militia")
    return state


def french_officers() -> State:
    """A French turn with Governor, Intendant and Priest, and cards in the discard pile to fetch."""
    return position(
        Seat(villages="deerfield kennebec"),
        Seat(
            hand="governor intendant priest native-americans quebec",
            reserve="militia",
            discard="trader trader montreal neutral-settlers",
            money=4,
        ),
        active=FRENCH,
    )


def conversion_reply() -> State:
    """A conversion, with neutral cards to lose in hand and in reserve, and a blue one too."""
    state = position(
        Seat(hand="indian-leader governor new-york norfolk"),
        Seat(
            hand="neutral-native-americans neutral-native-americans native-americans quebec",
            reserve="neutral-native-americans military-leader",
        ),
    )
    do(state, "convert Indian Leader")
    return state


POSITIONS: dict[str, Callable[[], State]] = {
    "british deal": british_deal,
    "french deal": french_deal,
    "frontier": frontier,
    "two sieges": two_sieges,
    "raid reply": raid_reply,
    "ambush reply": ambush_reply,
    "two sieges won": two_sieges_won,
    "loser's card": losers_card,
    "withdrawal": withdrawal,
    "french officers": french_officers,
    "conversion reply": conversion_reply,
}


class Count(NamedTuple):
    """Orders and distinct states, one order and two orders deep."""

    orders: int
    states: int
    pairs: int
    states_after_two: int


def count(state: State) -> Count:
    """Give every order, and after each every order again; chance is not played."""
    orders = legal_orders(state)
    pairs = 0
    after_one, after_two = set(), set()
    for order in orders:
        first = state.copy()
        apply(first, order)
        after_one.add(first.key())
        for following in legal_orders(first):
            second = first.copy()
            apply(second, following)
            after_two.add(second.key())
            pairs += 1
    return Count(len(orders), len(after_one), pairs, len(after_two))


def by_verb(state: State) -> dict[str, int]:
    """How many orders of each kind there are."""
    return dict(Counter(order.verb for order in legal_orders(state)))

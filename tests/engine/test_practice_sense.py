"""Positions in which the practice player once ordered something foolish."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.order import Order
from engine.orders import Besiege, Discard, Merchant, Raid, Reinforce, Trade
from engine.players.practice import PracticePlayer
from engine.state import State
from tests.engine.positions import FRENCH, Seat, position


def orders(state: State) -> list[Order]:
    """Return its orders with fifteen seeds."""
    return [PracticePlayer(Random(seed)).choose(state) for seed in range(15)]


def usual(state: State) -> Order:
    """Return its most frequent order."""
    return Counter(orders(state)).most_common(1)[0][0]


# --- sieges


@pytest.mark.parametrize("soldiers", ["regular-infantry-initial militia", "militia montreal"])
def test_a_siege_that_can_be_held_is_held(soldiers: str) -> None:
    """Louisbourg stands at +2: as good as lost, but for two cards in hand; money tempts to buy."""
    state = position(
        Seat(siege="louisbourg: siege-artillery militia", villages="halifax"),
        Seat(f"{soldiers} gaspe trader tadoussac", money=9),
        active=FRENCH,
    )
    assert all(isinstance(order, Reinforce) for order in orders(state))


def test_a_siege_is_held_before_anything_is_fetched_or_built() -> None:
    state = position(
        Seat("regular-infantry militia deerfield philadelphia st-marys", villages="deerfield"),
        Seat(siege="pemaquid: siege-artillery regular-infantry", villages="halifax"),
    )
    assert all(isinstance(order, Reinforce) for order in orders(state))


def test_fresh_cards_come_before_the_actions_that_they_may_serve() -> None:
    """Home Support costs no action, and may draw the soldier that is missing."""
    state = position(
        Seat(siege="quebec: siege-artillery regular-infantry", villages="louisbourg halifax"),
        Seat(
            "home-support trader governor gaspe tadoussac montreal",
            pile="regular-infantry-initial",
            lost="louisbourg",
        ),
        active=FRENCH,
    )
    assert {order.verb for order in orders(state)} == {"home-support"}


# --- raids


def test_a_town_without_guards_is_raided() -> None:
    """Of the many cards that the British may hold few would block, and it is worth four points."""
    state = position(
        Seat(
            pile="new-haven new-york norfolk philadelphia st-marys pemaquid albany settlers ships "
            "bateaux trader governor deerfield boston",
            villages="albany deerfield",
        ),
        Seat(
            "native-americans coureurs-de-bois gaspe tadoussac trader", villages="kennebec", money=6
        ),
        active=FRENCH,
    )
    order = usual(state)
    assert isinstance(order, Raid)
    assert order.place in {"boston", "deerfield", "pemaquid", "albany"}


def test_a_village_is_raided_though_it_may_be_guarded() -> None:
    """Two points and the village's own, more often than not, for cards that come back."""
    state = position(
        Seat(
            pile="new-haven new-york norfolk philadelphia st-marys pemaquid boston militia ships",
            fortified="boston new-haven new-york",
        ),
        Seat("coureurs-de-bois native-americans gaspe", villages="kennebec", money=1),
        active=FRENCH,
        actions=1,
    )
    assert isinstance(usual(state), Raid)


def test_raiders_are_not_thrown_away() -> None:
    """They can reach nothing now; the neutral card costs nothing to keep and guards at home."""
    state = position(
        french=Seat("native-americans governor trader port-royal", lost="port-royal", money=0),
        active=FRENCH,
    )
    for order in orders(state):
        assert not isinstance(order, Discard) or "native-americans" not in order.cards


# --- the end

ALL_BUT_ONE = (
    "boston new-york philadelphia norfolk st-marys new-haven pemaquid deerfield albany baltimore "
    "halifax"
)


@pytest.mark.parametrize(("towns", "verb"), [("boston", "draft"), (ALL_BUT_ONE, "develop")])
def test_points_come_before_cards_where_the_british_end_it(towns: str, verb: str) -> None:
    """With one town left to them nothing that is bought now comes into play."""
    state = position(
        Seat(towns=towns),
        Seat("quebec montreal trois-rivieres governor", money=9),
        active=FRENCH,
        actions=1,
    )
    assert usual(state).verb == verb


# --- money


CHEAP = "bateaux fortification indian-leader" + 5 * " neutral-native-americans" + 2 * " militia"
"""Cards that the British may draft for little money."""


@pytest.mark.parametrize("hand", ["deerfield governor trader", "new-haven governor trader"])
def test_money_is_taken_and_not_thrown_away(hand: str) -> None:
    """A card that pays two does not go with the idle ones, even if there is little to pay for."""
    pays = set(hand.split()) & {"deerfield", "new-haven"}
    seat = Seat(hand, discard=CHEAP, towns="deerfield new-haven", money=4)
    state = position(seat, Seat(fortified="port-royal"), actions=1)
    for order in orders(state):
        assert not isinstance(order, Discard) or not pays & set(order.cards)


def test_one_ship_brings_home_what_two_actions_would_take() -> None:
    state = position(Seat("boston new-york norfolk pemaquid militia", money=0), actions=1)
    assert isinstance(usual(state), Merchant)


def test_furs_are_sold_by_whoever_has_no_money() -> None:
    """Before cards that cost nothing are drafted for their own sake."""
    state = position(
        french=Seat(
            "trader gaspe tadoussac port-royal",
            discard="coureurs-de-bois native-americans",
            money=0,
        ),
        active=FRENCH,
        actions=1,
    )
    assert isinstance(usual(state), Trade)


def test_a_home_that_can_be_besieged_is_besieged() -> None:
    """Boston can be besieged from Pemaquid."""
    state = position(
        Seat(lost="pemaquid", pile="new-haven new-york norfolk philadelphia st-marys boston"),
        Seat(
            "pemaquid louisbourg siege-artillery regular-infantry quebec",
            villages="pemaquid",
            money=9,
        ),
        active=FRENCH,
    )
    order = usual(state)
    assert isinstance(order, Besiege)
    assert order.place == "boston"

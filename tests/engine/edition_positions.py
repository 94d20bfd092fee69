"""Fixed positions of the editions before the second, and of a house rule that reads their flag."""

from __future__ import annotations

from collections.abc import Callable

from engine.state import State
from tests.engine.editions import FIRST, REVISED
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, do, end_turn, position


def spoils_and_free_actions() -> State:
    """A siege won, another undecided, and every kind of free action at hand."""
    state = position(
        Seat(
            hand="home-support military-leader boston militia",
            reserve="settlers norfolk",
            siege="siege-artillery",
            besieged="rangers",
            pile="new-york new-haven",
        ),
        Seat(hand="gaspe quebec montreal tadoussac louisbourg", siege="regular-infantry"),
        active=FRENCH,
        actions=0,
        besieging={BRITISH: "port-royal", FRENCH: "pemaquid"},
        edition=FIRST,
    )
    end_turn(state)
    return state


def two_sieges_won_in_the_first_edition() -> State:
    """Two sieges won at once: neither is withdrawn from or reinforced any more."""
    state = position(
        Seat(
            hand="military-leader boston st-marys militia",
            reserve="rangers",
            siege="siege-artillery",
            besieged="regular-infantry",
        ),
        Seat(hand="gaspe quebec montreal tadoussac louisbourg", siege="militia"),
        active=FRENCH,
        actions=0,
        besieging={BRITISH: "port-royal", FRENCH: "st-marys"},
        edition=REVISED,
    )
    end_turn(state)
    return state


def after_a_refill() -> State:
    """The hand was refilled; free actions may follow, and the end of the turn."""
    state = position(
        Seat(siege="militia"),
        Seat(
            hand="home-support military-leader quebec",
            reserve="militia louisbourg",
            besieged="militia",
            pile="gaspe montreal bateaux",
        ),
        active=FRENCH,
        actions=0,
        besieging={BRITISH: "port-royal"},
        edition=FIRST,
    )
    do(state, "refill")
    deal(state)
    return state


def before_a_refill() -> State:
    """The actions are used; refill and end are open."""
    return position(
        Seat(hand="home-support boston norfolk", reserve="militia new-haven", pile="new-york"),
        actions=0,
        edition=REVISED,
    )


def rich_merchant() -> State:
    """Ships for any number of gold cards, a reserve of five that takes more, a lost location."""
    return position(
        Seat(
            hand="ships boston norfolk philadelphia pemaquid",
            reserve="militia militia militia rangers trader",
            lost="pemaquid",
        ),
        edition=FIRST,
    )


def raiders_under_siege() -> State:
    """The French raid out of a besieged Kennebec; Deerfield is walled."""
    return position(
        Seat(villages="deerfield fort-halifax", fortified="deerfield", siege="militia"),
        Seat(hand="coureurs-de-bois native-americans priest bateaux", villages="kennebec", money=1),
        active=FRENCH,
        besieging={BRITISH: "kennebec"},
        edition=FIRST,
    )


def supplied_from_new_york() -> State:
    """Two sieges on the Hudson; New York was raided empty, and so is Albany's only way home."""
    return position(
        Seat(hand="regular-infantry albany bateaux", villages="albany", lost="new-york"),
        Seat(siege="militia"),
        besieging={FRENCH: "albany"},
        edition=REVISED,
    )


def reserve_for_lost_cards() -> State:
    """House rule lost-locations-in-reserve: one card of a place that is lost, one of one's own."""
    return position(
        Seat(hand="boston pemaquid militia", reserve="new-haven", lost="pemaquid new-haven"),
        house_rules=["lost-locations-in-reserve"],
    )


EDITION_POSITIONS: dict[str, Callable[[], State]] = {
    "spoils and free actions": spoils_and_free_actions,
    "two sieges won in the first edition": two_sieges_won_in_the_first_edition,
    "before a refill": before_a_refill,
    "after a refill": after_a_refill,
    "rich merchant": rich_merchant,
    "raiders under siege": raiders_under_siege,
    "supplied from New York": supplied_from_new_york,
    "reserve for lost cards": reserve_for_lost_cards,
}

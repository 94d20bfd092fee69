"""Orders as native speakers of each language would say them, and what they order in a position.

Of each language the first forty are what a reviewer wrote down from a rulebook alone.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.state import State
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, do, position


def _replying(command: str, british: Seat, french: Seat) -> State:
    """The British before their reply to what the French do."""
    state = position(british, french, active=FRENCH)
    do(state, command)
    return state


def _defended(command: str, british: Seat, french: Seat) -> State:
    """The French before their reply to what the British do."""
    state = position(british, french)
    do(state, command)
    return state


def _siege_won() -> State:
    state = position(
        Seat(
            hand="boston new-york militia rangers ships",
            siege="siege-artillery regular-infantry regular-infantry",
            villages="halifax",
        ),
        Seat(),
        active=FRENCH,
        besieging={BRITISH: "louisbourg"},
        actions=0,
    )
    do(state, "end")
    deal(state)
    return state


def _siege_lost() -> State:
    state = position(
        Seat(siege="siege-artillery regular-infantry regular-infantry regular-infantry"),
        Seat(hand="military-leader", besieged="regular-infantry militia"),
        active=FRENCH,
        besieging={BRITISH: "port-royal"},
        actions=0,
    )
    do(state, "end")
    return state


def _british(actions: int = 2) -> State:
    """The British with a card of nearly every name in hand."""
    return position(
        Seat(
            hand="boston new-haven new-york st-marys philadelphia albany pemaquid norfolk rangers "
            "militia regular-infantry military-leader siege-artillery governor trader "
            "home-support ships fortification indian-leader bateaux",
            reserve="neutral-settlers settlers",
            villages="albany halifax",
            money=40,
        ),
        Seat(villages="fort-halifax"),
        actions=actions,
    )


_RAIDERS = Seat(
    hand="native-americans coureurs-de-bois quebec", villages="kennebec fort-william-henry"
)
POSITIONS: dict[str, Callable[[], State]] = {
    "BT": _british,
    "BE": lambda: _british(actions=0),
    "B5": lambda: position(
        Seat(
            hand="boston new-haven bateaux rangers militia", reserve="settlers", villages="halifax"
        ),
        Seat(villages="fort-halifax"),
    ),
    "BS": lambda: position(
        Seat(
            hand="boston new-york siege-artillery military-leader ships rangers",
            siege="regular-infantry militia",
            villages="halifax",
        ),
        besieging={BRITISH: "louisbourg"},
    ),
    "BD": lambda: position(
        Seat(
            hand="boston fortification rangers military-leader",
            besieged="militia regular-infantry",
        ),
        Seat(siege="regular-infantry"),
        besieging={FRENCH: "pemaquid"},
    ),
    "BO": _siege_won,
    "BR": lambda: _replying(
        "raid Deerfield: Native Americans",
        Seat(hand="rangers militia deerfield fortification boston", villages="deerfield albany"),
        _RAIDERS,
    ),
    "BA": lambda: _replying(
        "ambush Native Americans",
        Seat(
            hand="rangers regular-infantry militia boston neutral-native-americans",
            reserve="siege-artillery",
        ),
        _RAIDERS,
    ),
    "BC": lambda: _replying(
        "convert Priest",
        Seat(hand="neutral-native-americans boston militia"),
        Seat(hand="priest quebec"),
    ),
    "BC0": lambda: _replying(
        "convert Priest", Seat(hand="boston militia"), Seat(hand="priest quebec")
    ),
    "FT": lambda: position(
        Seat(villages="albany deerfield"),
        Seat(
            hand="quebec montreal louisbourg port-royal gaspe trois-rivieres tadoussac priest "
            "native-americans coureurs-de-bois neutral-native-americans intendant ships trader "
            "governor fortification militia military-leader home-support siege-artillery "
            "neutral-settlers",
            discard="regular-infantry",
            reserve="militia",
            villages="kennebec fort-william-henry",
            money=40,
        ),
        active=FRENCH,
    ),
    "FD": lambda: position(
        Seat(siege="siege-artillery"),
        Seat(hand="quebec regular-infantry port-royal ships militia", besieged="militia"),
        besieging={BRITISH: "louisbourg"},
        active=FRENCH,
    ),
    "FB": lambda: _defended(
        "raid Fort Halifax: Rangers",
        Seat(hand="rangers boston", villages="halifax"),
        Seat(hand="militia native-americans quebec fort-halifax", villages="fort-halifax"),
    ),
    "FL": _siege_lost,
}
"""The positions, each new: whose they are, a letter, and what is decided.

T: a turn, with every card; 5: with a hand of five; S, D: at a siege, besieging and besieged; E: no
action left; O, L: after a siege, won and lost; R or B, A, C: before a reply to a raid, an ambush, a
conversion.
"""

"""Rulesets and fixed positions with house rules, for properties of any play with them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.house_rules import UnknownRules, house_rules
from engine.ruleset import Ruleset, editions
from engine.state import State, new_game
from tests.draws import choose_name, shuffle_names
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, do, end_turn, position

A_FEW = 0.3
"""The largest share of the house rules, about eight, where few are played."""


def random_rules(random: Random, share: float = 1) -> Ruleset:
    """Return the rules of any edition with that share of the house rules, as far as they agree.

    Each is drawn by its id and gives way only to those it cannot be played with.
    """
    edition = choose_name(random, editions())
    chosen: list[str] = []
    for rule in shuffle_names(random, house_rules(), share):
        try:
            Ruleset.of(edition, [*chosen, rule])
        except UnknownRules:
            continue
        chosen.append(rule)
    return Ruleset.of(edition, chosen)


def furs_and_lost_cards() -> State:
    """Furs to sell, cards of lost locations to drop or keep, a Governor that gives locations up."""
    return position(
        Seat(siege="militia regular-infantry"),
        Seat(
            hand="governor montreal gaspe tadoussac canso quebec trader",
            reserve="militia louisbourg",
            besieged="native-americans",
            villages="canso",
            lost="louisbourg tadoussac",
            money=1,
        ),
        active=FRENCH,
        besieging={BRITISH: "canso"},
        house_rules=[
            "free-fur-money",
            "drop-lost-locations",
            "free-discards",
            "govern-loses-location",
            "lost-locations-in-reserve",
            "natives-fight-in-sieges",
        ],
    )


def ambush_at_sieges() -> State:
    """An ambush that reaches two sieges, with something to block it, in the first edition."""
    state = position(
        Seat(
            hand="rangers militia boston",
            reserve="militia norfolk",
            villages="halifax",
            besieged="siege-artillery ships",
            siege="regular-infantry militia",
        ),
        Seat(hand="native-americans", siege="militia", villages="canso"),
        active=FRENCH,
        besieging={BRITISH: "port-royal", FRENCH: "halifax"},
        house_rules=["ambush-reaches-sieges", "blocked-ambush-free", "free-fur-money"],
        edition="first",
    )
    do(state, "ambush Native Americans")
    return state


def fort_duquesne_given_up() -> State:
    """The British have withdrawn from Fort Duquesne; a French village there would win."""
    state = position(
        Seat(hand="boston", villages="cumberland fort-duquesne"),
        Seat(siege="militia", villages="fort-venango"),
        besieging={FRENCH: "fort-duquesne"},
        house_rules=["duquesne-wins"],
    )
    do(state, "withdraw Fort Duquesne")
    return state


def exchange_in_the_first_edition() -> State:
    """A card to exchange after a siege, and free actions before that."""
    state = position(
        Seat(hand="boston new-haven norfolk philadelphia st-marys", siege="militia"),
        Seat(
            hand="gaspe tadoussac home-support military-leader louisbourg",
            reserve="militia",
            besieged="regular-infantry militia",
            siege="militia",
            lost="gaspe",
            villages="canso",
        ),
        actions=0,
        besieging={BRITISH: "port-royal", FRENCH: "pemaquid"},
        house_rules=["french-siege-exchange", "free-fur-money", "drop-lost-locations"],
        edition="first",
    )
    end_turn(state)
    return state


def unpaid_shuffle() -> State:
    """Two cards of a fresh hand are to be discarded."""
    state = position(
        Seat(hand="norfolk militia militia", pile="boston", discard="rangers trader", money=0),
        actions=0,
        house_rules=["paid-reshuffle"],
    )
    do(state, "end")
    deal(state)
    return state


def start_card() -> State:
    """The French choose the card to begin with; there are no Governors, but Bateaux."""
    rules = ["french-start-choice", "french-bateaux-available", "no-governors"]
    return new_game(Ruleset.of("second", rules))


def siege_too_early() -> State:
    """A rule keeps the British, who could use natives, from a siege of Port Royal."""
    return position(
        Seat(hand="boston new-york neutral-native-americans regular-infantry"),
        Seat(hand="quebec"),
        house_rules=["british-siege-delay", "natives-fight-in-sieges", "quebec-fortified"],
    )


HOUSE_POSITIONS: dict[str, Callable[[], State]] = {
    "furs and lost cards": furs_and_lost_cards,
    "ambush at sieges": ambush_at_sieges,
    "Fort Duquesne given up": fort_duquesne_given_up,
    "exchange in the first edition": exchange_in_the_first_edition,
    "unpaid shuffle": unpaid_shuffle,
    "start card": start_card,
    "siege too early": siege_too_early,
}


def _new(seed: int) -> Callable[[], State]:
    return lambda: new_game(random_rules(Random(seed)))


HOUSE_STARTS = {f"new game with house rules {seed}": _new(seed) for seed in range(6)}

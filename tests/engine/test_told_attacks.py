"""What is told of raids, ambushes, conversions and sieges: all that happened, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.events import (
    ActionReturned,
    AmbushBlocked,
    Ambushed,
    Besieged,
    Captured,
    CardGained,
    CardGivenUp,
    CardLost,
    CardsCameBack,
    ConversionTried,
    Event,
    HandShown,
    LeftNeutral,
    Paid,
    RaidBlocked,
    Raided,
    RaidSucceeded,
    Reinforced,
    Settled,
    SiegeLifted,
    SiegeRelieved,
    SiegeStands,
    SiegeWon,
    Withdrew,
)
from engine.game import objections
from engine.sides import Side
from engine.state import State
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    carry_out,
    do,
    end_turn,
    position,
    two_sieges_won,
)

COUREURS, NATIVES, RANGERS = "coureurs-de-bois", "neutral-native-americans", "rangers"
BOTH_REPLIES_FREE = ("blocked-raid-free", "blocked-ambush-free")


def raided(*house_rules: str, hand: str = "", reserve: str = "", villages: str = "") -> State:
    """The French can raid Deerfield, and ambush."""
    return position(
        Seat(hand, reserve=reserve, villages=villages),
        Seat(f"{COUREURS} priest", villages="kennebec"),
        active=FRENCH,
        house_rules=house_rules,
    )


def siege_of_port_royal(
    siege: str, besieged: str = "militia", *, resolving: Side = BRITISH
) -> State:
    """The start of a turn in which the British siege of Port Royal is resolved, if it is won."""
    state = position(
        Seat("boston new-haven norfolk philadelphia st-marys", siege=f"port-royal: {siege}"),
        Seat("gaspe quebec montreal tadoussac louisbourg", besieged=besieged),
        active=resolving.opponent,
        actions=0,
    )
    end_turn(state)
    return state


# --- attacks


@pytest.mark.parametrize(
    ("order", "event"),
    [
        ("raid Deerfield: Coureurs de Bois", Raided(FRENCH, "deerfield", (COUREURS,))),
        ("ambush Coureurs de Bois", Ambushed(FRENCH, COUREURS)),
        ("convert Priest", ConversionTried(FRENCH, "priest")),
    ],
)
def test_an_attack_is_told_with_its_cards(order: str, event: Event) -> None:
    assert do(raided(villages="deerfield"), order) == [event]


@pytest.mark.parametrize(
    ("attack", "blocked"),
    [
        ("raid Deerfield: Coureurs de Bois", RaidBlocked(BRITISH, "deerfield", RANGERS)),
        ("ambush Coureurs de Bois", AmbushBlocked(BRITISH, RANGERS)),
    ],
)
@pytest.mark.parametrize("rules", [(), BOTH_REPLIES_FREE])
def test_a_block_is_told_and_the_action_that_it_gives_back(
    attack: str, blocked: Event, rules: Sequence[str]
) -> None:
    """Rulings 13 and 14; by house rules the attacker loses no action."""
    state = raided(*rules, villages="deerfield", hand="rangers")
    left = state.actions_left
    events = do(state, attack, "block Rangers")
    returned = [ActionReturned(FRENCH)] if rules else []
    assert events == [blocked, *returned]
    assert state.actions_left == left - 1 + len(returned)


@pytest.mark.parametrize(
    ("blocks", "attack"),
    [
        ("blocked-raid-free", "ambush Coureurs de Bois"),
        ("blocked-ambush-free", "raid Deerfield: Coureurs de Bois"),
    ],
)
def test_only_the_attack_that_the_house_rule_names_gives_its_action_back(
    blocks: str, attack: str
) -> None:
    state = raided(blocks, villages="deerfield", hand="rangers")
    assert (len(do(state, attack, "block Rangers")), state.actions_left) == (1, 1)


def test_a_raid_on_a_besieged_village_lifts_its_siege() -> None:
    """Ruling 13: nobody is left to besiege, and nobody loses a card."""
    state = position(
        Seat(villages="halifax", besieged="militia"),
        Seat(
            "neutral-native-americans",
            villages="fort-beausejour",
            siege="halifax: regular-infantry",
        ),
        active=FRENCH,
        edition="first",
    )
    events = do(state, "raid Halifax: Neutral Native Americans", "allow")
    assert events == [
        RaidSucceeded(FRENCH, "halifax", is_town=False, points=2),
        SiegeLifted(FRENCH, "halifax"),
        CardsCameBack(BRITISH, "halifax", ("militia",)),
        CardsCameBack(FRENCH, "halifax", ("regular-infantry",)),
    ]
    assert not state.sieges


def test_a_hand_is_shown_whole_and_in_order() -> None:
    state = raided(hand="boston new-york albany")
    shown = ("albany", "boston", "new-york")
    assert do(state, "ambush Coureurs de Bois", "show hand") == [HandShown(BRITISH, shown)]


def test_a_card_is_given_up_from_the_reserve() -> None:
    state = raided(reserve="militia")
    assert do(state, "ambush Coureurs de Bois", "give from reserve Militia") == [
        CardGivenUp(BRITISH, None, "militia")
    ]


# --- sieges


def test_a_siege_is_opened_with_its_place_its_first_card_and_how_it_stands() -> None:
    """Siege Artillery, 3, against the 2 of Louisbourg; then Militia in its defence."""
    state = position(
        Seat("halifax ships siege-artillery", villages="halifax"), Seat("militia"), actions=1
    )
    assert do(state, "besiege Louisbourg: Halifax, Ships, Siege Artillery") == [
        Paid(BRITISH, 3),
        Besieged(BRITISH, "louisbourg"),
        Reinforced(BRITISH, "louisbourg", "siege-artillery", strength=3),
        SiegeStands(BRITISH, "louisbourg", strength=1),
    ]
    carry_out(state, "end")
    assert do(state, "reinforce Louisbourg: Militia") == [
        Reinforced(FRENCH, "louisbourg", "militia", strength=1),
        SiegeStands(BRITISH, "louisbourg", strength=0),
    ]


STRONG = "siege-artillery regular-infantry regular-infantry regular-infantry"
WON = [
    SiegeWon(BRITISH, "port-royal"),
    Captured(BRITISH, "port-royal", is_town=False, points=2),
    CardLost(FRENCH, "port-royal", "militia"),
    CardsCameBack(BRITISH, "port-royal", tuple(sorted(STRONG.split()))),
]
"""By the British: a captured village counts 2, the card is the only one to lose."""


@pytest.mark.parametrize(
    ("order", "after"),
    [
        ("leave Port Royal", [LeftNeutral(BRITISH, "port-royal")]),
        (
            "occupy Port Royal: Boston",
            [
                Settled(BRITISH, "port-royal", points=3),
                CardGained(BRITISH, "port-royal", "port-royal"),
            ],
        ),
    ],
)
def test_what_a_won_siege_brings_and_costs(order: str, after: list[Event]) -> None:
    state = siege_of_port_royal(STRONG)
    assert do(state, order) == [*WON, *after]


def test_a_relieved_siege_costs_the_besieger_a_card() -> None:
    """Ruling 1: before a won siege, by choice."""
    state = two_sieges_won()
    assert do(state, "relieve St. Mary's") == [
        SiegeRelieved(BRITISH, "st-marys"),
        CardLost(FRENCH, "st-marys", "militia"),
        CardsCameBack(BRITISH, "st-marys", ("regular-infantry",)),
    ]


def test_a_besieger_withdraws_at_the_price_of_a_card() -> None:
    state = position(Seat(siege="port-royal: militia regular-infantry"), Seat(besieged="militia"))
    assert do(state, "withdraw Port Royal: Militia") == [
        Withdrew(BRITISH, "port-royal"),
        CardLost(BRITISH, "port-royal", "militia"),
        CardsCameBack(BRITISH, "port-royal", ("regular-infantry",)),
        CardsCameBack(FRENCH, "port-royal", ("militia",)),
    ]


def test_a_defender_withdraws_at_the_price_of_a_card_and_the_piece() -> None:
    state = position(
        Seat(siege="port-royal: regular-infantry"), Seat(besieged="militia"), active=FRENCH
    )
    assert do(state, "withdraw Port Royal: Militia") == [
        Withdrew(FRENCH, "port-royal"),
        Captured(BRITISH, "port-royal", is_town=False, points=2),
        CardLost(FRENCH, "port-royal", "militia"),
        CardsCameBack(BRITISH, "port-royal", ("regular-infantry",)),
    ]


def test_a_card_ambushed_at_a_siege_is_told_with_its_place() -> None:
    """ambush-reaches-sieges: it goes from Port Royal, which then stands weaker."""
    state = position(
        Seat(siege="port-royal: regular-infantry militia"),
        Seat("coureurs-de-bois"),
        active=FRENCH,
        house_rules=["ambush-reaches-sieges"],
    )
    # Port Royal has 1 and no defence of its own: Regular Infantry alone stands at 2 - 1.
    events = do(state, "ambush Coureurs de Bois", "give from siege Port Royal: Militia")
    assert events == [
        CardGivenUp(BRITISH, "port-royal", "militia"),
        SiegeStands(BRITISH, "port-royal", strength=1),
    ]


def test_the_house_rule_that_an_order_is_of_is_named() -> None:
    """For whoever wants to read about it."""
    state = raided(hand="militia")
    do(state, "ambush Coureurs de Bois")
    first, *_ = objections(state, read(Language("en"), "give from siege Boston: Militia", state))
    assert first.about == "ambush-reaches-sieges"

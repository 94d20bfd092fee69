"""Raids, ambushes and conversions by the second-edition rulebook, and the replies to them."""

from __future__ import annotations

import pytest

from engine import orders
from engine.chance import Reveal
from engine.events import HandShown
from engine.game import apply
from engine.sides import Side
from engine.state import Decision, Settlement, State
from tests.engine.editions import FIRST, PLAYED, REVISED, SECOND
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    do,
    end_turn,
    listed,
    position,
    refusal,
)

NATIVES = "Neutral Native Americans"

# --- reach

FURTHER = {FIRST: 0, REVISED: 0, SECOND: 1}
"""How many connections a raid reaches beyond one for each card."""


def cards_for(connections: int, side: Side = FRENCH) -> str:
    """The cards of a raid that reaches so far, and no further, in the edition that is played."""
    native = "native-americans" if side is FRENCH else "neutral-native-americans"
    first = "coureurs-de-bois" if side is FRENCH else "rangers"
    cards = [first, native, "neutral-native-americans"]
    return " ".join(cards[: connections - FURTHER[PLAYED.get()]])


def from_kennebec(cards: str, *, fortified: str = "", money: int = 9) -> State:
    """The position of the rulebook's raid examples: the French sit in Kennebec."""
    return position(
        Seat(villages="deerfield fort-halifax", fortified=fortified),
        Seat(cards, villages="kennebec", money=money),
        active=FRENCH,
    )


def targets(state: State, cards: str) -> set[str]:
    """The locations that exactly these cards can raid."""
    wanted = tuple(sorted(cards.split()))
    return {
        notation.split()[1].rstrip(":")
        for notation in listed(state, orders.Raid)
        if tuple(notation.split(": ")[1].split(", ")) == wanted
    }


def test_raids_from_kennebec() -> None:
    """Rulebook, raid, first example: two connections reach Pemaquid, three reach Boston."""
    state = from_kennebec("native-americans coureurs-de-bois neutral-native-americans")
    near = {"fort-halifax", "deerfield", "pemaquid"}
    assert targets(state, cards_for(2)) == near
    assert targets(state, "native-americans") == targets(state, "coureurs-de-bois")
    assert targets(state, cards_for(3)) == near | {"boston", "new-haven"}


def test_raids_from_kennebec_with_deerfield_fortified() -> None:
    """Rulebook, raid, second example: Boston is out of reach, for Pemaquid is no way there."""
    cards = f"{cards_for(3)} priest"
    state = from_kennebec(cards, fortified="deerfield")
    assert targets(state, cards_for(2)) == {"fort-halifax", "pemaquid"}
    assert targets(state, cards_for(3)) == {"fort-halifax", "pemaquid"}
    assert targets(state, cards) == {"fort-halifax", "pemaquid"}
    no_way = refusal(state, "raid Boston: Coureurs, Native Americans, Priest")
    assert "The fortification of Deerfield bars the way to Boston" in no_way
    too_far = refusal(from_kennebec(cards), "raid New Haven: Coureurs de Bois")
    reach = {0: "1 connection.", 1: "2 connections."}[FURTHER[PLAYED.get()]]
    assert f"too far away: these cards reach {reach}" in too_far
    assert "is fortified" in refusal(state, "raid Deerfield: Coureurs de Bois")


def test_each_card_adds_one_connection() -> None:
    """Rulebook, second edition: two connections for the first card, one for each further one."""
    villages = "fort-halifax"
    reach_of = {}
    for hand in (
        "rangers",
        "rangers indian-leader",
        "rangers indian-leader neutral-native-americans",
    ):
        state = position(Seat(hand, villages=villages))
        reach_of[len(hand.split())] = targets(state, hand)
    # Fort Halifax - Kennebec - Quebec - Trois Rivières - Montreal, one step each.
    assert reach_of == {
        1: {"quebec"},
        2: {"quebec", "trois-rivieres"},
        3: {"quebec", "trois-rivieres", "montreal"},
    }


def test_a_priest_or_indian_leader_adds_reach_but_raids_not_alone() -> None:
    """Rulebook, raid; ruling 12: at least one card must be able to raid by itself."""
    state = from_kennebec("priest coureurs-de-bois native-americans")
    assert "only adds reach" in refusal(state, "raid Fort Halifax: Priest")
    assert "boston" in targets(state, f"{cards_for(2)} priest") - targets(state, cards_for(2))
    state = position(Seat("indian-leader rangers militia", villages="fort-halifax"))
    assert "only adds reach" in refusal(state, "raid Quebec: Indian Leader")
    assert "cannot raid" in refusal(state, "raid Quebec: Rangers, Militia")


def test_more_cards_than_needed_may_be_played() -> None:
    """Ruled here: nothing forbids a raid with cards to spare."""
    state = from_kennebec("native-americans coureurs-de-bois")
    assert allowed(state, "raid Fort Halifax: Coureurs de Bois, Native Americans")


def test_every_native_americans_card_costs_one() -> None:
    """Rulebook, raid: one money for each, not only for the first."""
    cards = "native-americans neutral-native-americans coureurs-de-bois"
    order = f"raid Pemaquid: Native Americans, {NATIVES}, Coureurs de Bois"
    state = from_kennebec(cards, money=2)
    do(state, order)
    assert state.players[FRENCH].money == 0
    assert sorted(state.players[FRENCH].discard[-3:]) == sorted(cards.split())
    assert "costs 2" in refusal(from_kennebec(cards, money=1), order)


def test_a_raid_does_not_cross_the_sea() -> None:
    """Rulebook, raid: rivers, roads, lakes and trails only."""
    state = position(Seat(villages="halifax"), Seat("coureurs-de-bois"), active=FRENCH)
    # Port Royal to Fort Beausejour to Halifax is two trails.
    assert targets(state, "coureurs-de-bois") == {"halifax"}
    state = position(
        Seat(villages="halifax"), Seat("coureurs-de-bois", lost="port-royal"), active=FRENCH
    )
    assert targets(state, "coureurs-de-bois") == set()


def test_a_raid_crosses_a_lake_in_one_step() -> None:
    """Rulebook, raid: all locations on a lake's edge are next to each other."""
    state = position(
        Seat(villages="oswego fort-stanwix"),
        Seat(cards_for(2), villages="fort-niagara"),
        active=FRENCH,
    )
    assert targets(state, cards_for(2)) == {"oswego", "fort-stanwix"}


def test_a_raid_passes_enemy_locations_and_starts_without_supply() -> None:
    """Rulebook, raid: beyond an enemy piece, and from a location out of supply."""
    state = position(
        Seat(cards_for(2, BRITISH), villages="michillimackinac"),
        Seat(villages="detroit fort-presquile"),
    )
    assert targets(state, cards_for(2, BRITISH)) == {"detroit", "fort-presquile"}


def test_a_sides_own_fortification_does_not_stop_its_raid_from_there() -> None:
    """Ruled here: the disc keeps raids out, it does not keep the raiders in."""
    state = position(Seat("rangers", villages="kennebec", fortified="kennebec"))
    assert "quebec" in targets(state, "rangers")


def test_only_the_enemy_is_raided() -> None:
    """Rulebook, raid: neither neutral nor own locations."""
    state = from_kennebec("coureurs-de-bois")
    assert "not belong to the enemy" in refusal(state, "raid Kennebec: Coureurs de Bois")
    assert "not belong to the enemy" in refusal(state, "raid Albany: Coureurs de Bois")


# --- raids and sieges


def test_no_raid_from_a_besieged_location() -> None:
    """Rulebook, raid; ruling 12."""
    state = position(
        Seat(villages="fort-halifax", siege="kennebec: militia"),
        Seat("coureurs-de-bois", villages="kennebec", lost="quebec"),
        active=FRENCH,
    )
    assert targets(state, "coureurs-de-bois") == set()


def besieged_fort_halifax(edition: str = SECOND, **british: str) -> State:
    """The French besiege Fort Halifax, and could raid it from Kennebec next to it."""
    return position(
        Seat(**british),  # type: ignore[arg-type]
        Seat(hand="coureurs-de-bois", villages="kennebec", siege="regular-infantry"),
        active=FRENCH,
        besieging={FRENCH: "fort-halifax"},
        edition=edition,
    )


@pytest.mark.parametrize("piece", ["villages", "towns"])
def test_nobody_raids_into_a_siege(piece: str) -> None:
    """Rulebook, raid; ruling 12: not even the besieger, who would lose nothing by it."""
    state = besieged_fort_halifax(**{piece: "fort-halifax"})
    no_raid = refusal(state, "raid Fort Halifax: Coureurs de Bois")
    assert no_raid == (
        "Fort Halifax is under siege, and nobody raids into a siege, not even the besieger."
    )
    assert "fort-halifax" not in targets(state, "coureurs-de-bois")


def test_a_raid_passes_only_the_raiders_own_siege() -> None:
    """Rulebook, raid; ruling 12: through a siege for its besieger, never for the besieged."""
    state = position(
        Seat(villages="fort-halifax"),
        Seat("coureurs-de-bois", villages="kennebec", siege="fort-halifax: militia"),
        active=FRENCH,
    )
    assert "pemaquid" in targets(state, "coureurs-de-bois")
    # The French in Fort Halifax are besieged: they bar the French way from Kennebec to Pemaquid.
    state = position(
        Seat(siege="fort-halifax: militia"),
        Seat("coureurs-de-bois", villages="kennebec fort-halifax"),
        active=FRENCH,
    )
    assert "pemaquid" not in targets(state, "coureurs-de-bois")
    state = position(
        Seat(), Seat("coureurs-de-bois", villages="kennebec fort-halifax"), active=FRENCH
    )
    assert "pemaquid" in targets(state, "coureurs-de-bois")


def test_a_raid_that_empties_a_besieged_location_lifts_the_siege() -> None:
    """Ruled here, of an edition where such a raid is possible: the siege ends without a loser."""
    state = besieged_fort_halifax(FIRST, villages="fort-halifax", besieged="militia")
    do(state, "raid Fort Halifax: Coureurs de Bois", "allow")
    assert (state.sieges, "fort-halifax" in state.board) == ({}, False)
    assert "militia" in state.players[BRITISH].discard
    assert "regular-infantry" in state.players[FRENCH].discard
    assert state.players[FRENCH].captured_villages == 1


def test_a_raided_besieged_town_stays_besieged() -> None:
    """Ruling 13: the town becomes a village, and the siege of it goes on."""
    state = besieged_fort_halifax(FIRST, towns="fort-halifax")
    do(state, "raid Fort Halifax: Coureurs de Bois", "allow")
    assert state.board["fort-halifax"] == Settlement(BRITISH)
    assert state.sieges[FRENCH].cards[FRENCH] == ["regular-infantry"]


# --- the reply to a raid


def raided(location: str, hand: str, *, money: int = 9, **british: str) -> State:
    """The British must answer a raid from Kennebec."""
    villages = british.pop("villages", "deerfield fort-halifax")
    state = position(
        Seat(hand=hand, villages=villages, money=money, **british),  # type: ignore[arg-type]
        Seat(hand=cards_for(2), villages="kennebec"),
        active=FRENCH,
    )
    do(state, f"raid {location}: {cards_for(2).replace(' ', ', ')}")
    return state


def test_what_blocks_a_raid() -> None:
    """Rulebook, raid; ruling 12: a card that says so, or the target's own location card."""
    state = raided(
        "deerfield",
        "deerfield fort-halifax rangers fortification militia neutral-native-americans boston",
        money=0,
    )
    assert state.awaiting[:3] == (Decision.RAID_REPLY, BRITISH, "deerfield")
    assert listed(state, orders.Block) == {
        "block deerfield",
        "block fortification",
        "block neutral-native-americans",
        "block rangers",
    }
    assert "cannot block a raid" in refusal(state, "block Militia")
    do(state, f"block {NATIVES}")
    assert state.board["deerfield"] == Settlement(BRITISH)
    assert state.players[BRITISH].discard[-1] == "neutral-native-americans"
    assert state.players[BRITISH].money == 0
    assert (state.awaiting.decision, state.active, state.actions_left) == (Decision.TURN, FRENCH, 1)


def test_the_french_militia_blocks() -> None:
    """The French card says that it blocks, the British one does not."""
    state = position(
        Seat("rangers", villages="kennebec"), Seat("militia priest quebec", lost="gaspe")
    )
    do(state, "raid Quebec: Rangers")
    assert listed(state, orders.Block) == {"block militia", "block quebec"}


def test_an_idle_location_card_does_not_block() -> None:
    """Ruling 7: to block is to use, which needs supply and peace."""
    state = raided("deerfield", "deerfield", lost="new-haven")
    assert "no supply" in refusal(state, "block Deerfield")
    state = besieged_fort_halifax(FIRST, hand="fort-halifax", villages="fort-halifax")
    do(state, "raid Fort Halifax: Coureurs de Bois")
    assert "under siege" in refusal(state, "block Fort Halifax")


def test_a_raided_village_leaves_the_location_neutral() -> None:
    """Rulebook, raid; ruling 13: the raider keeps the piece, the owner keeps the card."""
    state = raided("deerfield", "deerfield")
    stock = state.villages_left(BRITISH)
    do(state, "allow")
    assert "deerfield" not in state.board
    assert (state.players[FRENCH].captured_villages, state.villages_left(BRITISH)) == (1, stock)
    assert state.players[BRITISH].hand == ["deerfield"]
    assert "deerfield" not in state.players[BRITISH].locations


def test_a_raided_town_becomes_a_village() -> None:
    """Rulebook, raid; ruling 13."""
    state = raided("deerfield", "", villages="fort-halifax", towns="deerfield")
    stock = state.villages_left(BRITISH)
    do(state, "allow")
    assert state.board["deerfield"] == Settlement(BRITISH)
    assert (state.players[FRENCH].captured_towns, state.villages_left(BRITISH)) == (1, stock - 1)


def test_a_raided_town_without_a_village_in_stock_leaves_the_location_neutral() -> None:
    """Rulebook, raid; ruling 13."""
    state = position(
        Seat(towns="deerfield"),
        Seat(cards_for(2), villages="kennebec", captured=(13, 0)),
        active=FRENCH,
    )
    assert state.villages_left(BRITISH) == 0
    do(state, f"raid Deerfield: {cards_for(2).replace(' ', ', ')}", "allow")
    assert "deerfield" not in state.board
    assert state.players[FRENCH].captured_towns == 1


def test_the_last_village_in_stock_is_left_of_a_raided_town() -> None:
    """Ruling 13: there is one, so it is placed."""
    state = position(
        Seat(towns="deerfield"),
        Seat("coureurs-de-bois", villages="kennebec", captured=(12, 0)),
        active=FRENCH,
    )
    assert state.villages_left(BRITISH) == 1
    do(state, "raid Deerfield: Coureurs de Bois", "allow")
    assert (state.board["deerfield"], state.villages_left(BRITISH)) == (Settlement(BRITISH), 0)


def test_raiding_quebec_twice_wins_nothing() -> None:
    """Rulebook, raid: the game is won only by settling there afterwards."""
    state = position(Seat("rangers neutral-native-americans", villages="kennebec"), Seat("gaspe"))
    do(state, "raid Quebec: Rangers", "allow")
    assert state.board["quebec"] == Settlement(FRENCH)
    do(state, f"raid Quebec: {NATIVES}", "allow")
    assert "quebec" not in state.board
    assert state.outcome is None
    end_turn(state)
    assert state.outcome is None


# --- ambush


def ambushed(british: Seat, *, money: int = 9, with_card: str = "Coureurs de Bois") -> State:
    """The British must answer an ambush."""
    state = position(british, Seat("coureurs-de-bois native-americans", money=money), active=FRENCH)
    do(state, f"ambush {with_card}")
    return state


def test_native_americans_ambush_for_money_and_coureurs_for_none() -> None:
    """Rulebook, ambush; ruling 14: Native Americans cost 1."""
    state = ambushed(Seat(), money=1, with_card="Native Americans")
    assert state.players[FRENCH].money == 0
    state = position(
        french=Seat("native-americans coureurs-de-bois militia", money=0), active=FRENCH
    )
    assert "costs 1" in refusal(state, "ambush Native Americans")
    assert "cannot ambush" in refusal(state, "ambush Militia")
    assert allowed(state, "ambush Coureurs de Bois")


def test_what_blocks_an_ambush() -> None:
    """Rulebook, ambush; ruling 14: a card from hand that says so; never one from the reserve."""
    state = ambushed(
        Seat(
            "rangers neutral-native-americans militia neutral-fortification boston",
            reserve="neutral-native-americans",
            money=0,
        )
    )
    assert listed(state, orders.Block) == {"block neutral-native-americans", "block rangers"}
    assert "cannot block an ambush" in refusal(state, "block Neutral Fortification")
    do(state, f"block {NATIVES}")
    assert state.players[BRITISH].hand.count("militia") == 1
    assert state.players[BRITISH].discard == ["neutral-native-americans"]
    state = ambushed(Seat("boston", reserve="rangers"))
    assert "not in your hand" in refusal(state, "block Rangers")


def test_the_victim_chooses_the_card_from_hand_or_reserve() -> None:
    """Rulebook, ambush; ruling 14: a card with the ambush symbol, back to the available cards."""
    state = ambushed(
        Seat("militia boston rangers", reserve="siege-artillery regular-infantry governor")
    )
    assert listed(state, orders.Give) == {"give militia"}
    assert listed(state, orders.GiveFromReserve) == {
        "give-from-reserve regular-infantry",
        "give-from-reserve siege-artillery",
    }
    assert "An ambush cannot take" in refusal(state, "give Rangers")
    assert "not in reserve" in refusal(state, "give from reserve Militia")
    assert refusal(state, "show hand") == "You hold Militia: give it up, or block if you can."
    stock = state.players[BRITISH].empire["siege-artillery"]
    do(state, "give from reserve Siege Artillery")
    assert state.players[BRITISH].empire["siege-artillery"] == stock + 1
    assert sorted(state.players[BRITISH].reserve) == ["governor", "regular-infantry"]
    assert (state.awaiting.decision, state.awaiting.side) == (Decision.TURN, FRENCH)


def test_a_victim_without_such_a_card_shows_the_hand() -> None:
    """Rulebook, ambush; a card in the reserve must be given all the same."""
    state = ambushed(Seat("rangers boston"))
    events = do(state, "show hand")
    shown = events[-1]
    assert isinstance(shown, HandShown)
    assert shown.cards == ("boston", "rangers")
    assert sorted(state.players[BRITISH].hand) == ["boston", "rangers"]
    state = ambushed(Seat("boston", reserve="militia"))
    assert "You hold Militia" in refusal(state, "show hand")


def test_a_hand_with_a_hidden_card_is_not_shown() -> None:
    """Rulebook, ambush: the proof is the whole hand, so every card of it must be known."""
    state = ambushed(Seat("boston", pile="norfolk rangers"))
    player = state.players[BRITISH]
    slot = player.draw_pile.pop()
    player.hidden.append(slot)
    assert "all of it" in refusal(state, "show hand")
    apply(state, Reveal(BRITISH, slot, "norfolk"))
    do(state, "show hand")


def test_the_initial_french_infantry_can_be_ambushed() -> None:
    """Rulebook, ambush: it goes to the French available cards, and can be drafted again."""
    state = position(Seat("rangers"), Seat("regular-infantry-initial quebec"))
    do(state, "ambush Rangers", "give Regular Infantry (initial)")
    assert state.players[FRENCH].empire["regular-infantry-initial"] == 1


# --- priest and Indian leader


def test_a_conversion_takes_a_neutral_native_americans_card() -> None:
    """Rulebook, priest and Indian leader; ruling 15: to the discard pile of the converter."""
    state = position(Seat("neutral-native-americans rangers boston"), Seat("priest"), active=FRENCH)
    do(state, "convert Priest")
    assert state.awaiting[:2] == (Decision.CONVERSION_REPLY, BRITISH)
    assert listed(state, orders.Block) == set()
    assert refusal(state, "show hand") == f"You hold {NATIVES}: give it up."
    assert "A conversion cannot take" in refusal(state, "give Rangers")
    do(state, f"give {NATIVES}")
    assert sorted(state.players[FRENCH].discard) == ["neutral-native-americans", "priest"]
    assert "neutral-native-americans" not in state.players[BRITISH].discard
    assert state.neutral["neutral-native-americans"] == 4


def test_a_conversion_reaches_the_reserve() -> None:
    """Rulebook, priest and Indian leader: from hand or reserve."""
    state = position(
        Seat("boston", reserve="neutral-native-americans"), Seat("priest"), active=FRENCH
    )
    do(state, "convert Priest")
    assert "You hold" in refusal(state, "show hand")
    do(state, f"give from reserve {NATIVES}")
    assert state.players[BRITISH].reserve == []


def test_the_blue_native_americans_are_safe() -> None:
    """Rulebook, priest and Indian leader; ruling 15."""
    state = position(Seat("indian-leader rangers"), Seat("native-americans quebec"))
    do(state, "convert Indian Leader")
    assert "A conversion cannot take" in refusal(state, "give Native Americans")
    do(state, "show hand")
    assert "native-americans" in state.players[FRENCH].hand


@pytest.mark.parametrize("card", ["Rangers", "Boston"])
def test_only_priest_and_indian_leader_convert(card: str) -> None:
    """Rulebook, priest and Indian leader."""
    state = position(Seat("rangers boston"))
    assert "neither a Priest" in refusal(state, f"convert {card}")

"""What differs between the printed editions: in the box, on the board, in each kind of action.

Draw piles and the refill by edition are in `test_editions_course.py`, sieges and endings in
`test_editions_sieges.py`, homes in `test_editions_homes.py`, the
examples that the rulebooks print in `test_editions_examples.py`.
“French” and “Italian” name the rulebooks of the first edition and of its revision, “English” that
of the second.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import orders
from engine.position import raid_distances, supplied
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from tests.engine.editions import EDITIONS, FIRST, REVISED, SECOND, in_every_edition, second_but
from tests.engine.positions import BRITISH, FRENCH, Seat, allowed, do, listed, position, refusal

# --- the table


@pytest.mark.parametrize(
    ("flag", "first", "revised", "second"),
    [
        ("reserve_limit", 0, 5, 5),
        ("reserve_takes_locations", "always", "always", "never"),
        ("home_support_reshuffles", True, True, False),
        ("reshuffle", "at-once", "at-once", "when-needed"),
        ("raid_bonus", 0, 0, 1),
        ("merchant_gold_cards", 0, 2, 2),
        ("free_actions_any_time", True, True, False),
        ("settling_home_wins", False, False, True),
        ("pieces_end_waits_for_sieges", True, False, True),
        ("new_york_reinforces", False, True, False),
        ("sieges_restrict_raids", False, False, True),
        ("siege_track", 0, 0, 7),
    ],
)
def test_the_editions_as_their_rulebooks_print_them(
    flag: str, first: Any, revised: Any, second: Any
) -> None:
    """The table of docs/rules.md, line by line."""
    found = {edition: getattr(Ruleset.of(edition), flag) for edition in EDITIONS}
    assert found == {FIRST: first, REVISED: revised, SECOND: second}


@in_every_edition
def test_what_no_edition_changes(edition: str) -> None:
    """Setup, costs, the board and all cards but one are the same: nothing else may differ."""
    plain, other = Ruleset.of(SECOND).catalogue, Ruleset.of(edition).catalogue
    assert (other.locations, other.connections) == (plain.locations, plain.connections)
    assert other.cards[BRITISH] == plain.cards[BRITISH]
    without = {id: card for id, card in other.cards[FRENCH].items() if id != "bateaux"}
    assert without == plain.cards[FRENCH]
    state = new_game(Ruleset.of(edition))
    assert {side: state.players[side].money for side in Side} == {BRITISH: 12, FRENCH: 5}
    assert state.board == new_game().board


@pytest.mark.parametrize(("edition", "cards"), [(FIRST, 110), (REVISED, 110), (SECOND, 109)])
def test_the_box_holds_as_many_cards_as_its_text_says(edition: str, cards: int) -> None:
    """Ruling 24: the sums of the manifests are what the texts say."""
    state = new_game(Ruleset.of(edition))
    held = [
        len(player.discard) + len(player.locations) + sum(player.empire.values())
        for player in state.players.values()
    ]
    assert sum(held) + sum(state.neutral.values()) == cards


@in_every_edition
def test_supply_goes_by_road(edition: str) -> None:
    """Ruling 27: the French text of the first edition forgets roads, the others name them."""
    for villages, place in (("kennebec fort-halifax", True), ("fort-halifax", False)):
        state = position(Seat(), Seat(villages=villages), edition=edition)
        assert ("fort-halifax" in supplied(state, FRENCH)) == place


@pytest.mark.parametrize(("edition", "there"), [(FIRST, True), (REVISED, True), (SECOND, False)])
def test_the_french_bateaux_are_a_card_of_the_first_edition(edition: str, there: bool) -> None:
    """French and Italian, list of cards: in the initial deck; English, second edition: removed."""
    state = new_game(Ruleset.of(edition))
    player = state.players[FRENCH]
    assert (player.discard.count("bateaux"), len(player.discard)) == (there, 9 + there)
    # None is left to draft, and a governed one would be.
    assert not player.empire.get("bateaux")


def test_french_bateaux_go_back_to_where_they_can_be_drafted() -> None:
    """French, governor: any own empire card, the one of the initial deck too."""
    state = position(
        french=Seat("governor bateaux quebec"), active=FRENCH, ruleset=Ruleset.of(FIRST)
    )
    assert "No Bateaux card is available" in refusal(state, "draft Bateaux")
    do(state, "govern Bateaux", "draft Bateaux")
    assert state.players[FRENCH].discard[-1] == "bateaux"


# --- the reserve

SIX = "militia militia militia rangers trader settlers"


@pytest.mark.parametrize(("edition", "limit"), [(FIRST, None), (REVISED, 5), (SECOND, 5)])
def test_how_many_cards_the_reserve_holds(edition: str, limit: int | None) -> None:
    """French, reserve: as many as one likes; Italian and English: up to five."""
    state = position(Seat("governor", reserve=SIX.rsplit(" ", 1)[0]), edition=edition)
    assert allowed(state, "reserve Governor") == (limit is None)
    if limit:
        assert f"holds {limit} cards" in refusal(state, "reserve Governor")
    else:
        do(state, "reserve Governor", "retrieve")
        assert len(state.players[BRITISH].hand) == 6


def test_the_limit_alone_makes_the_difference() -> None:
    for limit, free in ((0, True), (6, False), (7, True)):
        rules = second_but(reserve_limit=limit)
        state = position(Seat("governor", reserve=SIX), ruleset=rules)
        assert allowed(state, "reserve Governor") == free


@pytest.mark.parametrize(
    ("takes", "own", "lost"),
    [("always", True, True), ("lost", False, True), ("never", False, False)],
)
def test_which_location_cards_the_reserve_takes(takes: str, own: bool, lost: bool) -> None:
    """French and Italian, reserve: any card of the hand; English: empire cards only.

    The house rule lost-locations-in-reserve lies between them.
    """
    rules = second_but(reserve_takes_locations=takes)
    state = position(Seat("boston pemaquid militia", lost="pemaquid"), ruleset=rules)
    assert allowed(state, "reserve Militia")
    assert (allowed(state, "reserve Boston"), allowed(state, "reserve Pemaquid")) == (own, lost)
    if not own:
        reason = "Location cards cannot" if takes == "never" else "You control Boston"
        assert reason in refusal(state, "reserve Boston")


def test_a_location_card_waits_in_reserve_and_comes_back() -> None:
    """French, reserve and retrieve: 1 money for every card, whatever it is."""
    state = position(
        Seat("boston pemaquid", reserve="militia", money=2, lost="pemaquid"), edition=REVISED
    )
    do(state, "reserve Pemaquid")
    assert state.players[BRITISH].reserve == ["militia", "pemaquid"]
    # It is no use from there.
    assert "not in your hand" in refusal(state, "discard Pemaquid")
    do(state, "retrieve")
    assert sorted(state.players[BRITISH].hand) == ["boston", "militia", "pemaquid"]
    assert state.players[BRITISH].money == 0


def test_a_card_put_aside_as_lost_may_stay_when_the_location_is_won_back() -> None:
    """Ruled here: the house rule is about putting a card there, not about its lying there."""
    state = position(
        Seat("boston new-haven philadelphia", reserve="pemaquid", lost="pemaquid"),
        house_rules=["lost-locations-in-reserve"],
    )
    do(state, "settle Pemaquid: Boston, New Haven, Philadelphia")
    assert state.players[BRITISH].reserve == ["pemaquid"]
    assert state.players[BRITISH].discard.count("pemaquid") == 0
    do(state, "retrieve")
    assert "You control Pemaquid" in refusal(state, "reserve Pemaquid")


def test_a_location_card_in_reserve_is_safe_and_blocks_nothing() -> None:
    """French, ambush and raid: only an empire card is lost, and what blocks is in hand."""
    state = position(
        Seat("norfolk", reserve="fort-halifax militia", villages="fort-halifax"),
        Seat("coureurs-de-bois native-americans", villages="kennebec"),
        active=FRENCH,
        edition=FIRST,
    )
    do(state, "raid Fort Halifax: Coureurs de Bois")
    assert listed(state, orders.Block) == set()
    do(state, "allow", "ambush Native Americans")
    assert listed(state, orders.GiveFromReserve) == {"give-from-reserve militia"}
    assert "An ambush cannot take" in refusal(state, "give from reserve Fort Halifax")
    do(state, "give from reserve Militia")
    assert state.players[BRITISH].reserve == ["fort-halifax"]


def test_a_reserve_of_locations_need_not_give_way_to_a_conversion() -> None:
    """French, Priest: a neutral Native Americans card, or the hand is shown."""
    state = position(
        Seat("norfolk", reserve="boston"), Seat("priest"), active=FRENCH, edition=FIRST
    )
    do(state, "convert Priest", "show hand")
    assert state.players[BRITISH].reserve == ["boston"]


# --- Merchant


@pytest.mark.parametrize(("edition", "most"), [(FIRST, 4), (REVISED, 2), (SECOND, 2)])
def test_how_many_gold_cards_a_merchant_uses(edition: str, most: int) -> None:
    """French, Merchant: as many as one likes; Italian and English: one or two."""
    gold = ["Boston", "New York", "Norfolk", "Philadelphia"]
    state = position(Seat("ships boston new-york norfolk philadelphia"), edition=edition)
    for count in range(1, 5):
        order = f"merchant Ships, {', '.join(gold[:count])}"
        assert allowed(state, order) == (count <= most)
        if count > most:
            assert "at most 2 cards" in refusal(state, order)
    do(state, f"merchant Ships, {', '.join(gold[:most])}")
    assert state.players[BRITISH].money == 20 + sum((3, 3, 2, 3)[:most])


def test_every_way_to_use_a_merchant_is_listed() -> None:
    """The limit alone makes the difference: 1 to 3 of 3, in all their choices."""
    for limit, ways in ((0, 7), (1, 3), (2, 6), (3, 7)):
        rules = second_but(merchant_gold_cards=limit)
        state = position(Seat("ships boston norfolk philadelphia"), ruleset=rules)
        with_ships = {o for o in listed(state, orders.Merchant) if o.startswith("merchant ships")}
        assert len(with_ships) == ways


# --- raids


def reach(edition: str, hand: str) -> set[str]:
    """What a hand can raid from Fort Halifax, played as a whole."""
    state = position(Seat(hand, villages="fort-halifax"), edition=edition)
    cards = ", ".join(sorted(hand.split()))
    raids = listed(state, orders.Raid)
    return {raid.split()[1].rstrip(":") for raid in raids if raid.endswith(f": {cards}")}


@pytest.mark.parametrize(("edition", "further"), [(FIRST, 0), (REVISED, 0), (SECOND, 1)])
def test_how_far_a_raid_reaches(edition: str, further: int) -> None:
    """French and Italian, raid: one connection a card; English: one more."""
    # Kennebec is empty; behind it lie Quebec, Trois-Rivières and Montreal, one step each.
    hands = ("rangers", "rangers indian-leader", "rangers indian-leader neutral-native-americans")
    line = ["kennebec", "quebec", "trois-rivieres", "montreal"]
    for cards, hand in enumerate(hands, 1):
        assert reach(edition, hand) == set(line[1 : cards + further])


@in_every_edition
def test_priest_and_indian_leader_raid_nowhere_alone(edition: str) -> None:
    """French and Italian, raid, say it; ruling 12 for the second edition."""
    state = position(Seat("indian-leader", villages="kennebec"), edition=edition)
    assert "only adds reach" in refusal(state, "raid Quebec: Indian Leader")
    state = position(
        Seat(villages="fort-halifax"),
        Seat("priest priest", villages="kennebec"),
        active=FRENCH,
        edition=edition,
    )
    assert "only adds reach" in refusal(state, "raid Fort Halifax: Priest, Priest")


def test_a_raid_too_far_says_how_far_it_goes() -> None:
    state = position(Seat("rangers", villages="fort-halifax"), edition=FIRST)
    assert "reach 1 connection." in refusal(state, "raid Quebec: Rangers")


def besieged_at_kennebec(edition: str) -> State:
    """The French sit besieged in Kennebec, next to the British in Fort Halifax."""
    return position(
        Seat(villages="fort-halifax", siege="kennebec: militia"),
        Seat("coureurs-de-bois", villages="kennebec", lost="quebec"),
        active=FRENCH,
        edition=edition,
    )


@pytest.mark.parametrize(("edition", "free"), [(FIRST, True), (REVISED, True), (SECOND, False)])
def test_whether_a_raid_starts_from_a_besieged_location(edition: str, free: bool) -> None:
    """English, raid: not from there; the older rulebooks know no such restriction."""
    state = besieged_at_kennebec(edition)
    assert allowed(state, "raid Fort Halifax: Coureurs de Bois") == free


@pytest.mark.parametrize(("edition", "free"), [(FIRST, True), (REVISED, True), (SECOND, False)])
def test_whether_a_raid_passes_a_siege_of_the_enemys(edition: str, free: bool) -> None:
    """English, raid: not through what the opponent besieges."""
    hand = "coureurs-de-bois native-americans"
    state = position(
        Seat(siege="fort-halifax: militia"),
        Seat(hand, villages="kennebec fort-halifax"),
        active=FRENCH,
        edition=edition,
    )
    assert allowed(state, "raid Pemaquid: Coureurs de Bois, Native Americans") == free


def test_the_flag_alone_frees_raids_from_sieges() -> None:
    for restricted in (True, False):
        rules = second_but(sieges_restrict_raids=restricted)
        state = position(
            Seat(siege="kennebec: militia", villages="fort-halifax"),
            Seat("coureurs-de-bois", villages="kennebec", lost="quebec"),
            active=FRENCH,
            ruleset=rules,
        )
        assert allowed(state, "raid Pemaquid: Coureurs de Bois") != restricted


@pytest.mark.parametrize(("edition", "closed"), [(FIRST, False), (REVISED, False), (SECOND, True)])
def test_whether_a_siege_closes_a_location_to_the_besieged(edition: str, closed: bool) -> None:
    """English, raid: to the side that is besieged there and to the besieger; who passes by."""
    state = besieged_at_kennebec(edition)
    assert ("kennebec" not in raid_distances(state, FRENCH)) == closed
    assert ("kennebec" not in raid_distances(state, BRITISH)) == closed
    assert raid_distances(state, BRITISH)["quebec"] == 2


@in_every_edition
def test_a_fortification_bars_raids_whoever_besieges_it(edition: str) -> None:
    """French, raid: neither into nor beyond a fortified location; the same in all editions."""
    state = position(
        Seat(villages="fort-halifax", fortified="fort-halifax"),
        Seat(
            "coureurs-de-bois native-americans", villages="kennebec", siege="fort-halifax: militia"
        ),
        active=FRENCH,
        edition=edition,
    )
    assert "is fortified" in refusal(state, "raid Fort Halifax: Coureurs de Bois")
    assert not allowed(state, "raid Pemaquid: Coureurs de Bois, Native Americans")


@pytest.mark.parametrize("edition", [FIRST, REVISED])
def test_the_besieged_card_blocks_no_raid(edition: str) -> None:
    """Ruling 7: a siege makes the target's own card idle, where such a raid is possible."""
    state = position(
        Seat("fort-halifax norfolk", villages="fort-halifax"),
        Seat("coureurs-de-bois", villages="kennebec", siege="fort-halifax: militia"),
        active=FRENCH,
        edition=edition,
    )
    do(state, "raid Fort Halifax: Coureurs de Bois")
    assert "under siege" in refusal(state, "block Fort Halifax")

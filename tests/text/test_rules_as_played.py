"""Pages of rules that differ by edition agree with the engine in a position."""

from __future__ import annotations

from engine.chance import Draw
from engine.game import apply
from engine.position import siege_strength
from engine.ruleset import Ruleset
from engine.state import Decision, State
from pbem.text.facts.position_facts import position_facts
from pbem.text.language import Language
from pbem.text.phrases import names
from pbem.text.position import siege_side_text
from pbem.text.rules.editions import differences
from pbem.text.rules.topic import topics
from tests.engine.editions import in_every_edition
from tests.engine.positions import BRITISH, FRENCH, Seat, do, is_allowed, position

ENGLISH = Language("en")


def differences_text(topic: str, edition: str) -> str:
    """Return the differences that the page of a topic gives for an edition."""
    lines = differences(topics()[topic].flags, Ruleset.of(edition))
    return "\n".join(ENGLISH.say(line).split(" (")[0] for line in lines)


def siege(besieger: str, edition: str) -> State:
    """Return a siege of Fort Halifax by the French, or of Kennebec by the British."""
    sides = {"french": (FRENCH, "fort-halifax"), "british": (BRITISH, "kennebec")}
    side, place = sides[besieger]
    return position(
        Seat(villages="fort-halifax", siege="militia" if side is BRITISH else ""),
        Seat(
            hand="coureurs-de-bois native-americans",
            villages="kennebec",
            siege="militia" if side is FRENCH else "",
            lost="quebec",
        ),
        active=FRENCH,
        besieging={side: place},
        edition=edition,
    )


@in_every_edition
def test_raids_barred_on_the_page_are_illegal(edition: str) -> None:
    raid = "raid {}: Coureurs de Bois, Native Americans"
    starts = is_allowed(siege("british", edition), raid.format("Fort Halifax"))
    ends = is_allowed(siege("french", edition), raid.format("Fort Halifax"))
    assert is_allowed(siege("french", edition), raid.format("Pemaquid"))
    bars = "yes: no raid starts or ends at one, and only its besieger's raids pass it"
    output = {(True, True): "no", (False, False): bars}[starts, ends]
    assert f"sieges bar raids: {output}" in differences_text("raid", edition)


@in_every_edition
def test_raid_distance_on_the_page_is_that_of_the_engine(edition: str) -> None:
    state = position(
        Seat(), Seat(hand="coureurs-de-bois", villages="kennebec"), active=FRENCH, edition=edition
    )
    far = "n + 1" if is_allowed(state, "raid Pemaquid: Coureurs de Bois") else "n"
    assert f"a raid of n cards reaches: {far} connections" in differences_text("raid", edition)


@in_every_edition
def test_page_on_endings_agrees_on_settling_the_opponents_home(edition: str) -> None:
    state = position(
        Seat(hand="louisbourg new-york settlers", villages="louisbourg"),
        Seat(lost="quebec louisbourg"),
        edition=edition,
    )
    do(state, "settle Quebec: Louisbourg, New York, Settlers")
    wins = "wins nothing" if state.outcome is None else "wins at once"
    assert f"settling the enemy home: {wins}" in differences_text("endings", edition)


@in_every_edition
def test_page_on_the_deck_agrees_on_the_time_of_a_shuffle(edition: str) -> None:
    """Home Support draws the last three cards; then the pile is empty, the discards are there."""
    state = position(
        Seat(hand="home-support", discard="militia", pile="boston norfolk new-haven"),
        edition=edition,
    )
    do(state, "home support")
    apply(state, Draw(BRITISH, tuple(state.players[BRITISH].draw_pile)))
    at_once = state.awaiting.decision is Decision.SHUFFLE
    when = "at once" if at_once else "when a card must be drawn"
    assert f"an empty draw pile is renewed: {when}" in differences_text("deck", edition)


def beyond_the_track(edition: str) -> State:
    """Return a siege of Louisbourg that is stronger than the second edition's track is long."""
    infantry = "regular-infantry regular-infantry regular-infantry"
    state = position(
        Seat(hand="regular-infantry", siege=f"siege-artillery {infantry}"),
        besieging={BRITISH: "louisbourg"},
        edition=edition,
    )
    do(state, "reinforce Louisbourg: Regular Infantry")
    return state


@in_every_edition
def test_page_on_strength_agrees_on_the_end_of_the_track(edition: str) -> None:
    end = {9: "nowhere", 7: "at 7"}[siege_strength(beyond_the_track(edition), BRITISH)]
    assert f"the track of a siege ends for the besieger: {end}" in differences_text(
        "strength", edition
    )


def test_strength_lost_beyond_the_end_of_the_track_is_shown() -> None:
    state = beyond_the_track("second")
    (siege,) = position_facts(state, BRITISH).sieges
    assert (siege.marker, siege.beyond) == (7, 2)
    output = ENGLISH.say(siege_side_text(siege, BRITISH, names(state)))
    assert output.startswith("11: ")
    assert output.endswith("; 2 of it lost beyond the end of the track")
    assert "lost" not in ENGLISH.say(siege_side_text(siege, FRENCH, names(state)))

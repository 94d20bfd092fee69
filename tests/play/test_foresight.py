"""Orders before an answer is known: the possible worlds, and the answers that an order depends on.

docs/protocol.md, Follow-ups.
"""

from __future__ import annotations

from engine.game import apply
from engine.orders import from_notation
from engine.sides import Side
from engine.state import Settlement, State
from pbem.play.turn import Foresight, Risk
from tests.engine.positions import Seat, position

DEERFIELD = "raid deerfield: neutral-native-americans"
FORT_HALIFAX = "raid fort-halifax: neutral-native-americans"
TOWN, VILLAGE = Settlement(Side.BRITISH, town=True), Settlement(Side.BRITISH)


def foresight_of(state: State, *orders: str) -> Foresight:
    interruption, *others = map(from_notation, orders)
    apply(state, interruption)
    foresight = Foresight(state, interruption, opened=len(state.players[state.active].unseen))
    for order in others:
        foresight.order(order)
    return foresight


def raiders(opponent: Seat, hand: str = "") -> State:
    """Return a position in which the French may raid these pieces any number of times."""
    cards = f"neutral-native-americans neutral-native-americans neutral-native-americans {hand}"
    return position(
        opponent, Seat(cards, villages="kennebec pemaquid"), active=Side.FRENCH, actions=9
    )


def test_second_raid_on_a_village_depends_on_the_first() -> None:
    foresight = foresight_of(
        raiders(Seat(villages="deerfield", lost="pemaquid")), DEERFIELD, DEERFIELD
    )
    raid = from_notation(DEERFIELD)
    assert foresight.risks == [Risk(raid, raid, is_likely_safe=True, only_cards=False)]
    assert [world.board.get("deerfield") for world in foresight.worlds] == [VILLAGE, None]


def test_home_support_between_two_raids_changes_no_risk() -> None:
    """Every answer to the raid lets the cards of Home Support come."""
    state = raiders(Seat(villages="deerfield", lost="pemaquid"), "home-support")
    foresight = foresight_of(state, DEERFIELD, "home-support", DEERFIELD)
    raid = from_notation(DEERFIELD)
    assert foresight.interruptions == [raid, from_notation("home-support"), raid]
    assert foresight.risks == [Risk(raid, raid, is_likely_safe=True, only_cards=False)]


def test_order_possible_only_after_a_raid_depends_on_it() -> None:
    state = raiders(Seat(villages="deerfield fort-halifax", lost="pemaquid"), "pemaquid montreal")
    settle = "settle fort-halifax: pemaquid, montreal"
    foresight = foresight_of(state, DEERFIELD, FORT_HALIFAX, settle)
    (risk,) = foresight.risks
    assert risk.interruption == from_notation(FORT_HALIFAX)
    assert not risk.is_likely_safe
    assert all(world.owner("fort-halifax") is Side.FRENCH for world in foresight.worlds)


def test_risk_of_several_answers_names_no_interruption() -> None:
    """A town is raided three times; the third raid is illegal if the first two succeed."""
    foresight = foresight_of(
        raiders(Seat(towns="deerfield", lost="pemaquid")), DEERFIELD, DEERFIELD, DEERFIELD
    )
    raid = from_notation(DEERFIELD)
    assert foresight.risks == [Risk(raid, None, is_likely_safe=True, only_cards=False)]


def test_equal_worlds_are_merged_at_the_first_place() -> None:
    """The first world is the likeliest, and answers to the first raid come before later ones."""
    state = raiders(Seat(towns="deerfield fort-halifax", lost="pemaquid"))
    foresight = foresight_of(state, DEERFIELD, FORT_HALIFAX, DEERFIELD)
    pieces = [(w.board.get("deerfield"), w.board["fort-halifax"]) for w in foresight.worlds]
    assert pieces == [
        (TOWN, TOWN),
        (VILLAGE, TOWN),
        (TOWN, VILLAGE),
        (VILLAGE, VILLAGE),
        (None, TOWN),
        (None, VILLAGE),
    ]
    assert foresight.risks == []

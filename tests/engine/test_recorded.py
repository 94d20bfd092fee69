"""The replay of recorded games, tried on records of all that the five played games do not hold.

A record is written while the engine plays (`recording.py`) and replayed (`recorded.py`); what is
wrong in a record has to be noticed.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import legal_orders
from engine.sides import Side
from engine.siege import relieve
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import lively
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.engine.recorded import Disagreement, Facts, Replay, ended, facts
from tests.engine.recording import Recorder, recorded
from tests.sample import sample

HANDS = {
    BRITISH: "boston new-haven norfolk philadelphia new-york",
    FRENCH: "gaspe montreal louisbourg tadoussac trader",
}
STRONG = "siege-artillery regular-infantry regular-infantry regular-infantry"


def replayed(record: Facts, begin: State | None = None) -> Replay:
    """A record replayed to its end, every turn compared."""
    replay = Replay(record, begin).run()
    replay.check_end()
    return replay


def wins(record: Facts) -> list[str]:
    """Whose sieges the last turn tells of."""
    return [a["siege"] for a in record["turns"][-1]["actions"] if a["action"] == "win-siege"]


# --- whole games


@pytest.mark.parametrize("seed", sample(range(8), first=3))
def test_a_random_game_written_down_replays(seed: int) -> None:
    """From the deal on: the same inputs are found in the record and lead to the same positions."""
    random = Random(seed)
    recorder = Recorder(new_game())
    for _ in range(220):
        recorder.deal(random)
        choices = legal_orders(recorder.state)
        if not choices:
            break
        recorder.order(lively(random, choices))
    record = recorder.record()
    replay = Replay(record).run()
    assert replay.state.turn >= 20 or recorder.state.outcome is not None
    if recorder.state.outcome is not None:
        replay.check_end()
        assert facts(replay.state) == facts(recorder.state)


# --- a home that falls


def before_a_home_falls(
    home: str, besieger: Side, other_siege: bool = False
) -> tuple[State, Recorder]:
    """The end of the last turn of the loser, played through; the other siege is lost as well."""
    loser = besieger.opponent
    own = {BRITISH: "port-royal", FRENCH: "pemaquid"}
    seats = {
        besieger: Seat(
            hand=HANDS[besieger], siege=STRONG, besieged="militia militia" * other_siege
        ),
        loser: Seat(
            hand=HANDS[loser],
            besieged="militia fortification",
            siege="military-leader" * other_siege,
        ),
    }
    besieging = {besieger: home} | ({loser: own[loser]} if other_siege else {})
    begin = position(seats[BRITISH], seats[FRENCH], active=loser, actions=1, besieging=besieging)
    recorder = Recorder(begin.copy())
    recorder.do("pass", "end", f"lose {home}: Militia")
    recorder.deal()
    return begin, recorder


@pytest.mark.parametrize(
    ("home", "besieger"), [("quebec", BRITISH), ("boston", FRENCH), ("new-york", FRENCH)]
)
def test_a_record_that_ends_with_a_home_siege_replays(home: str, besieger: Side) -> None:
    """The engine is over one turn before the record, and both come to the same end."""
    begin, recorder = before_a_home_falls(home, besieger)
    record = recorder.record()
    assert [turn["after"]["finished"] for turn in record["turns"]] == [False, True]
    assert wins(record) == [besieger]
    replay = replayed(record, begin)
    assert replay.state.outcome is not None
    assert replay.state.outcome.winner is besieger
    assert home not in replay.state.board
    assert replay.state.players[besieger].captured_towns == 1
    # A record may as well end with the turn that lost the home.
    record["turns"].pop()
    replayed(record, begin)


@pytest.mark.parametrize("told", ["not at all", "first", "last"])
@pytest.mark.parametrize(("home", "besieger"), [("quebec", BRITISH), ("boston", FRENCH)])
def test_the_other_siege_may_be_told_when_a_home_falls(
    home: str, besieger: Side, told: str
) -> None:
    """A record may tell of the defence too, before or after; the engine leaves it on the board."""
    begin, recorder = before_a_home_falls(home, besieger, other_siege=True)
    record = recorder.record()
    last = record["turns"][-1]
    if told != "not at all":
        relief = {"action": "win-siege", "siege": besieger.opponent}
        relief["loser_gives_back"] = "military-leader"
        last["actions"].insert(0 if told == "first" else 1, relief)
        relieved = recorder.state.copy()
        relieve(relieved, besieger)
        last["after"] = recorded(relieved)
    replay = replayed(record, begin)
    assert replay.state.outcome is not None
    assert replay.state.outcome.winner is besieger
    assert list(replay.state.sieges) == [besieger.opponent]


def spoil(record: Facts, how: str) -> None:
    """Make one thing wrong in a record that ends with the fall of Quebec."""
    loss, win = record["turns"]
    action = win["actions"][0]
    match how:
        case "another card given back":
            action["loser_gives_back"] = "fortification"
        case "no card given back":
            action["loser_gives_back"] = None
        case "another piece":
            action["captured"] = "village"
        case "settled after the end":
            action |= {"settled": True, "settler_card": "boston"}
        case "an action after the end":
            win["actions"].append({"action": "pass"})
        case "a refill after the end":
            win["refill"] = ["st-marys"]
        case "another winner":
            win["side"] = "french"
        case "a turn that is no siege":
            win["actions"] = [{"action": "pass"}, {"action": "pass"}]
        case "no capture":
            win["after"]["british"]["captured_towns"] = 0
        case "a piece still there":
            win["after"]["board"]["quebec"] = loss["after"]["board"]["quebec"]
        case "a card in the wrong pile":
            win["after"]["french"]["discard"].remove("fortification")
        case "other points":
            record["final_points"]["british"] += 1
        case "a resignation after the end":
            win["actions"] = []
        case "the siege told a turn too early":
            loss["actions"].insert(0, action)
        case "not finished":
            win["after"]["finished"] = False


@pytest.mark.parametrize(
    "how",
    [
        "another card given back",
        "no card given back",
        "another piece",
        "settled after the end",
        "an action after the end",
        "a refill after the end",
        "another winner",
        "a turn that is no siege",
        "no capture",
        "a piece still there",
        "a card in the wrong pile",
        "other points",
        "a resignation after the end",
        "the siege told a turn too early",
        "not finished",
    ],
)
def test_a_wrong_end_is_noticed(how: str) -> None:
    begin, recorder = before_a_home_falls("quebec", BRITISH)
    record = recorder.record()
    replayed(record, begin)
    spoil(record, how)
    with pytest.raises(AssertionError):
        replayed(record, begin)


def test_a_home_that_is_settled_ends_the_record() -> None:
    """Its last turn stays unfinished: no second action, no refill."""
    begin = position(
        Seat(hand=HANDS[BRITISH], lost="boston pemaquid"),
        Seat(hand="pemaquid louisbourg quebec trader", villages="pemaquid"),
        active=FRENCH,
    )
    recorder = Recorder(begin.copy())
    recorder.do("settle Boston: Pemaquid, Louisbourg, Quebec")
    record = recorder.record()
    assert record["turns"][0]["refill"] == []
    replay = replayed(record, begin)
    assert replay.state.outcome is not None
    assert replay.state.outcome.winner is FRENCH
    record["turns"][0]["refill"] = ["tadoussac"]
    with pytest.raises(Disagreement, match="drawn after"):
        replayed(record, begin)


@pytest.mark.parametrize("reply", [None, {"settled": False}])
def test_withdrawing_from_a_home_ends_the_record(reply: dict[str, Any] | None) -> None:
    """There is nothing to answer any more, whether the record says so or not."""
    begin = position(
        Seat(hand=HANDS[BRITISH], siege="siege-artillery militia militia"),
        Seat(hand=HANDS[FRENCH], besieged="militia fortification"),
        active=FRENCH,
        besieging={BRITISH: "quebec"},
    )
    recorder = Recorder(begin.copy())
    recorder.do("pass", "withdraw Quebec: Fortification")
    record = recorder.record()
    withdrawal = record["turns"][0]["actions"][-1]
    if reply is not None:
        withdrawal["reply"] = reply
    replay = replayed(record, begin)
    assert replay.state.outcome is not None
    assert replay.state.outcome.winner is BRITISH
    withdrawal["reply"] = {"settled": True, "settler_card": "boston"}
    with pytest.raises(Disagreement, match="settled after"):
        replayed(record, begin)


# --- other sieges


@pytest.mark.parametrize(
    ("location", "orders"),
    [
        ("port-royal", "occupy Port Royal: Boston"),
        ("port-royal", "leave Port Royal"),
        ("fort-niagara", "occupy Fort Niagara"),
    ],
)
def test_a_withdrawal_and_its_reply_replay(location: str, orders: str) -> None:
    """With a settler card, without one where none is needed, or not at all; the turn goes on."""
    begin = position(
        Seat(hand=HANDS[BRITISH], siege="regular-infantry militia", villages="oswego"),
        Seat(
            hand=HANDS[FRENCH],
            besieged="militia",
            villages="fort-frontenac fort-niagara",
        ),
        active=FRENCH,
        besieging={BRITISH: location},
    )
    recorder = Recorder(begin.copy())
    recorder.do("pass", f"withdraw {location}: Militia", orders, "take Montreal", "end")
    recorder.deal()
    recorder.end_turn()
    record = recorder.record()
    assert record["turns"][0]["actions"][1]["reply"]["settled"] == orders.startswith("occupy")
    replay = Replay(record, begin).run()
    assert facts(replay.state) == facts(recorder.state)


def two_sieges_to_win() -> State:
    """The end of a French turn after which the British win two sieges, neither of a home."""
    return position(
        Seat(hand=HANDS[BRITISH], siege=STRONG, besieged="militia militia"),
        Seat(hand=HANDS[FRENCH], siege="militia", besieged="fortification"),
        active=FRENCH,
        actions=1,
        besieging={BRITISH: "port-royal", FRENCH: "pemaquid"},
    )


@pytest.mark.parametrize("first", [BRITISH, FRENCH])
def test_two_sieges_won_in_one_turn_replay_in_either_order(first: Side) -> None:
    """What the record tells first is what is resolved first."""
    begin = two_sieges_to_win()
    recorder = Recorder(begin.copy())
    recorder.end_turn()
    assert recorder.state.awaiting.decision is Decision.SIEGE_SPOILS
    spoils = "occupy Port Royal: Boston"
    recorder.do(*["relieve Pemaquid", spoils] if first is FRENCH else [spoils])
    recorder.end_turn()
    record = recorder.record()
    assert wins(record) == [first, first.opponent]
    replay = Replay(record, begin).run()
    assert facts(replay.state) == facts(recorder.state)
    del record["turns"][-1]["actions"][1]
    with pytest.raises(Disagreement, match="sieges won"):
        Replay(record, begin).run()


# --- resignations


def before_a_defence_is_won() -> tuple[State, Recorder]:
    """The British have lost the siege of Port Royal; the French are to move."""
    begin = position(
        Seat(hand=HANDS[BRITISH], siege="militia regular-infantry"),
        Seat(hand=HANDS[FRENCH], besieged="regular-infantry regular-infantry militia"),
        actions=1,
        besieging={BRITISH: "port-royal"},
    )
    recorder = Recorder(begin.copy())
    recorder.do("pass", "end", "lose Port Royal: Militia")
    recorder.deal()
    return begin, recorder


@pytest.mark.parametrize("told", [False, True])
def test_the_winner_of_a_defence_may_resign(told: bool) -> None:
    """No action tells of the relief then; the last position may show it or not."""
    begin, recorder = before_a_defence_is_won()
    recorder.resign(FRENCH)
    record = recorder.record()
    if told:
        record["turns"][-1]["after"] = recorded(recorder.state)
    assert record["turns"][-1]["actions"] == []
    replay = replayed(record, begin)
    assert ended(replay) == (BRITISH, "the French resigned")
    assert replay.state.sieges == {}
    record["turns"][-1]["after"]["french"]["discard"].append("militia")
    with pytest.raises(Disagreement):
        replayed(record, begin)


def test_a_won_siege_with_spoils_to_choose_may_be_given_up() -> None:
    """The mover resigns instead of choosing; both sieges stay where they are."""
    begin = two_sieges_to_win()
    recorder = Recorder(begin.copy())
    recorder.end_turn()
    assert recorder.state.awaiting.decision is Decision.SIEGE_SPOILS
    recorder.resign(BRITISH)
    replay = replayed(recorder.record(), begin)
    assert ended(replay) == (FRENCH, "the British resigned")
    assert len(replay.state.sieges) == 2


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("owed", [Decision.LOSERS_CARD, Decision.DRAW])
def test_a_resignation_while_cards_are_owed(side: Side, owed: Decision) -> None:
    """The turn before it ends without the loser's card or the refill, whoever resigns."""
    begin = position(
        Seat(
            hand="boston norfolk",
            siege="militia regular-infantry" if owed is Decision.LOSERS_CARD else "militia",
        ),
        Seat(hand=HANDS[FRENCH], besieged="regular-infantry regular-infantry militia"),
        actions=1,
        besieging={BRITISH: "port-royal"},
    )
    recorder = Recorder(begin.copy())
    recorder.do("pass", "end")
    assert recorder.state.awaiting.decision is owed
    recorder.resign(side)
    record = recorder.record()
    replay = replayed(record, begin)
    assert ended(replay) == (side.opponent, f"the {side.label!s} resigned")
    assert replay.state.players[BRITISH].hand_size == 2
    # Without the resignation these cards are missed.
    record["turns"][-1]["actions"] = [{"action": "pass"}, {"action": "pass"}]
    with pytest.raises(Disagreement):
        replayed(record, begin)


# --- endings by points


@pytest.mark.parametrize("ending", ["captures", "villages"])
def test_a_game_that_ends_by_points_replays(ending: str) -> None:
    """The last turn is that of the opponent of the side whose turn would start."""
    villages = (
        "albany baltimore canso cumberland deerfield detroit fort-beausejour fort-duquesne "
        "fort-frontenac fort-halifax fort-niagara fort-presquile halifax"
    )
    captures = ending == "captures"
    begin = position(
        Seat(
            hand=HANDS[BRITISH],
            captured=(2, 2) if captures else (0, 0),
            villages="" if captures else villages,
        ),
        Seat(hand=HANDS[FRENCH]),
        active=FRENCH,
    )
    recorder = Recorder(begin.copy())
    recorder.end_turn()
    record = recorder.record()
    assert len(record["turns"]) == 1
    assert record["turns"][0]["after"]["finished"]
    replay = replayed(record, begin)
    assert replay.state.outcome is not None
    # 17 + 12 against 29 is a tie, which the French win.
    assert replay.state.outcome.winner is (FRENCH if captures else BRITISH)
    record["turns"][0]["after"]["finished"] = False
    with pytest.raises(Disagreement, match="over"):
        replayed(record, begin)


# --- what every record is held to


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("money", lambda start: start["french"].update(money=6)),
        ("board", lambda start: start["board"].pop("gaspe")),
        ("town", lambda start: start["board"]["boston"].update(town=False)),
        ("pile", lambda start: start["british"]["draw_pile"].pop()),
        ("reserve", lambda start: start["british"]["reserve"].append("militia")),
        ("siege", lambda start: start["sieges"].update(british="gaspe")),
    ],
)
def test_a_wrong_start_is_noticed(part: str, change: Any) -> None:
    recorder = Recorder(new_game())
    recorder.deal()
    recorder.end_turn()
    record = recorder.record()
    Replay(record).run()
    change(record["start"])
    with pytest.raises(Disagreement, match="the start"):
        Replay(record)


def test_a_shuffle_is_noticed_either_way() -> None:
    """`reshuffled` says whether the refill took a shuffle."""
    recorder = Recorder(new_game())
    recorder.deal()
    for _ in range(8):
        cards = sorted(recorder.state.players[recorder.state.active].hand)
        recorder.do(f"discard {cards[0]}")
        recorder.end_turn()
    record = recorder.record()
    Replay(record).run()
    shuffled = [turn["reshuffled"] for turn in record["turns"]]
    for was in (False, True):
        turn = record["turns"][shuffled.index(was)]
        turn["reshuffled"] = not was
        with pytest.raises(Disagreement, match="reshuffled"):
            Replay(record).run()
        turn["reshuffled"] = was


def test_a_turn_without_actions_is_the_last() -> None:
    recorder = Recorder(new_game())
    recorder.deal()
    for _ in range(2):
        recorder.end_turn()
    record = recorder.record()
    record["turns"][0]["actions"] = []
    with pytest.raises(Disagreement, match="not the last"):
        Replay(record).run()

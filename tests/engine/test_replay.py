"""The replay of recorded games, tested with records of events that the five games do not have.

A record is written while the engine plays (`recorder.py`) and replayed (`replay.py`); errors in
it must be noticed.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import legal_orders
from engine.sides import Side
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import choose_lively
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.engine.recorder import Recorder
from tests.engine.replay import Facts, Replay, ReplayError, facts
from tests.sample import sample

HANDS = {
    BRITISH: "boston new-haven norfolk philadelphia new-york",
    FRENCH: "gaspe montreal louisbourg tadoussac trader",
}
STRONG = "siege-artillery regular-infantry regular-infantry regular-infantry"


def check_replay(record: Facts, begin: State | None = None) -> Replay:
    """Replay a record to its end, and compare every turn."""
    replay = Replay(record, begin).run()
    replay.check_end()
    return replay


def besiegers(record: Facts) -> list[str]:
    """Return the besiegers of the sieges that the last turn resolves."""
    return [a["siege"] for a in record["turns"][-1]["actions"] if a["action"] == "win-siege"]


# --- whole games


@pytest.mark.parametrize("seed", sample(range(8), first=3))
def test_random_game_written_down_replays(seed: int) -> None:
    """From the deal on, the inputs read from the record lead to the same positions."""
    random = Random(seed)
    recorder = Recorder(new_game())
    for _ in range(220):
        recorder.deal(random)
        choices = legal_orders(recorder.state)
        if not choices:
            break
        recorder.order(choose_lively(random, choices))
    record = recorder.record()
    replay = Replay(record).run()
    assert replay.state.turn >= 20 or recorder.state.outcome is not None
    if recorder.state.outcome is not None:
        replay.check_end()
        assert facts(replay.state) == facts(recorder.state)


# --- a home that falls


def last_turn_of_a_home(
    home: str, besieger: Side, other_siege: bool = False
) -> tuple[State, Recorder]:
    """Play the last turn of the loser of a home, and return its start and the recorder."""
    loser = besieger.opponent
    own = {BRITISH: "port-royal", FRENCH: "pemaquid"}
    seats = {
        besieger: Seat(HANDS[besieger], siege=STRONG, besieged="militia militia" * other_siege),
        loser: Seat(
            HANDS[loser], besieged="militia fortification", siege="military-leader" * other_siege
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
def test_record_that_ends_with_a_home_siege_replays(home: str, besieger: Side) -> None:
    """The engine is over one turn before the record, and both come to the same end."""
    begin, recorder = last_turn_of_a_home(home, besieger)
    record = recorder.record()
    assert [turn["after"]["finished"] for turn in record["turns"]] == [False, True]
    assert besiegers(record) == [besieger]
    replay = check_replay(record, begin)
    assert replay.state.outcome is not None
    assert replay.state.outcome.winner is besieger
    assert home not in replay.state.board
    assert replay.state.players[besieger].captured_towns == 1
    # A record may as well end with the turn that lost the home.
    record["turns"].pop()
    check_replay(record, begin)


def spoil(record: Facts, how: str) -> None:
    """Introduce an error into a record that ends with the fall of Quebec."""
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
        case "the siege reported a turn too early":
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
        "the siege reported a turn too early",
        "not finished",
    ],
)
def test_wrong_end_is_noticed(how: str) -> None:
    begin, recorder = last_turn_of_a_home("quebec", BRITISH)
    record = recorder.record()
    check_replay(record, begin)
    spoil(record, how)
    with pytest.raises(AssertionError):
        check_replay(record, begin)


# --- other sieges


def two_sieges_to_win() -> State:
    """Return the end of a French turn after which the British win two sieges, neither of a home."""
    return position(
        Seat(HANDS[BRITISH], siege=f"port-royal: {STRONG}", besieged="militia militia"),
        Seat(HANDS[FRENCH], siege="pemaquid: militia", besieged="fortification"),
        active=FRENCH,
        actions=1,
    )


@pytest.mark.parametrize("first", [BRITISH, FRENCH])
def test_two_sieges_won_in_one_turn_replay_in_either_order(first: Side) -> None:
    begin = two_sieges_to_win()
    recorder = Recorder(begin.copy())
    recorder.end_turn()
    assert recorder.state.awaiting.decision is Decision.SIEGE_SPOILS
    spoils = "occupy Port Royal: Boston"
    recorder.do(*["relieve Pemaquid", spoils] if first is FRENCH else [spoils])
    recorder.end_turn()
    record = recorder.record()
    assert besiegers(record) == [first, first.opponent]
    replay = Replay(record, begin).run()
    assert facts(replay.state) == facts(recorder.state)
    del record["turns"][-1]["actions"][1]
    with pytest.raises(ReplayError, match="sieges won"):
        Replay(record, begin).run()


# --- requirements of every record


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
def test_wrong_start_is_noticed(part: str, change: Any) -> None:
    recorder = Recorder(new_game())
    recorder.deal()
    recorder.end_turn()
    record = recorder.record()
    Replay(record).run()
    change(record["start"])
    with pytest.raises(ReplayError, match="the start"):
        Replay(record)


def test_shuffle_is_noticed_either_way() -> None:
    """`reshuffled` is true if the refill took a shuffle."""
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
        with pytest.raises(ReplayError, match="reshuffled"):
            Replay(record).run()
        turn["reshuffled"] = was

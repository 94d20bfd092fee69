"""Views of a past game: every hand, and the player whose answer is due."""

from __future__ import annotations

from random import Random

import pytest

from engine.position import score
from engine.ruleset import editions
from engine.sides import Side
from engine.state import State
from pbem.errors import UsageError
from pbem.play.audit import audit
from pbem.play.look import Look
from pbem.protocol.cache import ALL_VERIFIED
from pbem.protocol.hand import match_at, positions, public_hands
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import Due, pending_record, sides_to_close
from pbem.protocol.steps import Close, OrderStep, Step
from pbem.savefile.save_file import SaveFile
from pbem.text.facts.json_data import to_json_data
from pbem.text.proof.verdict import audit_facts
from tests.attacks.cheats import forge
from tests.play.matches import (
    TIME,
    answer,
    any_order,
    begin,
    identities,
    play,
    resign,
    seat_to_write,
)
from tests.seats import NextRecord, Seat

Hands = list[dict[Side, list[str]]]


def resigned_match(seed: int, turns: int = 12) -> Match:
    """Return a match in which one player has resigned, and the other has not closed it yet."""
    return resign(play(begin(seed), any_order(Random(seed)), turns=turns, seed=seed), seed)


def closed_match(seed: int, turns: int = 12) -> Match:
    return play(resigned_match(seed, turns), any_order(Random(0)), turns=0, seed=seed)


def data(match: Match) -> bytes:
    return SaveFile(tuple(match.records)).write()


def hands_seen(match: Match, seed: int) -> Hands:
    """Return the hands after each record from record 1 on, as their owners saw them."""
    hands = []
    for count in range(2, len(match.records) + 1):
        then = Match.replay(match.records[:count])
        seats = [Seat(then, who) for who in identities(seed)]
        hands.append({s.side: sorted(s.view().players[s.side].hand) for s in seats})
    return hands


@pytest.mark.parametrize("seed", range(3))
def test_hands_of_a_closed_game_are_reconstructed(seed: int) -> None:
    match = closed_match(seed)
    report = audit(data(match))
    assert report.is_clean
    assert report.hands[1:] == hands_seen(match, seed)
    assert report.hands[0] == {}
    reports = report.closed
    assert set(reports) == set(Side)
    for side in Side:
        assert reports[side].shuffles == len(
            [s for s in _steps(match, side) if s.kind == "shuffle"]
        )
        assert reports[side].grants == len([s for s in _steps(match, side) if s.kind == "grant"])
        # Hands exist from the acceptance on, even without cards.
        assert reports[side].hands == len(match.records) - 1


def _steps(match: Match, side: Side) -> list[Step]:
    return [step for record in match.records if record.side == side for step in record.steps]


def test_half_closed_game_opens_one_hand() -> None:
    match = resigned_match(1)
    (side,) = match.secrets
    report = audit(data(match))
    assert all(hands[side] is not None for hands in report.hands[1:])
    assert all(hands[side.opponent] is None for hands in report.hands[1:])
    assert set(report.closed) == {side}
    report_facts = to_json_data(audit_facts(report, include_hands=True))
    assert report_facts["unclosed"] == [side.opponent.value]
    assert report_facts["waiting"] == {
        "side": side.opponent,
        "since": match.last.time,
        "due": "close",
    }
    last = report_facts["hands"][-1]
    assert last[side.value]["face_down"] == 0
    assert last[side.opponent.value]["face_down"] == len(match.state.players[side.opponent].hidden)
    assert "hands" not in to_json_data(audit_facts(report))


def test_running_game_opens_no_hand_and_names_the_next_player() -> None:
    match = play(begin(2), any_order(Random(2)), turns=9, seed=2)
    report = audit(data(match))
    assert report.closed == {}
    assert sides_to_close(match) == []
    waits = pending_record(match)
    assert waits is not None
    assert (waits.side, waits.since) == (match.next_side, match.last.time)


def test_earlier_position_has_the_open_hands() -> None:
    match = closed_match(0)
    for index, hands in enumerate(hands_seen(match, 0), start=1):
        then = match_at(match, index)
        view = Look(match).at(then).state
        assert {side: sorted(view.players[side].hand) for side in Side} == hands
        assert not any(view.players[side].hidden for side in Side)
        assert public_hands(then)[Side.BRITISH].hidden_slots == tuple(
            sorted(then.state.players[Side.BRITISH].hidden)
        )
    assert [r.hash for r in match_at(match, 0).records] == [match.records[0].hash]


@pytest.mark.parametrize("index", [-1, 2, 4999])
def test_position_beyond_the_file_is_refused(index: int) -> None:
    with pytest.raises(UsageError, match="records 0 to 1"):
        match_at(begin(0), index)


def test_due_opening_is_reported_apart_from_a_turn() -> None:
    """A player who does not open the lists of a shuffle may be hiding a wrong deck.

    The inviter's first shuffle is granted in record 1, the guest's in record 2.
    """
    match = begin(0)
    for _ in range(2):
        waits = pending_record(match)
        assert waits is not None
        assert waits.due is Due.OPENING
        match = answer(match, any_order(Random(0)))
    dues = set()
    for seed in range(3):
        match = begin(seed)
        while match.state.turn < 30 and not match.is_over:
            waits = pending_record(match)
            assert waits is not None
            dues.add(waits.due)
            draft = NextRecord(seat_to_write(match, seed), TIME)
            opens = any(step.kind == "open-lists" for step in draft.steps)
            assert (waits.due is Due.OPENING) == opens
            match = play(match, any_order(Random(seed)), turns=match.state.turn + 1, seed=seed)
    assert dues == {Due.PLAY, Due.OPENING}


@pytest.mark.parametrize("seed", range(3))
def test_failed_record_changes_nothing(seed: int) -> None:
    """The last step of the record fails, after all earlier steps were carried out."""
    match = play(begin(seed), any_order(Random(seed)), turns=6, seed=seed)
    records = forge(match, lambda honest: [*honest, OrderStep("pass"), Close(bytes(32))], seed)
    before = Match.replay(records[:-1])
    report = audit(SaveFile(tuple(records)).write())
    assert report.finding is not None
    assert (report.finding.record, report.total_records) == (len(records) - 1, len(records))
    assert report.match.records == before.records
    assert report.match.state.key() == before.state.key()
    assert report.match.moves == before.moves
    assert report.match.follow_ups == before.follow_ups
    assert [deck.hidden for deck in report.match.decks.values()] == [
        deck.hidden for deck in before.decks.values()
    ]
    assert len(report.public_hands) == len(before.records)


# --- positions


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_replayed_game_has_equal_positions(seed: int) -> None:
    """The games have several rules, orders ahead, either side first, and resignations."""
    random = Random(seed)
    edition = list(editions())[seed % 3]
    rules = ["french-start-choice"] if seed > 3 else []
    match = begin(
        seed,
        lists=2,
        side=None if seed % 2 else Side.FRENCH,
        guest=Side.FRENCH if seed % 2 else None,
        home_support="ahead" if seed % 2 else "asked",
        edition=edition,
        house_rules=rules,
        start_card="militia" if rules else None,
    )
    match = play(
        match, any_order(random), turns=14, seed=seed, follows_up=lambda: random.random() < 0.5
    )
    happened = replay_positions(match)
    states = {}
    for count, (move, state) in enumerate(positions(match), 1):
        assert happened.get(count, state.key()) == state.key()
        states[move.record] = {side: score(state, side) for side in Side}, state.board.copy()
    assert [move for move, _ in positions(match)] == match.moves
    *_, (_, last) = positions(match)
    assert hide_shown_cards(last) == hide_shown_cards(match.state)
    for record, (points, board) in states.items():
        then = match_at(match, record).state
        assert (points, board) == ({side: score(then, side) for side in Side}, then.board)


def replay_positions(match: Match) -> dict[int, object]:
    """Return the positions of a step-by-step replay, by the number of moves."""
    reader, happened = Match(ALL_VERIFIED), dict[int, object]()
    for record in match.records:
        reader.begin(record.side, is_verified=True)
        for step in record.steps:
            before = len(reader.moves)
            reader.take(step)
            if len(reader.moves) > before:
                happened[len(reader.moves)] = reader.state.key()
        reader.end()
        reader.records.append(record)
    return happened


def hide_shown_cards(state: State) -> tuple[object, ...]:
    """Return the position without the cards shown for follow-ups."""
    players = [
        (p.money, sorted(p.discard), sorted(p.reserve), p.hand_size, sorted(p.draw_pile))
        for p in state.players.values()
    ]
    return players, state.board, state.awaiting, state.turn, state.outcome, state.actions_left


def test_resigned_game_is_replayed_to_its_end() -> None:
    match = resigned_match(0)
    *_, (move, last) = positions(match)
    assert move.order is None
    assert last.outcome == match.state.outcome is not None

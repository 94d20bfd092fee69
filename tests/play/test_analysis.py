"""An analysis finds the decisive turns of a game, and reveals no hidden hand."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from engine.game import is_legal, legal_orders
from engine.order import Order
from engine.orders import End
from engine.players.search import Estimate, SearchPlayer
from engine.sides import Side
from engine.state import State
from pbem.errors import UsageError
from pbem.play.analysis import (
    Analysis,
    Judges,
    Swing,
    analyse,
    check_may_be_analysed,
    known_hands,
    turns_played,
)
from pbem.play.game_file import GameFile
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.keyfile import save
from pbem.play.look import Look, Spectator
from pbem.play.robot import home_of_robot, is_robot_of, make_robot
from pbem.protocol.hand import HiddenCards, match_at, positions, start_position
from pbem.protocol.identity import Identity
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.json_data import to_json_data
from pbem.text.history.analysis import analysis_facts, deciding_text, swing_text
from pbem.text.phrases import names
from tests.play.blunder_game import JUDGES, BlunderGame, play_blunder_game
from tests.play.correspondents import Correspondents
from tests.requirements import require
from tests.seats import Seat

_Q = TypeVar("_Q")


@pytest.fixture(scope="module")
def game() -> BlunderGame:
    return play_blunder_game()


@pytest.fixture(scope="module")
def analysis(game: BlunderGame) -> Analysis:
    match = game.last.match
    return analyse(match, known_hands(Look(match)), judges=JUDGES)


@pytest.mark.slow
def test_decisive_order_and_a_better_one_are_found(game: BlunderGame, analysis: Analysis) -> None:
    last, blunder = game.last, game.order
    mistake = require(next((item for item in analysis.mistakes if item.order == blunder), None))
    assert (mistake.side, mistake.turn) == (Side.BRITISH, game.turn)
    assert mistake.better != blunder
    assert 0 < mistake.chance < mistake.chance_of_better <= 1
    # The better order was legal.
    turns = turns_played(last.match, known_hands(Look(last.match)))
    for item in analysis.mistakes:
        (state,) = (
            decided.state
            for decided in turns[item.turn].decided
            if (decided.order, decided.side) == (item.order, item.side)
        )
        assert is_legal(state, item.better)
    # This turn decided the game before the British resigned.
    for swing in analysis.swings:
        assert (swing.before, swing.after) == analysis.chances[swing.turn - 1 : swing.turn + 1]
        assert swing.mistake is None or swing.mistake.turn == swing.turn
    changes = [abs(swing.after - swing.before) for swing in analysis.swings]
    assert changes == sorted(changes, reverse=True)
    assert len(changes) <= 3
    smaller = {*range(1, len(analysis.chances) - 1)} - {swing.turn for swing in analysis.swings}
    for turn in smaller:
        change = abs(analysis.chances[turn] - analysis.chances[turn - 1])
        assert change <= changes[-1] or change < 0.1
    (decided,) = (swing for swing in analysis.swings if swing.turn == game.turn)
    assert decided.mistake == mistake
    losses = [item.loss for item in analysis.mistakes]
    assert losses == sorted(losses, reverse=True)
    assert len({item.turn for item in analysis.mistakes}) == len(losses) <= 3


def test_analysis_has_a_chance_for_each_turn(game: BlunderGame, analysis: Analysis) -> None:
    last = game.last
    turns = Chronicle(Look(last.match)).turns
    assert len(analysis.chances) == len(turns)
    assert all(0 <= chance <= 1 for chance in analysis.chances)
    # The British resigned.
    assert analysis.chances[-1] == 0
    # The blunder is in that turn, and the siege went well before it.
    at = game.turn
    assert analysis.chances[at] < analysis.chances[at - 1]


def test_turns_and_positions_are_those_of_the_chronicle(game: BlunderGame) -> None:
    match = game.last.match
    chronicle = Chronicle(Look(match))
    known = known_hands(Look(match))
    for turn in turns_played(match, known):
        for view in turn.views:
            both = view.copy()
            for cards in known:
                cards.reveal(both)
            assert both.key() == chronicle.view(turn.number).key()
        text = chronicle.turn(turn.number)
        orders = [
            (move.side, move.order)
            for move in text.moves
            if move.order and turn.number and match.records[move.record].side == move.side
        ]
        assert [(item.side, item.order) for item in turn.decided] == orders
        assert all(item.state.can_decide(item.side) for item in turn.decided)


def test_analysis_is_the_same_in_other_processes(game: BlunderGame, analysis: Analysis) -> None:
    match, passed = game.last.match, list[int]()

    def progress(things: Sequence[_Q]) -> list[_Q]:
        passed.append(len(things))
        return [*things]

    # The sequence in which the hands became known does not matter.
    known = known_hands(Look(match))[::-1]
    helper = Helper(2)
    try:
        helper_result = analyse(match, known, share=helper.share, progress=progress, judges=JUDGES)
    finally:
        helper.stop()
    assert helper_result == analysis
    assert passed[0] == len(analysis.chances)


@pytest.mark.slow
def test_running_game_is_analysed_from_one_seat(game: BlunderGame) -> None:
    match = game.before.match
    own = known_hands(Seat(match, game.pair.identities[Side.FRENCH]).look)
    assert [cards.side for cards in own] == [Side.FRENCH]
    open_to_all = [start_position(match).players[Side.BRITISH]]
    open_to_all += [state.copy().players[Side.BRITISH] for _, state in positions(match)]
    turns = turns_played(match, own)
    assert turns
    for turn in turns:
        (view,) = turn.views
        assert view.players[Side.BRITISH] in [*open_to_all, match.state.players[Side.BRITISH]]
        for decided in turn.decided:
            assert decided.side is Side.FRENCH
            assert not decided.state.players[Side.FRENCH].hidden
            assert decided.state.players[Side.BRITISH] in open_to_all


def test_games_that_may_not_be_analysed_are_refused(game: BlunderGame) -> None:
    running, over = game.before.match, game.last.match
    for with_robot in (False, True):
        check_may_be_analysed(over, with_robot=with_robot)
        with pytest.raises(UsageError, match="invitation"):
            check_may_be_analysed(match_at(over, 0), with_robot=with_robot)
    check_may_be_analysed(running, with_robot=True)
    with pytest.raises(UsageError, match="A running game"):
        check_may_be_analysed(running, with_robot=False)
    with pytest.raises(UsageError, match="what the players held"):
        known_hands(Look(running, Spectator.OTHER_KEY))


def test_robot_is_recognised_by_the_key_in_its_home(tmp_path: Path) -> None:
    stranger = Identity.generate("Robot", "")
    assert not is_robot_of(tmp_path, stranger.public_key)
    robot = make_robot(Home(home_of_robot(tmp_path)))
    assert is_robot_of(tmp_path, robot.identity.public_key)
    assert not is_robot_of(tmp_path, stranger.public_key)
    # Another key can be written there, but not the secrets of its owner.
    path = robot.home.identity_path
    save(stranger, tmp_path / "stranger.toml")
    (replacement,) = re.findall(
        r"^key = .*$", (tmp_path / "stranger.toml").read_text("utf-8"), re.M
    )
    path.write_text(
        re.sub(r"(?m)^key = .*$", replacement, path.read_text("utf-8")), encoding="utf-8"
    )
    assert not is_robot_of(tmp_path, stranger.public_key)


def test_analysis_data_use_order_notation(game: BlunderGame, analysis: Analysis) -> None:
    facts = json.loads(json.dumps(to_json_data(analysis_facts(game.last.match, analysis))))
    assert facts["game"] == game.last.match.id.hex()
    assert facts["sides"] == ["british", "french"]
    assert facts["winner"] == "french"
    assert [turn["turn"] for turn in facts["turns"]] == list(range(len(analysis.chances)))
    for turn in facts["turns"]:
        assert sum(turn["chance"].values()) == pytest.approx(1)
    assert game.order.notation() in [item["order"] for item in facts["mistakes"]]
    text = [
        (swing["turn"], swing["mistake"] and swing["mistake"]["order"]) for swing in facts["swings"]
    ]
    assert (game.turn, game.order.notation()) in text
    for swing in facts["swings"]:
        for at, turn in (("before", swing["turn"] - 1), ("after", swing["turn"])):
            assert swing[at] == facts["turns"][turn]["chance"]
    for item in facts["mistakes"]:
        assert item["chance_of_better"] - item["chance"] == pytest.approx(item["loss"])
    assert facts["ended_by"] == "resigning"


def test_only_certain_chances_are_rounded_to_certainty(
    game: BlunderGame, analysis: Analysis
) -> None:
    hopeless = analysis._replace(chances=(0.5, 0.003, 0.998, 0.0))
    turns = to_json_data(analysis_facts(game.last.match, hopeless))["turns"]
    assert [turn["chance"]["british"] for turn in turns] == [0.5, 0.01, 0.99, 0.0]
    assert [turn["chance"]["french"] for turn in turns] == [0.5, 0.99, 0.01, 1.0]


def orders_in_file(game: GameFile) -> dict[int, list[str]]:
    """Return the notations of the orders in each record."""
    text = tomllib.loads(game.save.write().decode())
    return {
        number: [step["order"] for step in record["steps"] if "order" in step]
        for number, record in enumerate(text["record"])
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5, 9])
def test_decided_orders_match_the_orders_in_the_file(seed: int) -> None:
    """Orders after an attack come before its answer, which may show a card."""
    pair = Correspondents(Random(seed))
    game = pair.join(pair.invite(Side.BRITISH, lists=2))
    while not game.match.is_over and len(game.match.records) < 70:
        game = pair.answer(game)
    match, written = game.match, orders_in_file(game)
    seats = [Seat(match, pair.identities[side]) for side in Side]
    known = [HiddenCards(match, seat.side, seat.secret) for seat in seats]
    decided = [item for turn in turns_played(match, known) for item in turn.decided]
    for item in decided:
        order = item.order.notation()
        assert written[item.record][item.number - 1].startswith(order)
        assert match.records[item.record].side == item.side
    ahead = [
        move
        for move, _ in positions(match)
        if move.order and match.records[move.record].side != move.side
    ]
    assert ahead
    orders = [move for move, _ in positions(match) if move.order]
    assert len(decided) == len(orders) - len(ahead)


def test_mistake_needs_a_clearly_better_order(game: BlunderGame) -> None:
    """With a few tries, one of two equal orders always looks better."""

    class UndecidedJudge(SearchPlayer):
        def judge(self, state: State) -> list[Estimate]:
            return [Estimate(order, 0.5) for order in legal_orders(state)[:2]]

        def compare(
            self, state: State, orders: Sequence[Order], margin: float = 0.0
        ) -> list[Estimate]:
            first, *others = orders
            better = [Estimate(order, 0.9) for order in others]
            analysis = Estimate(first, 0.5)
            return [analysis, *better] if margin else [*better, analysis]

        def chance(self, state: State, side: Side | None = None) -> float:
            return 0.5

    match = game.last.match
    judges = Judges(UndecidedJudge, UndecidedJudge, UndecidedJudge)
    analysis = analyse(match, known_hands(Look(match)), judges=judges)
    assert (analysis.mistakes, analysis.swings) == ((), ())
    text = [str(line.text) for line in deciding_text(match, analysis, None)]
    assert "No turn changed them by much." in text[1]


def test_resignation_is_no_deciding_turn(game: BlunderGame, analysis: Analysis) -> None:
    match = game.last.match
    assert match.turn not in {swing.turn for swing in analysis.swings}
    text = " ".join(str(line.text) for line in deciding_text(match, analysis, None))
    chance = round(100 * analysis.chances[-2])
    assert f"(British) resigned in turn {match.turn}, with a winning chance of {chance}%." in text
    assert "luck" not in text


def test_decisive_turn_is_described_with_its_orders(game: BlunderGame, analysis: Analysis) -> None:
    match = game.last.match
    for swing in analysis.swings:
        moves = Chronicle(Look(match)).turn(swing.turn).moves
        of_side = tuple(move.order for move in moves if move.order and move.side is swing.side)
        assert swing.orders == of_side
        assert swing.orders
        plain = Swing(swing.turn, swing.before, swing.after, None, swing.side, swing.orders)
        text = str(swing_text(match, analysis, plain, None))
        assert all(f"“{order.text(names(match.state))!s}”" in text for order in swing.orders[:-1])
        for side in Side:
            direction = "rose" if (swing.after > swing.before) == (side is Side.BRITISH) else "fell"
            own = str(swing_text(match, analysis, plain, side))
            assert f"Your chance of winning {direction} from" in own
        assert swing.orders[-1] == End()
        assert "“end”" not in text
        lost = (swing.after < swing.before) == (swing.side is Side.BRITISH)
        assert ("No single order of that turn lost much." in text) == lost
        # A good turn is described even if another order was better.
        mistake = require(analysis.mistakes[0])
        at = (swing.turn, swing.before, swing.after, mistake, swing.side, swing.orders)
        text = str(swing_text(match, analysis, Swing(*at), None))
        fell = swing.after < swing.before
        assert (" ordered “" in text) == ((mistake.side is Side.BRITISH) != fell)

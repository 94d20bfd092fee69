"""What comes of a turn's orders, and whether another sequence would need fewer files.

docs/protocol.md, Follow-ups. Positions come from the games of practice players.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.actions.action import IllegalOrder
from engine.game import legal_orders
from engine.orders import Ambush, Convert, End, HomeSupport, Order, Pass, Raid, Take
from engine.practice import PracticePlayer
from engine.sides import Side
from engine.state import Decision
from pbem.answer import Answer
from pbem.game_file import GameFile, pack
from pbem.match import Match
from tests.pbem.playing import TIME, begin, seat_to_write

PASS, END = Pass(), End()


def answer_to(match: Match, seed: int) -> Answer:
    """The answer of whoever is to write, begun."""
    game = GameFile(pack(match, None, {}, ""), match)
    return Answer(game, seat_to_write(match, seed).identity, TIME)


def turns(home_support: str = "asked", games: int = 60):
    """Answers that begin a turn with two actions, in games of practice players."""
    for seed in range(games):
        match = begin(seed, lists=2, home_support=home_support)
        player = PracticePlayer(Random(seed))
        while not match.is_over:
            answer = answer_to(match, seed)
            state = answer.view()
            if state.awaiting.decision is Decision.TURN and state.actions_left == 2:
                yield answer
                while answer.undo():
                    pass
            while not answer.is_complete:
                answer.order(player.choose(answer.view()))
            match = answer.finish().match


def first(answer: Answer, *kinds: type[Order]) -> Order | None:
    return next((o for o in legal_orders(answer.view()) if isinstance(o, kinds)), None)


def turn_with(*kinds: type[Order], home_support: str = "asked") -> tuple[Answer, list[Order]]:
    """A turn in which an order of each kind is legal in that sequence; the orders are given."""
    for answer in turns(home_support):
        given: list[Order] = []
        for kind in kinds:
            order = first(answer, kind)
            if order is None:
                break
            answer.order(order)
            given.append(order)
        if len(given) == len(kinds):
            return answer, given
        while answer.undo():
            pass
    raise AssertionError("no such turn in these games")


def test_a_plain_turn_needs_one_file() -> None:
    answer, _ = turn_with(Pass, Pass, End)
    assert answer.course is not None
    assert (answer.course.files, answer.course.interruptions) == ((1, 1), ())
    assert answer.better_sequence() is None


@pytest.mark.parametrize("attack", [Raid, Ambush, Convert])
def test_a_turn_that_stops_for_an_answer_needs_another_file(attack: type[Order]) -> None:
    answer, given = turn_with(attack)
    assert answer.course is not None
    assert (answer.course.files, answer.course.interruptions) == ((2, 2), tuple(given))
    assert answer.course.left.actions_left == 1
    answer.order(PASS)
    assert answer.course.files == (2, 2)
    answer.end_turn()
    assert answer.course.files == (1, 1)
    assert answer.better_sequence() is None


def test_home_support_is_waited_for_unless_the_turn_is_ended() -> None:
    answer, _ = turn_with(Pass, Pass, HomeSupport)
    answer.end_turn()
    assert answer.course is not None
    assert answer.course.files == (2, 2)
    answer.order(END)
    assert answer.course.files == (1, 1)


def test_home_support_ahead_interrupts_nothing_and_its_cards_can_be_played() -> None:
    for answer in turns("ahead"):
        ahead = answer.cards_ahead
        support = first(answer, HomeSupport)
        hand = answer.view().players[answer.seat.side].hand
        if support is None or len(ahead) < 3:
            continue
        answer.order(support)
        drawn = [o for o in legal_orders(answer.view()) if isinstance(o, Take)]
        drawn = [o for o in drawn if o.cards[0] in ahead and o.cards[0] not in hand]
        if not drawn:
            continue
        for order in (drawn[0], PASS, END):
            answer.order(order)
        assert answer.course is not None
        assert (answer.course.files, answer.course.interruptions) == ((1, 1), ())
        again = answer._turn
        assert again is not None
        assert again.course([support, drawn[0], PASS, END]).files == (1, 1)
        # Before Home Support its cards are not in hand.
        with pytest.raises(IllegalOrder):
            again.course([drawn[0], support, PASS, END])
        return
    raise AssertionError("no such turn in these games")


def risky_turn() -> tuple[Answer, Order, Order]:
    """A raid, and an order that is legal before it but after it only if it is blocked."""
    for answer in turns(games=140):
        raids = [o for o in legal_orders(answer.view()) if isinstance(o, Raid)]
        for one in raids:
            answer.order(one)
            for two in legal_orders(answer.view()):
                if not isinstance(two, Raid) or two.place != one.place:
                    continue
                answer.order(two)
                if answer.foresight and answer.foresight.risks:
                    return answer, one, two
                answer.undo()
            answer.undo()
    raise AssertionError("no such turn in these games")


def test_what_depends_on_the_answer_is_told() -> None:
    answer, one, two = risky_turn()
    answer.end_turn()
    assert answer.course is not None
    (risk,) = answer.course.risks
    assert (risk.order, risk.interruption, risk.if_least, risk.only_cards) == (
        two,
        one,
        True,
        False,
    )
    assert answer.course.files == (1, 2)
    # The second raid would make the first one as uncertain: no sequence is better.
    assert answer.better_sequence() is None


def test_a_sequence_that_needs_fewer_files_is_found_and_is_legal_throughout() -> None:
    """Whatever is proposed keeps the orders, and ends the turn whatever the answers."""
    for answer in turns(games=25):
        attack = first(answer, Raid)
        if attack is None:
            continue
        answer.order(attack)
        for second in legal_orders(answer.view()):
            if isinstance(second, Raid | Pass):
                continue
            answer.order(second)
            answer.end_turn()
            course, better = answer.course, answer.better_sequence()
            orders = list(answer.orders)
            assert course is not None
            if better is not None:
                assert sorted(map(repr, better)) == sorted(map(repr, orders))
                while answer.undo():
                    pass
                for order in better:
                    answer.order(order)
                assert answer.course is not None
                assert answer.course.files < course.files
                return
            while len(answer.orders) > 1:
                answer.undo()
        answer.undo()
    raise AssertionError("no such turn in these games")


def test_trying_sequences_says_what_giving_the_orders_says() -> None:
    """The tips are worked out without proofs; they have to agree with what is then done."""
    random = Random(7)
    compared = interrupted = 0
    for answer in turns(games=4):
        for _ in range(4):
            if answer.is_complete and not answer.may_follow_up:
                break
            legal = legal_orders(answer.view())
            eager = [o for o in legal if isinstance(o, Raid | Ambush | Convert | HomeSupport)]
            answer.order(random.choice(eager or legal))
        if answer.course is None or not answer._turn:
            continue
        tried = answer._turn.course(answer._turn_orders)
        compared += 1
        interrupted += bool(tried.interruptions)
        assert tried.files == answer.course.files
        assert (tried.interruptions, tried.risks) == (
            answer.course.interruptions,
            answer.course.risks,
        )
    assert compared > 50
    assert interrupted > 10


def test_looking_at_a_follow_up_changes_nothing() -> None:
    answer, _ = turn_with(Raid)
    view = answer.view()
    view.actions_left = 0
    view.players[Side.BRITISH].hand.clear()
    assert answer.view().actions_left == 1

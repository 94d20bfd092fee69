"""A game in hand: what another window does beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.sides import Side
from pbem.errors import WrongUse
from pbem.play.home import Home
from pbem.play.turn import Turn
from pbem.web.active_game import ActiveGame
from pbem.web.game_service import GameService
from tests.present import present
from tests.signing import sign_agreed
from tests.web.tables import Pair


def opened(service: GameService, game: str) -> ActiveGame:
    return ActiveGame(service.session(), service.open(game), lambda _: None)


def test_whoever_is_asked_to_resign_sees_what_another_window_orders(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "table").begin()
    side = present(pair.next_side)
    pair.note(side)
    service = GameService(Home(pair.homes[side]))
    one, other = (opened(service, pair.game) for _ in range(2))
    assert one.turn and other.turn
    for window, beside in ((one, other), (other, one)):
        assert beside.turn
        beside.order(pair.choose(beside.turn.view()).notation())
        window.resign(resigns=True)
        assert not window.is_kept_otherwise
        beside.do(Turn.undo)
        assert window.is_kept_otherwise
        window.resign(resigns=False)
        assert not window.is_kept_otherwise


def test_a_game_that_is_over_cannot_be_given_up_and_is_closed_as_it_is_shown(
    tmp_path: Path,
) -> None:
    pair = Pair(tmp_path / "table").begin()
    first = present(pair.next_side)
    session = pair.sessions[first]
    pair.written = sign_agreed(session, session.answer(session.read(pair.file), resigns=True))
    pair.note(first.opponent)
    playing = opened(GameService(Home(pair.homes[first.opponent])), pair.game)
    shown = playing.stand
    with pytest.raises(WrongUse):
        playing.resign(resigns=True)
    assert (playing.resigns, playing.stand) == (False, shown)
    assert playing.turn is not None
    assert playing.sign().match.next_side is None


def test_a_question_that_is_shown_again_is_kept_once(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "table")
    guest, inviter = pair.sessions
    home, session = Home(pair.homes[guest]), pair.sessions[inviter]
    home.games.mkdir()
    # Nobody knows any more if it was accepted before.
    home.library_path.unlink()
    written = sign_agreed(session, session.invite(lists=1), home.games / "game-000.toml")
    playing = opened(GameService(home), written.match.id.hex())
    assert playing.questions == playing.questions
    assert len(playing.questions) == len(playing.consent._put) == 1


def test_the_start_card_is_left_out_where_the_other_side_is_taken(tmp_path: Path) -> None:
    """The page offers the cards together with both sides."""
    pair = Pair(tmp_path / "table")
    guest, inviter = pair.sessions
    home = pair.homes[guest]
    (Home(home).games).mkdir()
    session = pair.sessions[inviter]
    invitation = session.invite(None, house_rules=["french-start-choice"], lists=1)
    written = sign_agreed(session, invitation, Home(home).games / "game-000.toml")
    service = GameService(Home(home))
    playing = opened(service, written.match.id.hex())
    assert playing.questions == ()
    joined = playing.join(Side.BRITISH, "regular-infantry").match
    assert Side(joined.last.side) is Side.BRITISH

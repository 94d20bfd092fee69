"""An open game of the pages, with other windows and questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.play.home import Home
from pbem.play.turn import Turn
from pbem.web.active_game import ActiveGame
from pbem.web.game_service import GameService
from tests.requirements import require
from tests.signing import sign_agreed
from tests.web.tables import Pair


def open_game(service: GameService, game: str) -> ActiveGame:
    return ActiveGame(service.session(), service.open(game), lambda _: None)


def test_window_that_resigns_notices_orders_of_another(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "table").begin()
    side = require(pair.next_side)
    pair.note(side)
    service = GameService(Home(pair.homes[side]))
    first, second = (open_game(service, pair.game) for _ in range(2))
    assert first.turn and second.turn
    for window, other_window in ((first, second), (second, first)):
        assert other_window.turn
        other_window.order(pair.choose(other_window.turn.view()).notation())
        window.resign(is_resigning=True)
        assert not window.is_changed_elsewhere
        other_window.do(Turn.undo)
        assert window.is_changed_elsewhere
        window.resign(is_resigning=False)
        assert not window.is_changed_elsewhere


def test_finished_game_can_be_closed_but_not_resigned(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "table").begin()
    first = require(pair.next_side)
    session = pair.sessions[first]
    pair.written = sign_agreed(session, session.answer(session.read(pair.file), resigns=True))
    pair.note(first.opponent)
    active = open_game(GameService(Home(pair.homes[first.opponent])), pair.game)
    revision = active.revision
    with pytest.raises(UsageError):
        active.resign(is_resigning=True)
    assert active.revision == revision
    assert not active.is_resigning
    assert active.turn is not None
    assert active.sign().match.next_side is None


def test_repeated_question_is_recorded_once(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "table")
    guest, inviter = pair.sessions
    home, session = Home(pair.homes[guest]), pair.sessions[inviter]
    home.games.mkdir()
    # Without a library the pages cannot know whether the invitation was accepted before.
    home.library_path.unlink()
    written = sign_agreed(session, session.invite(lists=1), home.games / "game-000.toml")
    active = open_game(GameService(home), written.match.id.hex())
    assert active.questions == active.questions
    assert len(active.questions) == len(active.consent._questions) == 1

"""A game in hand: what another window does beside it, and what is asked before it is taken up."""

from __future__ import annotations

from pathlib import Path

from engine.sides import Side
from pbem.play.home import Home
from pbem.web.desk import Desk
from pbem.web.playing import Playing
from tests.present import present
from tests.web.tables import Pair


def test_whoever_is_asked_whether_to_give_up_sees_what_another_window_orders(
    tmp_path: Path,
) -> None:
    pair = Pair(tmp_path / "table").begin()
    side = present(pair.next_side)
    pair.note(side)
    desk = Desk(Home(pair.homes[side]))
    one, other = (Playing(desk.session(), desk.open(pair.game)) for _ in range(2))
    assert one.turn and other.turn
    for window, beside in ((one, other), (other, one)):
        assert beside.turn
        beside.order(pair.choose(beside.turn.view()).notation())
        window.resign(resigns=True)
        assert not window.is_kept_otherwise
        beside.undo()
        assert window.is_kept_otherwise
        window.resign(resigns=False)
        assert not window.is_kept_otherwise


def test_the_start_card_is_left_out_where_the_other_side_is_taken(tmp_path: Path) -> None:
    """The page offers the cards together with both sides."""
    pair = Pair(tmp_path / "table")
    guest, inviter = pair.sessions
    home = pair.homes[guest]
    (Home(home).games).mkdir()
    invitation = pair.sessions[inviter].invite(None, house_rules=["french-start-choice"], lists=1)
    written = invitation.sign(Home(home).games / "game-000.toml")
    desk = Desk(Home(home))
    playing = Playing(desk.session(), desk.open(written.match.id.hex()))
    assert playing.questions == ()
    joined = playing.join(Side.BRITISH, "regular-infantry").match
    assert Side(joined.last.side) is Side.BRITISH

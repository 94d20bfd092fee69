"""A file of the version that knew one edition and no house rule is still read and answered."""

from __future__ import annotations

from pathlib import Path

from engine.game import legal_orders
from engine.orders import Block, End, Pass
from engine.ruleset import DEFAULT_EDITION
from engine.sides import Side
from engine.state import Decision
from pbem.play.answer import Answer
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.play.identity import keyfile
from pbem.protocol.identity import Identity
from tests.play.playing import TIME
from tests.signing import finish

FOLDER = Path(__file__).parents[1] / "old_files" / "before-editions"
FILE = FOLDER / "game-041.toml"


def identity(side: Side) -> Identity:
    return keyfile.load(FOLDER / side.value / "identity.toml", lambda: "")


def test_it_is_proved_and_means_the_second_edition() -> None:
    report = audit(FILE.read_bytes())
    assert report.is_clean, report.finding
    invite, state = report.match.invite, report.match.state
    assert (invite.edition, invite.house_rules, invite.rules_parts) == (DEFAULT_EDITION, (), None)
    assert state.awaiting[:3] == (Decision.RAID_REPLY, Side.BRITISH, "halifax")
    assert report.match.follow_ups == (End(),)


def test_both_players_can_go_on() -> None:
    """The answer, the turn that was announced behind it, and a turn of each side."""
    game = GameFile.read(FILE.read_bytes())
    answer = Answer(game, identity(Side.BRITISH), TIME)
    answer.order(next(order for order in legal_orders(answer.view()) if isinstance(order, Block)))
    assert not answer.match.dropped
    for side in (Side.BRITISH, Side.FRENCH):
        assert answer.seat.side is side
        for order in (Pass(), Pass(), End()):
            answer.order(order)
        data = finish(answer)[1].write()
        assert audit(data).is_clean
        answer = Answer(GameFile.read(data), identity(side.opponent), TIME)

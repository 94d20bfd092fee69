"""Who is told which cards were drawn, and the end of a game on a line of its own."""

from pathlib import Path
from random import Random

import pytest

from engine.events import Drew, GameOver
from engine.sides import Side
from pbem.cli import console
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.protocol.table import Deed
from pbem.text.history.report import report
from tests.cli.table import Table, unwrap
from tests.play.playing import answer, any_order, begin, identities, play
from tests.seats import Seat


def counted(number: int) -> str:
    return f"{number} card" + "s" * (number > 1)


def printed(
    capsys: pytest.CaptureFixture[str],
    match: Match,
    deed: Deed,
    viewer: Side | None,
    own: HiddenCards | None,
) -> str:
    capsys.readouterr()
    console.say_lines(report(match, [deed], viewer, own).lines())
    return capsys.readouterr().out


@pytest.mark.parametrize("seed", range(3))
def test_the_owner_alone_is_told_the_names(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    match = play(begin(seed, lists=2), any_order(Random(seed)), turns=8, seed=seed)
    seats = [Seat(match, who) for who in identities(seed)]
    drawn = [deed for deed in match.deeds if deed.drawn]
    assert {deed.side for deed in drawn} == set(Side)
    name = match.state.ruleset.catalogue.names
    for deed in drawn:
        for seat in seats:
            told = unwrap(printed(capsys, match, deed, seat.side, seat.cards))
            if seat.side is deed.side:
                assert all(name[seat.cards.at(slot)[0]] in told for slot in deed.drawn)
                assert "card" not in told
            else:
                assert f" {counted(len(deed.drawn))}." in told


def granted(seed: int = 0) -> tuple[Match, Deed]:
    """A match whose last record deals cards to whoever writes next, and the deed."""
    match, choose = begin(seed, lists=2), any_order(Random(seed))
    while True:
        match = answer(match, choose, seed)
        for deed in match.deeds:
            fresh = deed.record == match.last.index and deed.side is match.next_side
            if match.state.turn > 3 and fresh and deed.drawn:
                return match, deed


def test_what_came_with_a_file_is_told_with_what_happened_last(tmp_path: Path) -> None:
    match, deed = granted()
    table, side = Table(tmp_path / "game", match, 0), deed.side
    seat = next(s for s in (Seat(match, who) for who in identities()) if s.side is side)
    name = match.state.ruleset.catalogue.names
    told = table.show(side).partition("What happened last")[2].partition(" Now ")[0]
    assert f"{match.entrants[side].name} ({side.label!s}, you), turn {deed.turn + 1}: " in told
    drawn = told.partition(" hand with ")[2]
    assert all(name[seat.cards.at(slot)[0]] in drawn for slot in deed.drawn)
    told = table.show(side.opponent).partition("What happened last")[2].partition(" Now ")[0]
    assert f"refilled their hand with {counted(len(deed.drawn))}." in told


def test_the_end_of_a_game_does_not_hide_behind_a_draw(capsys: pytest.CaptureFixture[str]) -> None:
    match: Match = play(begin(), any_order(Random(0)), turns=2)
    side = Side.FRENCH
    events = (Drew(side, 2), GameOver(side.opponent))
    lines = printed(capsys, match, Deed(9, 3, side, None, events), None, None).splitlines()
    assert lines[1:] == ["    They drew 2 cards.", "    This won the game for the British."]

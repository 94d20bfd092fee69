"""The table of players: pairs of games, their scores, and the intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import matches as played
from benchmarks import players
from benchmarks.balance.results import Result, Results
from benchmarks.balance.settings import Setting
from benchmarks.matches import interval, play
from benchmarks.players import Match, matches, row
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import EndReason

PLAIN = Setting("first", (), "lakes", "2")


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_match_the_literature(won: int, games: int, low: float, high: float) -> None:
    assert interval(won, games) == pytest.approx((low, high), abs=5e-5)
    assert interval(games - won, games) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_pair_of_games_swaps_sides_and_keeps_the_deals() -> None:
    match = Match("hammer", "1", "second")
    as_british = Setting("second", (), "hammer", "1")
    as_french = Setting("second", (), "1", "hammer")
    arguments = [match.game(number) for number in range(4)]
    assert arguments == [(as_british, 0), (as_french, 0), (as_british, 1), (as_french, 1)]


def test_first_player_may_keep_one_side_in_all_games() -> None:
    match = Match("hammer", "1", "second", fixed_side=Side.FRENCH)
    assert {match.side(number) for number in range(4)} == {Side.FRENCH}
    french = Setting("second", (), "1", "hammer")
    assert [match.game(number) for number in range(3)] == [(french, 0), (french, 1), (french, 2)]


def result(winner: Side, ended_by: EndReason | None = EndReason.HOME_SIEGE) -> Result:
    return Result(PLAIN, 0, winner, ended_by, 19, (30, 30), "code", (0.02, 0.09))


def test_wins_of_the_first_player_are_counted_by_side() -> None:
    british, french = result(Side.BRITISH), result(Side.FRENCH, None)
    line = row(Match("lakes", "2", "first"), [british, french, british, british])
    assert "3 of 4" in line
    assert "2 of 2" in line  # as the British
    assert "1 of 2" in line  # as the French
    assert line.endswith("1 by points")
    assert "5.8, 5.8" in line  # 220 ms in 38 turns, both


def test_turn_time_is_measured_per_side() -> None:
    line = row(Match("lakes", "2", "first", Side.FRENCH), [result(Side.BRITISH)] * 2)
    assert "10.0, 2.0" in line


def test_untimed_games_do_not_lower_the_turn_time() -> None:
    timed, untimed = result(Side.BRITISH), result(Side.BRITISH)._replace(seconds=None)
    match = Match("lakes", "2", "first", Side.FRENCH)
    assert "10.0, 2.0" in row(match, [timed, untimed])
    assert "–, –" in row(match, [untimed])


def test_games_depend_on_their_numbers_alone() -> None:
    names = {Side.BRITISH: "hammer", Side.FRENCH: "greedy"}
    once, again = (play(names, 2, Ruleset.of()) for _ in range(2))
    assert (once.winner, once.turns) == (again.winner, again.turns)
    assert (once.ended_by, once.points) == (again.ended_by, again.points)
    assert not once.is_stopped


def test_stopped_game_is_decided_by_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "LAST_TURN", 3)
    game = play({Side.BRITISH: "hammer", Side.FRENCH: "settlers"}, 1, Ruleset.of())
    assert game.is_stopped
    assert game.winner is Side.FRENCH
    assert game.turns == {Side.BRITISH: 2, Side.FRENCH: 2}
    assert game.points[Side.FRENCH] > game.points[Side.BRITISH]


def test_every_pair_of_players_plays() -> None:
    def pairs(all: list[str], against: list[str]) -> list[tuple[str, str]]:
        return [(match.first, match.second) for match in matches(all, against, ["second"])]

    assert pairs(["1", "greedy", "lakes"], []) == [
        ("1", "greedy"),
        ("1", "lakes"),
        ("greedy", "lakes"),
    ]
    assert pairs(["1", "2"], ["1", "lakes"]) == [("1", "lakes"), ("2", "1"), ("2", "lakes")]


def test_table_has_a_row_per_match(capsys: pytest.CaptureFixture[str]) -> None:
    players.main(["--players", "hammer,raiders", "--games", "2", "--processes", "1"])
    head, line, note = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["edition", "player"]
    assert line.split()[:3] == ["second", "hammer", "raiders"]
    assert f"turn {played.LAST_TURN}" in note


def test_pair_with_results_is_not_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--players", "hammer,raiders", "--processes", "1"]
    arguments += ["--results", str(tmp_path / "results")]
    assert players.main([*arguments, "--games", "2"]) == 0
    two = capsys.readouterr().out
    results = Results(tmp_path / "results")
    assert len([*results]) == 2
    assert all(one.seconds is not None and one.seconds > (0, 0) for one in results)

    def run_nothing(pool: object, function: object, tasks: list[object]) -> list[Result]:
        assert not tasks
        return []

    monkeypatch.setattr(players, "run_tasks", run_nothing)
    assert players.main([*arguments, "--games", "2"]) == 0
    assert capsys.readouterr().out == two

    (tmp_path / "results").write_text(next(iter(results))._replace(code="older").line() + "\n")
    assert players.main([*arguments, "--games", "2"]) == 2
    assert "other code played (older;" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--players", "4711"], ["--games", "3"], ["--edition", "third"]])
def test_unknown_player_is_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        players.main(wrong)

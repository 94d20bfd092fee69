"""The table of players: pairs of games, what they count for, and how sure that is."""

from __future__ import annotations

import pytest

from benchmarks import matches as played
from benchmarks import players
from benchmarks.matches import Game, interval, play
from benchmarks.players import Match, matches, row
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import EndsBy


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_the_literature(won: int, of: int, low: float, high: float) -> None:
    assert interval(won, of) == pytest.approx((low, high), abs=5e-5)
    assert interval(of - won, of) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_a_pair_of_games_swaps_sides_and_keeps_the_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(players, "play", lambda names, seed, rules: asked.append((names, seed)))
    match = Match("hammer", "1", "second")
    for number in range(4):
        match.play(number)
    as_british = {Side.BRITISH: "hammer", Side.FRENCH: "1"}
    as_french = {Side.BRITISH: "1", Side.FRENCH: "hammer"}
    assert asked == [(as_british, 0), (as_french, 0), (as_british, 1), (as_french, 1)]


def test_the_first_player_wins_as_the_side_that_it_had() -> None:
    def game(winner: Side, ended_by: EndsBy | None) -> Game:
        points, turns = dict.fromkeys(Side, 30), {Side.BRITISH: 10, Side.FRENCH: 9}
        return Game(winner, ended_by, points, turns, {Side.BRITISH: 0.02, Side.FRENCH: 0.09})

    british, french = game(Side.BRITISH, EndsBy.HOME_SIEGE), game(Side.FRENCH, None)
    told = row(Match("lakes", "2", "first"), [british, french, british, british])
    assert "3 of 4" in told
    assert "2 of 2" in told  # as the British
    assert "1 of 2" in told  # as the French
    assert told.endswith("1 by points")
    assert "5.8, 5.8" in told  # 220 ms in 38 turns, both


def test_games_are_the_same_whenever_they_are_played() -> None:
    names = {Side.BRITISH: "hammer", Side.FRENCH: "greedy"}
    once, again = (play(names, 2, Ruleset.of()) for _ in range(2))
    assert (once.winner, once.turns) == (again.winner, again.turns)
    assert (once.ended_by, once.points) == (again.ended_by, again.points)
    assert not once.is_stopped


def test_a_game_that_is_stopped_counts_by_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """The French have more of them at the beginning."""
    monkeypatch.setattr(played, "LAST_TURN", 3)
    game = play({Side.BRITISH: "hammer", Side.FRENCH: "settlers"}, 1, Ruleset.of())
    assert game.is_stopped
    assert game.winner is Side.FRENCH
    assert game.turns == {Side.BRITISH: 2, Side.FRENCH: 2}
    assert game.points[Side.FRENCH] > game.points[Side.BRITISH]


def test_who_plays_whom() -> None:
    def pairs(all: list[str], against: list[str]) -> list[tuple[str, str]]:
        return [(match.first, match.second) for match in matches(all, against, ["second"])]

    assert pairs(["1", "greedy", "lakes"], []) == [
        ("1", "greedy"),
        ("1", "lakes"),
        ("greedy", "lakes"),
    ]
    assert pairs(["1", "2"], ["1", "lakes"]) == [("1", "lakes"), ("2", "1"), ("2", "lakes")]


def test_a_small_table(capsys: pytest.CaptureFixture[str]) -> None:
    players.main(["--players", "hammer,raiders", "--games", "2", "--processes", "1"])
    head, line, note = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["edition", "player"]
    assert line.split()[:3] == ["second", "hammer", "raiders"]
    assert f"turn {played.LAST_TURN}" in note


@pytest.mark.parametrize("wrong", [["--players", "4711"], ["--games", "3"], ["--edition", "third"]])
def test_what_cannot_be_played_is_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        players.main(wrong)

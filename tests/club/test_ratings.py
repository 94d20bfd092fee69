"""Ratings: the worked example of the method, its properties, and the worth of a side."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from engine.sides import Side
from pbem.club import ratings
from pbem.club.ratings import RatedGame, Ratings, rate

SECOND, FIRST = ("second", ()), ("first", ("paid-reshuffle",))
BEGIN = date(2026, 1, 5)
NAMES = tuple(f"Player {number}" for number in range(12))


def simulate(seed: int, games: int, worth: int) -> tuple[dict[str, float], list[RatedGame]]:
    """Return strengths in points, and games in which the British are worth some points."""
    random = Random(seed)
    strengths = {name: random.gauss(1500, 200) for name in NAMES}
    played = []
    for number in range(games):
        british, french = random.sample(NAMES, 2)
        lead = strengths[british] + worth - strengths[french] + random.gauss(0, 200 * 2**0.5)
        winner = Side.BRITISH if lead > 0 else Side.FRENCH
        day = BEGIN + timedelta(days=number)
        played.append(RatedGame(british, french, winner, SECOND, day))
    return strengths, played


def test_the_worked_example_of_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the paper's first example, A beats B, B beats C, C beats A: N(0, 2.395) for all."""
    for name, value in (("DRIFT", 0), ("DEVIATION", 6), ("SIDE_DEVIATION", 1e-6)):
        monkeypatch.setattr(ratings, name, value)
    games = [
        RatedGame(winner, loser, Side.BRITISH, SECOND, BEGIN + timedelta(weeks=number))
        for number, (winner, loser) in enumerate((("A", "B"), ("B", "C"), ("C", "A")))
    ]
    for rating in rate(games).players.values():
        assert (rating.points, rating.deviation, rating.games) == (1500, round(200 * 2.395), 2)


def test_nothing_is_rated_without_games() -> None:
    assert rate([]) == Ratings({}, {}, {})


def test_the_order_of_games_does_not_matter() -> None:
    _, games = simulate(1, 60, 50)
    assert rate(Random(2).sample(games, len(games))) == rate(games)


def test_names_do_not_matter() -> None:
    _, games = simulate(2, 60, 50)
    renamed = {name: f"{number:02} {name}" for number, name in enumerate(reversed(NAMES))}
    others = rate(
        [
            game._replace(british=renamed[game.british], french=renamed[game.french])
            for game in games
        ]
    )
    for name, rating in rate(games).players.items():
        assert abs(others.players[renamed[name]].points - rating.points) <= 1


def test_a_symmetrical_pair_is_even_and_so_are_the_sides() -> None:
    games = [
        RatedGame("Anna", "Ben", Side.BRITISH, SECOND, BEGIN),
        RatedGame("Ben", "Anna", Side.BRITISH, SECOND, BEGIN),
        RatedGame("Anna", "Ben", Side.FRENCH, SECOND, BEGIN),
        RatedGame("Ben", "Anna", Side.FRENCH, SECOND, BEGIN),
    ]
    result = rate(games)
    assert {rating.points for rating in result.players.values()} == {1500}
    assert result.sides[SECOND].points == 0
    assert result.sides[SECOND].expected() == 0.5


@pytest.mark.slow
@pytest.mark.parametrize("worth", [-150, 0, 150])
def test_the_worth_of_a_side_is_recovered(worth: int) -> None:
    strengths, games = simulate(3, 240, worth)
    result = rate(games)
    side = result.sides[SECOND]
    assert side.games == 240
    assert side.deviation < 50
    assert abs(side.points - worth) < 2 * side.deviation
    # The games tell nothing about the mean of all strengths.
    shift = sum(result.players[name].points - strengths[name] for name in NAMES) / len(NAMES)
    errors = {name: result.players[name].points - strengths[name] - shift for name in NAMES}
    within = [abs(error) < 2 * result.players[name].deviation for name, error in errors.items()]
    assert sum(within) >= len(NAMES) - 2


def test_rulesets_have_their_own_worth_and_more_games_make_it_surer() -> None:
    _, games = simulate(4, 90, 150)
    games = [
        game._replace(rules=FIRST) if number % 3 == 0 else game for number, game in enumerate(games)
    ]
    sides = rate(games).sides
    assert (sides[SECOND].games, sides[FIRST].games) == (60, 30)
    assert sides[SECOND].deviation < sides[FIRST].deviation


@pytest.mark.slow
def test_victories_of_the_weaker_side_count_more() -> None:
    _, games = simulate(5, 150, 200)
    day = games[-1].day
    won_as_british = rate([*games, RatedGame("Anna", "Player 0", Side.BRITISH, SECOND, day)])
    won_as_french = rate([*games, RatedGame("Player 0", "Anna", Side.FRENCH, SECOND, day)])
    assert won_as_french.players["Anna"].points > won_as_british.players["Anna"].points


def test_a_rating_becomes_less_certain_without_games() -> None:
    _, games = simulate(6, 40, 0)
    first = rate(games).players["Player 0"]
    late = [
        game._replace(day=game.day + timedelta(weeks=60))
        for game in games
        if "Player 0" not in game
    ]
    assert rate([*games, *late]).players["Player 0"].deviation > first.deviation

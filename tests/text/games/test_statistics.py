"""Statistics of a player's games."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.ruleset import editions
from engine.sides import Side
from pbem.play.store import Game, GameEntry
from pbem.text.games import Statistics, statistics, statistics_text

ID = bytes(32)


def game(side: str = "british", winner: str = "", **facts: Any) -> GameEntry:
    about = {"edition": "second", "opponent": "Bela", "turn": 40, "since": "2026-11-21T10:00:00Z"}
    rest = {"house_rules": "", "email": "", "due": "", "waits_for": "nobody" if winner else "you"}
    known: dict[str, Any] = {**about, **rest, **facts}
    played = Game(records=40, last=ID, side=side, winner=winner, **known)
    return GameEntry(ID, played, None, None, None)


def output(facts: Statistics) -> list[str]:
    return [str(line.label) + str(line.text) for line in statistics_text(facts)]


SIDES = [one.value for one in Side]


@given(
    st.lists(
        st.builds(
            game,
            side=st.sampled_from(SIDES),
            winner=st.sampled_from([*SIDES, ""]),
            edition=st.sampled_from(sorted(editions())),
            turn=st.integers(1, 300),
        )
    )
)
def test_every_game_is_counted_once(games: list[GameEntry]) -> None:
    facts = statistics(games, {})
    assert sum(facts.in_all) == len(games)
    for result, number in facts.in_all._asdict().items():
        assert sum(getattr(row, result) for row in facts.results) == number
    turns = [one.game.turn for one in games if one.game.winner]
    spread = facts.turns
    assert (spread is None) == (not turns)
    if spread:
        assert (spread.least, spread.most) == (min(turns), max(turns))
        assert 2 * sum(number <= spread.median for number in turns) >= len(turns)
        assert 2 * sum(number >= spread.median for number in turns) >= len(turns)


def test_invitation_is_no_game_yet() -> None:
    facts = statistics([game("any", opponent=""), game("british", opponent="")], {})
    assert facts.in_all == (0, 0, 0)


def test_only_finished_games_have_a_length() -> None:
    assert statistics([game(turn=90)], {ID: "2026-11-01T10:00:00Z"}).turns is None
    over = game("british", "french", turn=41)
    assert statistics([game(turn=90), over], {}).turns == (41, 41, 41)


def test_game_lasts_from_the_first_own_record_to_the_last() -> None:
    over = game("british", "french", since="2026-11-21T09:00:00Z")
    days = statistics([over], {ID: "2026-11-01T10:00:00Z"}).days
    assert days == (20, 20, 20)
    # Whoever signed before the game began has a clock that nobody goes by.
    assert statistics([over], {ID: "2026-12-01T10:00:00Z"}).days is None


def test_unknown_statistics_are_left_out() -> None:
    lines = output(statistics([game()], {}))
    assert lines == ["Your games", "  second edition, British  won: 0, lost: 0, in progress: 1"]


def test_statistics_by_edition_and_side() -> None:
    games = [
        game("french", "french", turn=38),
        game("british", "french", turn=71),
        game("french", edition="first"),
    ]
    assert output(statistics(games, {})) == [
        "Your games",
        "  second edition, British  won: 0, lost: 1, in progress: 0",
        "  second edition, French  won: 1, lost: 0, in progress: 0",
        "  first edition, French  won: 0, lost: 0, in progress: 1",
        "  in all  won: 1, lost: 1, in progress: 1",
        "",
        "How long the finished games took",
        "  turns  38 to 71; half of the games took at most 38",
    ]

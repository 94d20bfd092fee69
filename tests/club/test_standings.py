"""Standings from results made by hand: those that count, and the reasons against others."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.message import Message
from engine.sides import Side
from engine.state import EndReason
from pbem.club.club_file import Club
from pbem.club.club_text import find_problems, result_text, standings_document
from pbem.club.standings import Place, Standings
from pbem.club.verdicts import (
    Accusation,
    ClubGame,
    ClubPlayer,
    ForkEvidence,
    Missing,
    Owed,
    Result,
    Row,
    UnreadableFile,
    Verdict,
)
from pbem.savefile.save_file import SaveFile
from pbem.text.facts.json_data import to_json_data
from tests.club import club_files
from tests.club.league import identity, key, make_club, play, rounds, write

BOTH = tuple(Side)
NOW = "2026-06-01T00:00:00Z"


def game(
    british: str,
    french: str,
    winner: Side | None = Side.BRITISH,
    *,
    day: int = 1,
    closed: tuple[Side, ...] = BOTH,
    turns: tuple[int, int] = (20, 20),
    **more: object,
) -> ClubGame:
    """Return a game that began on a day of March, by the names of its players."""
    players = {
        side: ClubPlayer(identity(name).public_key, name)
        for side, name in zip(Side, (british, french), strict=True)
    }
    won = Message("somebody won")
    time = f"2026-04-{day:02}T10:00:00Z"
    result = Result(winner, EndReason.TOWNS, won, dict.fromkeys(Side, 3), time) if winner else None
    made = ClubGame(
        id=Random(f"{british} {french} {day}").randbytes(32),
        inviter=players[Side.BRITISH],
        players=players,
        edition="second",
        house_rules=(),
        home_support="asked",
        lists=16,
        records=40,
        turns=dict(zip(Side, turns, strict=True)),
        first=f"2026-03-{day:02}T10:00:00Z",
        last=time,
        result=result,
        closed=closed if winner else (),
        verdict=Verdict.HONEST,
        accusations=(),
        owed=None if winner else Owed(Side.FRENCH, time, "play"),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def adjudicate(which: str, winner: str, day: str = "2026-05-01") -> str:
    return f'[[adjudication]]\n{which}\nwinner = "{winner}"\nday = {day}\nreason = "left"\n'


def table(standings: Standings) -> dict[str, tuple[int, int, int, int, int]]:
    """Return rank, points, tie-break, and games won and lost, by name."""
    return {
        place.name: (place.rank, place.points, place.tie_break, place.won, place.lost)
        for place in standings.places
    }


def reasons(standings: Standings) -> list[str]:
    return [str(row.reason) for row in standings.uncounted]


def test_the_table_of_a_round_robin(tmp_path: Path) -> None:
    pairs = [(a, b) for a in "ABCD" for b in "ABCD" if a != b]
    club = make_club(tmp_path, *"ABCD", pairing='"round robin"', more=rounds(*pairs))
    games = [
        game("A", "B"),
        game("B", "A", Side.FRENCH),
        game("A", "C", Side.FRENCH),
        game("C", "D"),
        game("D", "A"),
        game("B", "C"),
        game("B", "D", None),
    ]
    result = Standings(club, games)
    # A beat B twice, C beat A and D, D beat A, B beat C.
    assert table(result) == {
        "C": (1, 2, 3, 2, 1),
        "A": (2, 2, 2, 2, 2),
        "B": (3, 1, 2, 1, 2),
        "D": (3, 1, 2, 1, 1),
    }
    assert sum(rating.games for rating in result.ratings.players.values()) == 12
    assert len(result.pairings) == 12
    assert not result.uncounted
    scores = {other: result.score("A", other) for other in "ABCD"}
    assert scores == {"A": "", "B": "2–0", "C": "0–1", "D": "0–1"}
    assert (result.score("B", "A"), result.score("B", "D")) == ("0–2", "")


def test_a_ladder(tmp_path: Path) -> None:
    club = make_club(tmp_path, *"ABCD")
    games = [game("D", "B", day=1), game("A", "C", day=2), game("C", "A", Side.FRENCH, day=3)]
    assert Standings(club, games).ladder == ["A", "D", "B", "C"]
    assert Standings(club, [*games, game("C", "A", day=4)]).ladder == ["C", "A", "D", "B"]


def test_a_result_has_the_time_of_the_record_that_decided(tmp_path: Path) -> None:
    resigned, closed = (play("A", "B", winner=Side.FRENCH, closers=n) for n in (0, 2))
    (first,), (later,) = (
        club_files.games(write(tmp_path, "one", file)) for file in (resigned, closed)
    )
    assert first.result == later.result
    assert first.result is not None
    assert first.result.time == resigned.match.last.time < later.last


def test_a_late_close_moves_neither_the_ladder_nor_a_rating(tmp_path: Path) -> None:
    club = make_club(tmp_path, *"ABC")
    games = [game("C", "B", day=1), game("B", "A", day=2)]
    closed_late = [replace(games[0], last="2026-12-01T10:00:00Z"), games[1]]
    first, later = Standings(club, games), Standings(club, closed_late)
    assert first.ladder == later.ladder == ["B", "A", "C"]
    assert first.ratings == later.ratings


def test_an_adjudication_has_the_place_of_its_day_in_the_ladder(tmp_path: Path) -> None:
    stopped = game("B", "A", None, day=1, last="2026-12-01T10:00:00Z")
    for day, ladder in (("2026-03-31", ["B", "C", "A"]), ("2026-05-01", ["C", "B", "A"])):
        line = adjudicate(f'game = "{stopped.unique_id}"', "british", day)
        club = make_club(tmp_path, *"ABC", more=line)
        assert Standings(club, [stopped, game("C", "A", day=2)]).ladder == ladder, day


def test_a_loser_who_never_closes_annuls_nothing(tmp_path: Path) -> None:
    club = make_club(tmp_path, "A", "B")
    result = Standings(club, [game("A", "B", closed=(Side.BRITISH,))])
    assert result.places[0] == Place(1, "A", 1, 0, 1, 0, 1, provisional=1)
    assert result.ratings.players["A"].games == 1


def test_a_loser_whose_last_file_is_damaged_annuls_nothing(tmp_path: Path) -> None:
    """The file has a valid close that nobody else has, and then a record without a signature."""
    club, played = make_club(tmp_path, "A", "B"), play("A", "B", winner=Side.BRITISH)
    records = played.save.records
    forged = records[-1]._replace(index=len(records), signature=bytes(64))
    (tmp_path / "games" / "w.toml").write_bytes(SaveFile(records[:-1]).write())
    (tmp_path / "games" / "x.toml").write_bytes(SaveFile((*records, forged)).write())
    (row,) = club_files.games(tmp_path / "games")
    assert row.verdict is Verdict.DAMAGED and row.records == len(records)
    assert table(Standings(club, [row]))["A"][1] == 1


def test_a_clock_of_the_future_widens_no_rating(tmp_path: Path) -> None:
    club, games = make_club(tmp_path, *"ABCD"), [game("A", "B"), game("C", "D", day=2)]
    won = games[1].result
    assert won is not None
    late = replace(games[1], result=replace(won, time="9999-12-31T00:00:00Z"))
    end = replace(games[1], result=replace(won, time="2026-12-31T00:00:00Z"))
    assert Standings(club, [games[0], late]).ratings == Standings(club, [games[0], end]).ratings


def test_nobody_is_rated_for_a_game_in_which_a_side_took_no_turn(tmp_path: Path) -> None:
    result = Standings(make_club(tmp_path, "A", "B"), [game("A", "B", turns=(1, 0))])
    assert result.places[0].points == 1
    assert not result.ratings.players
    assert "not rated, because B took no turn" in str(result_text(result.pairings[0]))


def test_an_adjudication_counts_and_is_not_rated(tmp_path: Path) -> None:
    late = game("A", "B", None)
    club = make_club(
        tmp_path, "A", "B", more=adjudicate(f'game = "{late.unique_id}"', Side.BRITISH)
    )
    result = Standings(club, [late, game("B", "A", day=2)])
    assert table(result) == {"A": (1, 1, 1, 1, 1), "B": (1, 1, 1, 1, 1)}
    assert result.ratings.players["A"].games == 1
    assert [bool(row.adjudications) for row in result.pairings] == [True, False]


def test_a_pair_that_never_began_is_adjudicated_by_its_round(tmp_path: Path) -> None:
    more = rounds(("A", "B")) + adjudicate('round = 1\nbritish = "A"\nfrench = "B"', Side.FRENCH)
    club = make_club(tmp_path, "A", "B", more=more, pairing='"swiss"')
    assert table(Standings(club, [])) == {"B": (1, 1, 0, 1, 0), "A": (2, 0, 0, 0, 1)}


def test_a_void_game_counts_for_nobody_and_may_be_played_again(tmp_path: Path) -> None:
    spoilt, again = game("A", "B", day=1), game("A", "B", Side.FRENCH, day=2)
    more = rounds(("A", "B")) + adjudicate(f'game = "{spoilt.unique_id}"', "nobody")
    club = make_club(tmp_path, "A", "B", more=more, pairing='"swiss"')
    result = Standings(club, [spoilt])
    assert reasons(result) == ["void: left"]
    assert [place.points for place in result.places] == [0, 0]
    assert [problem.kind for problem in find_problems(result, [spoilt], NOW)] == ["absent"]
    result = Standings(club, [spoilt, again])
    assert table(result)["B"] == (1, 1, 0, 1, 0)
    assert result.ratings.players["B"].games == 1
    assert find_problems(result, [spoilt, again], NOW) == []


def test_a_game_of_a_later_round_fills_no_round_that_was_decided_before(tmp_path: Path) -> None:
    days = ("2026-03-01", "2026-03-15")
    both = "".join(f'[[round]]\nday = {day}\npairs = [["A", "B"]]\n' for day in days)
    decided = adjudicate('round = 1\nbritish = "A"\nfrench = "B"', "nobody", "2026-03-10")
    club = make_club(tmp_path, "A", "B", more=both + decided, pairing='"swiss"')
    for day, rounds_of_games in ((20, [2]), (5, [1])):
        result = Standings(club, [game("A", "B", Side.FRENCH, day=day)])
        assert [row.round for row in result.pairings if row.game] == rounds_of_games
        assert table(result)["B"][1] == (day == 20)


def test_an_invitation_is_voided_without_the_game_that_began_with_it(tmp_path: Path) -> None:
    """Anybody who has a file of a game can make one of its invitation with an invented guest."""
    played = game("A", "B")
    copy = replace(played, players={Side.BRITISH: played.inviter}, result=None)
    more = adjudicate(f'game = "{copy.unique_id}"', "nobody")
    result = Standings(make_club(tmp_path, "A", "B", more=more), [played, copy])
    assert reasons(result) == ["void: left"]
    assert table(result)["A"][1] == 1


def test_a_void_pair_of_a_round_is_not_waited_for(tmp_path: Path) -> None:
    more = rounds(("A", "B")) + adjudicate('round = 1\nbritish = "A"\nfrench = "B"', "nobody")
    club = make_club(tmp_path, "A", "B", more=more, pairing='"swiss"')
    for games in ([], [game("A", "B")]):
        result = Standings(club, games)
        assert [place.points for place in result.places] == [0, 0]
        assert not result.ratings.players
        assert str(result_text(result.pairings[0])) == "void: left"
        assert find_problems(result, games, NOW) == []


def test_a_game_in_which_somebody_cheated_waits_for_the_organiser(tmp_path: Path) -> None:
    forked = game("A", "B", verdict=Verdict.FORKED)
    assert reasons(Standings(make_club(tmp_path, "A", "B"), [forked])) == [
        "a player signed two different turns: it counts once it is adjudicated"
    ]
    club = make_club(
        tmp_path, "A", "B", more=adjudicate(f'game = "{forked.unique_id}"', Side.FRENCH)
    )
    result = Standings(club, [forked])
    assert result.places[0].name == "B"
    assert not result.ratings.players


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (game("A", "Mallory"), f"Mallory has no member’s key: {key('Mallory')}"),
        (game("A", "A"), "A plays both sides"),
        (game("A", "B", edition="first"), "the club does not play the first edition"),
        (
            game("A", "B", house_rules=("paid-reshuffle",)),
            "the club does not play with “Paid shuffle”",
        ),
        (
            game("A", "B", first="2025-12-31T23:59:59Z"),
            "it began outside of the season, on 2025-12-31",
        ),
        (
            game("A", "B", first="2027-01-01T00:00:00Z"),
            "it began outside of the season, on 2027-01-01",
        ),
        (game("A", "B", None, players={}), "nobody has accepted the invitation"),
    ],
)
def test_what_does_not_count_is_listed_with_its_reason(
    tmp_path: Path, odd: ClubGame, reason: str
) -> None:
    result = Standings(make_club(tmp_path, "A", "B"), [odd])
    assert reasons(result) == [reason]
    assert not result.decided
    assert not result.ratings.players


def test_games_of_another_club_are_not_mentioned(tmp_path: Path) -> None:
    club = make_club(tmp_path, "A", "B")
    result = Standings(club, [game("X", "Y"), game("X", "Z", None, players={}), game("A", "B")])
    assert len(result.decided) == 1
    assert result.uncounted == []
    assert b"X" not in standings_document(result)


def test_a_pair_counts_as_often_as_rounds_have_it(tmp_path: Path) -> None:
    club = make_club(tmp_path, "A", "B", pairing='"swiss"', more=rounds(("A", "B")))
    games = [game("A", "B", Side.FRENCH, day=3), game("A", "B", day=2), game("B", "A", day=1)]
    result = Standings(club, games)
    # The first game of the pair counts, whoever won a later one.
    assert result.places[0].name == "A"
    assert reasons(result) == ["no round has this pair, with these sides, once more"] * 2


def test_results_follow_a_member_to_a_new_key(tmp_path: Path) -> None:
    more = f'[[replacement]]\nold = "{key("B")}"\nnew = "{key("B again")}"\n'
    games = [game("A", "B", Side.FRENCH), game("B again", "A", day=2)]
    assert len(Standings(make_club(tmp_path, "A", "B"), games).uncounted) == 1
    result = Standings(make_club(tmp_path, "A", "B", more=more), games)
    assert table(result)["B"] == (1, 2, 0, 2, 0)
    assert result.ratings.players["B"].games == 2


def test_a_bye_is_a_point_in_a_swiss_system(tmp_path: Path) -> None:
    more = rounds(("A", "B")) + 'bye = "C"\n'
    club = make_club(tmp_path, *"ABC", more=more, pairing='"swiss"')
    assert table(Standings(club, []))["C"] == (1, 1, 0, 0, 0)


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    club = make_club(tmp_path, *"ABC")
    games = [game(a, b, day=n) for n, (a, b) in enumerate(map(tuple, ("AB", "BC", "CA", "BA")), 1)]
    document = standings_document(Standings(club, games))
    for seed in range(3):
        assert standings_document(Standings(club, Random(seed).sample(games, 4))) == document
    facts = json.loads(document)
    assert [row["games"] for row in facts["ratings"]] == [3, 2, 3]
    assert facts["sides"][0]["games"] == 4
    assert all(row["rated"] for row in facts["games"])


# --- the check


def problems(club: Club, *rows: Row, now: str = NOW) -> list[tuple[str, str]]:
    games = [row for row in rows if isinstance(row, ClubGame)]
    found = find_problems(Standings(club, games), rows, now)
    assert len(to_json_data(found)) == len(found)
    return [(problem.kind, str(problem.text)) for problem in found]


def test_a_late_move_is_overdue_from_the_first_moment(tmp_path: Path) -> None:
    club, late = make_club(tmp_path, "A", "B"), game("A", "B", None)
    assert problems(club, late, now="2026-04-08T09:59:59Z") == []
    (problem,) = problems(club, late, now="2026-04-08T10:00:00Z")
    assert problem == (
        "overdue",
        "A (British) – B (French): B has been to move for 7 days, since 2026-04-01",
    )


def test_a_missing_file_is_not_overdue(tmp_path: Path) -> None:
    club = make_club(tmp_path, "A", "B")
    (problem,) = problems(club, game("A", "B", None, missing=Missing(41, "b.eml")))
    assert problem == (
        "missing",
        "A (British) – B (French): record 41 is missing, which b.eml is or mentions: ask for it",
    )


def test_a_pair_without_any_file_is_missing(tmp_path: Path) -> None:
    club = make_club(tmp_path, "A", "B", more=rounds(("A", "B")), pairing='"swiss"')
    assert [kind for kind, _ in problems(club)] == ["absent"]
    # It is not late yet.
    more = rounds(("A", "B")) + "day = 2026-05-31\n"
    club = make_club(tmp_path, "A", "B", more=more, pairing='"swiss"')
    assert problems(club, now="2026-06-06T23:59:59Z") == []
    assert [kind for kind, _ in problems(club, now="2026-06-07T00:00:00Z")] == ["absent"]


def test_somebody_with_the_name_of_a_member_is_noticed(tmp_path: Path) -> None:
    club = make_club(tmp_path, "Zoé", "Anna", "!!!", "???")
    other = game("Anna", "x")
    for name, is_alike in (("ZOE", True), ("Zora", False), (" ???", True), ("%%%", False)):
        players = {**other.players, Side.FRENCH: ClubPlayer(identity("x").public_key, name)}
        ((kind, text),) = problems(club, replace(other, players=players))
        assert kind == "uncounted"
        assert ("a [[replacement]] is missing" in text) is is_alike, name
        assert ("has no member’s key" in text) is not is_alike, name
        assert key("x") in text


def test_cheats_and_evidence_are_named(tmp_path: Path) -> None:
    club, owner = make_club(tmp_path, "A", "B"), identity("B").public_key
    proof = Accusation(owner, 7, "R-7.1", "the order is not legal")
    cheat = game("A", "B", verdict=Verdict.CHEATED, accusations=(proof,))
    evidence = ForkEvidence("fork-1.toml", owner, 3, b"")
    texts = [
        text for kind, text in problems(club, cheat, evidence) if kind in ("cheated", "forked")
    ]
    assert texts == [
        "B cheated in record 7: the order is not legal",
        "B signed two different turns: fork-1.toml proves it",
    ]


def test_an_adjudicated_cheat_is_no_problem_any_more(tmp_path: Path) -> None:
    proof = Accusation(identity("B").public_key, 7, "R-7.1", "the order is not legal")
    cheat = game("A", "B", verdict=Verdict.CHEATED, accusations=(proof,))
    for winner in ("british", "nobody"):
        line = adjudicate(f'game = "{cheat.unique_id}"', winner)
        assert problems(make_club(tmp_path, "A", "B", more=line), cheat) == []


def test_a_game_that_never_counted_is_void_after_an_adjudication(tmp_path: Path) -> None:
    for odd in (game("A", "Mallory"), game("A", "B", None, players={})):
        line = adjudicate(f'game = "{odd.unique_id}"', "nobody")
        club = make_club(tmp_path, "A", "B", more=line)
        assert problems(club, odd) == []
        assert reasons(Standings(club, [odd])) == ["void: left"]


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    club, damaged = make_club(tmp_path, "A", "B"), UnreadableFile("x.zip", "it breaks off")
    assert problems(club, damaged) == [("unreadable", "x.zip: it breaks off")]


def test_a_game_that_does_not_count_is_named_by_its_players(tmp_path: Path) -> None:
    club = make_club(tmp_path, "A", "B")
    for odd, names in (
        (game("A", "C"), "A (British) – C (French): C has no"),
        (game("A", "B", edition="first"), "A (British) – B (French): the club does not"),
        (game("A", "B", None, players={}), "nobody has accepted"),
    ):
        ((_, text),) = problems(club, odd)
        assert text.startswith(names)


def test_of_two_guests_of_an_invitation_one_game_is_adjudicated(tmp_path: Path) -> None:
    one, other = game("A", "B", None), game("A", "C", None)
    other = replace(other, id=one.id)
    club = make_club(tmp_path, *"ABC", more=adjudicate(f'game = "{one.unique_id}"', Side.FRENCH))
    assert [row.winner for row in Standings(club, [one, other]).pairings] in (
        [Side.FRENCH, None],
        [None, Side.FRENCH],
    )


def test_an_adjudication_of_nothing_is_noticed(tmp_path: Path) -> None:
    club = make_club(tmp_path, "A", "B", more=adjudicate(f'game = "{"c" * 64}"', Side.FRENCH))
    assert problems(club) == [("adjudication", "adjudication 1 is about no game of the club")]


def test_a_second_adjudication_is_noticed(tmp_path: Path) -> None:
    played = game("A", "B")
    slot = 'round = 1\nbritish = "A"\nfrench = "B"'
    lines = [(f'game = "{played.unique_id}"', "french"), (slot, "british"), (slot, "nobody")]
    more = rounds(("A", "B")) + "".join(adjudicate(*line) for line in lines)
    club = make_club(tmp_path, "A", "B", more=more, pairing='"swiss"')
    assert table(Standings(club, [played]))["B"][1] == 1
    assert problems(club, played) == [
        ("second", f"adjudication {n} decides nothing: an earlier one is about the same game")
        for n in (2, 3)
    ]

"""The balance of the sides: games, results, and tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.balance import __main__ as command
from benchmarks.balance.results import DamagedResultsError, Result, Results, code, play
from benchmarks.balance.settings import Setting, settings
from benchmarks.balance.tables import (
    BEGIN,
    END,
    MissingMarksError,
    difference,
    insert_tables,
    paired_difference,
    tables,
)
from engine.house_rules import InvalidRulesError, house_rules
from engine.ruleset import editions
from engine.sides import Side
from engine.state import EndReason

PLAIN = Setting("second", (), "1", "1")
QUICK = ["--british", "hammer", "--french", "raiders", "--edition", "second", "--processes", "1"]


def result(
    setting: Setting = PLAIN,
    deal: int = 0,
    winner: Side = Side.BRITISH,
    by: EndReason | None = EndReason.TOWNS,
) -> Result:
    return Result(setting, deal, winner, by, 70, (40, 30), code())


# --- the games


def test_house_rules_are_played_in_all_editions_they_change() -> None:
    all_settings = list(settings(editions(), None, "2", "2"))
    assert len(set(all_settings)) == len(all_settings)
    for edition in editions():
        rules = [one.rules for one in all_settings if one.edition == edition]
        assert rules[0] == ()
        assert all(Setting(edition, one, "2", "2").ruleset() for one in rules)
    assert {id for one in all_settings for id in one.rules} == house_rules().keys()
    # The first edition is printed with short raids.
    assert Setting("first", ("short-raids",), "2", "2") not in all_settings


def test_house_rules_named_together_are_played_together() -> None:
    pair = ("quebec-fortified", "louisbourg-fortified")
    printed, together = settings(["first"], [pair], "2", "2")
    assert printed.rules == ()
    assert together.rules == tuple(sorted(pair))
    assert together.ruleset().has_rule(pair[0])
    assert together.as_printed == printed


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (("no-such-rule",), "no-such-rule"),
        (("no-governors", "govern-loses-location"), "No Governors"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_by_name(rules: tuple[str, ...], name: str) -> None:
    with pytest.raises(InvalidRulesError, match=name):
        list(settings(["second"], [rules], "2", "2"))


# --- the results


def test_result_survives_writing_and_reading() -> None:
    setting = PLAIN._replace(rules=("quebec-fortified",), french="hammer")
    for one in (result(setting), result(by=None, winner=Side.FRENCH), result(deal=7)):
        assert Result.of(one.line()) == one


@pytest.mark.slow
def test_interrupted_run_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    arguments = [*QUICK, "--rules", "quebec-fortified", "--games", "3"]
    assert command.main([*arguments, "--results", str(whole)]) == 0
    output = capsys.readouterr().out
    lines = whole.read_text().splitlines(keepends=True)
    assert len(lines) == 6

    # The file has three games and half of a line, because a program can end within a line.
    parts.write_text("".join(lines[:3]) + lines[3][:40])
    assert command.main([*arguments, "--results", str(parts)]) == 0
    assert capsys.readouterr().out == output
    assert sorted(parts.read_text().splitlines(keepends=True)) == sorted(lines)


def test_game_with_a_result_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results"
    results = Results(file)
    for deal in range(5, 8):
        results.add(result(deal=deal))
    played: list[int] = []

    def pretend(setting: Setting, deal: int) -> Result:
        played.append(deal)
        return result(setting, deal)

    _play_by(monkeypatch, pretend)
    arguments = ["--strength", "1", "--edition", "second", "--rules", "none"]
    arguments += ["--results", str(file), "--games", "5"]
    assert command.main([*arguments, "--seed", "4"]) == 0
    assert sorted(played) == [4, 8]
    assert {one.deal for one in Results(file)} == {4, 5, 6, 7, 8}


def test_repeated_game_counts_once(tmp_path: Path) -> None:
    file = tmp_path / "results"
    file.write_text(f"{result().line()}\n" * 2 + f"{result(deal=1).line()}\n")
    assert [one.deal for one in Results(file)] == [0, 1]


def test_games_by_different_code_are_kept_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results"
    Results(file).add(result()._replace(code="0123456789ab"))
    arguments = [
        "--strength",
        "1",
        "--edition",
        "second",
        "--rules",
        "none",
        "--results",
        str(file),
    ]
    assert command.main([*arguments, "--games", "2"]) == 2
    assert "0123456789ab" in capsys.readouterr().err
    # The games are reported nevertheless.
    assert command.main([*arguments, "--games", "1"]) == 0
    assert "1 by `0123456789ab`" in capsys.readouterr().out


def test_worker_with_different_code_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results"
    _play_by(monkeypatch, lambda setting, deal: result(setting, deal)._replace(code="other"))
    assert command.main(["--games", "1", "--rules", "none", "--results", str(file)]) == 2
    assert "other code" in capsys.readouterr().err
    assert not list(Results(file))


def test_results_before_an_interruption_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results"

    def pretend(setting: Setting, deal: int) -> Result:
        if deal == 2:
            raise KeyboardInterrupt
        return result(setting, deal)

    _play_by(monkeypatch, pretend)
    arguments = ["--edition", "second", "--rules", "none", "--results", str(file)]
    assert command.main([*arguments, "--games", "4"]) == command.INTERRUPTED
    assert str(file) in capsys.readouterr().err
    assert [one.deal for one in Results(file)] == [0, 1]


def test_results_before_a_killed_worker_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results"

    monkeypatch.setattr(command, "play", _killed_at_the_second)
    arguments = ["--edition", "second", "--rules", "none", "--results", str(file)]
    assert command.main([*arguments, "--games", "2", "--processes", "1"]) == 1
    assert str(file) in capsys.readouterr().err
    assert [one.deal for one in Results(file)] == [0]


def test_invalid_line_is_reported_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "results"
    file.write_text(f"{result().line()}\n{{}}\n{result(deal=2).line()}\n")
    with pytest.raises(DamagedResultsError, match="line 2"):
        Results(file)


def _killed_at_the_second(setting: Setting, deal: int) -> Result:
    if deal == 1:
        os._exit(9)
    return result(setting, deal)


def _play_by(monkeypatch: pytest.MonkeyPatch, function: Callable[[Setting, int], Result]) -> None:
    """Replace the playing of a game by `function`, without worker processes."""

    @contextmanager
    def inline(number: int | None) -> Iterator[Executor]:
        yield _Inline()

    monkeypatch.setattr(command, "processes", inline)
    monkeypatch.setattr(
        command, "run_tasks", lambda executor, _, tasks: (function(*t) for t in tasks)
    )


class _Inline(Executor):
    pass


# --- the tables


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    # Newcombe (1998), Statistics in Medicine 17, Interval estimation for the difference, method 10.
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((5, 56), (0, 29), -0.0381, 0.1926),
    ],
)
def test_differences_match_the_literature(
    one: tuple[int, int], other: tuple[int, int], least: float, most: float
) -> None:
    assert difference(one, other) == pytest.approx((least, most), abs=5e-5)
    assert difference(other, one) == pytest.approx((-most, -least), abs=5e-5)


@pytest.mark.parametrize(
    ("cases", "least", "most"),
    # Newcombe (1998), Statistics in Medicine 17, Improved confidence intervals for the difference
    # between binomial proportions based on paired data, method 10.
    [
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((18, 12, 2, 18), 0.0562, 0.3290),
        ((53, 0, 0, 1), -0.0729, 0.0729),
    ],
)
def test_paired_differences_match_the_literature(
    cases: tuple[int, int, int, int], least: float, most: float
) -> None:
    both, first, second, neither = cases
    one = results_with_wins(both + first, sum(cases))
    sides = [Side.BRITISH] * both + [Side.FRENCH] * first
    sides += [Side.BRITISH] * second + [Side.FRENCH] * neither
    other = [result(deal=deal, winner=side) for deal, side in enumerate(sides)]
    assert paired_difference(one, other) == pytest.approx((least, most), abs=1e-4)
    assert paired_difference(other, one) == pytest.approx((-most, -least), abs=1e-4)


def test_difference_narrows_with_common_deals() -> None:
    one, other = results_with_wins(30, 50), results_with_wins(20, 50)
    other_deals = [one._replace(deal=one.deal + 50) for one in other]
    shared_deals = [one._replace(deal=one.deal + 50) if one.deal % 2 else one for one in other]
    assert paired_difference(one, other_deals) == difference((30, 50), (20, 50))
    widths = [
        most - least
        for least, most in (paired_difference(one, s) for s in (other, shared_deals, other_deals))
    ]
    assert widths == sorted(widths)
    assert len(set(widths)) == 3


def rows(results: list[Result]) -> dict[str, dict[str, str]]:
    """Return the cells of the only table by its columns, each row by its rules."""
    split = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in tables(results)
        if line.startswith("|")
    ]
    head, _, *other_results = split
    return {row[0]: dict(zip(head, row, strict=True)) for row in other_results}


def results_with_wins(british: int, games: int, setting: Setting = PLAIN) -> list[Result]:
    sides = [Side.BRITISH] * british + [Side.FRENCH] * (games - british)
    return [result(setting, deal, winner) for deal, winner in enumerate(sides)]


@pytest.mark.parametrize(
    ("british", "games", "ahead"),
    [
        (59, 100, "not known"),  # 49.2 % to 68.1 %
        (60, 100, "British"),  # 50.2 % to 69.1 %
        (40, 100, "French"),
        (51, 100, "not known"),  # 41.3 % to 60.6 %
        (50, 100, "even"),  # 40.4 % to 59.6 %
        (540, 1000, "even"),  # ahead too, but by too little to matter
        (1, 1, "not known"),
    ],
)
def test_side_is_ahead_if_the_interval_allows_it(british: int, games: int, ahead: str) -> None:
    assert rows(results_with_wins(british, games))["as printed"]["ahead"] == ahead


def test_house_rules_are_compared_with_the_printed_edition() -> None:
    with_rules = PLAIN._replace(rules=("quebec-fortified",))
    other_results = [
        one._replace(deal=one.deal + 100) for one in results_with_wins(56, 70, with_rules)
    ]
    by_rules = rows([*other_results, *results_with_wins(48, 80)])
    assert list(by_rules) == ["as printed", "`quebec-fortified`"]
    assert by_rules["as printed"]["beside as printed"] == ""
    assert by_rules["`quebec-fortified`"]["beside as printed"] == "+5 to +33"
    alike = rows([*results_with_wins(160, 200, with_rules), *results_with_wins(160, 200)])
    assert alike["`quebec-fortified`"]["beside as printed"] == "-1 to +1"
    assert "beside as printed" in rows(results_with_wins(3, 5, with_rules))["`quebec-fortified`"]


def test_endings_of_games_are_counted_in_one_column_each() -> None:
    ends = [*(by for by in EndReason if by is not EndReason.HOME_SIEGE), None]
    results = [result(deal=deal, by=by) for deal, by in enumerate(ends)]
    by_siege = [result(deal=20, winner=side, by=EndReason.HOME_SIEGE) for side in Side]
    results += [by_siege[0], by_siege[1]._replace(deal=21), by_siege[1]._replace(deal=22)]
    assert len(results) == 10
    row = rows(results)["as printed"]
    assert {name: row[name] for name in list(row)[6:13]} == {
        "home taken by British": "10%",
        "by French": "20%",
        "towns": "10%",
        "villages": "10%",
        "captures": "10%",
        "otherwise": "30%",
        "stopped": "10%",
    }


def test_pairs_of_players_have_sections_with_strengths_first() -> None:
    pairs = [("1", "1"), ("hammer", "2"), ("2", "2")]
    results = [result(PLAIN._replace(british=one, french=other)) for one, other in pairs]
    heads = [line for line in tables(results) if line.startswith("## ")]
    assert [head[3:] for head in heads] == [
        "Strength 2 on both sides",
        "Strength 1 on both sides",
        "British by “hammer”, French by strength 2",
    ]


def test_tables_are_inserted_in_the_page() -> None:
    page = f"# Balance\n\n{BEGIN}\nold\n{END}\n\nend\n"
    first_page = insert_tables(page, ["| new |", ""])
    assert first_page == f"# Balance\n\n{BEGIN}\n\n| new |\n\n{END}\n\nend\n"
    assert insert_tables(first_page, ["| new |", ""]) == first_page
    with pytest.raises(MissingMarksError, match="no place"):
        insert_tables("# Balance\n", [])


def test_page_without_a_place_is_refused_before_games_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Balance\n")
    _play_by(monkeypatch, lambda setting, deal: pytest.fail("played"))
    assert command.main(["--games", "1", "--rules", "none", "--markdown", str(page)]) == 2
    assert "no place" in capsys.readouterr().err


def _page(results: list[Result]) -> str:
    return insert_tables(f"{BEGIN}\n{END}\n", tables(results))


def test_page_keeps_its_results_of_more_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, file = tmp_path / "page.md", tmp_path / "results"
    measured = _page(
        [
            *results_with_wins(2, 3),
            *results_with_wins(1, 1, PLAIN._replace(rules=("quebec-fortified",))),
        ]
    )
    page.write_text(measured)
    arguments = ["--strength", "1", "--edition", "second", "--results", str(file)]
    arguments += ["--markdown", str(page)]

    # No games are played that would not fit on the page.
    _play_by(monkeypatch, lambda setting, deal: pytest.fail("played"))
    for smaller_results in (["--games", "1"], ["--games", "9", "--rules", "none"]):
        assert command.main([*arguments, *smaller_results]) == 2
        output = capsys.readouterr().err
        assert "Strength 1 on both sides, Second edition" in output
        assert page.read_text() == measured

    _play_by(monkeypatch, result)
    assert command.main([*arguments, "--games", "3", "--rules", "quebec-fortified"]) == 0
    assert page.read_text() == _page([*Results(file)]) != measured
    assert command.main([*arguments, "--games", "0"]) == 0


def test_interrupted_run_keeps_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pretend(setting: Setting, deal: int) -> Result:
        if deal == 2:
            raise KeyboardInterrupt
        return result(setting, deal)

    page = tmp_path / "page.md"
    page.write_text(measured := _page(results_with_wins(2, 3)))
    _play_by(monkeypatch, pretend)
    arguments = ["--strength", "1", "--edition", "second", "--rules", "none", "--games", "4"]
    assert command.main([*arguments, "--markdown", str(page)]) == command.INTERRUPTED
    assert page.read_text() == measured


def test_setting_plays_by_its_rules() -> None:
    setting = Setting("second", ("quebec-fortified",), "hammer", "raiders")
    played = play(setting, 3)
    assert played.key == (setting, 3)
    assert played == play(setting, 3)
    assert played.code == code()


@pytest.mark.parametrize(
    "wrong", [["--british", "nobody"], ["--edition", "third"], ["--strength", "4711"]]
)
def test_unknown_setting_is_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(wrong)

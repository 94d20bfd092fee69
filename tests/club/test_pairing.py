"""Pairs: everybody meets everybody from both sides, or nobody twice while that can be avoided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from pbem.club.club_file import Club, Round
from pbem.club.standings import Standings, pair_next_round, pair_round_robin, pair_swiss
from pbem.errors import UsageError
from tests.club.league import key, make_club, rounds


def names(number: int) -> list[str]:
    return [f"Player {index}" for index in range(number)]


def balances(rounds: list[Round]) -> Counter[str]:
    """Return how many more games each member played as the British than as the French."""
    balance = Counter(pair[0] for row in rounds for pair in row.pairs)
    balance.subtract(pair[1] for row in rounds for pair in row.pairs)
    return balance


@pytest.mark.parametrize("number", range(2, 12))
def test_a_round_robin_gives_each_pair_both_sides_once(number: int) -> None:
    rounds = [pair_round_robin(names(number), index) for index in range(number - 1 + number % 2)]
    with pytest.raises(UsageError, match="complete"):
        pair_round_robin(names(number), len(rounds))
    played = Counter(pair for row in rounds for pair in row.pairs)
    assert set(played) == {(a, b) for a in names(number) for b in names(number) if a != b}
    assert set(played.values()) == {1}
    for row in rounds:
        # Two games with one opponent, or a bye.
        seen = Counter(name for pair in row.pairs for name in pair)
        assert set(seen.values()) == {2}
        assert {*seen, row.bye} - {""} == {*names(number)}
    assert Counter(row.bye for row in rounds)[""] == (0 if number % 2 else len(rounds))


def next_swiss(field: list[tuple[str, int]], rounds: list[Round]) -> Round:
    """Return the round of a Swiss system after other ones."""
    byes = [row.bye for row in rounds if row.bye]
    return pair_swiss(field, [pair for row in rounds for pair in row.pairs], byes)


def swiss(number: int, rounds: int, seed: int) -> list[Round]:
    """Play a Swiss tournament with random results."""
    random, played, scores = Random(seed), list[Round](), Counter[str]()
    for _ in range(rounds):
        field = sorted(names(number), key=lambda name: (-scores[name], name))
        played.append(next_swiss([(name, scores[name]) for name in field], played))
        assert len(played[-1].pairs) == number // 2
        present = [name for pair in played[-1].pairs for name in pair] + [played[-1].bye] * (
            number % 2
        )
        assert sorted(present) == sorted(names(number))
        scores.update(random.choice(pair) for pair in played[-1].pairs)
        scores.update([played[-1].bye] * (number % 2))
    return played


@pytest.mark.parametrize("number", [8, 9, 16, 21])
@pytest.mark.parametrize("seed", range(3))
def test_a_swiss_system_repeats_nothing_and_balances_sides(number: int, seed: int) -> None:
    played = swiss(number, 5, seed)
    met = Counter(frozenset(pair) for row in played for pair in row.pairs)
    assert set(met.values()) == {1}
    byes = [row.bye for row in played if row.bye]
    assert len(byes) == len(set(byes)) == (5 if number % 2 else 0)
    for index in range(len(played)):
        assert max(map(abs, balances(played[: index + 1]).values())) <= 1


@pytest.mark.parametrize(("number", "rounds"), [(6, 5), (7, 6), (10, 9), (12, 9)])
def test_nobody_gets_three_more_games_with_a_side(number: int, rounds: int) -> None:
    """In so many rounds nearly everybody has to meet everybody, so that the sides get hard."""
    for seed in range(3):
        played = swiss(number, rounds, seed)
        for index in range(rounds):
            assert max(map(abs, balances(played[: index + 1]).values())) <= 2


def matchings(members: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield all ways to pair members, an even number of them."""
    if not members:
        yield []
    first, *others = members or [""]
    for other in others:
        left = [name for name in others if name != other]
        yield from ([(first, other), *pairs] for pairs in matchings(left))


@pytest.mark.parametrize("seed", range(20))
def test_nobody_gets_too_much_of_a_side_if_that_can_be_avoided(seed: int) -> None:
    """Compare with all rounds and all ways to give the sides, after rounds made at random."""
    random, six = Random(seed), names(6)
    rounds = [
        Round(tuple((names[0], names[1]) for names in (random.sample(six, 2),)))
        for _ in range(random.randint(4, 12))
    ]
    met = Counter(frozenset(pair) for row in rounds for pair in row.pairs)
    before = balances(rounds)

    def worst(pairs: Iterable[tuple[str, str]]) -> tuple[int, int]:
        after = before.copy()
        for british, french in pairs:
            after[british] += 1
            after[french] -= 1
        leads = [abs(after[name]) for name in six]
        return sum(max(0, lead - 2) for lead in leads), sum(lead > 1 for lead in leads)

    added = next_swiss([(name, random.randint(0, 3)) for name in six], rounds).pairs
    repeats = [sum(met[frozenset(pair)] for pair in pairs) for pairs in matchings(six)]
    assert sum(met[frozenset(pair)] for pair in added) == min(repeats)
    best = min(
        worst(pair if is_first else pair[::-1] for pair, is_first in zip(pairs, order, strict=True))
        for pairs, count in zip(matchings(six), repeats, strict=True)
        if count == min(repeats)
        for order in product((True, False), repeat=3)
    )
    assert worst(added) == best


@pytest.mark.parametrize("winner", ["british", "nobody"])
def test_the_pair_of_a_void_game_may_meet_again(tmp_path: Path, winner: str) -> None:
    """All have met, and in the second and third round A and B had the British."""
    pairs = [(("A", "B"), ("C", "D")), (("A", "C"), ("B", "D")), (("A", "D"), ("B", "C"))]
    lines = [
        f'[[adjudication]]\nround = {number}\nbritish = "{british}"\nfrench = "{french}"\n'
        f'winner = "{winner if number == 1 else "british"}"\nday = 2026-05-01\nreason = "left"\n'
        for number, row in enumerate(pairs, 1)
        for british, french in row
    ]
    more = "".join((*(rounds(*row) for row in pairs), *lines))
    club = make_club(tmp_path, *"ABCD", pairing='"swiss"', more=more)
    added = {frozenset(pair) for pair in pair_next_round(Standings(club, [])).pairs}
    assert (added == {frozenset("AB"), frozenset("CD")}) is (winner == "nobody")


def test_a_pair_is_repeated_only_if_no_other_round_is_possible() -> None:
    four = [(name, 0) for name in names(4)]
    played: list[Round] = []
    for _ in range(4):
        played.append(next_swiss(four, played))
    met = [{frozenset(pair) for pair in row.pairs} for row in played]
    assert len(met[0] | met[1] | met[2]) == 6
    assert met[3] in met[:3]


def test_equal_scores_meet_and_the_upper_half_meets_the_lower() -> None:
    field = [("A", 1), ("B", 1), ("C", 1), ("D", 1), ("E", 0), ("F", 0)]
    pairs = {frozenset(pair) for pair in next_swiss(field, []).pairs}
    assert pairs == {frozenset("AC"), frozenset("BD"), frozenset("EF")}
    # B cannot meet D again, so that A has to.
    pairs = {frozenset(pair) for pair in next_swiss(field, [Round((("B", "D"), ("A", "C")))]).pairs}
    assert pairs in (
        {frozenset("AB"), frozenset("CD"), frozenset("EF")},
        {frozenset("AD"), frozenset("BC"), frozenset("EF")},
    )


def test_a_weak_member_has_the_bye() -> None:
    assert next_swiss([("A", 2), ("B", 1), ("C", 0)], []).bye == "C"
    assert next_swiss([("A", 2), ("B", 1), ("C", 0)], [Round((), "C")]).bye == "B"


def test_who_has_left_is_not_paired(tmp_path: Path) -> None:
    club = make_club(tmp_path, *"ABCDE", pairing='"swiss"')
    path = club.path
    path.write_text(club.text.replace('name = "C"', 'name = "C"\nwithdrawn = 2026-03-01'))
    added = pair_next_round(Standings(Club.read(path), []))
    assert sorted(name for pair in added.pairs for name in pair) == ["A", "B", "D", "E"]


def test_a_round_robin_leaves_out_who_had_left_before_it(tmp_path: Path) -> None:
    club = make_club(tmp_path, *"ABCDE", pairing='"round robin"')
    club.path.write_text(club.text.replace('name = "D"', 'name = "D"\nwithdrawn = 2025-12-01'))
    for number in range(3):
        club = Club.read(club.path)
        added = pair_next_round(Standings(club, []))
        assert {name for pair in added.pairs for name in pair} == {*"ABCE"}, number
        club.add_round(added, "2026-05-01")


def test_a_round_robin_keeps_its_members(tmp_path: Path) -> None:
    club = make_club(tmp_path, *"ABCD", pairing='"round robin"')
    club.add_round(pair_next_round(Standings(club, [])), "2026-05-01")
    club = Club.read(club.path)
    text = club.text.replace('name = "D"', 'name = "D"\nwithdrawn = 2026-03-01')
    club.path.write_text(text)
    second = pair_next_round(Standings(Club.read(club.path), []))
    assert "D" not in {name for pair in second.pairs for name in pair}
    assert len(second.pairs) == 2
    club.path.write_text(f'{text}\n[[member]]\nname = "Zoe"\nkey = "{key("Zoe")}"\n')
    with pytest.raises(UsageError, match="members have changed"):
        pair_next_round(Standings(Club.read(club.path), []))

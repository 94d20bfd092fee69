"""The file of a club: strict reading, and lines that only the organiser can sign."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.club.club_file import Club, Round
from pbem.errors import InputError
from tests.club.league import ORGANISER, club_text, identity, key, make_club, rounds

ADJUDICATION = f"""[[adjudication]]
game = "{"a" * 64}"
winner = "british"
day = 2026-05-01
reason = "Ben left"
"""
REPLACEMENT = f'[[replacement]]\nold = "{key("Ben")}"\nnew = "{key("Ben again")}"\n'


def read(folder: Path, text: str) -> Club:
    path = folder / "club.toml"
    path.write_text(text, encoding="utf-8")
    return Club.read(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: "colour = 3\n" + text, "there is no key 'colour' here"),
        (lambda text: text + "rating = 3\n", "there is no key 'rating' here"),
        (lambda text: text.replace('"Ben"', '"Anna"'), "two members have Anna"),
        (lambda text: text.replace(key("Ben"), key("Anna")), "two members have"),
        (lambda text: text.replace(key("Ben"), "BEN"), "must be 64 of the characters"),
        (lambda text: text.replace('"second"', '"tenth"'), 'must be "second"'),
        (lambda text: text.replace('"ladder"', '"knockout"'), 'must be "round robin"'),
        (lambda text: text.replace("2026-01-01", '"May"'), "must be a day"),
        (lambda text: text.replace("2026-01-01", "2027-01-01"), "ends before it begins"),
        (lambda text: text.replace("pace_days = 7\n", ""), "pace_days is missing"),
        (lambda text: text.replace("pace_days = 7", "pace_days = 0"), "from 1 to 365"),
        (lambda text: text.replace('"Ben"', '"Be\\u202en"'), "invisible character U+202E"),
        (lambda text: text + rounds(("Anna", "Zoe")), "Zoe is no member"),
        (lambda text: text + rounds(("Anna", "Anna")), "pairs"),
        (lambda text: text.partition("[[member]]")[0] + "member = []\n", "member"),
        (lambda text: text + ADJUDICATION.replace("game", "#"), "names a game, or a round"),
        (lambda text: text + REPLACEMENT.replace(key("Ben"), "b" * 64), "no member has the key"),
        (lambda text: text + REPLACEMENT.replace(key("Ben again"), key("Anna")), "two members"),
        (lambda text: text.replace('name = "Lake', "name = Lake"), "has a mistake in it"),
    ],
)
def test_a_mistake_is_refused_with_a_sentence(
    tmp_path: Path, change: Callable[[str], str], reason: str
) -> None:
    text = club_text("Anna", "Ben")
    read(tmp_path, text)
    with pytest.raises(InputError, match=r"club\.toml has a mistake in it: .*\.$") as refused:
        read(tmp_path, change(text))
    assert reason in str(refused.value)


def test_only_the_organiser_signs_decisions(tmp_path: Path) -> None:
    club = read(tmp_path, club_text("Anna", "Ben", more="# why\n" + ADJUDICATION + REPLACEMENT))
    assert not club.is_signed
    club.sign(identity("Anna"))
    club = Club.read(club.path)
    with pytest.raises(InputError, match=r"has not signed its adjudications .*, acres club sign"):
        club.check_signature()
    club.sign(ORGANISER)
    club = Club.read(club.path)
    club.check_signature()
    assert "# why" in club.text
    assert club.names_by_key[key("Ben again")] == club.names_by_key[key("Ben")] == "Ben"
    # A new round needs no signature.
    club.add_round(Round((("Anna", "Ben"),)), "2026-05-01")
    assert Club.read(club.path).is_signed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('winner = "british"', 'winner = "french"'),
        ('winner = "british"', 'winner = "nobody"'),
        ("2026-05-01", "2026-05-02"),
        ("Ben left", "Ben lost"),
        ("a" * 64, "b" * 64),
        ("Lake Champlain", "Lake George"),
        ("2026-01-01", "2025-01-01"),
        (key("Ben again"), key("Mallory")),
    ],
)
def test_a_changed_decision_is_not_signed(tmp_path: Path, old: str, new: str) -> None:
    club = make_club(tmp_path, "Anna", "Ben", more=ADJUDICATION + REPLACEMENT)
    assert not read(tmp_path, club.text.replace(old, new)).is_signed


def test_decisions_can_neither_be_removed_nor_put_in_another_order(tmp_path: Path) -> None:
    """The first of two adjudications of a game counts."""
    lines = [ADJUDICATION, ADJUDICATION.replace("british", "french"), REPLACEMENT]
    club = make_club(tmp_path, "Anna", "Ben", more="".join(lines))
    assert club.is_signed
    for others in ([lines[1], lines[0], lines[2]], lines[1:], lines[:2], lines[:1], []):
        changed = club.text.replace("".join(lines), "".join(others))
        assert changed != club.text
        assert not read(tmp_path, changed).is_signed

"""The file of a club: strict reading, and lines that only the organiser can sign."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.club.club_file import Club
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


def test_only_the_organiser_signs_lines(tmp_path: Path) -> None:
    club = read(tmp_path, club_text("Anna", "Ben", more="# why\n" + ADJUDICATION + REPLACEMENT))
    assert len(club.unsigned) == 2
    club.sign(identity("Anna"))
    club = Club.read(club.path)
    assert len(club.unsigned) == 2
    with pytest.raises(
        InputError,
        match="a line is not signed by the organiser: winner = british, day = 2026-05-01",
    ):
        club.check_signatures()
    club.sign(ORGANISER)
    club = Club.read(club.path)
    club.check_signatures()
    assert "# why" in club.text
    assert club.names_by_key[key("Ben again")] == club.names_by_key[key("Ben")] == "Ben"


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
def test_a_changed_line_loses_its_signature(tmp_path: Path, old: str, new: str) -> None:
    club = make_club(tmp_path, "Anna", "Ben", more=ADJUDICATION + REPLACEMENT)
    assert read(tmp_path, club.text.replace(old, new)).unsigned


def test_a_signature_does_not_fit_a_line_of_another_kind(tmp_path: Path) -> None:
    club = make_club(tmp_path, "Anna", "Ben", more=ADJUDICATION + REPLACEMENT)
    signature = club.adjudication[0].signature
    assert club._document(club.adjudication[0]) != club._document(club.replacement[0])
    club = read(tmp_path, club_text("Anna", "Ben", more=REPLACEMENT))
    assert club.unsigned
    assert signature

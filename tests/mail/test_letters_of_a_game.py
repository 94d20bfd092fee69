"""What the letters of a whole game say: who is to move in which turn, in lines that fit."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from pbem.mail.drafting import drafted
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.cli.using import OLD
from tests.mail.parts import body_of
from tests.present import present

LAST = "game-104.toml"


@pytest.fixture(scope="module")
def letters() -> tuple[list[EmailMessage], Match]:
    """The letters of a whole game of practice players, and the match they end with."""
    match, made = Match(), []
    for record in SaveFile.read((OLD / LAST).read_bytes()).records:
        match.add(record)
        made.append(drafted(match, b"x = 1\n", "game.toml"))
    return made, match


def test_the_subject_names_the_turn_in_which_the_answer_is_written(
    letters: tuple[list[EmailMessage], Match],
) -> None:
    """As the answer shows, by the first order of its author in it."""
    made, match = letters
    seen = 0
    for letter, answer in zip(made, match.records[1:], strict=False):
        ordered = [
            deed
            for deed in match.deeds
            if deed.order and deed.record == answer.index and deed.side.value == answer.side
        ]
        if ordered and "the game is over" not in letter["Subject"]:
            turn, side = present(
                re.search(r", turn (\d+): .* \((\w+)\) to move$", letter["Subject"])
            ).groups()
            assert (int(turn), side.lower()) == (ordered[0].turn + 1, answer.side)
            seen += 1
    assert seen > 90


def test_all_subjects_of_a_game_begin_alike(letters: tuple[list[EmailMessage], Match]) -> None:
    made, match = letters
    game = f"A Few Acres of Snow, game {match.id.hex()[:8]}"
    assert all(letter["Subject"].startswith(game) for letter in made)
    assert "the game is over, the" in made[-1]["Subject"]


def test_every_report_fits_a_line_that_is_quoted(letters: tuple[list[EmailMessage], Match]) -> None:
    for letter in letters[0]:
        assert max(map(len, body_of(letter).split("\n"))) <= 72


def test_every_order_is_told_in_the_letter_that_brings_it(
    letters: tuple[list[EmailMessage], Match],
) -> None:
    """By the place it is about, under the name of who gave it; and what it answers is told too."""
    made, match = letters
    names = match.state.ruleset.catalogue.names
    for letter, record in zip(made, match.records, strict=True):
        told = " ".join(body_of(letter).split())
        for deed in match.deeds:
            if record.index - 1 <= deed.record <= record.index and deed.order:
                heading = f"({deed.side.label!s}), turn {deed.turn + 1}:"
                assert heading in told
                assert names.get(deed.order.location or "", "") in told


def test_nobody_is_you_in_a_letter(letters: tuple[list[EmailMessage], Match]) -> None:
    """It is read by both players, and by whom they show it to."""
    for letter in letters[0][1:]:
        assert not re.search(r"\b(you|your)\b", body_of(letter), re.I)

"""Letters by somebody who plays in another language: theirs first, then English for the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from engine.sides import Side
from pbem.cli.console import language
from pbem.mail.drafting import drafted
from pbem.mail.letter import Heading, Version, as_text
from pbem.mail.search import save_files
from pbem.play.entry import invite
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.cli.using import OLD
from tests.mail.parts import body_of
from tests.play.playing import TIME
from tests.words.throwaway import OPEN, bracketed, throwaway

LAST = "game-104.toml"
FILE = b"x = 1\n"


def matches() -> Iterator[Match]:
    """A whole game, from the invitation to the close, with a match for each of its records."""
    match = Match()
    for record in SaveFile.read((OLD / LAST).read_bytes()).records:
        match.add(record)
        yield match


def drafts() -> list[EmailMessage]:
    """The letters of a whole game by players who read it in the language that is spoken."""
    return [drafted(match, FILE, "game.toml", language=language().code) for match in matches()]


@pytest.fixture(scope="module")
def english() -> list[EmailMessage]:
    return drafts()


@pytest.fixture(scope="module")
def foreign() -> list[EmailMessage]:
    with throwaway():
        return drafts()


def halves(text: str) -> tuple[str, str]:
    """What stands above the line between two languages, and below."""
    above, below = re.split(r"^~+ English ~+$", text, flags=re.M)
    return above, below


def test_below_stands_the_report_that_somebody_sends_who_speaks_english(
    english: list[EmailMessage], foreign: list[EmailMessage]
) -> None:
    """Word for word, although the game was read in another language."""
    for one, other in zip(english, foreign, strict=True):
        assert halves(body_of(other))[1].strip("\n") == body_of(one).strip("\n")


def test_above_stands_the_same_in_the_language_of_who_sends_it(foreign: list[EmailMessage]) -> None:
    for letter in foreign:
        above, below = halves(body_of(letter))
        assert OPEN in above
        assert OPEN not in below
        # Commands are the same in all languages.
        assert re.findall(r"^  acres .*$", above, re.M) == re.findall(r"^  acres .*$", below, re.M)


def test_the_headers_say_nothing_of_a_language(
    english: list[EmailMessage], foreign: list[EmailMessage]
) -> None:
    for one, other in zip(english, foreign, strict=True):
        assert one.items() == other.items()


def test_somebody_who_speaks_english_sends_one_report(english: list[EmailMessage]) -> None:
    for letter in english:
        assert "~~~" not in body_of(letter)


@pytest.mark.long
def test_the_same_language_makes_the_same_letter(foreign: list[EmailMessage]) -> None:
    with throwaway():
        again = drafts()
    assert [letter.as_bytes() for letter in foreign] == [letter.as_bytes() for letter in again]


def test_an_invitation_is_in_both() -> None:
    with throwaway():
        inviter = Identity.generate("Anna", "anna@example.org")
        invitation = invite(inviter, side=Side.FRENCH, nonce=bytes(32), time=TIME, lists=16)
        above, below = halves(
            body_of(drafted(invitation, FILE, "game.toml", language=language().code))
        )
    assert bracketed("Anna invites you to a game by e-mail:") in " ".join(above.split())
    assert "Anna invites you to a game by e-mail:\n" in below


def test_the_file_is_found_in_any_language() -> None:
    """Attached, and in a message of which only the text is left."""
    save = (OLD / LAST).read_bytes()
    *_, match = matches()
    with throwaway():
        sent = drafted(match, save, "game-104.toml", language=language().code).as_bytes()
        for message in (sent, sent.replace(b"attachment", b"inline")):
            (found,) = save_files(message)
            assert found.data == save


def test_the_line_between_two_languages_is_no_end_of_a_message() -> None:
    """Mail programs hide what follows -- and rows of hyphens or underscores, as what is quoted."""
    lines = as_text(
        [Version("fr", [Heading("Une partie")]), Version("en", [Heading("A game")])]
    ).split("\n")
    (divider,) = (line for line in lines if "English" in line)
    assert len(divider) <= 72
    assert not re.match(r"[-_=*>]", divider)
    assert lines.index("Une partie") < lines.index(divider) < lines.index("A game")

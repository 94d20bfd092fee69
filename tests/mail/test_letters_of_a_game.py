"""The messages of a whole game: their subjects, languages and threads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import pairwise

import pytest

from pbem.cli.console import language
from pbem.mail.draft import compose_email
from pbem.play.incoming import find_game_ids, message_id, references
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import OLD
from tests.mail.parts import body_of
from tests.mail.sent_messages import parse
from tests.play.matches import begin
from tests.play.store.players import first_records
from tests.requirements import require
from tests.text.throwaway import OPEN, bracketed, throwaway

LAST = "game-104.toml"
SAVE = (OLD / LAST).read_bytes()
DOT_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+"


def matches() -> Iterator[Match]:
    """Yield the match after each record of a game, from the invitation to the close."""
    match = Match()
    for record in SaveFile.read(SAVE).records:
        match.add(record)
        yield match


def drafts() -> list[EmailMessage]:
    """Return the messages of a whole game, in the current language."""
    return [
        compose_email(match, b"x = 1\n", "a.toml", language=language().code) for match in matches()
    ]


@pytest.fixture(scope="module")
def english() -> list[EmailMessage]:
    return drafts()


@pytest.fixture(scope="module")
def foreign() -> list[EmailMessage]:
    with throwaway():
        return drafts()


@pytest.fixture(scope="module")
def match() -> Match:
    *_, last = matches()
    return last


# --- what they say


@pytest.mark.slow
def test_subject_has_the_turn_of_the_answer(english: list[EmailMessage], match: Match) -> None:
    """The turn is that of the author's first order in the answer."""
    game, position = f"A Few Acres of Snow, game {match.id.hex()[:8]}", 0
    assert all(letter["Subject"].startswith(game) for letter in english)
    assert "the game is over, the" in english[-1]["Subject"]
    for letter, answer in zip(english, match.records[1:], strict=False):
        ordered = [
            move
            for move in match.moves
            if move.order and move.record == answer.index and move.side.value == answer.side
        ]
        if ordered and "the game is over" not in letter["Subject"]:
            results = re.search(r", turn (\d+): .* \((\w+)\) to move$", letter["Subject"])
            turn, side = require(results).groups()
            assert (int(turn), side.lower()) == (ordered[0].turn + 1, answer.side)
            position += 1
    assert position > 90


# --- in two languages


def halves(letter: EmailMessage) -> tuple[str, str]:
    """Return the text above the line between two languages, and the text below it."""
    above, below = re.split(r"^~+ English ~+$", body_of(letter), flags=re.M)
    return above, below


@pytest.mark.slow
def test_report_by_languages(english: list[EmailMessage], foreign: list[EmailMessage]) -> None:
    """Headers, commands and the English report are equal in all languages.

    Mail programs hide text after `-- `, after rows of hyphens and after `>`.
    """
    for one, other in zip(english, foreign, strict=True):
        above, below = halves(other)
        assert OPEN in above
        assert OPEN not in below
        assert "~~~" not in body_of(one)
        assert below.strip("\n") == body_of(one).strip("\n")
        assert re.findall(r"^  acres .*$", above, re.M) == re.findall(r"^  acres .*$", below, re.M)
        assert one.items() == other.items()
        assert not re.search(r"^([-_=*>]|--)", body_of(other), re.M)
    above, below = halves(foreign[0])
    assert bracketed("Émile invites you to a game by e-mail:")[:1] in above
    assert "invites you to a game by e-mail:" in " ".join(below.split())


# --- the thread


def test_each_message_refers_to_the_previous(english: list[EmailMessage], match: Match) -> None:
    """A message of a long game names the invitation and the last ten messages."""
    letters = [parse(letter.as_bytes()) for letter in english]
    names = [str(letter["Message-ID"]) for letter in letters]
    assert names == [message_id(match.id, record) for record in match.records]
    assert len(set(names)) == len(names) > 100
    assert [letter["In-Reply-To"] for letter in letters] == [None, *names[:-1]]
    for number, letter in enumerate(letters[1:], 1):
        expected = list(dict.fromkeys([names[0], *names[max(number - 10, 0) : number]]))
        assert (
            letter["References"].split() == expected == references(first_records(match, number + 1))
        )
        if number > 12:
            break


def test_message_ids_are_valid_and_name_the_game(match: Match) -> None:
    for record, following in pairwise(match.records):
        name = message_id(match.id, record)
        local = require(re.fullmatch(rf"<({DOT_ATOM})@acres\.invalid>", name))
        assert len(local[1]) <= 64 and ".." not in name
        assert name.startswith(f"<{match.id.hex()[:8]}.{record.index}.")
        # Another record in the same place has another name.
        assert name != message_id(match.id, following._replace(index=record.index))
    other = begin(2)
    names = [message_id(item.id, item.last) for item in (match, other)]
    assert find_game_ids(f"Re: {names[0]} {names[1]} <x@y>") == [match.id[:4], other.id[:4]]

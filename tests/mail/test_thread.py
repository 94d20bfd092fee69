"""The thread of a game: what each letter is called, and which it follows."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from random import Random

import pytest

from pbem.mail.drafting import drafted
from pbem.mail.thread import message_id, place_id, references
from pbem.play.game_file import pack
from pbem.protocol.match import Match
from tests.library.players import up_to
from tests.play.playing import any_order, begin, play

DOT_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+"


@pytest.fixture(scope="module")
def match() -> Match:
    return play(begin(1), any_order(Random(1)), turns=16, seed=1)


def test_each_letter_answers_the_one_before(match: Match) -> None:
    letters = []
    for number in range(1, len(match.records) + 1):
        then = up_to(match, number)
        sent = drafted(then, pack(then, None, {}, "").write(), "game.toml").as_bytes()
        letters.append(message_from_bytes(sent, policy=policy.default))
    names = [letter["Message-ID"] for letter in letters]
    assert len(set(names)) == len(names) > 12
    assert [letter["In-Reply-To"] for letter in letters] == [None, *names[:-1]]
    for number, letter in enumerate(letters[1:], 1):
        assert set(letter["References"].split()) <= set(names[:number])


def test_whoever_makes_a_letter_calls_it_the_same(match: Match) -> None:
    again = up_to(match, len(match.records))
    assert message_id(match.id, match.last) == message_id(again.id, again.last)
    assert references(match) == references(again)


def test_a_long_game_names_the_invitation_and_the_ten_letters_before(match: Match) -> None:
    names = [message_id(match.id, record) for record in match.records]
    assert references(match) == [names[0], *names[-11:-1]]
    assert references(up_to(match, 3)) == names[:2]
    assert references(up_to(match, 1)) == []


def test_another_record_in_the_same_place_has_another_name(match: Match) -> None:
    other = play(begin(2), any_order(Random(1)), turns=2, seed=2)
    here, there = match.records[2], other.records[2]
    assert message_id(match.id, here) != message_id(match.id, there)
    assert message_id(match.id, here).startswith(place_id(match.id, 2))
    assert message_id(match.id, there).startswith(place_id(match.id, 2))


def test_the_names_are_such_as_mail_takes(match: Match) -> None:
    for record in match.records:
        name = message_id(match.id, record)
        local = re.fullmatch(rf"<({DOT_ATOM})@acres\.invalid>", name)
        assert local is not None
        assert len(local[1]) <= 64
        assert ".." not in name

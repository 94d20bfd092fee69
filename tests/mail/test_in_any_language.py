"""Mail in another language: all that is told is put into words, and what is read stays the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli.console import told as told_here
from pbem.errors import Unreadable
from pbem.mail.search import save_files
from tests.fuzz.games import game_named
from tests.mail.arriving import letter, plain
from tests.mail.players import Player
from tests.mail.programs import PROGRAMS
from tests.mail.servers import PostOffice
from tests.mail.test_corpus import CORPUS
from tests.sample import sample
from tests.words.test_marked import WORD, no_words, unmarked
from tests.words.throwaway import CODE, OPEN, throwaway


def told(who: Player, *words: Path | str) -> str:
    """What a command tells in the language that is made up, all of which has to be messages."""
    with throwaway() as made:
        done = who.run("--lang", CODE, *words)
    said = done.out + done.err
    assert OPEN in said
    assert WORD.findall(no_words().sub("", unmarked(said))) == []
    assert made.unknown == set()
    return said


def forged(data: bytes) -> bytes:
    """A file in which somebody has changed a name."""
    assert b'name = "Bela"' in data
    return data.replace(b'name = "Bela"', b'name = "Cela"')


def test_sending_is_told_in_messages_alone(anna: Player, bela: Player, joined: Path) -> None:
    assert "may" not in told(bela, "mail", "send", joined)
    for words in (["mail", "send", joined], ["mail", "send"], ["mail", "check"],
                  ["mail", "send", joined, "--by-hand"], ["mail", "send", "--again"],
                  ["mail", "send", joined, "--to", "nobody"],
                  ["mail", "draft", joined]):  # fmt: skip
        told(bela, *words)


def test_what_arrives_is_told_in_messages_alone(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    data = joined.read_bytes()
    for message in (
        plain(), letter(data), letter(data), letter(data, "cela@example.org"),
        letter(forged(data)), letter(data[: len(data) // 2]),
    ):  # fmt: skip
        office.deliver(anna.address, message)
    told(anna, "mail", "fetch")
    told(anna, "mail", "fetch")


def test_data_for_other_programs_are_the_same(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    data = joined.read_bytes()
    for message in (letter(data), letter(forged(data)), letter(data[: len(data) // 2])):
        office.deliver(anna.address, message)
    anna.run("mail", "fetch")
    fetch = ("mail", "fetch", "--days", 3, "--json")
    with throwaway():
        foreign = anna.run("--lang", CODE, *fetch)
    usual = anna.run(*fetch)
    assert json.loads(foreign.out) == json.loads(usual.out)
    kinds = {"again", "does not verify", "damaged"}
    assert {each["what"] for each in json.loads(usual.out)} == kinds


@pytest.mark.parametrize("program", sample(PROGRAMS, every=4))
def test_the_same_file_is_found(program: str) -> None:
    """Also in what was quoted: no word of any language is relied on."""
    file = game_named("joined").data
    with throwaway():
        (found,) = save_files(PROGRAMS[program](file))
    assert found.data == file


def test_messages_of_earlier_versions_are_found() -> None:
    with throwaway():
        for message in CORPUS.glob("*.eml"):
            (found,) = save_files(message.read_bytes())
            assert found.data == (CORPUS / "invitation.toml").read_bytes()


@pytest.mark.parametrize("program", sample(PROGRAMS, every=4))
def test_damage_is_told_in_messages_alone(program: str) -> None:
    file = game_named("joined").data
    message = PROGRAMS[program](file[: len(file) // 2])
    with throwaway() as made:
        try:
            save_files(message)
        except Unreadable as error:
            left = unmarked(told_here(error.said)).replace("toml", "")
            assert WORD.findall(left) == []
    assert made.unknown == set()

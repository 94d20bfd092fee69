"""Mail in another language: all output is translated, and data stay unchanged."""

from __future__ import annotations

import json
from pathlib import Path

from tests.mail.messages import letter, plain
from tests.mail.players import Player
from tests.text.test_translatable_texts import WORD, text_outside_messages, untranslated_pattern
from tests.text.throwaway import CODE, OPEN, throwaway


def check_output(who: Player, *words: Path | str) -> None:
    """Check that a command prints only translatable messages."""
    with throwaway() as catalogue:
        result = who.run("--lang", CODE, *words)
    output = result.out + result.err
    assert OPEN in output
    assert WORD.findall(untranslated_pattern().sub("", text_outside_messages(output))) == []
    assert catalogue.unknown == set()


def various_messages(joined: Path) -> list[bytes]:
    """Return a turn twice, a forged turn, a cut turn, and ordinary mail."""
    data = joined.read_bytes()
    assert b'name = "Bela"' in data
    forged = data.replace(b'name = "Bela"', b'name = "Cela"')
    cut, quoted = letter(data[: len(data) // 2]), plain(data.decode().replace("\n", "\n> "))
    return [plain(), letter(data), letter(data, "cela@example.org"), letter(forged), cut, quoted]


def test_sending_prints_translatable_messages_only(anna: Player, bela: Player) -> None:
    check_output(bela, "mail", "send", bela.file)
    for words in (["mail", "send", bela.file], ["mail", "send"], ["mail", "check"],
                  ["mail", "send", bela.file, "--by-hand"], ["mail", "send", "--again"],
                  ["mail", "send", bela.file, "--to", "nobody"],
                  ["mail", "draft", bela.file]):  # fmt: skip
        check_output(bela, *words)


def test_fetching_prints_translatable_messages_and_fixed_data(anna: Player, joined: Path) -> None:
    for message in various_messages(joined):
        anna.office.deliver(anna.address, message)
    check_output(anna, "mail", "fetch")
    check_output(anna, "mail", "fetch")
    fetch = ("mail", "fetch", "--days", 3, "--json")
    with throwaway():
        foreign = anna.run("--lang", CODE, *fetch)
    usual = anna.run(*fetch)
    assert json.loads(foreign.out) == json.loads(usual.out)
    kinds = [load["what"] for load in json.loads(usual.out)]
    assert kinds == ["again", "again", "does not verify", "damaged", "damaged"]

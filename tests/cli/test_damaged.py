"""Files that were cut off or changed on their way: whose they are, and what to do about them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pbem.errors import Unreadable
from pbem.errors.rule import FORM, TOPICS, Rule
from pbem.play.audit import breaks_off
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile
from tests.cli.using import Result, acres

BREAKS_OFF = "acres: This file is damaged: it breaks off. Ask for it again.\n"
WHOLE = "game-017.toml"
WITH_FILE = [["turn", "show"], ["turn", "legal"], ["turn", "apply"], ["audit"], ["join"]]


pytestmark = pytest.mark.usefixtures("in_the_game")


def told(command: Sequence[str], data: bytes, home: str = "british") -> Result:
    Path("bad.toml").write_bytes(data)
    return acres(*command, "bad.toml", home=home)


# --- cut off


@pytest.mark.parametrize("step", [19, pytest.param(7, marks=pytest.mark.long)])
def test_wherever_it_breaks_off_it_is_known_if_it_cannot_be_read(game: Path, step: int) -> None:
    """Cut between two whole steps or records a file can be read, and fails in another way."""
    data = (game / "game-003.toml").read_bytes()
    begun = data.index(b"\n")
    for end in range(begun, len(data), step):
        try:
            SaveFile.read(data[:end])
        except Unreadable:
            assert breaks_off(data[:end]), data[max(0, end - 60) : end]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.replace(b"version = 1", b"version = 2", 1),
        lambda data: data.replace(b"index = 3", b"index = x", 1),
        lambda data: data.replace(b'side = "french"', b"", 1),
        lambda data: data + data,
        lambda data: data + b"#" * 200 + b"\n[",
        lambda data: data + b"# ....\n" * 20_000 + b"[",
        lambda data: data + b"# [[[[\n" * 20_000 + b"[",
        lambda data: data + b"#\n" * 2**20 + b"[",
        lambda data: b"Dear Emile,\nhere is my turn",
        lambda data: b"",
    ],
)
def test_no_other_file_is_said_to_break_off(game: Path, damage: Callable[[bytes], bytes]) -> None:
    data = damage((game / WHOLE).read_bytes())
    assert not breaks_off(data)
    assert "breaks off" not in told(["turn", "show"], data).fails().err


# --- changed


def unsigned(record: Record) -> Record:
    return record._replace(signature=bytes(64))


def test_a_record_out_of_its_place_is_told_of_without_accusing(game: Path) -> None:
    save = SaveFile.read((game / WHOLE).read_bytes())
    short = SaveFile((*save.records[:5], *save.records[6:]), save.boxes).write()
    refused = told(["turn", "apply"], short).fails(1)
    assert "Record 6, in your name, is not valid: this is number 5 in the file" in refused.err
    assert refused.err.endswith("Ask Émile to send the file again.\n")


def test_an_invitation_by_nobody_known_is_asked_for_where_it_came_from(game: Path) -> None:
    save = SaveFile.read((game / "game-000.toml").read_bytes())
    data = SaveFile((unsigned(save.records[0]),), save.boxes).write()
    refused = told(["join"], data, "french").fails(1)
    assert "ask whoever sent it to send the file again." in refused.err


# --- what does not hold


def test_every_rule_that_a_record_can_break_has_a_name_in_every_language() -> None:
    assert {rule.topic for rule in Rule} - {FORM} == set(TOPICS)

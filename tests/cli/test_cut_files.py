"""The program distinguishes files that were cut off from files that were changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import InputError
from pbem.errors.rule import FORM, TOPICS, Rule
from pbem.play.audit import is_cut_short
from pbem.savefile.save_file import SaveFile

WHOLE = "game-017.toml"


pytestmark = pytest.mark.usefixtures("in_game_folder")


@pytest.mark.parametrize("step", [19, pytest.param(7, marks=pytest.mark.long)])
def test_unreadable_cut_file_is_recognised_as_cut(game: Path, step: int) -> None:
    # A file cut between two steps or records can be read, and fails in another way.
    data = (game / "game-003.toml").read_bytes()
    first_line_end = data.index(b"\n")
    for end in range(first_line_end, len(data), step):
        try:
            SaveFile.read(data[:end])
        except InputError:
            assert is_cut_short(data[:end]), data[max(0, end - 60) : end]


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
        lambda data: b"Dear Emile,\nhere is my turn",
        lambda data: b"",
    ],
)
def test_damage_other_than_a_cut_is_not_called_a_cut(
    game: Path, damage: Callable[[bytes], bytes]
) -> None:
    data = damage((game / WHOLE).read_bytes())
    assert not is_cut_short(data)


def test_every_rule_that_a_record_can_break_has_a_name_in_every_language() -> None:
    assert {rule.topic for rule in Rule} - {FORM} == set(TOPICS)

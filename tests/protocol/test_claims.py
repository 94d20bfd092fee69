"""Numbers in docs/threat-model.md and docs/protocol.md: the odds of cheats, the cost of guesses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.play.keyfile import DEFAULT_COST
from pbem.text.phrases import fingerprint

ROOT = Path(__file__).parents[2]
THREATS, PROTOCOL = (
    (ROOT / "docs" / f"{n}.md").read_text("utf-8") for n in ("threat-model", "protocol")
)
YEAR = 365.25 * 24 * 3600


def rows(page: str, head: str) -> list[list[str]]:
    """Return the cells of the table under this first row."""
    lines = page.partition(head)[2].splitlines()[2:]
    table = lines[: next(i for i, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_odds_over_several_shuffles() -> None:
    table = rows(PROTOCOL, "| one shuffle in each of g games, at K = 1024 |")
    assert len(table) > 3
    for games, percent, stopped in table:
        passes = 1 - (1 - 1 / 1024) ** int(games)
        assert f"{100 * passes:.1g} %" == percent.replace("50 %", "5e+01 %")
        assert round(int(games) * (1 - 1 / 1024)) == int(stopped)


def test_cost_of_a_guess_is_that_of_a_new_key() -> None:
    n, r, p = map(int, re.findall(r"N = 2\^(\d+), r = (\d+), p = (\d+)", THREATS)[0])
    assert (2**n, r, p) == DEFAULT_COST
    assert f"{128 * 2**n * r // 2**20} MiB" in THREATS


@pytest.mark.parametrize(
    ("text", "count"), [("8 random", 26**8), ("10 random", 36**10), ("5 words", 7776**5)]
)
def test_time_to_guess_a_passphrase(text: str, count: int) -> None:
    """Half of the passphrases are tried, at 1000 per second; the page rounds."""
    table = rows(THREATS, "| passphrase | at 1000 per second |")
    (told,) = (cells[1] for cells in table if cells[0].startswith(text))
    years = float(
        re.sub(r"(?<=\d) (?=\d)", "", told.removesuffix(" years").replace(" million", "e6"))
    )
    assert years == pytest.approx(count / 2 / 1000 / YEAR, rel=0.15)


def test_short_numbers_have_the_length_told() -> None:
    digits = re.search(r"the number of a game, (\d) hexadecimal digits", PROTOCOL)
    assert digits
    assert digits[1] == "8"
    told = re.search(r"the fingerprint of a key, (\d+) digits", PROTOCOL)
    assert told
    assert len(str(fingerprint(bytes(32))).removeprefix("key ").replace(" ", "")) == int(told[1])

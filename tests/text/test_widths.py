"""Screens in languages of longer words: nothing is wider than the terminal, nothing is cut off."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rich.cells import cell_len
from rich.text import Text

from pbem.cli import console
from pbem.text.language import NAMES, SOURCE
from tests.cli.commands import ROOT, acres
from tests.text.throwaway import CODE, longer, throwaway

SAVES = ROOT / "saves" / "practice"
SCREENS = [
    ["turn", "show", "game-041.toml"],
    ["turn", "show", "game-130.toml", "--at", "60"],
    ["--plain", "turn", "show", "game-130.toml"],
    ["log", "game-130.toml", "--from", "80"],
]
OTHERS = [language for language in NAMES if language != SOURCE]


@pytest.fixture
def too_wide(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lines that were laid out wider than the terminal."""
    matches: list[str] = []
    crop = console._crop

    def record_and_crop(line: Text, edge: int) -> Text:
        if line.cell_len > edge:
            matches.append(line.plain)
        return crop(line, edge)

    monkeypatch.setattr(console, "_crop", record_and_crop)
    return matches


# Each screen in the made-up language of long words and one real language; the long run has all.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("screen", "language", "width"),
    [
        *((screen, CODE, width) for screen in SCREENS for width in (80, 160)),
        *(
            pytest.param(
                screen, part, 80, marks=() if (at - of) % len(OTHERS) == 0 else pytest.mark.long
            )
            for at, screen in enumerate(SCREENS)
            for of, part in enumerate(OTHERS)
        ),
    ],
    ids=str,
)
def test_screens_keep_to_the_width_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
    too_wide: list[str],
    screen: Sequence[str],
    language: str,
    width: int,
) -> None:
    """Only commands may be longer, because they are not broken, so that they can be copied."""
    monkeypatch.chdir(SAVES)
    monkeypatch.setenv("COLUMNS", str(width))
    with throwaway(longer):
        output = acres("--lang", language, *screen, home=SAVES / "british")
    assert (output.status, output.err) == (0, "")
    lines = [line for line in output.out.splitlines() if "acres --home" not in line]
    assert len(lines) > 10
    assert [line for line in lines if cell_len(line) > width] == []
    assert too_wide == []

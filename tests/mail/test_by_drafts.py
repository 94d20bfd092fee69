"""A game by mail without any setup: letters are written as drafts, and read as they were saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play.audit import audit
from pbem.protocol.match import Match
from tests.cli.using import do
from tests.mail.sending import attached
from tests.text.throwaway import CODE, throwaway

ENOUGH = 7
"""How many records the game has before it is given up."""


@pytest.mark.parametrize(
    "language", ["en", pytest.param(CODE, marks=pytest.mark.long)], ids=["English", "another"]
)
def test_a_game_by_drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    def run(name: str, *words: object) -> str:
        """Run a command of a player, in the folder where their files are."""
        monkeypatch.chdir(tmp_path / name)
        with throwaway():
            return do("--lang", language, *words, home=tmp_path / f"home-{name}").out

    for name in ("anna", "bela"):
        (tmp_path / name).mkdir()
        run(name, "init", "--name", name.title(), "--email", f"{name}@example.org")
    game = ["--side", "british", "--lists", 16, "--output", "game-000.toml"]
    run("anna", "new", *game, "--mail")
    writer, reader = "anna", "bela"
    while True:
        written = max((tmp_path / writer).glob("*.toml"), key=lambda path: path.stat().st_mtime_ns)
        draft = written.with_suffix(".eml").read_bytes()
        assert attached(draft) == [written.name]
        (tmp_path / reader / "letter.eml").write_bytes(draft)
        report = audit(written.read_bytes())
        assert report.is_clean
        if report.match.next_side is None:
            break
        writer, reader = reader, writer
        run(writer, *begun(report.match), "--mail")
    assert report.match.secrets.keys() == set(Side)
    assert "The game is over" in run(reader, "turn", "show", "letter.eml")
    assert "Everything in this file is proved" in run(reader, "audit", "letter.eml")


def begun(match: Match) -> tuple[str, ...]:
    """The command that answers the letter with that match."""
    if not match.is_joined:
        return ("join", "letter.eml")
    if match.is_over:
        return ("turn", "apply", "letter.eml")
    if len(match.records) >= ENOUGH:
        return ("turn", "resign", "--yes", "letter.eml")
    # In the first turn each side has one action.
    actions = 1 if match.state.turn < 2 else 2
    return ("turn", "apply", "letter.eml", *["pass"] * actions)

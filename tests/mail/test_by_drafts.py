"""A game by mail without any setup: letters are written as drafts, and read as they were saved."""

from __future__ import annotations

import os
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play.audit import audit
from pbem.protocol.match import Match
from tests.cli.using import acres

ENOUGH = 7
"""How many records the game has before it is given up."""


def replied(draft: bytes) -> bytes:
    """The letter as the text of a reply, with the file quoted in it and nothing attached."""
    (attached,) = message_from_bytes(draft, policy=policy.default).iter_attachments()
    message = EmailMessage()
    message["From"], message["Subject"] = "bela@example.org", "Re: your turn"
    quoted = "".join(f"> {line}\n" for line in attached.get_content().splitlines())
    message.set_content(f"Your turn.\n\n{quoted}\n-- \nBéla\n", cte="quoted-printable")
    return message.as_bytes()


def run(name: str, folder: Path, *words: object) -> str:
    """Run a command of a player, in the folder where their files are."""
    before = Path.cwd()
    os.chdir(folder / name)
    try:
        done = acres(*words, home=folder / f"home-{name}")
    finally:
        os.chdir(before)
    assert done.status == 0, done.err
    return done.out


@pytest.mark.parametrize(
    "arrives",
    [
        pytest.param(bytes, id="attached", marks=pytest.mark.long),
        pytest.param(replied, id="pasted"),
    ],
)
def test_a_game_by_drafts_to_its_close(tmp_path: Path, arrives: Callable[[bytes], bytes]) -> None:
    for name in ("anna", "bela"):
        (tmp_path / name).mkdir()
        run(name, tmp_path, "init", "--name", name.title(), "--email", f"{name}@example.org")
    run("anna", tmp_path, "new", "--side", "british", "--lists", 16, "--output", "game-000.toml",
        "--mail")  # fmt: skip
    writer, reader = "anna", "bela"
    while True:
        written = newest(tmp_path / writer)
        letter = tmp_path / reader / "letter.eml"
        letter.write_bytes(arrives(written.with_suffix(".eml").read_bytes()))
        report = audit(written.read_bytes())
        assert report.is_clean
        if report.match.next_side is None:
            break
        writer, reader = reader, writer
        run(writer, tmp_path, *answer_to(report.match), "--mail")
    assert report.match.secrets.keys() == set(Side)
    assert "The game is over" in run(reader, tmp_path, "turn", "show", "letter.eml")
    # As a text that was quoted it had to be mended.
    assert "Everything in this file is proved" in run(reader, tmp_path, "audit", "letter.eml")


def answer_to(match: Match) -> tuple[str, ...]:
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


def newest(folder: Path) -> Path:
    """The file that was written last."""
    return max(folder.glob("*.toml"), key=lambda path: path.stat().st_mtime_ns)

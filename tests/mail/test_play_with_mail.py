"""`acres play` with a mailbox finds arrivals, sends the turn and asks for a password once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.screen import Terminal
from tests.cli.test_play import MOVE, pass_turn
from tests.mail.players import Player

PASSWORD = "Password for anna@example.org"


def at_play(player: Player, *words: str, **variables: Any) -> Terminal:
    return Terminal.acres("--home", player.home, "play", *words, folder=player.folder, **variables)


@pytest.mark.slow
def test_fetched_turn_is_played_and_sent_after_one_question(anna: Player, bela: Player) -> None:
    bela.do("mail", "send", bela.file)
    with at_play(anna) as terminal:
        terminal.wait_for(PASSWORD)
        terminal.settle()
        terminal.type(anna.password)
        assert f"{MOVE} Bela (French)" in terminal.wait_at("> ")
        pass_turn(terminal)
        terminal.wait_for("Send it to Bela <bela@example.org> now?")
        terminal.settle()
        terminal.type("y")
        terminal.wait_for("A word to your opponent, or Enter for none:")
        terminal.settle()
        terminal.type("Well played!")
        assert terminal.wait_for_exit() == 0
        assert terminal.text.count("Password for") == 1
        assert "Sent to bela@example.org" in " ".join(terminal.text.split())
        assert anna.password not in terminal.text
    (sent,) = bela.inbox()
    assert b"acres-save" in sent and b"Well played!" in sent


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["not it", pytest.param("", marks=pytest.mark.long)])
def test_turn_is_played_without_a_password(anna: Player, bela: Player, typed: str) -> None:
    with at_play(anna, "--wait") as terminal:
        terminal.wait_for(PASSWORD)
        terminal.settle()
        terminal.type(typed)
        terminal.wait_for("Waiting for your opponent's answer")
        assert ("refuses the login" in " ".join(terminal.text.split())) == bool(typed)
        (anna.folder / bela.file.name).write_bytes(bela.file.read_bytes())
        assert f"{MOVE} Bela (French)" in terminal.wait_at("> ")
        assert terminal.text.count("Password for") == 1


@pytest.mark.slow
def test_waiting_turn_needs_no_password(anna: Player, bela: Player) -> None:
    (anna.folder / bela.file.name).write_bytes(bela.file.read_bytes())
    with at_play(anna) as terminal:
        assert f"{MOVE} Bela (French)" in terminal.wait_at("> ")
        assert "Password for" not in terminal.text


@pytest.mark.slow
def test_turn_is_played_while_the_server_is_down(anna: Player, joined: Path) -> None:
    config = (anna.home / "config.toml").read_text()
    anna.set_up(config.replace(f"port = {anna.office.imaps}", "port = 1"))
    with at_play(anna, "--wait", ACRES_MAIL_PASSWORD=anna.password) as terminal:
        terminal.wait_for("Waiting for your opponent's answer")
        (anna.folder / joined.name).write_bytes(joined.read_bytes())
        assert f"{MOVE} Bela (French)" in terminal.wait_at("> ")
        assert terminal.text.count("Note: ") == 1

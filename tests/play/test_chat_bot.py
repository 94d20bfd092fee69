"""Two players play with `examples/chat_bot.py`, which asks before it signs."""

from __future__ import annotations

import io
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.house import Module
from engine.sides import Side
from pbem.play.audit import audit
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.play.test_script import ROOT
from tests.signing import sign_agreed

BOT = ROOT / "examples" / "chat_bot.py"
Talk = Callable[..., list[str]]


@pytest.fixture
def talk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Talk:
    """A function that runs the bot of Anna or Bela with some typed lines; they have just joined."""
    monkeypatch.chdir(tmp_path)
    anna, bela = (Session.create(Home(Path(n)), Identity.generate(n, "")) for n in ("Anna", "Bela"))
    with anna, bela:
        invited = sign_agreed(anna, anna.invite(Side.BRITISH, lists=1), Path("game-000.toml"))
        sign_agreed(bela, bela.join(bela.read(invited.path)))

    def talk(name: str, *lines: str, language: str = "en") -> list[str]:
        monkeypatch.setattr(sys, "argv", [str(BOT), name, language])
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        capsys.readouterr()
        runpy.run_path(str(BOT), run_name="__main__")
        return capsys.readouterr().out.splitlines()

    return talk


def test_chat_bot_fits_in_sixty_lines() -> None:
    assert Module("chat_bot", BOT).code_lines <= 60


def test_two_homes_play_two_turns_each(talk: Talk) -> None:
    for number in range(1, 5):
        name = "Anna" if number % 2 else "Bela"
        orders = ["pass", "end"] if number < 3 else ["pass", "pass", "end"]
        # In the first turn each player meets the opponent's key.
        lines = talk(name, f"read game-{number:03}.toml", *orders, "sign", "yes")
        assert lines[0].startswith(name)
        assert re.fullmatch(r"British \d+, French \d+", lines[1])
        assert any(line.removeprefix("yes? ") == f"game-{number + 1:03}.toml" for line in lines)
    report = audit(Path("game-005.toml").read_bytes())
    assert report.is_clean
    assert (report.total_records, report.counts["order"]) == (6, 10)


def test_orders_are_listed_explained_taken_back_and_refused(talk: Talk) -> None:
    assert "draft Militia" in talk("Anna", "read game-001.toml", "orders")
    read = len(talk("Anna", "read game-001.toml"))
    for typed, says in {
        "why draft militia": "“draft Militia” is possible.",
        "draft militia": "Turn 1: no actions are left; end it.",
        "undo": "There is no order “undo”.",
        "dance": "There is no order “dance”.",
        "sign": "There is still something to decide this turn.",
        "read nowhere.toml": "There is no file nowhere.toml.",
        "read game-000.toml": "Nobody has joined yet: send this invitation to the player you want "
        "to play.",
    }.items():
        assert talk("Anna", "read game-001.toml", typed)[read] == says
    assert talk("Anna", "read game-001.toml", "pass", "undo")[-1] == "Turn 1: 1 action to take."
    assert talk("Bela", "read game-001.toml", "pass")[-1] == "Anna (British) writes next: turn 1."
    assert "in a turn of yours" in talk("Bela", "read game-001.toml", "why settle halifax")[3]


def test_nothing_is_signed_without_a_yes_to_each_question(talk: Talk) -> None:
    turn = ["read game-001.toml", "pass", "end", "sign"]
    for answer in ([], ["no"], ["YES please"]):
        lines = talk("Anna", *turn, *answer)
        assert any("for the first time" in line for line in lines)
        assert not Path("game-002.toml").exists()
    # Each question is asked once.
    assert talk("Anna", *turn, "yes")[-1] == "yes? game-002.toml"
    signed = Path("game-002.toml").read_bytes()
    # The same answer writes the same file; another answer needs consent.
    assert talk("Anna", *turn)[-1] == "game-002.toml"
    another = ["read game-001.toml", "draft militia", "end", "sign"]
    assert "Sign another?" in talk("Anna", *another, "no")
    assert Path("game-002.toml").read_bytes() == signed
    assert talk("Anna", *another, "yes")[-1] == "yes? game-002.toml"
    assert Path("game-002.toml").read_bytes() != signed

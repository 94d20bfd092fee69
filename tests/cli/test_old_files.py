"""Files of earlier versions are read by every command that reads files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.game import legal_orders
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.play.turn import Turn
from pbem.protocol.record import Record
from pbem.protocol.steps import OrderStep
from pbem.savefile.save_file import EvidenceFile
from tests.cli.commands import ROOT, acres, do
from tests.play.matches import TIME

FOLDERS = ROOT / "tests" / "old_files"
GAMES = sorted(FOLDERS.glob("*/game-*.toml"))
FORKS = sorted(FOLDERS.glob("*/fork-*.toml"))
HOMES = sorted(path.parent for path in FOLDERS.glob("*/*/identity.toml"))
LIBRARIES = sorted(path for fork in FORKS for path in fork.parent.glob("*/library.sqlite3"))
RECOVERY_TEXTS = sorted(FOLDERS.glob("*/*/recovery.txt"))
PASSPHRASE = "voyageur"
"""The passphrase of every sealed key in old files."""


def short_name(path: Path) -> str:
    return str(path.relative_to(FOLDERS))


@pytest.fixture(autouse=True)
def passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACRES_PASSPHRASE", PASSPHRASE)


@pytest.fixture
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of an old file and its homes, which commands may change."""
    return copy_with_homes(request.param, tmp_path)


def copy_with_homes(path: Path, target: Path) -> Path:
    folder = FOLDERS / path.relative_to(FOLDERS).parts[0]
    return shutil.copytree(folder, target / "game") / path.relative_to(folder)


@pytest.mark.parametrize("file", GAMES, ids=short_name, indirect=True)
def test_game_is_shown_logged_and_audited(file: Path) -> None:
    assert "Your hand" in do("turn", "show", file, home=file.parent / "french").out
    assert "Turn 1" in do("log", file, home=file.parent / "british").out
    assert "proved" in do("audit", file).out


@pytest.mark.slow
@pytest.mark.parametrize("file", GAMES, ids=short_name, indirect=True)
def test_next_player_can_list_orders_and_answer(file: Path) -> None:
    game = GameFile.read(file.read_bytes())
    if game.match.next_side is None:
        pytest.skip("both have closed it")
    home = file.parent / game.match.next_side.value
    # Signing twice is tested below.
    (home / "library.sqlite3").unlink(missing_ok=True)
    if not game.match.is_over:
        assert json.loads(do("turn", "legal", file, "--json", home=home).out)["orders"]
    orders = first_legal_orders(game, home)
    output = file.with_name("answer.toml")
    do("turn", "apply", file, *orders, "--newest", "--output", output, home=home)
    assert GameFile.read(output.read_bytes()).match.last.index == game.match.last.index + 1


def first_legal_orders(game: GameFile, home: Path) -> list[str]:
    """Return a turn of the first listed orders."""
    answer = Turn.of(game, keyfile.load(home / "identity.toml", lambda: PASSPHRASE), TIME)
    while not answer.is_complete:
        answer.order(legal_orders(answer.view())[0])
    return [order.notation() for order in answer.orders]


@pytest.mark.parametrize("file", FORKS, ids=short_name, indirect=True)
def test_old_evidence_proves_its_fork(file: Path) -> None:
    EvidenceFile.read(file.read_bytes()).evidence.check()
    assert "signed two different records" in do("audit", file).out


@pytest.mark.parametrize("home", HOMES, ids=short_name)
def test_old_key_can_be_opened(home: Path, tmp_path: Path) -> None:
    identity = keyfile.load(home / "identity.toml", lambda: PASSPHRASE)
    copy = shutil.copytree(home, tmp_path / "home")
    assert identity.email in do("key", "show", home=copy).out


@pytest.mark.parametrize("file", LIBRARIES, ids=short_name, indirect=True)
def test_old_library_prevents_a_second_answer(file: Path) -> None:
    home, game = file.parent, min(file.parent.parent.glob("game-*.toml"))
    (fork,) = file.parent.parent.glob("fork-*.toml")
    records = EvidenceFile.read(fork.read_bytes()).evidence.records
    signed_record, other = sorted(records, key=lambda record: "pass" not in orders_of(record)[0])
    refused = acres("turn", "apply", game, *orders_of(other), home=home)
    assert refused.status == 2
    assert "already answered" in refused.err
    again = game.with_name("again.toml")
    do("turn", "apply", game, *orders_of(signed_record), "--output", again, home=home)
    assert GameFile.read(again.read_bytes()).match.last == signed_record


def orders_of(record: Record) -> list[str]:
    return [step.order for step in record.steps if isinstance(step, OrderStep)]


@pytest.mark.parametrize("file", LIBRARIES, ids=short_name, indirect=True)
def test_games_of_an_old_library_are_listed_after_reading_a_file(file: Path) -> None:
    home, game = file.parent, min(file.parent.parent.glob("game-*.toml"))
    do("turn", "show", game, home=home)
    assert GameFile.read(game.read_bytes()).match.id.hex()[:8] in do("games", home=home).out


@pytest.mark.parametrize("text", RECOVERY_TEXTS, ids=short_name)
def test_old_recovery_text_restores_its_key(text: Path, tmp_path: Path) -> None:
    do("key", "restore", text, home=tmp_path / "home")
    key = keyfile.read(text.parent / "identity.toml").public_key
    assert keyfile.read(tmp_path / "home" / "identity.toml").public_key == key

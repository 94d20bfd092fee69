"""Fixtures of mail servers and players; tests that need Dovecot are skipped without it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.commands import acres, do, remember
from tests.mail.certificates import Authority
from tests.mail.dovecot import dovecot, program
from tests.mail.players import Player, Waits, player, prepare_players
from tests.mail.servers import Faults, PostOffice, post_office
from tests.requirements import skip_without


@pytest.fixture(autouse=True)
def forbid_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the user's keyring and passwords from every test."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    for name in ("MAIL_PASSWORD", "SMTP_PASSWORD", "IMAP_PASSWORD", "MAIL_TOKEN"):
        monkeypatch.delenv(f"ACRES_{name}", raising=False)


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority of the servers' certificates."""
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def _running_office(authority: Authority) -> Iterator[PostOffice]:
    if program() is None:
        skip_without("Dovecot", "dovecot-imapd")
    certificate = authority.issue("server")
    with dovecot(certificate) as imap, post_office(authority, imap, certificate) as office:
        yield office


@pytest.fixture
def office(_running_office: PostOffice) -> Iterator[PostOffice]:
    """The post office without faults; mailboxes of other tests may exist."""
    _running_office.faults = Faults()
    _running_office.messages.clear()
    yield _running_office
    _running_office.faults = Faults()


@pytest.fixture(scope="session")
def players_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder, not to be changed, with the identities and a game of two players."""
    return prepare_players(tmp_path_factory.mktemp("players"))


@pytest.fixture
def anna(office: PostOffice, players_folder: Path, tmp_path: Path) -> Player:
    """A player with an empty mailbox, who has written an invitation."""
    who = player(office, "Anna", players_folder, tmp_path)
    shutil.copy(players_folder / "game-000.toml", who.folder)
    remember(who.home, who.folder / "game-000.toml")
    who.do("games", "add", who.folder)
    return who


@pytest.fixture
def bela(office: PostOffice, anna: Player, players_folder: Path, tmp_path: Path) -> Player:
    """A second player, who has accepted the invitation and has the file to send."""
    who = player(office, "Bela", players_folder, tmp_path)
    for name in ("game-000.toml", "game-001.toml"):
        shutil.copy(players_folder / name, who.folder)
    remember(who.home, who.folder / "game-001.toml")
    who.do("games", "add", who.folder)
    return who


@pytest.fixture
def joined(bela: Player) -> Path:
    """The file that Bela has to send to Anna."""
    return bela.file


@pytest.fixture
def turns(players_folder: Path, tmp_path: Path) -> dict[int, Path]:
    """The files of some turns, by number, written on other computers of both players."""
    folder = shutil.copytree(players_folder, tmp_path / "played")
    files = {1: folder / "game-001.toml"}
    for number in (2, 3, 4, 5):
        orders = ["pass"] if number < 4 else ["pass", "pass"]
        home = folder / ("Anna" if number % 2 == 0 else "Bela")
        do("turn", "apply", files[number - 1], *orders, home=home)
        files[number] = folder / f"game-{number:03}.toml"
    return files


@pytest.fixture
def waits(anna: Player, bela: Player, monkeypatch: pytest.MonkeyPatch) -> Waits:
    """The actions that happen while the program waits; after the last one Ctrl-C is pressed."""
    moves: list[Callable[[], object]] = []
    waited: list[int] = []
    really = time.sleep

    def sleep(seconds: int) -> None:
        if seconds < 1:
            # The program polls a process: this is not a wait for mail.
            really(seconds)
            return
        waited.append(seconds)
        if not moves:
            raise KeyboardInterrupt
        moves.pop(0)()

    monkeypatch.setattr("time.sleep", sleep)
    return moves, waited


@pytest.fixture
def invitation(tmp_path: Path) -> bytes:
    """An invitation from a player whom nobody knows."""
    home, file = tmp_path / "home-zoe", tmp_path / "zoe.toml"
    for words in (["init", "--name", "Zoé"], ["new", "--side", "french", "--output", file]):
        assert acres(*words, home=home).status == 0
    return file.read_bytes()

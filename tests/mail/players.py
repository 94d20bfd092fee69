"""Two players with a mailbox each, and a game between them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.mail.login import Login
from tests.cli.commands import Result, acres, remember
from tests.mail.servers import PostOffice

PASSWORD_PREFIX = "zanzibar-"
"""The beginning of every password."""
VARIABLE = "ACRES_MAIL_PASSWORD"
"""The environment variable with the password while a player runs a command."""

Waits = tuple[list[Callable[[], object]], list[int]]
"""The actions that happen while the program waits, and the seconds of each wait."""


@dataclass(frozen=True)
class Player:
    """A player: the home, with settings for the post office, and a folder for files."""

    office: PostOffice
    name: str
    address: str
    password: str
    home: Path
    folder: Path

    def run(self, *words: object) -> Result:
        """Run a command of the player in this process."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, self.password)
            return acres(*words, home=self.home)

    def do(self, *words: object) -> Result:
        """Run a command that must succeed."""
        return self.run(*words).succeeds()

    @property
    def login(self) -> Login:
        """The login of the account."""
        return Login(self.password, "acres")

    def set_up(self, config: str) -> None:
        """Replace the settings."""
        (self.home / "config.toml").write_text(config)

    @property
    def file(self) -> Path:
        """The file with which the player joined the game."""
        return self.folder / "game-001.toml"

    @property
    def files(self) -> list[str]:
        """The names of all files in the player's folder."""
        return sorted(path.name for path in self.folder.iterdir())

    def inbox(self) -> list[bytes]:
        return self.office.inbox(self.address)


def player(office: PostOffice, name: str, players_folder: Path, folder: Path) -> Player:
    """Set up a player with an account, an empty mailbox and an identity of `players_folder`."""
    address, home = address_of(name), folder / f"home-{name}"
    password = f"{PASSWORD_PREFIX}{name.lower()}-correct-horse"
    office.open_account(address, password)
    office.clear(address)
    who = Player(office, name, address, password, home, folder / name)
    who.folder.mkdir(parents=True)
    shutil.copytree(players_folder / name, home, ignore=shutil.ignore_patterns("library*"))
    who.set_up(office.config(address, folder=str(who.folder)))
    if (home / "identity.toml").exists():
        remember(home)
    return who


def address_of(name: str) -> str:
    return f"{name.lower()}@example.org"


def prepare_players(folder: Path) -> Path:
    """Create identities for Anna and Bela, each in a folder, and the files of a game."""
    for name in ("Anna", "Bela"):
        acres("init", "--name", name, "--email", address_of(name), home=folder / name).succeeds()
    begin_game(folder / "Anna", folder / "Bela", folder)
    return folder


def begin_game(anna: Path, bela: Path, folder: Path, stem: str = "game") -> Path:
    """Invite from one home, join from the other, and return the file of the guest."""
    first, second = (folder / f"{stem}-{number:03}.toml" for number in (0, 1))
    acres("new", "--side", "british", "--lists", 16, "--output", first, home=anna).succeeds()
    acres("join", first, home=bela).succeeds()
    return second

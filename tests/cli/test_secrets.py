"""Keys and passphrases are in no output, sent file or repr."""

import base64
import gc
import os
import shlex
import tomllib
from pathlib import Path

import pytest

from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.play.turn import Turn
from tests.cli.commands import FILE, PASSES, acres, do
from tests.sample import sample
from tests.seats import Seat

pytestmark = pytest.mark.usefixtures("in_game_folder")
PASSPHRASE = "correct horse zanzibar"
NEW = "battery staple vladivostok"
PART = 4
"""The share of a secret whose occurrence cannot be a coincidence."""


class Secrets:
    """Secrets in all encodings that a program may write."""

    def __init__(self, *secrets: bytes, passphrases: tuple[str, str] = (PASSPHRASE, NEW)) -> None:
        self.raw = [*secrets, *(passphrase.encode() for passphrase in passphrases)]
        written = {
            encode(secret)
            for secret in secrets
            for encode in (
                bytes.hex,
                lambda secret: secret.hex().upper(),
                lambda secret: secret.hex(" ", 2),
                lambda secret: secret.hex(":"),
                lambda secret: base64.b64encode(secret).decode().rstrip("="),
                lambda secret: base64.urlsafe_b64encode(secret).decode().rstrip("="),
                lambda secret: base64.b32encode(secret).decode().rstrip("="),
                lambda secret: base64.b85encode(secret).decode(),
                lambda secret: repr(secret)[2:-1],
                lambda secret: repr(list(secret))[1:-1],
                lambda secret: str(int.from_bytes(secret, "big")),
                lambda secret: str(int.from_bytes(secret, "little")),
            )
        }
        self.windows = {
            text[at : at + len(text) // PART]
            for text in (*written, *passphrases)
            for at in range(len(text) - len(text) // PART + 1)
        }

    def find(self, printed: str) -> list[str]:
        """Return the parts of secrets in a text."""
        return [window for window in self.windows if window in printed]

    def find_in_bytes(self, data: bytes) -> list[object]:
        """Return the parts of secrets in bytes."""
        halves = [part for raw in self.raw for part in (raw[:12], raw[-12:])]
        return [*(part for part in halves if part in data), *self.find(data.decode("latin-1"))]


def secrets_of(game: Path, home: str = "british") -> Secrets:
    identity = keyfile.load(game / home / "identity.toml", lambda: PASSPHRASE)
    seat = Seat(GameFile.read((game / FILE).read_bytes()).match, identity)
    return Secrets(identity.seed, seat.secret, seat.secrets.box_key)


@pytest.fixture
def secrets(game: Path) -> Secrets:
    return secrets_of(game)


@pytest.fixture(autouse=True)
def show_tracebacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let failures print their traceback."""
    monkeypatch.setenv("ACRES_DEBUG", "1")


def test_search_finds_secrets(game: Path, secrets: Secrets) -> None:
    identity = keyfile.load(game / "british" / "identity.toml", lambda: "")
    for encode in (bytes.hex, repr, list, lambda seed: base64.b64encode(seed).decode()):
        assert secrets.find(f"seed: {encode(identity.seed)}")
    assert secrets.find("it was correct horse, I think")
    assert secrets.find_in_bytes(b"\0" + identity.seed + b"\0")
    assert not secrets.find((game / FILE).read_text())


_TABLE = tomllib.loads(Path(__file__).with_name("secrets.toml").read_text(encoding="utf-8"))
COMMANDS = [
    [word.format(passphrase=PASSPHRASE, new=NEW) for word in shlex.split(line)]
    for line in _TABLE["commands"]
]


@pytest.mark.slow
@pytest.mark.parametrize("sealed", sample([False, "right", "wrong"], first=2))
def test_no_command_prints_or_writes_a_secret(
    game: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch, sealed: bool | str
) -> None:
    if sealed:
        monkeypatch.setenv("ACRES_NEW_PASSPHRASE", PASSPHRASE)
        assert acres("key", "passphrase", home="british").status == 0
        monkeypatch.setenv("ACRES_PASSPHRASE", PASSPHRASE if sealed == "right" else NEW)
    ended = set()
    for words in COMMANDS:
        result = acres(*words, home="british")
        assert not secrets.find(result.out + result.err), words
        ended.add(result.status)
    assert {0, 2} <= ended
    for path in game.rglob("*"):
        if path.is_file() and path.name != "identity.toml":
            assert not secrets.find_in_bytes(path.read_bytes()), path


@pytest.mark.parametrize(
    "place",
    [
        "pbem.protocol.identity.Identity.sign",
        "pbem.protocol.identity.Identity.game_secret",
        "pbem.protocol.identity.ed25519_public_key",
        "pbem.protocol.hand.root_seed",
        "pbem.play.keyfile._key",
        "pbem.protocol.identity.Identity.box_key",
        "pbem.play.game_file.seal",
        "pbem.play.signing.reserve_file",
    ],
)
def test_traceback_has_no_secret(
    game: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("ACRES_NEW_PASSPHRASE", PASSPHRASE)
    assert acres("key", "passphrase", home="british").status == 0
    monkeypatch.setenv("ACRES_PASSPHRASE", PASSPHRASE)

    def fail(*arguments: object, **named: bool) -> None:
        raise RuntimeError("something is wrong")

    monkeypatch.setattr(place, fail)
    result = acres("turn", "apply", FILE, *PASSES, home="british")
    assert "Traceback" in result.err
    assert "RuntimeError" in result.err
    assert not secrets.find(result.out + result.err)


def test_reprs_show_no_secret(game: Path, secrets: Secrets) -> None:
    """Check the repr of every object alive while a file is answered."""
    # This excludes objects of other tests.
    gc.collect()
    gc.freeze()
    identity = keyfile.load(game / "british" / "identity.toml", lambda: "")
    key_file = keyfile.read(game / "british" / "identity.toml")
    answer = Turn.of(GameFile.read((game / FILE).read_bytes()), identity, "2027-01-01T00:00:00Z")
    finished = answer.finish() if answer.is_complete else None
    alive = [thing for thing in gc.get_objects() if type(thing).__module__.startswith("pbem")]
    names = {type(thing).__name__ for thing in alive}
    assert {"Identity", "KeyFile", "Secrets", "HiddenCards", "Turn"} <= names
    for thing in alive:
        assert not secrets.find(repr(thing) + str(thing)), type(thing)
    assert key_file is not None
    assert finished is None


def test_backup_is_private_to_its_owner(game: Path, secrets: Secrets) -> None:
    before = os.umask(0)
    try:
        result = acres("key", "backup", "--unsealed", "--output", "paper.txt", home="british")
    finally:
        os.umask(before)
    assert result.status == 0, result.err
    assert not secrets.find(result.out + result.err)
    assert (game / "paper.txt").stat().st_mode & 0o777 == 0o600
    lost = game / "lost"
    back = do("key", "restore", "paper.txt", home=lost)
    assert not secrets.find(back.out + back.err)
    seeds = {keyfile.load(p / "identity.toml", str).seed for p in (lost, game / "british")}
    assert len(seeds) == 1

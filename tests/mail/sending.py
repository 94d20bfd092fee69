"""What is sent, as the player and the library see it."""

from pathlib import Path

from pbem.library import Post
from pbem.library.post import Dispatch
from pbem.savefile.save_file import SaveFile
from tests.cli.using import Result, is_one_sentence
from tests.mail.players import Player


def moved_to(player: Player, port: int, security: str = "tls") -> None:
    """Let a player's settings name another SMTP server."""
    lines = player.office.config(player.address).split("\n")
    at = lines.index("[mail.smtp]")
    lines[at + 1 : at + 4] = [
        'host = "localhost"', f"port = {port}", f'security = "{security}"'
    ]  # fmt: skip
    player.set_up("\n".join(lines).replace("timeout = 5", "timeout = 1"))


def failure(done: Result) -> str:
    """The sentence with which a command failed."""
    assert done.status == 2
    assert is_one_sentence(done.err), done.err
    return done.err


def dispatch(player: Player, file: Path) -> Dispatch | None:
    """What is noted of the sending of a file."""
    from pbem.keys import keyfile

    records = SaveFile.read(file.read_bytes()).records
    key = keyfile.read(player.home / "identity.toml").public_key
    return Post(player.home / "library.sqlite3", key).dispatch(records[0].hash, records[-1].hash)

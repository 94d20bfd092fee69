"""The memory of a robot that plays many games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.timing import Claim, run
from engine.players import player_of
from engine.sides import Side
from pbem.play.game_file import GameFile, pack
from pbem.play.robot import give_orders
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from pbem.sources import random_bytes
from tests.play.matches import TIME
from tests.signing import finish, invite

GAMES = 50
MAX_MEGABYTES = 100.0
"""The bound of the peak memory, in MB."""


def measure() -> Iterator[Claim]:
    """Yield the peak memory of a process that answers a turn in each of fifty games."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "table"
        table.mkdir()
        guests = [Identity.generate(f"Guest {number}", "") for number in range(GAMES)]
        for number, guest in enumerate(guests):
            match = invite(
                guest,
                side=Side.BRITISH,
                nonce=random_bytes(32, "nonce of a guest"),
                time=TIME,
                lists=256,
            )
            (table / f"{number}-000.toml").write_bytes(pack(match, None, {}, "").write())
        _serve_once(folder)
        for number, guest in enumerate(guests):
            game = GameFile.read((table / f"{number}-001.toml").read_bytes())
            turn = Turn.of(game, guest, TIME)
            give_orders(turn, player_of(1, Random(1)).choose)
            (table / f"{number}-002.toml").write_bytes(finish(turn, guest)[1].write())
        memory = _serve_once(folder)
        assert len(list(table.glob("*-003.toml"))) == GAMES
        yield Claim(f"a robot that answers in {GAMES} games, memory", memory, " MB", MAX_MEGABYTES)


def _serve_once(folder: Path) -> int:
    """Let the robot answer once. Return its peak memory in MB."""
    table = str(folder / "table")
    folders = ("--inbox", table, "--outbox", table)
    robot = ("--home", str(folder / "robot"), "serve-robot", "--once")
    return run(["-m", "pbem.cli", *robot, *folders])

"""Many games through files, in one process or with a process for each player."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from engine.players.practice import PracticePlayer
from engine.ruleset import editions
from engine.sides import Side
from pbem.cli.main import main
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.play.turn import Turn
from pbem.savefile.disk import read_file, write_new
from tests.play.correspondents import Correspondents
from tests.play.matches import TIME
from tests.soak.memory import Sample

FULL_GAMES = 1 / 25
"""The share of games that end by a rule; in the others a player resigns early."""
LISTS = 16
"""K, the lowest number without a warning."""


@dataclass(frozen=True)
class Plan:
    """The plan of a game: its edition, its Home Support, and the turn of the resignation."""

    edition: str
    home_support: str
    given_up_at: int | None

    @classmethod
    def of(cls, seed: int) -> Plan:
        random = Random(f"soak {seed}")
        given_up_at = None if random.random() < FULL_GAMES else random.randrange(4, 30)
        return cls(random.choice(list(editions())), random.choice(["asked", "ahead"]), given_up_at)

    def gives_up(self, game: GameFile) -> bool:
        """True if the next player resigns instead of playing."""
        over = game.match.is_over
        return (
            self.given_up_at is not None and not over and game.match.last.index >= self.given_up_at
        )


# --- in one process


def play_in_this_process(seeds: range, every: int) -> Iterator[Sample]:
    """Play games through files, and yield a sample of memory after each `every` games."""
    for played, seed in enumerate(seeds, 1):
        with TemporaryDirectory() as name:
            _play_through_files(Path(name), seed)
        if played % every == 0:
            yield Sample.now(played)


def _play_through_files(folder: Path, seed: int) -> None:
    plan, pair = Plan.of(seed), Correspondents(Random(seed))

    def through(game: GameFile) -> GameFile:
        path = folder / f"game-{len(game.match.records):03}.toml"
        write_new(path, game.save.write())
        return GameFile.read(read_file(path))

    game = pair.invite(
        Side.BRITISH, lists=LISTS, edition=plan.edition, home_support=plan.home_support
    )
    game = through(pair.join(through(game)))
    while game.match.next_side is not None:
        game = through(pair.answer(game, resigns=plan.gives_up(game)))
    assert game.match.secrets.keys() == set(Side)


# --- across processes


class Player:
    """A player who runs the command in one process, game after game."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.folder = folder
        run("init", "--name", folder.name, "--email", f"{folder.name}@example.org", home=self.home)

    def invite(self, seed: int) -> Path:
        """Write the invitation to the game with that seed."""
        plan, path = Plan.of(seed), self.folder / f"{seed}-000.toml"
        options = ("--edition", plan.edition, "--home-support", plan.home_support)
        run(
            "new", "--side", "british", "--lists", LISTS, *options, "--output", path, home=self.home
        )
        return path

    def answer(self, seed: int, file: Path) -> Path | None:
        """Answer a file, and return the path of the answer, or None if the game is over."""
        game = GameFile.read(read_file(file))
        path = self.folder / f"{seed}-{len(game.match.records):03}.toml"
        if not game.match.is_joined:
            run("join", file, "--output", path, home=self.home)
        elif game.match.next_side is None:
            return None
        elif Plan.of(seed).gives_up(game):
            run("turn", "resign", file, "--yes", "--output", path, home=self.home)
        else:
            orders = self._decide(game, seed)
            run("turn", "apply", file, *orders, "--output", path, home=self.home)
        file.unlink()
        return path

    def _decide(self, game: GameFile, seed: int) -> list[str]:
        head = PracticePlayer(Random(f"{seed} {game.match.last.index}"))
        answer = Turn.of(game, keyfile.load(self.home / "identity.toml", lambda: ""), TIME)
        while not answer.is_complete:
            answer.order(head.choose(answer.view()))
        return [order.notation() for order in answer.orders]


def run(*arguments: object, home: Path) -> None:
    """Run the command in this process; raises AssertionError if it fails."""
    words = ["--home", str(home), *map(str, arguments)]
    assert main(words) == 0, words


def play_between_processes(
    folder: Path, seeds: range, every: int
) -> Iterator[tuple[Sample, Sample]]:
    """Play games between two processes, and yield samples of both after each `every` games."""
    with run_player(folder / "anna") as anna, run_player(folder / "bela") as bela:
        for played, seed in enumerate(seeds, 1):
            file, writer, reader = anna("invite", seed), anna, bela
            while (answer := reader("answer", seed, file)) is not None:
                file, writer, reader = answer, reader, writer
            file.unlink()
            if played % every == 0:
                yield anna("sample", played), bela("sample", played)


@contextmanager
def run_player(folder: Path) -> Iterator[Callable[..., Any]]:
    """Yield a function that calls a method of a player in another process."""
    context = multiprocessing.get_context("spawn")
    parent_end, child_end = context.Pipe()
    process = context.Process(target=_serve, args=(folder, child_end), daemon=True)
    process.start()
    child_end.close()

    def call(*request: object) -> Any:
        parent_end.send(request)
        return parent_end.recv()

    try:
        yield call
    finally:
        parent_end.close()
        process.join()


def _serve(folder: Path, requests: Connection) -> None:
    folder.mkdir()
    # All commands share a stream, because click keeps every stream that it has used.
    with (folder / "printed").open("w") as printed, redirect_stdout(printed):
        player = Player(folder)
        with suppress(EOFError):
            while True:
                request, *arguments = requests.recv()
                act = Sample.now if request == "sample" else getattr(player, request)
                requests.send(act(*arguments))

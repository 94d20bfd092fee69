"""Two people with nothing in common but the files they send play a game to its end."""

import shutil
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.play.turn import Turn
from tests.cli.using import acres, acres_process, do

PROCESS_TURNS = 4
"""How many of the first turns are played by a process of their own."""
ENOUGH, ALL = 30, 1000
"""How many turns until somebody resigns: each file is read from its beginning."""


class Player:
    """Somebody at home: a key of their own, a folder of their own, and a head for the game."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        self.home, self.folder = folder / "key", folder / "games"
        self.folder.mkdir(parents=True)
        do("init", "--name", name, "--email", f"{name}@example.org", home=self.home)
        self.head = PracticePlayer(Random(seed))

    def decide(self, game: GameFile) -> list[str]:
        """The orders for a file that was read, in the words in which players type them."""
        identity = keyfile.load(self.home / "identity.toml", lambda: "")
        answer = Turn.of(game, identity, "2026-01-01T00:00:00Z")
        while not answer.is_complete:
            answer.order(self.head.choose(answer.view()))
        return [order.notation() for order in answer.orders]

    def receive(self, file: Path) -> Path:
        """The file as it lies in one's own folder, under its own name."""
        return Path(shutil.copy(file, self.folder / file.name))

    def answer(self, file: Path, *, own_process: bool, resigns: bool) -> Path | None:
        """The file that the command writes as an answer; None where there is none to write."""
        game = GameFile.read(file.read_bytes())
        if game.match.next_side is None:
            return None
        if resigns and not game.match.is_over:
            words: tuple[object, ...] = ("resign", file, "--yes")
        else:
            words = ("apply", file, *self.decide(game))
        run = acres_process if own_process else acres
        run("turn", *words, home=self.home).succeeds()
        return newest(self.folder)


def newest(folder: Path) -> Path:
    return max(folder.glob("*.toml"), key=lambda path: path.stem)


def play_to_the_end(tmp_path: Path, *options: str, turns: int) -> tuple[Player, Player, Path]:
    anna = Player(tmp_path / "anna", "Anna", seed=1)
    emile = Player(tmp_path / "emile", "Emile", seed=2)
    first = anna.folder / "game-000.toml"
    do("new", "--side", "any", *options, "--output", first, home=anna.home)
    do("join", emile.receive(first), "--side", "british", home=emile.home)
    answer: Path | None = newest(emile.folder)
    writer, reader, played = emile, anna, 0
    while answer is not None:
        file, writer, reader = answer, reader, writer
        answer = writer.answer(
            writer.receive(file), own_process=played < PROCESS_TURNS, resigns=played > turns
        )
        played += 1
    return anna, emile, file


def check_the_end(anna: Player, emile: Player, file: Path) -> None:
    match = GameFile.read(file.read_bytes()).match
    assert match.state.outcome is not None
    assert match.state.turn < 200
    for player in (anna, emile):
        received = player.receive(file) if file.parent != player.folder else file
        assert "The game is over" in acres("turn", "show", received, home=player.home).out
        over = acres("turn", "apply", received, "pass", home=player.home)
        assert (over.status, "The game is over" in over.err) == (2, True)
        assert "proved" in acres("audit", received).succeeds().out
    # The key of each never left home.
    seeds = [keyfile.load(p.home / "identity.toml", lambda: "").seed for p in (anna, emile)]
    assert seeds[0] != seeds[1]


@pytest.mark.long
@pytest.mark.parametrize(("options", "turns"), [(["--lists", "16"], ENOUGH), ([], ALL)])
def test_a_game_runs_to_its_end(tmp_path: Path, options: list[str], turns: int) -> None:
    check_the_end(*play_to_the_end(tmp_path, *options, turns=turns))

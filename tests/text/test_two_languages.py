"""A whole game by the command line alone, in which one side speaks Russian and the other French."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.play.robot import give_orders
from pbem.play.turn import Turn
from pbem.text.language import Language
from pbem.text.phrases import names
from tests.cli.commands import acres, do
from tests.requirements import require

SPEAKS = {"british": "ru", "french": "fr"}
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


class Players:
    """The two players at their homes, and the file that was written last."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.choose = folder, PracticePlayer(Random(seed)).choose
        self.time = "2026-11-21T20:00:00Z"
        self.output_by_side = dict.fromkeys(SPEAKS, "")
        for side, name in (("british", "Анна"), ("french", "Émile")):
            self.run(side, "init", "--name", name, "--email", f"{side}@example.org")
        self.run("british", "new", "--side", "british", "--lists", 2, "--output", self.file(0))
        self.run("french", "join", self.file(0), "--output", self.file(1))
        self.number = 1

    def file(self, number: int) -> Path:
        return self.folder / f"game-{number:03}.toml"

    def run(self, side: str, *words: object) -> str:
        done = do("--lang", SPEAKS[side], *words, home=self.folder / side)
        self.output_by_side[side] += done.out + done.err
        return done.out

    @property
    def game(self) -> GameFile:
        return GameFile.read(self.file(self.number).read_bytes())

    def orders(self, side: str) -> list[str]:
        """Return the orders of a practice player, in the language of the side."""
        identity = keyfile.read(self.folder / side / "identity.toml").open(str)
        answer = Turn.of(self.game, identity, self.time)
        give_orders(answer, self.choose)
        language, name = Language(SPEAKS[side]), names(answer.match.state)
        return [language.say(order.text(name)) for order in answer.orders]

    def answer(self) -> None:
        """Answer the file written last, with typed orders."""
        side = require(self.game.match.next_side).value
        orders, after = self.orders(side), self.file(self.number + 1)
        self.run(side, "turn", "apply", self.file(self.number), *orders, "--output", after)
        self.number += 1


def play(pen: Players, most: int | None) -> None:
    while pen.game.match.next_side is not None and (most is None or pen.number < most):
        pen.answer()


def check(pen: Players) -> None:
    """Check that output is in each player's language, and the file is neutral."""
    file = pen.file(pen.number)
    for side in SPEAKS:
        pen.run(side, "turn", "show", file)
        pen.run(side, "log", file)
    assert CYRILLIC.search(pen.output_by_side["british"])
    assert not CYRILLIC.search(pen.output_by_side["french"].replace("Анна", ""))
    assert b"\xd0" not in re.sub(rb'name = ".*"', b"", file.read_bytes())
    data = {
        language: acres("--lang", language, "log", file, "--json").out
        for language in ("en", "fr", "it", "ru")
    }
    assert len(set(data.values())) == 1
    assert json.loads(data["ru"])
    for language in ("en", "fr", "it", "ru"):
        do("--lang", language, "audit", file)


@pytest.mark.slow
def test_game_in_two_languages_is_neutral(tmp_path: Path) -> None:
    """From the invitation to the last secret: turns of all kinds, till one side gives up."""
    pen = Players(tmp_path, 1759)
    play(pen, 10)
    side, after = require(pen.game.match.next_side).value, pen.file(pen.number + 1)
    pen.run(side, "turn", "resign", pen.file(pen.number), "--yes", "--output", after)
    pen.number += 1
    play(pen, None)
    assert pen.game.match.is_over
    check(pen)


@pytest.mark.long
def test_whole_games_in_two_languages_are_neutral(tmp_path: Path) -> None:
    for seed in range(3):
        (tmp_path / str(seed)).mkdir()
        pen = Players(tmp_path / str(seed), seed)
        play(pen, None)
        assert pen.game.match.is_over
        check(pen)

"""Random typing in guided turns always leads to an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.message import Phrase
from pbem.cli.guided import turn
from pbem.play.game_file import GameFile, pack
from pbem.play.turn import Turn
from pbem.savefile.save_file import SaveFile
from pbem.text.ordering.lists import Suggest
from pbem.text.ordering.menu import NUMBERS
from tests.cli.positions import random_match
from tests.play.turns import begin_record
from tests.signing import finish

SEEDS = st.integers(min_value=0, max_value=2**32)
modest = settings(
    max_examples=1,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
many = settings(modest, max_examples=100, derandomize=False)
MAX_LINES = 120
"""The number of lines after which the player only ends the turn."""
WORDS = ["", "back", "n", "undo", "undo all", "wait", "hand", "?", "? b", "help", "last", "map"]
RUBBISH = [":", ",", "0", "99999", "²", "settle :", "discard ,,", "\x1b[31m", "d", "raid x: y", "“"]


class Monkey:
    """A player who types random lines, and finally sensible orders."""

    def __init__(self, answer: Turn, random: Random) -> None:
        self.answer = answer
        self.random = random
        self.typed: list[str] = []

    def ask(self, message: Phrase, suggest: Suggest = lambda _: []) -> str:
        assert len(self.typed) < MAX_LINES + 60, self.typed[-20:]
        line = self._line(message, suggest)
        self.typed.append(line)
        return line

    def _line(self, message: Phrase, suggest: Suggest) -> str:
        is_patient = len(self.typed) < MAX_LINES
        if message != "> ":
            wild = [*WORDS[:2], "perhaps", "n"]
            return self.random.choice(wild) if is_patient and self.random.random() < 0.3 else "y"
        text = self._order()
        if not is_patient:
            return text
        kind = self.random.random()
        if kind < 0.45:
            return str(self.random.randint(1, len(NUMBERS)))
        if kind < 0.6:
            return text
        if kind < 0.7:
            return text[: self.random.randint(1, len(text))]
        if kind < 0.8:
            return self.random.choice([s.line for s in suggest(text[:3])] or [""])
        return self.random.choice(WORDS if kind < 0.93 else RUBBISH)

    def _order(self) -> str:
        ways = self.answer.choices
        name = self.answer.match.state.ruleset.catalogue.name_of
        orders = list(ways.some_orders())
        return str(self.random.choice(orders).text(name)) if orders else "end"


def check_guided_game(seed: int, records: int, use: Callable[[Monkey], None]) -> None:
    random = Random(seed)
    match = random_match(random, seed)
    for _ in range(records):
        if match.is_over:
            return
        answer = begin_record(match, seed)
        if not answer.is_complete:
            use(Monkey(answer, random))
            turn.guide_turn(answer, Path("game.toml"), dry_run=False, wait=False)
            assert answer.new_notes is None
        match_after, _ = finish(answer, answer.identity)
        # Every reader can verify the file.
        data = pack(match_after, None, {}, "").write()
        match = GameFile.read(SaveFile.read(data).write()).match


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Monkey], None]:
    return lambda monkey: monkeypatch.setattr(turn, "prompt_for_terminal", lambda: monkey)


@pytest.mark.slow
@modest
@given(seed=SEEDS)
def test_any_typing_leads_to_a_turn_that_holds(seed: int, use: Callable[[Monkey], None]) -> None:
    check_guided_game(seed, 8, use)


@pytest.mark.long
@many
@given(seed=SEEDS)
def test_any_typing_leads_through_many_games(seed: int, use: Callable[[Monkey], None]) -> None:
    check_guided_game(seed, 40, use)

"""Every turn of whole games in a browser shows the position of the engine.

The engine plays the game with both hands open, and a page knows the cards of its viewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from engine.events import RaidBlocked
from engine.orders import Raid
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State
from pbem.text.language import Language
from tests.board.browser import open_page
from tests.board.courses import CLOSED, RUNNING, Course, play_course, practice
from tests.board.pages import page_of
from tests.board.reading import Position, engine_position, faces, normalize, step_through
from tests.play.rule_games import half_reckless
from tests.sample import sample

HIDDEN = ("hand", "face_down")


def read_positions(browser: Browser, folder: Path, page: str, turns: int) -> list[Position]:
    """Step through a page, and return the position after each turn."""
    file = folder / "game.html"
    file.write_text(page, encoding="utf-8")
    with open_page(browser, file) as window:
        positions = step_through(window, range(turns))
        # A turn looks the same after a step and after a jump.
        assert step_through(window, range(0, turns, 7)[::-1]) == positions[::7][::-1]
        return positions


def check(
    positions: list[Position], course: Course, open_hands: Collection[Side], code: str = "en"
) -> None:
    """Compare the positions of a page and their marks with those of the engine."""
    for number, (position, state) in enumerate(zip(positions, course.states, strict=True)):
        expected, shape = engine_position(state, open_hands), normalize(position)
        for side in Side:
            if side not in open_hands:
                check_hidden(shape[side], state, side)
                for key in HIDDEN:
                    del expected[side][key], shape[side][key]
        assert not list(differences(shape, expected)), f"turn {number}"
        assert position["slider"] == [str(number), str(number)]
        check_faces(position, state, code)
    for number, (before, after) in enumerate(pairwise(course.states), 1):
        check_marks(positions[number], before, after)
    assert [position["raids"] for position in positions] == raids(course)


def differences(actual: object, expected: object, path: str = "") -> Iterator[str]:
    """Yield the paths and values in which two positions differ."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        for key in actual.keys() | expected.keys():
            yield from differences(actual.get(key), expected.get(key), f"{path} {key}")
    elif actual != expected:
        yield f"{path}: {actual} is seen, {expected} is so"


def check_hidden(side: Position, state: State, hand_side: Side) -> None:
    """Check the known cards of a hidden hand, and the number of backs."""
    hand = Counter(state.players[hand_side].hand)
    assert side["hand"] <= hand
    assert side["face_down"] == (hand - side["hand"]).total()


def check_faces(position: Position, state: State, code: str) -> None:
    """Check that every visible card has a face, and its name for screen readers."""
    language, catalogue = Language(code), state.ruleset.catalogue
    for card, (face, name_read) in faces(position).items():
        assert face.endswith(card)
        name = language.say(catalogue.name_of(card))
        assert name_read.casefold().startswith(name.casefold()), name_read


def check_marks(position: Position, before: State, after: State) -> None:
    """Check that exactly the locations that a turn changed are marked."""
    old, new = before.board, after.board
    for place in position["board"]:
        old_piece, new_piece = old.get(place["id"]), new.get(place["id"])
        besieged = after.besieger(place["id"]) is not None is before.besieger(place["id"])
        assert place["marked"] == (old_piece != new_piece or besieged), place["id"]


def raids(course: Course) -> list[list[list[object]]]:
    """Return the raids of each turn, with True for those that were blocked."""
    by_turn: list[list[list[object]]] = [[] for _ in course.states]
    for move in course.match.moves:
        turn = by_turn[move.turn + 1] if move.turn + 1 < len(by_turn) else []
        if isinstance(move.order, Raid):
            turn.append([move.side.value, move.order.target, False])
        elif turn and move.has_event(RaidBlocked):
            turn[-1][-1] = True
    return by_turn


@pytest.mark.parametrize(
    ("file", "side", "code"),
    # A page with one hand hides the other.
    [
        (RUNNING, Side.FRENCH, "ru"),
        pytest.param(RUNNING, Side.BRITISH, "ru", marks=pytest.mark.long),
        pytest.param(RUNNING, None, "fr", marks=pytest.mark.long),
        pytest.param(CLOSED, None, "en", marks=pytest.mark.long),
    ],
)
def test_every_turn_of_a_practice_game_matches_the_engine(
    browser: Browser, tmp_path: Path, file: Path, side: Side | None, code: str
) -> None:
    """A running game is drawn for its players and spectators, and a closed one for all."""
    course, seats = practice(file)
    page = page_of(course.match, *([seats[side]] if side else []), code=code)
    own = [side] if side else []
    open_hands = [*Side] if file == CLOSED else own
    check(read_positions(browser, tmp_path, page, len(course.states)), course, open_hands, code)


BY_RULES: Mapping[str, tuple[str, ...]] = {
    "second": ("french-start-choice", "natives-fight-in-sieges", "drop-lost-locations"),
    "first": ("quebec-fortified", "louisbourg-fortified", "french-siege-exchange"),
    "first-revised": ("no-governors", "fewer-british-regulars"),
}
"""House rules with visible effects on fortifications and cards."""


# The effects of these rules are visible in fewer than half of the turns.
@pytest.mark.parametrize("turns", [16, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("edition", sample(BY_RULES, first=1))
def test_every_turn_with_other_rules_matches_the_engine(
    browser: Browser, tmp_path: Path, edition: str, turns: int
) -> None:
    course, _ = play_course(3, edition, *BY_RULES[edition], turns=turns, players=half_reckless)
    assert course.match.state.ruleset == Ruleset.of(edition, BY_RULES[edition])
    positions = read_positions(
        browser, tmp_path, page_of(course.match, code="it"), len(course.states)
    )
    check(positions, course, course.match.secrets, "it")

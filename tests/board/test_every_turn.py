"""Every turn of whole games in a browser: what is seen after it is what the engine has then.

The engine plays the game by itself, with both hands open; the page knows what its viewer may know.
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
from tests.board.browser import opened
from tests.board.courses import CLOSED, RUNNING, Course, played, practice
from tests.board.pages import page_of
from tests.board.reading import Position, faces, of_engine, shaped, stepped
from tests.play.rule_games import half_reckless
from tests.sample import sample

HIDDEN = ("hand", "face_down")


def look(browser: Browser, folder: Path, page: str, turns: int) -> list[Position]:
    """Go through a page turn by turn; what is seen after each."""
    file = folder / "game.html"
    file.write_text(page, encoding="utf-8")
    with opened(browser, file) as window:
        there = stepped(window, range(turns))
        # From wherever one comes to it, a turn is the same.
        assert stepped(window, range(0, turns, 7)[::-1]) == there[::7][::-1]
        return there


def check(
    seen: list[Position], course: Course, open_hands: Collection[Side], code: str = "en"
) -> None:
    """Compare what was seen with the positions of the engine, and what marks the difference."""
    for number, (each, state) in enumerate(zip(seen, course.states, strict=True)):
        wanted, shape = of_engine(state, open_hands), shaped(each)
        for side in Side:
            if side not in open_hands:
                check_hidden(shape[side], state, side)
                for what in HIDDEN:
                    del wanted[side][what], shape[side][what]
        assert not list(differences(shape, wanted)), f"turn {number}"
        assert each["slider"] == [str(number), str(number)]
        check_faces(each, state, code)
    for number, (before, after) in enumerate(pairwise(course.states), 1):
        check_marks(seen[number], before, after)
    assert [each["raids"] for each in seen] == raids(course)


def differences(seen: object, wanted: object, path: str = "") -> Iterator[str]:
    """Where two positions differ, and in what."""
    if isinstance(seen, dict) and isinstance(wanted, dict):
        for key in seen.keys() | wanted.keys():
            yield from differences(seen.get(key), wanted.get(key), f"{path} {key}")
    elif seen != wanted:
        yield f"{path}: {seen} is seen, {wanted} is so"


def check_hidden(side: Position, state: State, whose: Side) -> None:
    """What is known of a hidden hand is in it; and the backs are those of the others."""
    hand = Counter(state.players[whose].hand)
    assert side["hand"] <= hand
    assert side["face_down"] == (hand - side["hand"]).total()


def check_faces(seen: Position, state: State, code: str) -> None:
    """Every card that is seen has a face, and a screen reader is told its name."""
    language, catalogue = Language(code), state.ruleset.catalogue
    for card, (face, told) in faces(seen).items():
        assert face.endswith(card)
        name = language.say(catalogue.name_of(card))
        assert told.casefold().startswith(name.casefold()), told


def check_marks(seen: Position, before: State, after: State) -> None:
    """What a turn brought or took is marked where it stood, and nothing else is."""
    old, new = before.board, after.board
    for place in seen["board"]:
        was, stands = old.get(place["id"]), new.get(place["id"])
        besieged = after.besieger(place["id"]) is not None is before.besieger(place["id"])
        assert place["marked"] == (was != stands or besieged), place["id"]


def raids(course: Course) -> list[list[list[object]]]:
    """Whom each turn raided, and whether that was blocked."""
    made: list[list[list[object]]] = [[] for _ in course.states]
    for deed in course.match.deeds:
        turn = made[deed.turn + 1] if deed.turn + 1 < len(made) else []
        if isinstance(deed.order, Raid):
            turn.append([deed.side.value, deed.order.place, False])
        elif turn and deed.caused(RaidBlocked):
            turn[-1][-1] = True
    return made


@pytest.mark.parametrize(
    ("file", "side", "code"),
    # Of the page with one's own hand the other one is hidden as well.
    [
        (RUNNING, Side.FRENCH, "ru"),
        pytest.param(RUNNING, Side.BRITISH, "ru", marks=pytest.mark.long),
        pytest.param(RUNNING, None, "fr", marks=pytest.mark.long),
        pytest.param(CLOSED, None, "en", marks=pytest.mark.long),
    ],
)
def test_a_practice_game(
    browser: Browser, tmp_path: Path, file: Path, side: Side | None, code: str
) -> None:
    """One that goes on as its players or all others see it, and one that was closed."""
    course, seats = practice(file)
    page = page_of(course.match, *([seats[side]] if side else []), code=code)
    own = [side] if side else []
    open_hands = [*Side] if file == CLOSED else own
    check(look(browser, tmp_path, page, len(course.states)), course, open_hands, code)


BY_RULES: Mapping[str, tuple[str, ...]] = {
    "second": ("french-start-choice", "natives-fight-in-sieges", "drop-lost-locations"),
    "first": ("quebec-fortified", "louisbourg-fortified", "french-siege-exchange"),
    "first-revised": ("no-governors", "fewer-british-regulars"),
}
"""House rules that change what can be seen: what is fortified, which cards there are and where."""


# What these rules change is seen in fewer than half of the turns.
@pytest.mark.parametrize("turns", [16, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("edition", sample(BY_RULES, first=1))
def test_games_by_other_rules(browser: Browser, tmp_path: Path, edition: str, turns: int) -> None:
    course, _ = played(3, edition, *BY_RULES[edition], turns=turns, players=half_reckless)
    assert course.match.state.ruleset == Ruleset.of(edition, BY_RULES[edition])
    seen = look(browser, tmp_path, page_of(course.match, code="it"), len(course.states))
    check(seen, course, course.match.secrets, "it")

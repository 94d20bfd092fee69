"""From nothing to a game with the robot or a friend, by the requests that the pages send."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from engine.house_rules import UnknownRules, house_rules
from engine.players.practice import PracticePlayer
from engine.ruleset import Ruleset, editions
from pbem.play.home import Home
from pbem.play.robot import folder_of_robot
from tests.sample import sample
from tests.signing import sign_agreed
from tests.web.serving import Serving, Visitor, serving

USUAL = {"side": "british", "edition": "second", "lists": "1"}
PATIENCE = 60.0


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("newcomer") / "home"


@pytest.fixture(scope="module")
def begun(home: Path) -> Iterator[Serving]:
    with serving(home) as started:
        yield started


@pytest.fixture(scope="module")
def newcomer(begun: Serving) -> Visitor:
    """Somebody who has just said who they are."""
    browser = begun.browser()
    said = {"name": "Zoé <b>", "email": "", "passphrase": "", "again": ""}
    for wrong in (["Zoé"], "a\nb"):
        assert browser.post("/welcome", said | {"name": wrong}).status == 409
    assert browser.post("/welcome", said).data["go"] == "/"
    return browser


def until_move(begun: Serving, game: str, turn: int) -> Path:
    """The file in which the player is to move, as soon as it is listed."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        listed = begun.pages.service.listed(game)
        if listed.game.waits_for == "you" and listed.game.turn == turn and listed.file_in:
            return listed.file_in
        time.sleep(0.05)
    raise AssertionError(listed)


def test_the_robot_plays_on_after_a_restart(newcomer: Visitor, begun: Serving, home: Path) -> None:
    answer = newcomer.post("/new/robot", USUAL)
    game = answer.data["go"].removeprefix("/games/")
    # It has joined when the player is sent to the game.
    assert begun.pages.service.listed(game).game.opponent == "Robot"
    assert newcomer.ask(answer.data["go"]).status == 200
    session = begun.pages.service.session()
    choose = PracticePlayer(Random(1)).choose

    def move(path: Path) -> None:
        turn = session.answer(session.read(path))
        while not turn.is_complete:
            turn.order(choose(turn.view()))
        assert sign_agreed(session, turn).path.parent == folder_of_robot(Home(home))

    move(until_move(begun, game, 1))
    move(until_move(begun, game, 3))
    with serving(home) as again:
        assert until_move(again, game, 5)


# --- which options go together


def parts(browser: Visitor, **options: object) -> dict[str, str]:
    answer = browser.post("/new/friend/options", USUAL | options)
    assert answer.status == 200
    found: dict[str, str] = answer.data["parts"]
    return found


@pytest.mark.parametrize("edition", sample(editions(), first=1))
def test_a_house_rule_is_offered_where_it_can_be_played(newcomer: Visitor, edition: str) -> None:
    for chosen in ([], *([rule] for rule in house_rules())):
        shown = parts(newcomer, edition=edition, rule=chosen)["rules"].split("<li>")[1:]
        for rule, item in zip(house_rules(), shown, strict=True):
            try:
                Ruleset.of(edition, [*chosen, rule])
                is_played = True
            except UnknownRules:
                is_played = False
            assert f'value="{rule}"' in item
            assert ("disabled" not in item) is (is_played or rule in chosen)


def test_rules_that_conflict_are_told_and_never_signed(newcomer: Visitor, home: Path) -> None:
    one, other = next(
        pair
        for pair in combinations(house_rules().values(), 2)
        if pair[0].conflict(pair[1]) is not None
    )
    chosen = [one.id, other.id]
    assert one.name in parts(newcomer, rule=chosen)["wrong"]
    before = set(home.rglob("*.toml"))
    assert newcomer.post("/new/friend", USUAL | {"rule": chosen}).status == 409
    assert set(home.rglob("*.toml")) == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"side": "spanish"},
        {"lists": "3"},
        {"lists": "-1"},
        {"lists": "x"},
        {"lists": float("inf")},
        {"edition": "ninth"},
        {"home_support": "never"},
        {"strength": "x"},
        {"rule": ["none-such"]},
        {"rule": 7},
    ],
)
def test_nonsense_begins_no_game(newcomer: Visitor, home: Path, wrong: dict[str, object]) -> None:
    before = set(home.rglob("*.toml"))
    assert newcomer.post("/new/friend", USUAL | wrong).status == 409
    assert set(home.rglob("*.toml")) == before

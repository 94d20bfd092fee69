"""A new identity, and the options of a new game, by the requests that the pages send."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from engine.house_rules import InvalidRulesError, house_rules
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.play.game_file import GameFile
from pbem.protocol.steps import OrderStep
from tests.sample import sample
from tests.signing import sign_agreed
from tests.web.inline import Visitor
from tests.web.tables import Pair

DEFAULT_FORM = {"side": "british", "edition": "second", "lists": "1"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("newcomer") / "home"


@pytest.fixture(scope="module")
def newcomer(home: Path) -> Visitor:
    """A browser of a player who has just created an identity."""
    visitor = Visitor(home)
    form = {"name": "Zoé <b>", "email": "", "passphrase": "", "again": ""}
    for wrong in (["Zoé"], "a\nb", "Zoé " * 100):
        assert visitor.post("/welcome", **form | {"name": wrong}).status == 409
    # The field cuts nothing off, so that the player hears of it.
    assert b"maxlength" not in visitor.get("/welcome").body
    assert visitor.post("/welcome", **form).data["go"] == "/"
    return visitor


def parts(visitor: Visitor, **options: object) -> dict[str, str]:
    answer = visitor.post("/new/friend/options", **DEFAULT_FORM | options)
    assert answer.status == 200
    return dict(answer.data["parts"])


@pytest.mark.parametrize("edition", sample(editions(), first=1))
def test_house_rule_is_offered_if_it_can_be_played(newcomer: Visitor, edition: str) -> None:
    for chosen_rules in ([], *([rule] for rule in house_rules())):
        items = parts(newcomer, edition=edition, rule=chosen_rules)["rules"].split("<li>")[1:]
        for rule in house_rules():
            (item,) = (item for item in items if f'value="{rule}"' in item)
            try:
                Ruleset.of(edition, [*chosen_rules, rule])
                is_played = True
            except InvalidRulesError:
                is_played = False
            assert ("disabled" not in item) is (is_played or rule in chosen_rules)


def conflicting_rules() -> list[str]:
    rules = combinations(house_rules().values(), 2)
    return next(
        [first.id, second.id] for first, second in rules if first.conflict(second) is not None
    )


def test_rules_that_conflict_are_reported(newcomer: Visitor) -> None:
    chosen_rules = conflicting_rules()
    assert house_rules()[chosen_rules[0]].name in parts(newcomer, rule=chosen_rules)["wrong"]


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
        {"rule": conflicting_rules()},
    ],
)
def test_wrong_options_begin_no_game(
    newcomer: Visitor, home: Path, wrong: dict[str, object]
) -> None:
    before = set(home.rglob("*.toml"))
    assert newcomer.post("/new/friend", **DEFAULT_FORM | wrong).status == 409
    assert set(home.rglob("*.toml")) == before


def test_rematch_keeps_the_start_card_and_needs_an_end(tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=4).begin("french-start-choice")
    pair.play(lambda pair: pair.next_side is Side.BRITISH)
    pair.note(Side.BRITISH)
    visitor = Visitor(pair.homes[Side.BRITISH])
    path = f"/games/{pair.game}"
    for refused in (visitor.post(f"{path}/rematch"), visitor.get(f"{path}/page")):
        assert refused.status in (404, 409) and refused.data["said"]
    british = pair.sessions[Side.BRITISH]
    pair.written = sign_agreed(british, british.answer(british.read(pair.file), resigns=True))
    pair.note(Side.BRITISH)
    answer = visitor.post(f"{path}/rematch")
    (file,) = (pair.homes[Side.BRITISH] / "games").glob("*-000.toml")
    match = GameFile.read(file.read_bytes()).match
    assert answer.data["go"] == f"/games/{match.id.hex()}"
    assert match.invite.side == "french"
    starts = [step for step in match.last.steps if isinstance(step, OrderStep)]
    assert [step.order for step in starts] == ["start regular-infantry"]
    # Another tab gets this invitation, and a new one only once it is not listed any more.
    assert visitor.post(f"{path}/rematch").data["go"] == answer.data["go"]
    assert [*file.parent.glob("*.toml")] == [file]
    british.store.forget_game(match.id)
    visitor.pages.service.invalidate_games()
    file.unlink()
    assert visitor.post(f"{path}/rematch").data["go"] != answer.data["go"]

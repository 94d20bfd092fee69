"""A new identity, and the options of a new game, by the requests that the pages send."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from engine.house_rules import InvalidRulesError, house_rules
from engine.ruleset import Ruleset, editions
from tests.sample import sample
from tests.web.inline import Visitor

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
        for rule, item in zip(house_rules(), items, strict=True):
            try:
                Ruleset.of(edition, [*chosen_rules, rule])
                is_played = True
            except InvalidRulesError:
                is_played = False
            assert f'value="{rule}"' in item
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

"""Every kind of order has its rule, its judgement and its sentences; what is left out is named."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from engine.actions import ACTIONS
from engine.order import Order
from engine.orders import ORDERS
from engine.players.practice.judgements import JUDGEMENTS
from engine.state import Decision
from pbem.text.facts.choices import GROUPS
from pbem.text.history.sentences import ways
from pbem.text.ordering.decision import replies
from pbem.text.rules.topic import topics
from pbem.text.tables import keys

PAGE = Path(__file__).parents[2] / "docs" / "orders.md"
ENGINE_TESTS = Path(__file__).parents[1] / "engine"
every_kind = pytest.mark.parametrize("kind", ORDERS.values())


@every_kind
def test_every_order_has_a_rule(kind: type[Order]) -> None:
    assert kind in ACTIONS, (
        f"{kind.__name__} of engine/orders.py has no rule: "
        f"declare an Action of kind={kind.__name__} in engine/actions"
    )


@every_kind
def test_every_order_is_judged_by_the_practice_player(kind: type[Order]) -> None:
    assert kind in JUDGEMENTS, (
        f"{kind.__name__} of engine/orders.py has no judgement: "
        "name one in JUDGEMENTS of engine/players/practice/judgements.py"
    )


@every_kind
def test_every_order_is_offered_under_a_heading(kind: type[Order]) -> None:
    assert kind in GROUPS[kind.family]


@every_kind
def test_every_order_is_told(kind: type[Order]) -> None:
    assert kind.verb in ways(), (
        f"{kind.__name__} of engine/orders.py is not told: give it a way, or several where it "
        "depends on what comes of it, in pbem/text/narration.toml"
    )


@every_kind
def test_every_answer_is_offered_where_it_can_be_given(kind: type[Order]) -> None:
    for decision in ACTIONS[kind].decisions & {*keys("situations")}:
        assert kind.verb in replies(decision), (
            f"nobody is told that {kind.__name__} can be given when the decision is "
            f"{decision.name}: say so among the replies of pbem/text/tables.toml"
        )


def test_nothing_is_offered_that_cannot_be_given() -> None:
    for situation in keys("situations"):
        assert replies(Decision(situation)) != []
    for situation, verb in (key.split(": ") for key in keys("replies")):
        assert Decision(situation) in ACTIONS[ORDERS[verb]].decisions
        assert situation in keys("situations")


@every_kind
def test_every_order_has_a_topic(kind: type[Order]) -> None:
    assert any(kind.verb in topic.verbs for topic in topics().values()), (
        f"{kind.__name__} of engine/orders.py has no topic: "
        f'name "{kind.verb}" among the verbs of one in pbem/text/rules/topics'
    )


@cache
def said_in_tests() -> list[str]:
    """The texts in the tests of the engine."""
    trees = (ast.parse(path.read_text("utf-8")) for path in ENGINE_TESTS.glob("test_*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


@every_kind
def test_every_order_is_given_in_a_test_of_the_engine(kind: type[Order]) -> None:
    verb = kind.english()
    assert any(text == verb or text.startswith(f"{verb} ") for text in said_in_tests()), (
        f'no test in tests/engine gives an order "{verb} …"'
    )


@every_kind
def test_every_order_has_its_row_in_the_document(kind: type[Order]) -> None:
    rows = re.findall(rf"^\| `{kind.verb}` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 1, f"`{kind.verb}` has {len(rows)} rows in the tables of docs/orders.md"


def test_the_document_names_no_other_order() -> None:
    """A table's first column holds verbs, up to where the rules data are told."""
    page = PAGE.read_text("utf-8").partition("## The rules data")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)) == set(ORDERS)

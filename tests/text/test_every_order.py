"""Every kind of order has its rule, its judgement and its sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.actions import ACTIONS
from engine.order import Order
from engine.orders import ORDERS
from engine.players.practice.judgements import JUDGEMENTS
from engine.state import Decision
from pbem.text.history.report import patterns
from pbem.text.ordering.guided_turn import replies
from pbem.text.ordering.menu import GROUPS
from pbem.text.phrases import keys
from pbem.text.rules.topic import topics
from tests.engine.cases import cases

PAGE = Path(__file__).parents[2] / "docs" / "orders.md"


@cache
def orders_in_cases() -> list[str]:
    """Return the orders played in the cases of the rules."""
    return [step for case in cases() for step in case.table["play"] if isinstance(step, str)]


def is_given_in_a_case(kind: type[Order]) -> bool:
    verb = kind.english_verb()
    return any(text == verb or text.startswith(f"{verb} ") for text in orders_in_cases())


def is_offered_where_it_answers(kind: type[Order]) -> bool:
    decisions = ACTIONS[kind].decisions & {*keys("situations")}
    return all(kind.verb in replies(decision) for decision in decisions)


def rows_of(kind: type[Order]) -> list[str]:
    return re.findall(rf"^\| `{kind.verb}` \|", PAGE.read_text("utf-8"), re.MULTILINE)


REQUIREMENTS: dict[str, Callable[[type[Order]], bool]] = {
    "a rule: an Action of that kind in engine/actions": lambda kind: kind in ACTIONS,
    "a judgement, named in JUDGEMENTS of engine/players/practice/judgements.py": (
        lambda kind: kind in JUDGEMENTS
    ),
    "a place under the heading of its family": lambda kind: kind in GROUPS[kind.family],
    "a way, or several by what comes of it, to be told in pbem/text/narration.toml": (
        lambda kind: kind.verb in patterns()
    ),
    "its verb among the replies of pbem/text/tables.toml": is_offered_where_it_answers,
    "its verb among those of a topic in pbem/text/rules/topics": (
        lambda kind: any(kind.verb in topic.verbs for topic in topics().values())
    ),
    "a case in tests/engine/rules that gives it": is_given_in_a_case,
    "one row in the tables of docs/orders.md": lambda kind: len(rows_of(kind)) == 1,
}


@pytest.mark.parametrize("kind", ORDERS.values())
@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_every_kind_of_order_is_complete(kind: type[Order], requirement: str) -> None:
    assert REQUIREMENTS[requirement](kind), (
        f"{kind.__name__} of engine/orders.py lacks {requirement}"
    )


def test_every_offered_order_is_legal() -> None:
    for situation in keys("situations"):
        assert replies(Decision(situation)) != []
    for situation, verb in (key.split(": ") for key in keys("replies")):
        assert Decision(situation) in ACTIONS[ORDERS[verb]].decisions
        assert situation in keys("situations")


def test_document_names_no_other_order() -> None:
    """The first columns of the tables before the section on rules data contain verbs."""
    page = PAGE.read_text("utf-8").partition("## The rules data")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)) == set(ORDERS)

"""Readers that get one thing wrong, each made of the second implementation by one change.

An implementer may write any of them. The test vectors are there to tell each from a right one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple
from unittest.mock import patch

from tests import vectors

HERE = Path(__file__).parent
PARTS = ("naive", "naive_deck", "naive_tables", "naive_toml", "naive_form", "naive_chain")
"""The modules of the second implementation that judge, each behind those that it needs."""


class WrongReader(NamedTuple):
    """What a reader gets wrong, the change to a module by which it does, and a file that tells."""

    what: str
    module: str
    right: str
    wrong: str
    file: str

    def made(self) -> ModuleType:
        """Its `naive_chain`."""
        text = source(self.module)
        assert text.count(self.right) == 1, self.what
        return reader(self.module, text.replace(self.right, self.wrong))


class LeftOut(NamedTuple):
    """A check of a rule that a reader leaves out: in which module, and its text without."""

    module: str
    rule: str
    what: str
    text: str

    def made(self) -> ModuleType:
        """The `naive_chain` of that reader."""
        return reader(self.module, self.text)


def left_out() -> Iterator[LeftOut]:
    """A reader for each condition of a rule, and for each part of one with `and` or `or`."""
    for module in PARTS:
        text = source(module)
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "need":
                condition, rule = call.args
                name = rule.value if isinstance(rule, ast.Constant) else ""
                for what, instead in _weakened(condition):
                    yield LeftOut(module, str(name), what, _replaced(text, condition, instead))


def _weakened(condition: ast.expr) -> Iterator[tuple[str, str]]:
    """What is left out of a condition, and what is left of it."""
    yield ast.unparse(condition), "True"
    if isinstance(condition, ast.BoolOp):
        word = " and " if isinstance(condition.op, ast.And) else " or "
        for part in condition.values:
            rest = [f"({ast.unparse(one)})" for one in condition.values if one is not part]
            yield f"{ast.unparse(part)} of {ast.unparse(condition)}", f"({word.join(rest)})"


def _replaced(text: str, part: ast.expr, instead: str) -> str:
    assert text.isascii()
    assert part.end_lineno is not None
    starts = [0, *accumulate(map(len, text.splitlines(keepends=True)))]
    begin = starts[part.lineno - 1] + part.col_offset
    end = starts[part.end_lineno - 1] + (part.end_col_offset or 0)
    return f"{text[:begin]}{instead}{text[end:]}"


def reader(module: str, text: str) -> ModuleType:
    """`naive_chain` where one of the modules has that text, with those that follow from it."""
    made: dict[str, ModuleType] = {}
    for name in PARTS:
        one = made[name] = ModuleType(f"tests.vectors.{name}")
        names = {f"tests.vectors.{part}": other for part, other in made.items()}
        code = compile(text, name, "exec") if name == module else _code(name)
        with patch.dict(sys.modules, names), patch.dict(vars(vectors), made):
            exec(code, one.__dict__)
    return made["naive_chain"]


def source(module: str) -> str:
    """The text of a module of the second implementation."""
    return (HERE / f"{module}.py").read_text(encoding="utf-8")


@cache
def _code(module: str) -> CodeType:
    return compile(source(module), module, "exec")


WRONG = (
    # What is drawn, and how.
    WrongReader(
        "a whole pile is drawn at once although its lists are not opened",
        "naive_deck",
        'if epoch["commitments"] is not None and count == len(epoch["undrawn"]):',
        'if count == len(epoch["undrawn"]):',
        "accepted/a-whole-pile-granted-with-its-list.toml",
    ),
    WrongReader(
        "the last of the slots named ahead are drawn first",
        "naive_deck",
        'hide(deck, epoch["ahead"][:count])',
        'hide(deck, epoch["ahead"][-count:])',
        "refused/with-rules/R-12.7-two-cards-drawn-of-three-that-are-named-ahead.toml",
    ),
    WrongReader(
        "slots named ahead are drawn at once only where all of them are",
        "naive_deck",
        'and count <= len(epoch["ahead"])',
        'and count == len(epoch["ahead"])',
        "refused/with-rules/R-12.7-two-cards-drawn-of-three-that-are-named-ahead.toml",
    ),
    WrongReader(
        "home support draws at once what is named ahead of a pile that is not opened",
        "naive_deck",
        'epoch["commitments"] is not None\n        and deck["last"] == "home-support"',
        'deck["last"] == "home-support"',
        "accepted/home-support-as-a-follow-up-before-the-lists-are-opened.toml",
    ),
    WrongReader(
        "only the first pile has to be drawn before the next shuffle",
        "naive_deck",
        'deck["epochs"][-1]["undrawn"], "R-6.2")',
        'deck["epochs"][0]["undrawn"], "R-6.2")',
        "refused/R-6.2-a-shuffle-of-a-third-pile-that-is-left.toml",
    ),
    WrongReader(
        "a name is as long as it is in UTF-16",
        "naive_form",
        "1 <= len(value) <= 60",
        '1 <= len(value.encode("utf-16-le")) // 2 <= 60',
        "accepted/an-invitation-at-its-limits.toml",
    ),
    WrongReader(
        "U+E1000 is taken for a character that hides text",
        "naive_form",
        "(0xE0000, 0xE0FFF)",
        "(0xE0000, 0xE1000)",
        "accepted/an-invitation-at-its-limits.toml",
    ),
    WrongReader(
        "refill does not draw in the middle of the turn",
        "naive_deck",
        '"exchange", "refill")',
        '"exchange")',
        "accepted/a-refill-in-the-middle-of-a-turn.toml",
    ),
    WrongReader(
        "exchange does not draw in the middle of the turn",
        "naive_deck",
        '"exchange", "refill")',
        '"refill")',
        "accepted/an-exchange-in-the-middle-of-a-turn.toml",
    ),
    WrongReader(
        "uniform(1) takes no word",
        "naive",
        "while True:",
        "while True:\n        if n == 1:\n            return 0",
        "accepted/beginning-C.toml",
    ),
    WrongReader(
        "slots are named ahead although none is left for it",
        "naive_chain",
        "need(due <= 0 or not can_be_in_hand",
        "need(not can_be_in_hand",
        "accepted/a-grant-with-none-left-to-name-ahead.toml",
    ),
    WrongReader(
        "any of the slots named ahead are granted first",
        "naive_chain",
        'need(set(epoch["ahead"][: len(slots)]) <= set(slots), "R-9.2")',
        'need(len({*epoch["ahead"]} & {*slots}) >= min(len(slots), len(epoch["ahead"])), "R-9.2")',
        "refused/R-9.2-the-second-of-three-slots-named-ahead.toml",
    ),
    WrongReader(
        "the close proves the last shuffle",
        "naive_chain",
        'for number, epoch in enumerate(world["decks"][side]["epochs"]):\n        seed',
        'for number, epoch in [*enumerate(world["decks"][side]["epochs"])][-1:]:\n        seed',
        "refused/R-10.7-the-first-of-two-shuffles-stacked.toml",
    ),
    # Follow-ups.
    WrongReader(
        "a follow-up order is not the last order of its author",
        "naive_chain",
        'carry_out(world["decks"][side], step, previous)',
        'carry_out(world["decks"][side], step, previous) if step["kind"] != "order" else None',
        "accepted/home-support-as-a-follow-up.toml",
    ),
    WrongReader(
        "a follow-up shuffle is carried out although an opening is owed",
        "naive_chain",
        'need(step["kind"] != "shuffle" or not owes_opening(world["decks"][side]), "R-5.2")',
        "pass",
        "refused/R-5.5-a-grant-for-a-follow-up-shuffle-although-an-opening-is-owed.toml",
    ),
    WrongReader(
        "every withdraw interrupts the turn",
        "naive_chain",
        "return [world, interrupted]",
        "return [interrupted]",
        "accepted/a-withdraw-that-does-not-interrupt.toml",
    ),
    WrongReader(
        "no withdraw interrupts the turn",
        "naive_chain",
        "return [world, interrupted]",
        "return [world]",
        "accepted/a-withdraw-that-interrupts.toml",
    ),
    WrongReader(
        "lose stands but once behind end",
        "naive_chain",
        'need((verb == "lose") == at["ended"], "R-8.2")',
        'need((verb == "lose") == (at["ended"] and told(at["after"][-1][0]) == "end"), "R-8.2")',
        "accepted/lose-twice-behind-an-end.toml",
    ),
    WrongReader(
        "a grant may stand behind an own raid",
        "naive_chain",
        'need(at["mode"] == "play", "R-5.5")',
        "pass",
        "refused/R-5.5-a-grant-behind-an-own-ambush-for-a-draw-that-was-dropped.toml",
    ),
    # The beginning, the end.
    WrongReader(
        "what is wanted is granted although the game is over, before another step",
        "naive_chain",
        'need(kind == "grant" or world["over"] or not others["wanted"], "R-5.4")',
        'need(kind == "grant" or not others["wanted"], "R-5.4")',
        "accepted/a-resignation-behind-a-draw.toml",
    ),
    WrongReader(
        "what is wanted is granted although the game is over, by the end of the record",
        "naive_chain",
        'need(world["over"] or not world["decks"][other(side)]["wanted"], "R-5.4")',
        'need(not world["decks"][other(side)]["wanted"], "R-5.4")',
        "accepted/a-resignation-behind-a-draw.toml",
    ),
    WrongReader(
        "nobody resigns in the beginning",
        "naive_tables",
        'if "resign" in kinds:',
        "if False:",
        "accepted/a-resignation-behind-the-acceptance.toml",
    ),
    WrongReader(
        "who resigns in the beginning has to have written the whole row",
        "naive_tables",
        "row = row[: len(kinds)]",
        "pass",
        "accepted/a-resignation-behind-the-first-grant.toml",
    ),
    WrongReader(
        "the beginning C is like A",
        "naive_tables",
        'return [["invite", *start], ["accept", "grant", *DEAL], DEALT]',
        'return [["invite", *DEAL], ["accept", "grant", *DEAL], DEALT]',
        "accepted/beginning-C.toml",
    ),
    WrongReader(
        "the beginning D is like B",
        "naive_tables",
        'return [["invite"], ["accept", *start], ["grant", *DEAL], DEALT]',
        'return [["invite"], ["accept", *DEAL], ["grant", *DEAL], DEALT]',
        "accepted/beginning-D.toml",
    ),
    WrongReader(
        "the beginning E is like D",
        "naive_tables",
        'if sides[1:] and sides[1] == "british":',
        "if False:",
        "accepted/beginning-E.toml",
    ),
    # What is shown.
    WrongReader(
        "a hand shown whole is that of the last pile",
        "naive_chain",
        'any(epoch["hidden"] for epoch in deck["epochs"])',
        'any(epoch["hidden"] for epoch in deck["epochs"][-1:])',
        "refused/R-7.3-a-card-of-an-earlier-epoch-not-shown.toml",
    ),
)

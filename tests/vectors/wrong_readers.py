"""Readers that get one thing wrong, each made of the second implementation by one change.

An implementer may write any of them. The test vectors are there to tell each from a right one.
"""

from __future__ import annotations

import sys
from functools import cache
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


def reader(wrong: WrongReader) -> ModuleType:
    """`naive_chain` as it is with that change, and with the modules that follow from it."""
    made: dict[str, ModuleType] = {}
    for name in PARTS:
        code = _code(name, wrong) if name == wrong.module else _code(name)
        module = made[name] = ModuleType(f"tests.vectors.{name}")
        names = {f"tests.vectors.{part}": one for part, one in made.items()}
        with patch.dict(sys.modules, names), patch.dict(vars(vectors), made):
            exec(code, module.__dict__)
    return made["naive_chain"]


@cache
def _code(name: str, wrong: WrongReader | None = None) -> CodeType:
    path = HERE / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    if wrong:
        assert text.count(wrong.right) == 1, wrong.what
        text = text.replace(wrong.right, wrong.wrong)
    return compile(text, path, "exec")


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

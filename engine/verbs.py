"""The verbs with which orders begin, as players type them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from engine.naming import nearest, normal, runs_together
from engine.orders import ORDERS, Draft, Order, Settle, Take
from language import joined_with_or, phrase


class UnreadableOrder(ValueError):
    """A text that is no order, or that could be more than one; the message says which."""


OTHER_WORDS = {
    "attack": "besiege", "bribe": "intendant", "build": "fortify", "buy": "draft", "done": "end",
    "finish": "end", "colonise": "settle", "colonize": "settle", "move": "settle", "sell": "trade",
    "money": "take", "next": "end", "nothing": "pass", "put": "reserve", "return": "govern",
    "siege": "besiege", "skip": "pass", "upgrade": "develop",
}  # fmt: skip
"""Words that players may type for a verb: none of them is one, but it can be offered."""


class Said(NamedTuple):
    """A verb that a text may begin with: its kind of order, and what then follows the verb.

    `is_whole` says that every word of it is written out.
    """

    kind: type[Order]
    text: str
    words_used: int
    is_whole: bool

    @property
    def rest(self) -> str:
        """What follows the verb, as it was typed."""
        words = re.finditer(r"[^\s_-]+", self.text)
        ends = (word.end() for word in words if normal(word[0]))
        end = next(islice(ends, self.words_used - 1, None), len(self.text))
        return self.text[end:].strip(" \t-_")


def verbs_of(head: str) -> list[Said]:
    """The verbs that a text may begin with: one, or several that it abbreviates.

    One that is written out comes first, and then such as go on where it ends: `give`, but perhaps
    `give from reserve`. Raises UnreadableOrder for a text that begins with none.
    """
    words = normal(head).split()
    if not words:
        raise UnreadableOrder(
            phrase(
                "An order begins with what to do, such as {verb}, {other} or {another}.",
                verb=Settle.words(),
                other=Draft.words(),
                another=Take.words(),
            )
        )
    said = [_said(kind, head, words) for kind in ORDERS.values() if kind.verb.startswith(words[0])]
    whole = max((v for v in said if v.is_whole), key=lambda v: v.words_used, default=None)
    if whole is not None:
        return [whole, *(verb for verb in said if verb.words_used > whole.words_used)]
    if not said:
        kinds = ORDERS.values()
        said = [Said(k, head, 1, False) for k in kinds if runs_together(words[0], normal(k.verb))]
    if said:
        return said
    verbs = [kind.words() for kind in ORDERS.values()]
    other = OTHER_WORDS.get(words[0])
    glued = [f"{verb} {words[0][len(verb) :]}" for verb in verbs if words[0].startswith(verb)]
    near = meant_by([other] if other else glued or nearest(words[0], verbs))
    raise UnreadableOrder(phrase("There is no order “{word}”.", word=words[0]) + near)


def _said(kind: type[Order], head: str, words: list[str]) -> Said:
    """How far the words of a text say a verb."""
    verb = kind.english().split()
    used = 0
    for word, part in zip(words, verb, strict=False):
        if not part.startswith(word):
            break
        used += 1
    return Said(kind, head, used, words[: len(verb)] == verb)


def meant_by(names: Sequence[str]) -> str:
    """The question whether one of these names is meant, after a sentence; empty without any."""
    return " " + phrase("Do you mean {names}?", names=joined_with_or(names)) if names else ""

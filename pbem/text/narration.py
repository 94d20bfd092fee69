"""Sentences about orders: names of sides, cards, pieces and numbers in them, and possible failures.

It also has the sentences about orders that may be dropped after an answer.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.choices import Prefix
from engine.events import Event
from engine.message import Message, Phrase, Rewording, and_list, mark, mark_in, sentences
from engine.order import Order, order_text
from engine.orders import HomeSupport, Raid
from engine.sides import Side
from pbem.foreign import display_name
from pbem.play.turn import Risk, Turn
from pbem.text.language import SOURCE, Language
from pbem.text.phrases import Name, card_count, money_amount, names, point_count, with_count

# --- names in sentences


YOU, THEY, THEY_TO_YOU = "you", "they", "they to you"
"""The contexts of a sentence: the reader acts, a side acts, or a side acts on the reader."""
_PRONOUNS = {
    True: {"they": mark_in("pronoun", "you"), "their": mark_in("pronoun", "your")},
    False: {"they": mark_in("pronoun", "they"), "their": mark_in("pronoun", "their")},
}
"""The pronouns of the acting side; True if it is the reader."""
PRONOUNS = {"They", "they", "their", "foe"}
"""The placeholders for sides in a sentence."""
OMITTED_SUBJECT = "–"
"""The translation of a subject that a language leaves to the verb: “They took” is “Hanno preso”."""


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "narration.toml").read_text(encoding="utf-8"))


def templates(table: str) -> Any:
    """Return a table of narration.toml, with sentences for `Phrasebook.move`."""
    return _read()[table]


def all_sentences() -> Iterator[str]:
    """Yield all sentences of narration.toml."""
    for table in _read().values():
        yield from (row["sentence"] for row in table) if isinstance(table, list) else table.values()


class Phrasebook(NamedTuple):
    """Names for sentences: `name` returns names of cards and locations, `viewer` is called “you”.

    `they` is the side that was named last, to which a pronoun can refer.
    """

    name: Name
    viewer: Side | None
    they: Side | None

    def move(self, side: Side, message: str, **names: Phrase) -> Message:
        """Return a sentence about an action of a side; `message` is one of `templates`."""
        is_viewer = side is self.viewer
        context = YOU if is_viewer else THEY
        if side.opponent is self.viewer and "{foe}" in message:
            context = THEY_TO_YOU
        pronouns = {k: Message.within("pronoun", v) for k, v in _PRONOUNS[is_viewer].items()}
        persons = {"They": self._subject(side), "foe": self._object(side.opponent), **pronouns}
        return Rewording(_without_subject, Message.within(context, message, **persons, **names))

    def _subject(self, side: Side) -> Message:
        """Return a side as the subject of a sentence."""
        if side is self.viewer:
            return Message.within("subject", "You")
        if side is self.they:
            # Translators: translate it as “–” to omit the pronoun, if the verb shows the person.
            return Message.within("subject", "They")
        return Message.within("subject", "The {side}", side=side.label)

    def _object(self, side: Side) -> Message:
        """Return a side as an object in a sentence."""
        if side is self.viewer:
            return Message.within("object", "you")
        return Message.within("object", "the {side}", side=side.label)

    def event(self, event: Event, message: str, **names: Phrase) -> Message:
        """Return the sentence about an event, with its facts filled in."""
        return self.move(event.side, message, **self.facts(event) | names)

    def facts(self, event: Event) -> dict[str, Phrase]:
        """Return the facts of an event under their names in sentences."""
        facts = ((name, make, getattr(event, field, None)) for field, (name, make) in FACTS.items())
        return {name: make(self, fact) for name, make, fact in facts if fact is not None}

    def series(self, cards: Iterable[str]) -> Message:
        """Return cards by their printed names: `Boston, Militia x2 and Ships`; empty for none."""
        counts = Counter(self.name(card) for card in cards)
        return and_list(with_count(*pair) for pair in counts.items())


FACTS: dict[str, tuple[str, Callable[[Phrasebook, Any], Phrase]]] = {
    "location": ("place", lambda book, location: book.name(location)),
    "card": ("cards", lambda book, card: book.name(card)),
    "cards": ("cards", lambda book, cards: book.series(cards)),
    "count": ("number", lambda book, count: card_count(count)),
    "money": ("money", lambda book, money: money_amount(money)),
    "points": ("points", lambda book, points: point_count(points)),
    "strength": ("strength", lambda book, strength: str(strength)),
}
"""The name of each fact of an event in sentences, and the function that puts it into words."""


def _without_subject(sentence: str) -> str:
    """Return a sentence without its first word if that marks an omitted subject."""
    rest = sentence.removeprefix(f"{OMITTED_SUBJECT} ")
    return sentence if rest == sentence else rest[:1].upper() + rest[1:]


# --- purposes of the cards of an order

# Translators: {card} comes first. Players may type the words after it in an order, or omit them.
_PARTS = {
    "connection": mark_in("part", "{card} as connection"),
    "transport": mark_in("part", "{card} as transport"),
    "settler": mark_in("part", "{card} as settler"),
    "siege_card": mark_in("part", "{card} to stay there"),
    "ship": mark_in("part", "{card} as ship"),
    "carried": mark_in("part", "{card} as gold"),
}
"""The purpose of a card in an order whose cards serve different ones."""


def parts_text(kind: type[Order], cards: tuple[str, ...], name: Name) -> Iterator[Phrase]:
    """Yield the cards of an order in sequence, with their purpose if purposes differ."""
    for index, card in enumerate(cards):
        part = _PARTS.get(kind.part_name(index))
        yield Message.within("part", part, card=name(card)) if part else name(card)


def detailed_order_text(prefix: Prefix, name: Name) -> Message:
    """Return an order, perhaps unfinished, with the purpose of each card, as it can be typed."""
    cards = [*parts_text(prefix.kind, prefix.cards, name)]
    return order_text(prefix.kind.verb_label(), prefix.location, cards, name)


def without_parts(language: Language, text: str) -> str:
    """Return a typed order without the purposes of its cards.

    >>> without_parts(Language("en"), "settle Deerfield: Boston as transport, Albany as Settler")
    'settle Deerfield: Boston, Albany'
    """
    spoken = (language, Language(SOURCE))
    tags = {one.say(Message.within("part", p, card="")) for one in spoken for p in _PARTS.values()}
    return re.sub(rf"(?:{'|'.join(map(re.escape, tags))})(?!\w)", "", text, flags=re.IGNORECASE)


# --- orders that an answer may drop


def opponent_label(turn: Turn) -> Message:
    """Return the name of the player who gets a turn's file."""
    return display_name(turn.match.entrants[turn.side.opponent].name)


def answer_hint(turn: Turn, order: Order) -> Message:
    """Return a hint that the answer has to come first, or that it brings the cards."""
    other = opponent_label(turn)
    if isinstance(order, HomeSupport):
        return Message("The cards of Home Support come with the answer of {player}.", player=other)
    if order.can_draw:
        return Message("Your cards come with the answer of {player}.", player=other)
    return Message("{player} has to answer first.", player=other)


def risk_text(turn: Turn, risk: Risk) -> Message:
    """Return the consequences if a follow-up is not possible after the answer."""
    if risk.only_cards:
        return Message(
            "The cards drawn after it depend on the answer: if they are not the ones announced, "
            "another file of yours draws them."
        )
    failure = Message(
        "Otherwise it and what follows it come to nothing: cards shown for them stay in your hand, "
        "known to both, and your turn goes on with your next file."
    )
    return sentences(_condition_text(risk, names(turn.match.state)), failure)


def _condition_text(risk: Risk, name: Name) -> Message:
    """Return the condition for a follow-up, as a sentence."""
    order, interruption = risk.order.text(name), risk.interruption
    if interruption is None:
        return Message("Whether “{order}” can be carried out depends on the answers.", order=order)
    if not isinstance(interruption, Raid):
        return Message(
            "Whether “{order}” can be carried out depends on the answer to “{attack}”.",
            order=order,
            attack=interruption.text(name),
        )
    sentence = mark("“{order}” is carried out only if the raid on {place} succeeds.")
    if risk.is_likely_safe:
        sentence = mark("“{order}” is carried out only if the raid on {place} is blocked.")
    return Message(sentence, order=order, place=name(interruption.target))

"""Phrases shared by all sentences: names of cards and players, lists, numbers, times.

Texts with keys, for example the reasons why a card is idle, are in tables.toml.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engine.message import (
    AlphabeticalList,
    Concat,
    Message,
    Phrase,
    Rewording,
    Speaker,
    comma_list,
    mark,
    semicolon_list,
    sort_key,
)
from engine.sides import Side
from pbem.foreign import display_name as named_by_others
from pbem.text.language import Language

if TYPE_CHECKING:
    from engine.order import Order
    from engine.state import State
    from pbem.protocol.match import Match


# --- texts by key


_CONTEXT = "context"


def row_text(table: str, key: str, /, **facts: object) -> Message:
    """Return the message with the key `key` in a table, and the facts that its text names.

    Other facts are left out so that equal texts are equal messages.
    """
    texts = _table(table)
    values = {name: fact for name, fact in facts.items() if f"{{{name}}}" in texts[key]}
    message = Message(texts[key], **values)
    message.context = texts.get(_CONTEXT)
    return message


def keys(table: str) -> list[str]:
    """Return the keys of a table, in their order."""
    return [key for key in _table(table) if key != _CONTEXT]


def texts(table: str) -> dict[str, Message]:
    """Return all messages of a table without facts, by key."""
    return {key: row_text(table, key) for key in keys(table)}


def piece_key(town: bool, fortified: bool) -> str:
    """Return the key of a piece on the board."""
    return ("town" if town else "village") + ("-fortified" if fortified else "")


@cache
def _table(name: str) -> dict[str, str]:
    # Each table is parsed when it is first needed: parsing all of them is slow.
    return tomllib.loads(table_sources()[name])


@cache
def table_sources() -> dict[str, str]:
    """Return the unparsed text of each table, by its name."""
    file = (Path(__file__).parent / "tables.toml").read_text(encoding="utf-8")
    tables = (table.partition("]\n") for table in file.split("\n[")[1:])
    return {name: texts for name, _, texts in tables}


# --- times


def local_date(time: str) -> datetime:
    """Return a time in UTC as date and time in the player's time zone.

    It stays in UTC if the system knows no local time for it.
    """
    date = datetime.fromisoformat(time)
    try:
        return date.astimezone()
    except (OSError, OverflowError, ValueError):
        return date


def moment(time: str) -> Message:
    """Return a time in words, in the player's time zone.

    >>> str(moment("2026-11-21T14:19:00Z"))
    '21 Nov 14:19'
    """
    date = local_date(time)
    # Translators: for example, “21 Nov 14:19”.
    return Message(
        "{day} {month} {time}", day=str(date.day), month=_month(date), time=f"{date:%H:%M}"
    )


def day(time: str) -> Message:
    """Return the day of a time in words, in the player's time zone.

    >>> str(day("2026-11-21T14:19:00Z"))
    '21 Nov 2026'
    """
    date = local_date(time)
    # Translators: for example, “21 Nov 2026”.
    return Message("{day} {month} {year}", day=str(date.day), month=_month(date), year=date.year)


def day_in_numbers(time: str) -> Message:
    """Return the day of a time in numbers, in the player's time zone.

    >>> str(day_in_numbers("2026-11-21T14:19:00Z"))
    '2026-11-21'
    """
    return _in_numbers(local_date(time))


def _in_numbers(date: datetime) -> Message:
    # Translators: for example, “2026-11-21”; month and day have two digits.
    return Message("{year}-{month}-{day}", year=date.year, month=f"{date:%m}", day=f"{date:%d}")


def instant(time: str) -> Message:
    """Return a record's time to the second, in numbers and UTC, for comparison with the record.

    >>> str(instant("2026-11-21T14:19:00Z"))
    '2026-11-21T14:19:00Z'
    """
    date = datetime.fromisoformat(time)
    # Translators: for example, “2026-11-21T14:19:00Z”: a day in numbers, and a time in UTC.
    return Message("{day}T{time}Z", day=_in_numbers(date), time=f"{date:%H:%M:%S}")


def _month(date: datetime) -> Message:
    return row_text("months", str(date.month))


# --- names, lists and numbers


Name = Callable[[str], Phrase]
_AmountT = TypeVar("_AmountT", int, float)


def names(state: State) -> Name:
    """Return the function that returns the printed name of a card or location in a game."""
    return state.ruleset.catalogue.name_of


def translation(language: Language, card: Phrase) -> str:
    """Return the name of a card in the language's rulebook; empty if it has none.

    It is shown after the printed name, which is the same in every language.
    """
    translated: dict[str, str] = language.lexicon.get("cards", {})
    return translated.get(str(card), "")


def with_translation(language: Language, card: Phrase) -> Phrase:
    """Return a card's printed name, with the translated name in brackets if there is one."""
    translated = translation(language, card)
    return Concat((card, f" ({translated})")) if translated else card


# --- lists


class _CountedCards(Concat):
    """Cards with their numbers, in alphabetical order of the reader's language."""

    __slots__ = ("counts",)

    def __init__(self, counts: Mapping[Phrase, int]) -> None:
        super().__init__(with_count(*pair) for pair in counts.items())
        self.counts = counts

    def render(self, speaker: Speaker) -> str:
        """Return the cards in the language of a speaker."""
        cards = sorted(self.counts, key=lambda card: sort_key(speaker.say(card)))
        return ", ".join(speaker.say(with_count(card, self.counts[card])) for card in cards)


def card_list(cards: Iterable[str], name: Name) -> Message:
    """Return cards by printed names, equal ones counted: `Boston, Militia x2`, or `none`."""
    # Translators: used instead of an empty list of cards.
    return _CountedCards(Counter(map(name, cards))) or Message.within("cards", "none")


def with_count(card: Phrase, number: int) -> Phrase:
    """Return a card with its number in a list: `Boston`, `Militia x2`."""
    # Translators: two or more equal cards in a list; players may also type this in an order.
    return Message("{card} x{number}", card=card, number=number) if number > 1 else card


def capitalize(name: Phrase) -> Message:
    """Return a name with a capital letter for the beginning of a line: `Britanniques`."""
    return Rewording(_capital, name)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def points_text(points: Mapping[Side, int]) -> Message:
    """Return the points of sides as a list: `British 12, French 9`."""
    return comma_list(Concat((side.label, f" {number}")) for side, number in points.items())


def trend_text(
    side: Side, amounts: Sequence[_AmountT], name: Callable[[_AmountT], Phrase], *, is_over: bool
) -> Message:
    """Return a side's first, last and maximum amount as a sentence."""
    maximum = max(amounts)
    text = mark("The {side}: {first} to begin with, {last} now, {most} at most, after turn {turn}.")
    if is_over:
        text = mark(
            "The {side}: {first} to begin with, {last} in the end, {most} at most, "
            "after turn {turn}."
        )
    return Message(
        text,
        side=side.label,
        first=name(amounts[0]),
        last=name(amounts[-1]),
        most=name(maximum),
        turn=amounts.index(maximum),
    )


# --- line breaks

_NO_BREAK = "\u00a0"


def no_wrap(text: Phrase) -> Message:
    """Return a text that is never wrapped, for example a card with its price."""
    return Rewording(_unbroken, text)


def _unbroken(text: str) -> str:
    return text.replace(" ", _NO_BREAK)


def name_list(names: Iterable[Phrase]) -> Message:
    """Return names in alphabetical order, separated by commas; no name is wrapped."""
    return Rewording(_name_list, AlphabeticalList(names, "\n"))


def _name_list(names: str) -> str:
    return _unbroken(names).replace("\n", ", ")


def allow_wrap(text: str) -> str:
    """Return a text that can be wrapped again."""
    return text.replace(_NO_BREAK, " ")


# --- numbers of things, as phrases that a translation can inflect


def whole_percent(chance: float) -> int:
    """Return a chance from 0 to 1 in whole percent; only 0 and 1 become 0 and 100."""
    number = round(100 * chance)
    return min(99, max(1, number)) if 0 < chance < 1 else number


def percent(chance: float) -> Message:
    """Return a chance as a percentage."""
    return Message("{number}%", number=whole_percent(chance))


def card_count(number: int) -> Message:
    """Return the phrase for a number of cards: `1 card`, `2 cards`."""
    return Message.counted("{count} card", "{count} cards", number)


def money_amount(amount: int) -> Message:
    """Return the phrase for an amount of money: `3 money`."""
    return Message.counted("{count} money", "{count} money", amount)


def point_count(number: int) -> Message:
    """Return the phrase for a number of points: `3 points`."""
    return Message.counted("{count} point", "{count} points", number)


def village_count(number: int) -> Message:
    """Return the phrase for a number of villages: `1 village`."""
    return Message.counted("{count} village", "{count} villages", number)


def town_count(number: int) -> Message:
    """Return the phrase for a number of towns: `2 towns`."""
    return Message.counted("{count} town", "{count} towns", number)


def piece_supply(villages: int, towns: int) -> Message:
    """Return the phrase for the pieces that a side can still place."""
    return Message(
        "{villages} and {towns} left", villages=village_count(villages), towns=town_count(towns)
    )


def order_count(number: int) -> Message:
    """Return the phrase for a number of orders: `2 orders`."""
    return Message.counted("{count} order", "{count} orders", number)


def record_count(number: int) -> Message:
    """Return the phrase for a number of records of a save file: `1 record`."""
    return Message.counted("{count} record", "{count} records", number)


def with_sign(strength: int) -> str:
    """Return a siege's marker as a step of its track: `-2`, `0`, `+1`."""
    return f"{strength:+}" if strength else "0"


def player(match: Match, side: Side, viewer: Side | None = None) -> Message:
    """Return a player's name and side."""
    return with_side(named_by_others(match.entrants[side].name), side, viewer)


def with_side(name: Phrase, side: Side, viewer: Side | None = None) -> Message:
    """Return a player's name and side: `Anna (British, you)`."""
    if side is viewer:
        return Message("{player} ({side}, you)", player=name, side=side.label)
    return Message("{player} ({side})", player=name, side=side.label)


def opponents_text(player: Phrase, opponent: Phrase) -> Message:
    """Return the pairing of two players: `Anna against Bert`."""
    return Message("{player} against {opponent}", player=player, opponent=opponent)


def fingerprint(key: bytes) -> Message:
    """Return the beginning of a public key, short enough to be compared by telephone.

    >>> str(fingerprint(bytes(range(32))))
    'key 0001 0203 0405 0607'
    """
    # Translators: the beginning of a public key, which players compare by telephone.
    return Message("key {digits}", digits=key[:8].hex(" ", 2))


def order_list(orders: Iterable[Order], name: Name) -> Message:
    """Return orders in one line, with printed names."""
    return semicolon_list(order.text(name) for order in orders)

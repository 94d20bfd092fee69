"""Cards in words: in hands, in piles, to be drafted, and face down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from engine.catalogue import symbol_name
from engine.message import (
    NOTHING,
    Message,
    Phrase,
    comma_list,
    mark,
    or_list,
    semicolon_list,
    sentences,
    with_colon,
)
from engine.orders import ORDERS
from engine.sides import Side
from pbem.text.facts.position_facts import (
    CardFacts,
    HandFacts,
    PositionFacts,
    SideFacts,
    StockFacts,
)
from pbem.text.language import Language, Line, Tone, item
from pbem.text.phrases import (
    Name,
    money_amount,
    name_list,
    no_wrap,
    percent,
    row_text,
    translation,
    with_count,
)

# --- cards


def card_text(language: Language, card: CardFacts, name: Name) -> Message:
    """Return the uses of a card in hand, in a few words."""
    translated = translation(language, name(card.card))
    facts: list[Phrase] = [translated] if translated else []
    facts += [symbol_name(symbol) for symbol in card.symbols]
    if card.money:
        facts.append(money_amount(card.money))
    if card.strength:
        facts.append(Message("strength {number}", number=card.strength))
    if card.strength_defending:
        facts.append(Message("strength {number} (defending)", number=card.strength_defending))
    if card.action:
        facts.append(ORDERS[card.action].verb_label())
    facts += [row_text("raids", part) for part in card.raids]
    idle: Phrase = ""
    if card.idle is not None:
        idle = Message("idle ({reason})", reason=row_text("idle", card.idle))
    return semicolon_list(filter(None, (idle, comma_list(facts), *_destinations(card, name))))


def _destinations(card: CardFacts, name: Name) -> Iterator[Phrase]:
    """Yield the locations that a card leads to now: `settle Canso, Kennebec (ship)`."""
    useful = [(reach.use, reach.by, reach.location) for reach in card.reaches]
    useful = sorted(reach for reach in useful if reach[0])
    for (use, by), reached in groupby(reversed(useful), key=lambda reach: reach[:2]):
        # Translators: {symbols} are the symbols of the card that lead to the places.
        template = mark("settle {places} ({symbols})")
        if use == "besiege":
            # Translators: {symbols} are the symbols of the card that lead to the places.
            template = mark("besiege {places} ({symbols})")
        places = name_list(name(location) for _, _, location in reached)
        symbols = or_list(map(symbol_name, by))
        yield Message(template, places=places, symbols=symbols)


def cards_text(cards: Iterable[str], name: Name) -> Phrase:
    """Return cards by printed names: `Boston, Militia x2`, or `none`.

    The values of a mapping are the numbers of each card.
    """
    text = name_list(with_count(name(card), copies) for card, copies in Counter(cards).items())
    return text or Message.within("cards", "none")


def stock_text(stock: Iterable[StockFacts], name: Name) -> Phrase:
    """Return cards to draft, with prices and numbers: `Militia 2 (x3)`, or `none`."""
    text = comma_list(
        # Translators: a kind of card to draft, its price, and the number of copies.
        no_wrap(Message("{card} {price} (x{number})", card=name(card), price=price, number=copies))
        if copies > 1
        else no_wrap(sentences(name(card), str(price)))
        for card, price, copies in stock
    )
    return text or Message.within("cards", "none")


# --- piles


class KnownCards(NamedTuple):
    """Cards in a `pile`, a key of the table `piles`; `side` owns them, None if they are neutral."""

    side: Side | None
    pile: str
    cards: Phrase


def pile_name(cards: KnownCards, viewer: Side | None) -> Message:
    """Return the name of a pile with its owner: `Your reserve`, `French hand`."""
    if cards.side is None:
        return row_text("piles", "draft-both")
    if cards.side is viewer:
        return row_text("piles", f"{cards.pile}-yours")
    return row_text("piles", f"{cards.pile}-theirs", side=cards.side.label)


def known_cards(facts: PositionFacts, name: Name) -> Iterator[KnownCards]:
    """Yield all known cards outside of open hands, the viewer's first."""
    viewer = facts.viewer or Side.BRITISH
    for side in (viewer, viewer.opponent):
        has = facts.sides[side]
        if not has.hand.open:
            yield KnownCards(side, "hand", hidden_hand_text(has, name))
        if has.reserve:
            yield KnownCards(side, "reserve", cards_text(has.reserve, name))
        if draw_pile := draw_pile_text(has, name):
            yield KnownCards(side, "draw", draw_pile)
        yield KnownCards(side, "discard", cards_text(has.discard_pile, name))
        yield KnownCards(side, "draft", stock_text(has.available, name))
    discs = Message("fortification discs left: {number}", number=facts.fortifications_left)
    stock = stock_text(facts.neutral, name)
    yield KnownCards(None, "draft", semicolon_list((stock, discs)))


def cards_under_titles(facts: PositionFacts, name: Name) -> Iterator[Line]:
    """Yield all known cards outside of open hands, under a title for each side."""
    for side, rows in groupby(known_cards(facts, name), key=lambda row: row.side):
        heading = Message("{side} cards", side=side.label) if side else Message("Neutral cards")
        yield Line(heading, Tone.HEAD)
        for row in rows:
            yield item(sentences(with_colon(row_text("piles", row.pile)), row.cards))
    yield Line()


# --- hidden cards


def hidden_hand_text(side: SideFacts, name: Name) -> Phrase:
    """Return the known cards of a closed hand, and the chances of others."""
    hand, unseen = side.hand, side.unseen
    visible = cards_text((card.card for card in hand.cards), name) if hand.cards else ""
    if not hand.face_down:
        return visible or Message("no card")
    parts: list[Phrase] = [visible] if visible else []
    number = hand.face_down
    parts.append(Message.counted("{count} card face down", "{count} cards face down", number))
    parts += _chances(side, name)
    if unseen.blocks_raid or unseen.blocks_ambush:
        # Translators: the chances that the cards in a hand can block a raid or an ambush.
        blocks = mark("can block any raid: {raid}, an ambush: {ambush}")
        raid, ambush = percent(unseen.blocks_raid), percent(unseen.blocks_ambush)
        parts.append(Message(blocks, raid=raid, ambush=ambush))
    return semicolon_list(parts)


def _chances(side: SideFacts, name: Name) -> Iterator[Phrase]:
    """Yield the cards that may be face down, grouped by chance: `60%: Trader`."""
    unseen = side.unseen
    if unseen.surely_in_hand:
        yield Message("certainly {cards}", cards=cards_text(unseen.surely_in_hand, name))
    certain = {card.card for card in side.hand.cards} | set(unseen.surely_in_hand)
    possible = [(chance, card) for card, chance in unseen.chances.items() if card not in certain]
    for chance, cards in groupby(sorted(possible, reverse=True), key=lambda pair: pair[0]):
        names = [name(card) for _, card in cards]
        # Translators: the chance of each of several cards to be in a hand.
        plural = mark("{percent} each: {cards}")
        # Translators: the chance of a card to be in a hand.
        singular = mark("{percent}: {cards}")
        message = plural if len(names) > 1 else singular
        yield Message(message, percent=percent(chance), cards=name_list(names))


def draw_pile_text(side: SideFacts, name: Name) -> Phrase:
    """Return the cards that must be in a draw pile, or empty if all of them may be in hand."""
    surely = side.unseen.surely_in_draw_pile
    others = side.draw_pile - sum(surely.values())
    if surely and others:
        return Message.counted(
            "{cards}, and {count} card of those not in hand",
            "{cards}, and {count} cards of those not in hand",
            others,
            cards=cards_text(surely, name),
        )
    return cards_text(surely, name) if surely and not others else NOTHING


def hand_text(language: Language, hand: HandFacts, name: Name) -> list[tuple[Phrase, Phrase]]:
    """Return the cards of an open hand with their uses; equal ones are counted."""
    alike = Counter((name(card.card), card_text(language, card, name)) for card in hand.cards)
    return [(with_count(card, number), use) for (card, use), number in alike.items()]


def hand_remarks(hand: HandFacts, name: Name) -> Iterator[Message]:
    """Yield remarks on an open hand: cards still to come, and an empty hand."""
    if hand.coming and hand.cards:
        yield Message.counted(
            "and {count} card comes with the opponent's answer",
            "and {count} cards come with the opponent's answer",
            hand.coming,
        )
    elif hand.coming:
        yield Message.counted(
            "{count} card comes with the opponent's answer",
            "{count} cards come with the opponent's answer",
            hand.coming,
        )
    elif not hand.cards:
        yield Message("no card")
    if hand.ahead:
        ahead = comma_list(no_wrap(name(card)) for card in hand.ahead)
        yield Message("you can see ahead: {cards}", cards=ahead)


def open_hands_text(language: Language, facts: PositionFacts, name: Name) -> Iterator[Line]:
    """Yield the open hands, each under a heading, with the uses of each card."""
    for side in Side:
        side_facts = facts.sides[side]
        if not side_facts.hand.open:
            continue
        money = money_amount(side_facts.money)
        heading = Message("{side} hand ({money})", side=side.label, money=money)
        if facts.viewer is side:
            heading = Message("Your hand ({money})", money=money)
        yield Line(heading, Tone.HEAD)
        for card, use in hand_text(language, side_facts.hand, name):
            yield item(sentences(with_colon(card), use) if use else card)
        yield from map(item, hand_remarks(side_facts.hand, name))

"""Reading orders as players type them, and the start card where the house rules give the choice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from unicodedata import normalize

from engine.actions.action import IllegalOrder
from engine.game import check, legal_orders
from engine.message import Message, alphabetical, joined_with_or, message_of
from engine.order import Order, UnreadableOrder
from engine.orders import WrongNumber, made
from engine.state import State
from engine.ways import Begun, Ways
from pbem.errors import WrongUse
from pbem.words.language import Language
from pbem.words.naming import meant_by, normal
from pbem.words.ordering.phrasing import offered, rephrased
from pbem.words.ordering.verbs import Verb, could_be, first_word, no_order, several, verbs_of
from pbem.words.ordering.wording import NoLocation, NothingFits, Wording, some, taken_apart

LONGEST = 2000
"""In characters, of an order as typed: no possible order is longer."""


class _SeveralLegal(UnreadableOrder):
    """More than one legal order is meant, in the words of orders: no other words are tried."""


def read(language: Language, text: str, state: State, *others: State) -> Order:
    """The order that the awaited player means.

    It may be said in the player's language or in English. Case, accents and punctuation do not
    matter, and any word may be cut short. Names of cards the player holds come before all others,
    and full names before shortened ones; a full name of one thing in one language and of another in
    the other is asked about. If more than one reading remains, it is the only one that is legal, in
    `state` or in one of the `others`. What cannot be read this way is tried as a phrase
    (`rephrased`), unless more than one legal order is left. Raises UnreadableOrder, with the
    nearest names, where nothing fits, and with those that are legal where more than one thing does.
    """
    if len(text) > LONGEST:
        raise UnreadableOrder(
            Message.counted(
                "An order has at most {count} character; this one has more.",
                "An order has at most {count} characters; this one has more.",
                LONGEST,
            )
        )
    typed, worlds = _as_compared(text), (state, *others)
    try:
        return _read(language, typed, worlds)
    except _SeveralLegal:
        raise
    except UnreadableOrder as error:
        return _in_other_words(language, typed, worlds, error)


def _in_other_words(
    language: Language, text: str, worlds: tuple[State, ...], plainly: UnreadableOrder
) -> Order:
    """The order that a text means as a phrase; a legal one, if it can mean one.

    Raises UnreadableOrder: what is wrong with the phrase, or else with what it says `plainly`.
    """
    orders: list[Order] = []
    errors: list[UnreadableOrder] = []
    kinds: list[type[Order]] | None = None
    for phrase in rephrased(language, text):
        found, unread = _all_read(language, phrase.texts, worlds)
        errors += unread if phrase.is_certain else []
        legal = [order for order in found if _is_legal(order, worlds)]
        if len({type(order) for order in legal}) > 1:
            told = joined_with_or([*dict.fromkeys(order.words() for order in legal)])
            raise UnreadableOrder(could_be(first_word(text), told))
        if legal:
            return legal[0]
        if phrase.is_certain and found and phrase.kinds:
            kinds = kinds or [*phrase.kinds]
        elif phrase.is_certain:
            orders += found
    if orders:
        return orders[0]
    kinds = kinds or (offered(language, text) if not errors else None)
    if kinds is not None:
        raise no_order(first_word(text), [kind.words() for kind in kinds])
    raise next(iter(errors), plainly)


def _all_read(
    language: Language, texts: Iterable[str], worlds: tuple[State, ...]
) -> tuple[list[Order], list[UnreadableOrder]]:
    """The orders that texts are, and why others are none."""
    found, errors = [], []
    for text in texts:
        try:
            found.append(_read(language, text, worlds))
        except UnreadableOrder as error:
            errors.append(error)
    return found, errors


def meant_instead(language: Language, text: str, order: Order, *worlds: State) -> list[Order]:
    """Legal orders of other kinds that a text can mean, of which `order` is illegal.

    `take Militia` is not to take money, but may be to draft it.
    """
    if _is_legal(order, worlds):
        return []
    typed = _as_compared(text)
    found = [_all_read(language, each.texts, worlds)[0] for each in rephrased(language, typed)]
    others = dict.fromkeys(other for orders in found for other in orders)
    return [each for each in others if type(each) is not type(order) and _is_legal(each, worlds)]


def _as_compared(text: str) -> str:
    return re.sub("[’ʼ‘´`]", "'", normalize("NFC", text))


def _read(language: Language, text: str, worlds: tuple[State, ...]) -> Order:
    """The order that a text means in one of the worlds, of which the first is as things stand."""
    state = worlds[0]
    head, colon, tail = text.strip().partition(":")
    full, *longer = kinds = verbs_of(language, head)
    if longer and longer[0].is_whole:
        raise several(language, [said for said in kinds if said.is_whole])
    if not full.is_whole and longer:
        return _only_legal(language, kinds, colon, tail, worlds)
    try:
        return _meant(taken_apart(language, full, colon, tail, state), worlds)
    except NothingFits as error:
        if isinstance(error, NoLocation) and (
            order := _where_it_can_be(language, full, tail, worlds)
        ):
            return order
        if order := _read_in_a_row(language, full, colon, tail, worlds):
            return order
        if not longer:
            raise
        # `give f r militia`: what follows a verb may go on to a longer one.
        legal = _legal_readings(language, longer, colon, tail, worlds)
        if [len(orders) for orders in legal.values()] != [1]:
            raise
        return next(iter(legal.values())).pop()


def _where_it_can_be(
    language: Language, said: Verb, tail: str, worlds: tuple[State, ...]
) -> Order | None:
    """The legal order at the only location for one of that kind, if what follows is all cards."""
    cards, places = f"{said.rest} {tail}", Ways(worlds).parts(Begun(said.kind))
    if len(places) == 1 and normal(cards):
        verb = said._replace(text=f"{said.text.removesuffix(said.rest)} {places[0]}")
        with suppress(UnreadableOrder):
            order = _meant(taken_apart(language, verb, ":", cards, worlds[0]), worlds)
            return order if _is_legal(order, worlds) else None
    return None


def _read_in_a_row(
    language: Language, said: Verb, colon: str, tail: str, worlds: tuple[State, ...]
) -> Order | None:
    """The legal order whose cards are named with nothing between them."""
    with suppress(UnreadableOrder):
        wording = taken_apart(language, said, colon, tail, worlds[0], in_a_row=True)
        order = _meant(wording, worlds)
        return order if _is_legal(order, worlds) else None
    return None


def _only_legal(
    language: Language, kinds: Sequence[Verb], colon: str, tail: str, worlds: tuple[State, ...]
) -> Order:
    """The only legal order among several verbs; raises UnreadableOrder unless there is one."""
    legal = _legal_readings(language, kinds, colon, tail, worlds)
    if [len(orders) for orders in legal.values()] == [1]:
        return next(iter(legal.values())).pop()
    raise several(language, [said for said in kinds if said.kind in legal] or kinds)


def verb_alone(language: Language, text: str) -> type[Order] | None:
    """The kind of order of which a text is the verb and nothing else, although it needs more.

    >>> english = Language("en")
    >>> [verb_alone(english, text) for text in ("Sett", "settle Albany", "pass")]
    [<class 'engine.orders.Settle'>, None, None]
    """
    try:
        kinds = verbs_of(language, text)
    except UnreadableOrder:
        return None
    kind, rest = kinds[0].kind, kinds[0].rest
    is_clear = len(kinds) == 1 or (kinds[0].is_whole and not kinds[1].is_whole)
    needs_more = kind.has_location or kind.fewest > 0
    return kind if is_clear and not rest and needs_more else None


def _meant(wording: Wording, worlds: tuple[State, ...]) -> Order:
    """The one order that a wording can mean; raises UnreadableOrder where there are several."""
    if all(len(part.meant) == 1 for part in wording.parts):
        order = _whole(wording)
        mistyped = next((part for part in wording.parts if part.nearer), None)
        if mistyped and not _is_legal(order, worlds):
            only = some([*mistyped.meant.values()])
            raise UnreadableOrder(could_be(mistyped.text, only) + meant_by(mistyped.nearer))
        return order
    legal = {ids: order for ids, order in wording.orders() if _is_legal(order, worlds)}
    likely = [part.likely for part in wording.parts]
    likelier = {
        ids: order
        for ids, order in legal.items()
        if all(id in part for id, part in zip(ids, likely, strict=True))
    }
    for orders in (legal, likelier):
        if len(set(orders.values())) == 1:
            return next(iter(orders.values()))
    for number, part in enumerate(wording.parts):
        left = {ids[number] for ids in likelier or legal} or set(likely[number])
        if len(left) > 1:
            names = [name for id, name in part.meant.items() if id in left]
            refusal = _SeveralLegal if legal else UnreadableOrder
            raise refusal(could_be(part.text, some(names)))
    return _whole(wording)


def _whole(wording: Wording) -> Order:
    """The order of a wording in which every name means one thing, or is likeliest to."""
    ids = tuple(next(iter(part.likely)) for part in wording.parts)
    if wording.place is None:
        return made(wording.kind, None, ids)
    try:
        return wording.kind(ids[0], ids[1:])
    except ValueError:
        kind, place = wording.kind, wording.place.meant[ids[0]]
        message = Message("{place}: {sentence}", place=place, sentence=kind.takes(kind.words()))
        raise WrongNumber(message, kind, ids[0], ids[1:]) from None


def _legal_readings(
    language: Language, kinds: Sequence[Verb], colon: str, tail: str, worlds: tuple[State, ...]
) -> dict[type[Order], set[Order]]:
    """The legal orders that a text can mean with each of the verbs.

    Where one reads it word by word, the others do not read it more loosely.
    """
    plain: dict[type[Order], set[Order]] = {}
    loose: dict[type[Order], set[Order]] = {}
    for said in kinds:
        try:
            wording = taken_apart(language, said, colon, tail, worlds[0])
        except UnreadableOrder:
            continue
        legal = {order for _, order in wording.orders() if _is_legal(order, worlds)}
        if legal:
            (loose if wording.is_loose else plain)[said.kind] = legal
    return plain or loose


def _is_legal(order: Order, worlds: tuple[State, ...]) -> bool:
    for world in worlds:
        try:
            check(world, order)
        except IllegalOrder:
            continue
        return True
    return False


# --- the card that the French begin with


def start_cards(language: Language, state: State) -> list[str]:
    """The printed names of the cards that can be chosen."""
    name = state.ruleset.catalogue.name_of
    cards = (language.say(name(order.cards[0])) for order in legal_orders(state))
    return sorted(cards, key=alphabetical)


def start_card(language: Language, text: str, state: State) -> str:
    """The id of the card that is meant; raises WrongUse where it cannot be chosen."""
    try:
        order = read(language, f"start {text}", state)
        check(state, order)
    except (UnreadableOrder, IllegalOrder) as error:
        raise WrongUse(
            "“{text}” cannot be the start card. {reason}", text=text, reason=message_of(error)
        ) from None
    return order.cards[0]

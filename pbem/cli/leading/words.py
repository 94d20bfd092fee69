"""The led turn in words: what can be chosen, and what an order costs and does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.message import NOTHING, Made, Message, Run, Said, commas, mark
from engine.orders import Draft, End, Order, Settle, Start, Take
from engine.sides import Side
from engine.sieges import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from engine.state import Decision
from engine.ways import Ways
from pbem.cli import console
from pbem.cli.leading.effects import effects_told
from pbem.cli.leading.menu import Line, Offer, offer
from pbem.cli.leading.preview import Change, Preview, SiegeChange, glance
from pbem.cli.leading.typed import spoken_word
from pbem.cli.prospect import answered_first, risk_told
from pbem.cli.words import Name, beside, listed, money_counted, orders_counted, signed
from pbem.play.answer import Answer

HELP = (
    ("show", mark("the position")),
    ("map", mark("the map")),
    ("hand", mark("your cards")),
    ("last", mark("what happened last")),
    ("undo", mark("takes the last order back; {undo_all} takes back every order")),
    ("notes", mark("your private notes, in your editor")),
    ("wait", mark("leaves the rest of the turn for after the answer, where one comes first")),
    ("help", mark("these words again")),
    ("quit", mark("leaves, and nothing is written")),
    (
        "back",
        mark("the list before; so does Enter alone, or it ends a turn that is used up"),
    ),
)
"""What the words do that can be typed."""


def introduction(name: Name) -> Message:
    """What can be typed, in short, with an example."""
    return Message(
        "Type a number, or an order such as: {order}. The word {word} lists what else.",
        order=_example(name),
        word=spoken_word("help"),
    )


def help_begins(name: Name) -> Message:
    """The sentence before `help_rows`."""
    return Message(
        "Type the number of a choice, or an order, such as: {order}. There is also:",
        order=_example(name),
    )


def help_rows(name: Name) -> list[tuple[Said, Said]]:
    """Each word that can be typed, with what it does."""
    listing = Message(
        "what can be chosen; with words, such as ? {verb} or ? {place}, only that",
        verb=Settle.words(),
        place=Made(str.lower, name("boston")),
    )
    undo_all = spoken_word("undo all")
    rows = [(spoken_word(word), Message(does, undo_all=undo_all)) for word, does in HELP]
    return [("?", listing), *rows]


def confirm() -> Message:
    """The prompt that asks whether an order is meant."""
    return Message("Enter does it, {no} goes back: ", no=console.no_letter())


def confirm_hint() -> Message:
    """What can be answered to that, as a sentence."""
    return Message(
        "Enter does it, {no} leaves it undone; or type another order.", no=console.no_letter()
    )


def agreement_hint(*, dry_run: bool) -> Message:
    """What can be answered when the whole turn is shown."""
    words = {"yes": console.yes_letter(), "no": console.no_letter(), "notes": spoken_word("notes")}
    if dry_run:
        return Message(
            "{yes} ends the trial, {no} goes back to your orders. The word {notes} edits your "
            "notes.",
            **words,
        )
    return Message(
        "{yes} signs it, {no} goes back to your orders. The word {notes} edits your notes.", **words
    )


def number_wanted(most: int) -> Message:
    """What can be typed instead of a number under which nothing stands."""
    return Message("Type a number from 1 to {number}, or an order.", number=most)


def ambiguous(text: str, words: Iterable[str]) -> Message:
    """That what was typed is one word in English, and another in the player's language."""
    # Translators: {words} are told in the player's language.
    return Message(
        "“{text}” can be more than one word: {words}.",
        text=console.clean(text),
        words=commas(map(spoken_word, words)),
    )


def _example(name: Name) -> Message:
    return Take(None, ("boston",)).text(name)


# --- what can be chosen


def line_told(ways: Ways, line: Line, name: Name) -> Said:
    """What stands under a number: an order with what it costs and brings, or how many begin so.

    A card to draft is told with what the rulebook calls it, too.
    """
    if line.order is not None:
        remark, text = remark_on(glance(ways, line.order)), line.order.text(name)
    else:
        remark, text = offer_told(offer(ways, line.begun)), line.begun.text(name)
    remark = commas((_in_rulebook(line, name), remark))
    return Run((text, " (", remark, ")")) if remark else text


def _in_rulebook(line: Line, name: Name) -> str:
    """What the rulebook calls the card that is gained; empty where it is the printed name."""
    if line.begun.kind not in (Draft, Start):
        return ""
    cards = line.order.cards if line.order else line.begun.cards
    return ", ".join(filter(None, (beside(name(card)) for card in cards)))


def offer_told(offered: Offer) -> Said:
    """How many orders there are to choose from, and what they cost."""
    number, least, most = offered
    orders = Message("many orders") if number is None else orders_counted(number)
    if not most:
        return orders
    if number is None:
        price = Message.counted("{count} money or more", "{count} money or more", least)
    elif least < most:
        price = Message.counted(
            "{least} to {count} money", "{least} to {count} money", most, least=least
        )
    else:
        price = money_counted(most)
    return Run((orders, ", ", price))


def remark_on(seen: Preview) -> Said:
    """What an order costs and brings, in short."""
    earned = seen.money(seen.side).after - seen.money(seen.side).before + seen.cost
    points, at_best = seen.points(seen.side), seen.points_at_best
    gained = points.after - points.before
    remarks = [
        money_counted(seen.cost) if seen.cost else "",
        Message("free action") if seen.is_free and not isinstance(seen.order, End) else "",
        Message.counted("brings {count} money", "brings {count} money", earned)
        if earned > 0
        else "",
        _gained(gained) if gained else "",
        _hoped(at_best) if at_best > max(gained, 0) else "",
        *(_siege_remark(change) for change in seen.sieges),
        "" if seen.is_certain else Message("depends on the answer"),
    ]
    return commas(remarks)


def _gained(points: int) -> Message:
    # Translators: {change} is a number of victory points with its sign, such as +2.
    return Message.counted("{change} point", "{change} points", abs(points), change=f"{points:+}")


def _hoped(points: int) -> Message:
    return Message.counted(
        "up to {change} point", "up to {change} points", points, change=f"{points:+}"
    )


def _siege_remark(change: SiegeChange) -> Message:
    if change.after is None:
        return Message("ends the siege")
    after = signed(change.after)
    if change.before is None:
        return Message("the siege begins at {strength}", strength=after)
    before = signed(change.before)
    return Message("the siege goes from {before} to {after}", before=before, after=after)


# --- what an order costs and does


def told(answer: Answer, seen: Preview, name: Name) -> list[Said]:
    """What an order does, in sentences: cost, effects, points, sieges, and what is shown."""
    other = console.named(answer.match.entrants[seen.side.opponent].name)
    sentences: list[Said] = [_cost(seen), *effects_told(seen, name), *_scores(seen)]
    sentences += [_siege(change, seen.side, name) for change in seen.sieges]
    if drawn := seen.cards_to_come:
        sentences.append(
            Message.counted("You draw {count} card.", "You draw {count} cards.", drawn)
        )
    if seen.interruption:
        sentences.append(answered_first(seen.order, other))
    if seen.shown:
        shown = listed(seen.shown, name)
        sentences.append(
            Message("{player} sees from your hand: {cards}.", player=other, cards=shown)
        )
    sentences += [risk_told(answer, risk) for risk in seen.risks]
    return [sentence for sentence in sentences if sentence]


def _cost(seen: Preview) -> Said:
    """What an order takes of the turn and of the money, as a sentence; empty for nothing."""
    price = money_counted(seen.cost)
    if not seen.in_turn:
        return Message("It costs {price}.", price=price) if seen.cost else ""
    if isinstance(seen.order, End):
        return ""
    if seen.is_free and seen.cost:
        return Message("It is a free action and costs {price}.", price=price)
    if seen.is_free:
        return Message("It is a free action.")
    if seen.cost:
        return Message("It takes an action and {price}.", price=price)
    return Message("It takes an action.")


def _scores(seen: Preview) -> Iterator[Said]:
    """How the money and the victory points of both sides change."""
    for side in (seen.side, seen.side.opponent):
        is_own = side is seen.side
        money, points = seen.money(side), seen.points(side)
        if money.before != money.after:
            yield _moved(_OWN_MONEY if is_own else _THEIR_MONEY, side, money)
        if points.before != points.after:
            yield _moved(_OWN_POINTS if is_own else _THEIR_POINTS, side, points)
    hoped = seen.points_at_best
    if hoped > max(0, seen.points(seen.side).after - seen.points(seen.side).before):
        yield Message.counted(
            "If it succeeds, it brings {count} victory point.",
            "If it succeeds, it brings {count} victory points.",
            hoped,
        )


_OWN_MONEY = mark("Your money: {before}, then {after}.")
_THEIR_MONEY = mark("{side} money: {before}, then {after}.")
_OWN_POINTS = mark("Your victory points: {before}, then {after}.")
_THEIR_POINTS = mark("{side} victory points: {before}, then {after}.")


def _moved(sentence: str, side: Side, change: Change) -> Message:
    return Message(sentence, side=side.label, before=change.before, after=change.after)


def _siege(change: SiegeChange, viewer: Side, name: Name) -> Message:
    """What becomes of a siege, and what that means, as a sentence; that it ends, its event says."""
    if change.after is None:
        return NOTHING
    place, after = name(change.location), signed(change.after)
    if change.before is None:
        moved = Message("The siege of {place} begins at {strength}", place=place, strength=after)
    else:
        before = signed(change.before)
        moved = Message(
            "The siege of {place}: {before}, then {after}", place=place, before=before, after=after
        )
    # Translators: what becomes of a siege, and who wins it then: two of the sentences beside this.
    return Message("{siege}; {outcome}.", siege=moved, outcome=_outcome(change, viewer))


def _outcome(change: SiegeChange, viewer: Side) -> Message:
    """Who wins a siege as it stands, or at which strength, in a clause."""
    if change.winner is None:
        attacks = change.besieger is viewer
        ours, theirs = (BESIEGER_WINS_AT, DEFENDER_WINS_AT)[:: 1 if attacks else -1]
        return Message(
            "you win it at {ours}, the {side} at {theirs}",
            ours=f"{ours:+}",
            side=viewer.opponent.label,
            theirs=f"{theirs:+}",
        )
    if change.winner is viewer:
        return Message("you win it if that stands when your next turn begins")
    return Message(
        "the {side} win it if that stands when their turn begins", side=change.winner.label
    )


# --- the course of the turn


def interruption_told(answer: Answer, order: Order) -> Message:
    """That an order has to be answered first, or that its cards come with the answer."""
    return answered_first(
        order, console.named(answer.match.entrants[answer.seat.side.opponent].name)
    )


def going_on() -> Message:
    """What can be done where an order has to be answered."""
    return Message(
        "Go on with what is to be done after that, whatever the answer, or {wait}.",
        wait=spoken_word("wait"),
    )


def no_answer() -> Message:
    """That nothing has to be waited for."""
    return Message("There is no answer to wait for: the rest of the turn is yours to say now.")


def nothing_given(answer: Answer) -> Message:
    """What Enter alone cannot do at the beginning of the list, and what can be done."""
    if answer.view().awaiting.decision is Decision.TURN and answer.may_follow_up:
        return Message(
            "Something is left to decide; ? lists it, and {wait} leaves it for after the answer.",
            wait=spoken_word("wait"),
        )
    return Message("Something is left to decide; ? lists what you can do.")

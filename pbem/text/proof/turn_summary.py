"""The effects of a turn, before it is signed: what it shows, the files it takes, its risks."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, Said, mark, sentences
from engine.orders import End, HomeSupport, Lose
from engine.state import Decision
from pbem.play.game_file import result
from pbem.play.turn import Course, Turn
from pbem.protocol.hand import HiddenCards
from pbem.text.history.report import report
from pbem.text.lines import Line, Tone, item
from pbem.text.ordering.risk import other_player, risk_told
from pbem.text.phrases import listed, names, orders_listed
from pbem.text.tables import entry


def told(answer: Turn, *, waits: bool = False) -> Iterator[Line]:
    """Yield what an answer does, what the other player learns by it, and the files it takes.

    `waits` says that its author wants to wait for the other player's answer, and needs no advice.
    """
    match, side, before = answer.match, answer.side, answer.game.match
    own = HiddenCards(match, side, answer.secrets.secret)
    yield from report(match, answer.deeds, side, own, [len(before.records)]).lines()
    if not before.is_over:
        money, had = (state.players[side].money for state in (match.state, before.state))
        yield item(Message("your money: {money} (before: {before})", money=money, before=had))
    yield from map(item, _shown(answer))
    if (course := answer.course) is not None:
        yield Line(files_told(answer, course), Tone.HEAD)
        for risk in course.risks:
            yield item(risk_told(answer, risk))
        for tip in () if waits else _tips(answer, course):
            yield item(Message("Tip: {tip}", tip=tip))
    if match.state.outcome is not None:
        yield Line(result(match, match.state.outcome), Tone.HEAD)
        published = Message(
            "With this file your hand and all your draws in this game are open to anybody, and "
            "provable: it publishes the key to your cards in this game, and in no other."
        )
        yield Line(published)
        if side.opponent not in match.secrets:
            closes = mark("What {player} then sends back closes the game for {player} too.")
            yield Line(Message(closes, player=other_player(answer)))


def heading(answer: Turn) -> Message:
    """Return what stands over all that an answer does."""
    if answer.resigns:
        return Message("You resign.")
    if answer.game.match.is_over:
        return Message("Nothing is left to decide; this file closes the game.")
    if answer.orders:
        return Message("What you did:")
    return Message("There was nothing for you to decide. What happened:")


def _shown(answer: Turn) -> Iterator[Message]:
    """Yield what the other player learns by an answer, beside the orders."""
    name, other = names(answer.match.state), other_player(answer)
    if answer.cards_shown:
        cards = listed(answer.cards_shown, name)
        yield Message(
            "{player} sees these cards from your hand: {cards}", player=other, cards=cards
        )
    if answer.announced:
        orders = orders_listed(answer.announced, name)
        yield Message(
            "Before answering, {player} reads what you do next: {orders}",
            player=other,
            orders=orders,
        )


# --- how many files


def files_told(answer: Turn, course: Course) -> Message:
    """Return how many files the turn takes, in a sentence or two."""
    key = "finished" if course.ends else "deals"
    if course.interruptions and course.ends:
        key = "unless" if course.risks else "said"
    elif course.interruptions and not all(order.draws for order in course.interruptions):
        key = "answer"
    elif course.interruptions:
        key = "home-support" if isinstance(course.interruptions[-1], HomeSupport) else "cards"
    told = entry("files", key, player=other_player(answer))
    two = Message("It needs two files of yours: this one, and one after the answer.")
    return told if course.ends else sentences(told, two)


def _tips(answer: Turn, course: Course) -> Iterator[Said]:
    """Yield how the turn could take fewer files, where it could."""
    name = names(answer.match.state)
    better = answer.better_sequence()
    if better is not None:
        yield Message(
            "in this sequence the turn would take one file, whatever the answer: {orders}.",
            orders=orders_listed(better, name),
        )
    if course.ends or not course.interruptions:
        return
    left = course.left
    if left.awaiting.decision is Decision.LOSERS_CARD:
        yield Message(
            "which card the lost siege costs can be said in this file too ({verb}).",
            verb=Lose.words(),
        )
    elif left.actions_left and left.awaiting.decision is Decision.TURN:
        yield Message.counted(
            "{count} action left: what does not need the answer can be ordered in this file too, "
            "and is then carried out right after it.",
            "{count} actions left: what does not need the answer can be ordered in this file too, "
            "and is then carried out right after it.",
            left.actions_left,
        )
    elif answer.orders[-1].draws:
        yield Message(
            "if you do not need the cards this turn, the order {verb} finishes it in this file.",
            verb=End.words(),
        )

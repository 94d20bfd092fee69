"""The texts before a signature: effects of a turn, reasons against it, and questions.

They are duties of a player's program: docs/protocol.md describes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.message import NOTHING, Message, Phrase, mark, semicolon_list, sentences
from engine.order import UnreadableOrderError
from engine.orders import End, HomeSupport, Lose, from_notation
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision
from pbem.errors import UsageError
from pbem.foreign import display_path, excerpt, shell_quote
from pbem.play.game_file import game_result
from pbem.play.signing import (
    Closed,
    ConflictKind,
    NewKey,
    NoStore,
    NotRemembered,
    OpenQuestionsError,
    OpensTwice,
    OtherKey,
    PriorConsent,
    Question,
    SignedBefore,
)
from pbem.play.store.entries import GameClosedError, find_close
from pbem.play.turn import Turn, TurnForecast
from pbem.protocol import steps
from pbem.protocol.hand import HiddenCards
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, OrderStep, Resign
from pbem.protocol.table import ruleset_of
from pbem.text.games import identity_warning, vouching_hint
from pbem.text.history.report import report
from pbem.text.language import Line, Tone, item
from pbem.text.narration import opponent_label, risk_text
from pbem.text.phrases import Name, card_list, instant, keys, moment, names, order_list, row_text
from pbem.text.position import coming_end_text
from pbem.text.proof.finding import cheating_warning, lookup_failure_notice, new_library_hint

# --- summaries of unverified records


MAX_ORDER_LENGTH = 40
"""The maximum number of printed characters of an unreadable order."""


def record_summary(record: Record, name: Name) -> Message:
    """Return the moves of a record's author, as a phrase after a colon."""
    first, kinds = record.steps[0], {type(step) for step in record.steps}
    if isinstance(first, steps.Invite):
        return Message.within("record", "the invitation")
    if isinstance(first, steps.Accept) and record.side in [*Side]:
        return Message.within("record", "joined as the {side}", side=Side(record.side).label)
    if steps.Resign in kinds:
        return Message.within("record", "resigned")
    notations = [step.order for step in record.steps if isinstance(step, steps.OrderStep)]
    try:
        text = order_list(map(from_notation, notations), name)
    except UnreadableOrderError:
        text = semicolon_list(f"“{excerpt(order, MAX_ORDER_LENGTH)}”" for order in notations)
    if text:
        return text
    if steps.Close in kinds:
        return Message.within("record", "closed the game")
    return Message.within("record", "no orders")


def game_names(records: Sequence[Record]) -> Name:
    """Return the function for printed names in the game that begins with `records`.

    Without records it returns names of the standard rules.
    """
    if not records:
        return default_names
    invitation = records[0].steps[0]
    assert isinstance(invitation, steps.Invite)
    return ruleset_of(invitation).catalogue.name_of


def default_names(id: str) -> Phrase:
    """Return a name in the standard rules, for a game whose rules are unknown."""
    catalogue = Ruleset.of().catalogue
    return catalogue.name_of(id) if id in catalogue.names else id


# --- questions before a signature


class ForgottenSignaturesError(UsageError):
    """Raised if earlier signatures cannot be looked up or saved, unless the player agrees."""


class ConsentPrompt(NamedTuple):
    """A question to a player: an introduction, and a question to be answered yes or no.

    The `hint` is a marked message that explains {yes} and {no}.
    """

    intro: Phrase
    question: Message
    hint: str


RESIGNATION = ConsentPrompt(
    NOTHING,
    Message("Give up the game? That ends it, and your opponent wins."),
    mark("{yes} gives the game up, {no} leaves it as it is."),
)


class _Caution(NamedTuple):
    """A reason against signing, and advice, as sentences."""

    risk: Phrase
    advice: Phrase = NOTHING


class Wording(NamedTuple):
    """The texts for questions about a file with `records`; for a robot if `is_unattended`.

    They name the list of games instead of a command if `is_on_page`.
    `command` calls the program with this home; `options` are the front end's names for prior
    consents, for example options or buttons.
    """

    command: str
    options: Mapping[PriorConsent, str]
    records: Sequence[Record] = ()
    is_unattended: bool = False
    is_on_page: bool = False

    def risk(self, question: Question) -> Phrase:
        """Return the reason against signing, as sentences."""
        return self._caution_for(question).risk

    def refusal(self, question: Question) -> UsageError:
        """Return the error if the player did not agree to a question, or cannot agree."""
        if isinstance(question, NotRemembered) and self.is_unattended:
            forgotten = Message(
                "This computer does not remember what the robot signed, so it might answer a file "
                "twice."
            )
            vouching = mark("If no file that it has answered before will come again, add {option}.")
            newest = self.options[PriorConsent.NEWEST]
            return ForgottenSignaturesError(sentences(forgotten, Message(vouching, option=newest)))
        is_lost = isinstance(question, NoStore) and not question.may_pass
        kind = ForgottenSignaturesError if is_lost else UsageError
        return kind(sentences(*self._caution_for(question), Message("Nothing was written.")))

    def first_refusal(self, error: OpenQuestionsError) -> UsageError:
        """Return the error for the first unanswered question."""
        return self.refusal(error.questions[0])

    def prompt(self, question: Question) -> ConsentPrompt:
        """Return the prompt for a question to which the player may agree.

        The answer yes to a changed key vouches for it: see `Store.vouch`.
        """
        if isinstance(question, OtherKey):
            return ConsentPrompt(
                identity_warning(question.recognised),
                Message("Is the new key theirs?"),
                mark("{yes} takes this key for theirs and goes on, {no} stops here."),
            )
        if isinstance(question, SignedBefore):
            return ConsentPrompt(
                sentences(self.risk(question), cheating_warning(), _condition_text(question)),
                Message("Sign another?"),
                mark("{yes} goes on to sign another, {no} stops here."),
            )
        assert isinstance(question, NotRemembered)
        intro = sentences(self.risk(question), self._lookup_hint(question))
        hint = mark("{yes} goes on to your answer, {no} stops here.")
        if question.is_invitation:
            hint = mark("{yes} accepts it, {no} stops here.")
        return ConsentPrompt(intro, row_text("is-it-so", _subject(question)), hint)

    def _caution_for(self, question: Question) -> _Caution:
        another = self.options[PriorConsent.ANOTHER]
        match question:
            case NoStore():
                return self._library_caution(question)
            case SignedBefore() if question.kind is ConflictKind.ANSWERED:
                return self._answered_caution(question)
            case SignedBefore():
                return self._mismatch_caution(question)
            case Closed(record=record):
                send = mark("Send the file with that record: not even {option} signs another.")
                return _Caution(GameClosedError(record).message, Message(send, option=another))
            case OpensTwice(record=record):
                shows = mark(
                    "With this your opponent would see your whole hand and draw pile: your "
                    "record {number}, signed {time}, opened the same shuffle for another list."
                )
                go_on = mark("Go on from the file with that record: not even {option} signs this.")
                risk = Message(shows, number=record.index, time=instant(record.time))
                return _Caution(risk, Message(go_on, option=another))
            case NotRemembered():
                subject, option = _subject(question), self.options[PriorConsent.NEWEST]
                cause = "moved" if question.has_moved else subject
                if question.moved_time:
                    cause = "moved-from-here"
                date = moment(question.moved_time) if question.moved_time else NOTHING
                texts = row_text("forgotten", cause, date=date), row_text("forgotten-risk", subject)
                vouching = row_text("vouching", subject, option=option)
                return _Caution(sentences(*texts), sentences(self._lookup_hint(question), vouching))
            case NewKey() | OtherKey():
                recognised = question.recognised
                vouch = vouching_hint(recognised.person.key, self.command)
                return _Caution(
                    identity_warning(recognised), vouch if recognised.needs_vouching else NOTHING
                )

    def _library_caution(self, question: NoStore) -> _Caution:
        text = lookup_failure_notice(question.path, question.reason, may_pass=question.may_pass)
        twice = Message("Without it one file might be answered twice.")
        risk = sentences(text, NOTHING if question.may_pass else twice)
        if question.may_pass or self.is_unattended:
            return _Caution(risk, question.remedy)
        go_on = Message(
            "If it cannot be mended, {option} goes on without it; use that only if this file is "
            "the newest of its game, and you have not answered it before.",
            option=self.options[PriorConsent.NEWEST],
        )
        remedy = question.remedy or new_library_hint(self.command)
        return _Caution(risk, sentences(remedy, go_on))

    def _lookup_hint(self, question: NotRemembered) -> Message:
        """Return advice to look up earlier signatures."""
        subject = "invitation" if question.is_invitation else "game"
        key = f"{subject}-on-page" if self.is_on_page else subject
        return row_text("find-out", key, command=self.command)

    def _answered_caution(self, question: SignedBefore) -> _Caution:
        record, again = question.conflict.record, self._rewrite_hint(question.conflict.record)
        risk = Message(
            "You already answered this file, on {date}: {deeds}.",
            date=moment(question.when),
            deeds=record_summary(record, game_names(self.records)),
        )
        # Translators: {again} is, for example, “the same orders write it again.”
        advice = Message("Send that answer; {again}", again=again)
        if (file := question.file) and not question.is_written:
            missing = mark("It is not in {file}, where it was to be; {again}")
            advice = Message(missing, file=display_path(file), again=again)
        another: Phrase = NOTHING
        if find_close([record]) is None:
            another = Message(
                "If the first never left this computer, {option} signs another.",
                option=self.options[PriorConsent.ANOTHER],
            )
        return _Caution(risk, sentences(advice, cheating_warning(), another))

    def _mismatch_caution(self, question: SignedBefore) -> _Caution:
        """Return the reason not to sign after a record that differs from the signed one."""
        record, newest, key = question.conflict.record, question.newest, question.kind.value
        facts = {"number": record.index, "time": instant(record.time), "before": record.index - 1}
        facts |= {"option": self.options[PriorConsent.ANOTHER], "command": self.command}
        if question.kind is ConflictKind.OTHER_BEFORE and record.index == 2:
            key = "another acceptance"
        elif newest is not None and question.kind is not ConflictKind.OTHER_OWN:
            key, facts["file"] = f"{key}, found", display_path(newest)
        risk = row_text("signed-before", key, **facts)
        instead = row_text("instead", key, **facts) if key in keys("instead") else NOTHING
        if question.kind is not ConflictKind.OTHER_BEFORE:
            return _Caution(risk, instead)
        audit = Message(
            "Keep both files: {command} audit OLD NEW shows it to anybody.", command=self.command
        )
        return _Caution(risk, sentences(instead, audit))

    def _rewrite_hint(self, record: Record) -> Message:
        """Return instructions to write a signed answer again, as the end of a sentence."""
        orders = [step.order for step in record.steps if isinstance(step, OrderStep)]
        if isinstance(record.steps[0], Accept):
            return Message("joining again as {side} writes it again.", side=record.side)
        if any(isinstance(step, Resign) for step in record.steps):
            return Message("resigning again writes it again.")
        if not orders:
            return Message("giving no orders writes it again.")
        if orders[-1].split()[0] in ("end", "lose"):
            return Message("the same orders write it again.")
        # If the turn was to continue after an answer, it must not be ended now.
        again, option = mark("the same orders and {option} write it again."), PriorConsent.WAIT
        return Message(again, option=self.options[option])


def robot_wording(program: str, home: Path, folder: Path) -> Wording:
    """Return the texts for the owner of a robot in `home` that answers files in a `folder`.

    Commands in remedies begin with `program`.
    """
    command, inbox = f"{program} --home {shell_quote(home)}", shell_quote(folder)
    serve = f"{command} serve-robot --once --newest --inbox {inbox} --outbox {inbox}"
    return Wording(command, dict.fromkeys(PriorConsent, serve), is_unattended=True)


def _subject(question: NotRemembered) -> str:
    """Return the key of sentences about an invitation, an opening or a game."""
    if question.is_opening:
        return "opening"
    return "invitation" if question.is_invitation else "game"


def _condition_text(question: SignedBefore) -> Message:
    """Return the condition for replacing a signature, as a sentence."""
    if question.kind is ConflictKind.OTHER_BEFORE:
        return Message("You go on from the one in this file.")
    if question.kind is ConflictKind.ANSWERED:
        return Message("Go on only if that answer never left this computer.")
    return Message(
        "Go on only if your record {number}, signed {time}, never left this computer.",
        number=question.conflict.record.index,
        time=instant(question.conflict.record.time),
    )


# --- the summary of a turn


def turn_summary(turn: Turn, *, is_waiting: bool = False) -> Iterator[Line]:
    """Yield the effects of a turn, the information it gives away, and the number of files it takes.

    `is_waiting`: the player will wait for the other player's answer, so no tips are given.
    """
    match, side, before = turn.match, turn.side, turn.game.match
    own_cards = HiddenCards(match, side, turn.secrets.secret)
    forecast = turn.forecast
    if forecast and (end := turn_end_text(turn, forecast)):
        yield Line(end, Tone.HEAD)
    yield from report(match, turn.moves, side, own_cards, [len(before.records)]).lines()
    if not before.is_over:
        money, old_money = (state.players[side].money for state in (match.state, before.state))
        if money != old_money:
            template = mark("Your money: {money} (before: {before})")
            yield item(Message(template, money=money, before=old_money))
    yield from map(item, _revealed_information(turn))
    if forecast is not None:
        yield Line(files_text(turn, forecast), Tone.HEAD)
        for risk in forecast.risks:
            yield item(risk_text(turn, risk))
        for tip in () if is_waiting else _tips(turn, forecast):
            yield item(Message("Tip: {tip}", tip=tip))
    if match.state.outcome is not None:
        yield Line(game_result(match.state), Tone.HEAD)
        published = Message(
            "With this file your hand and all your draws in this game are open to anybody, and "
            "provable: it publishes the key to your cards in this game, and in no other."
        )
        yield Line(published)
        if side.opponent not in match.secrets:
            closes = mark("What {player} then sends back closes the game for {player} too.")
            yield Line(Message(closes, player=opponent_label(turn)))


def turn_end_text(turn: Turn, forecast: TurnForecast) -> Message:
    """Return how the game ends after this turn or the next one; empty if it goes on."""
    return coming_end_text(forecast.position, turn.side if forecast.ends else None)


def effects_heading(turn: Turn) -> Message:
    """Return the heading of a turn's effects."""
    if turn.resigns:
        return Message("You resign.")
    if turn.game.match.is_over:
        return Message("Nothing is left to decide; this file closes the game.")
    if turn.orders:
        return Message("What you did:")
    return Message("There was nothing for you to decide. What happened:")


def _revealed_information(turn: Turn) -> Iterator[Message]:
    """Yield the information that a turn gives to the other player in addition to its orders."""
    name, other = names(turn.match.state), opponent_label(turn)
    if turn.cards_shown:
        cards = card_list(turn.cards_shown, name)
        shows = mark("{player} sees these cards from your hand: {cards}.")
        yield Message(shows, player=other, cards=cards)
    if turn.follow_ups:
        orders = order_list(turn.follow_ups, name)
        yield Message(
            "Before answering, {player} reads what you do next: {orders}",
            player=other,
            orders=orders,
        )


# --- the number of files


def files_text(turn: Turn, forecast: TurnForecast) -> Message:
    """Return the number of files that a turn takes, in one or two sentences."""
    key = "finished" if forecast.ends else "deals"
    if forecast.interruptions and forecast.ends:
        key = "unless" if forecast.risks else "said"
    elif forecast.interruptions and not all(order.can_draw for order in forecast.interruptions):
        key = "answer"
    elif forecast.interruptions:
        key = "home-support" if isinstance(forecast.interruptions[-1], HomeSupport) else "cards"
    text = row_text("files", key, player=opponent_label(turn))
    two = Message("It needs two files of yours: this one, and one after the answer.")
    return text if forecast.ends else sentences(text, two)


def _tips(turn: Turn, forecast: TurnForecast) -> Iterator[Phrase]:
    """Yield ways to finish the turn with fewer files."""
    name = names(turn.match.state)
    better = turn.better_sequence()
    if better is not None:
        yield Message(
            "in this sequence the turn would take one file, whatever the answer: {orders}.",
            orders=order_list(better, name),
        )
    if forecast.ends or not forecast.interruptions:
        return
    rest = forecast.position
    if rest.awaiting.decision is Decision.LOSERS_CARD:
        yield Message(
            "which card the lost siege costs can be said in this file too ({verb}).",
            verb=Lose.verb_label(),
        )
    elif rest.actions_left and rest.awaiting.decision is Decision.TURN:
        yield Message.counted(
            "{count} action left: what does not need the answer can be ordered in this file too, "
            "and is then carried out right after it.",
            "{count} actions left: what does not need the answer can be ordered in this file too, "
            "and is then carried out right after it.",
            rest.actions_left,
        )
    elif turn.orders[-1].can_draw:
        yield Message(
            "if you do not need the cards this turn, the order {verb} finishes it in this file.",
            verb=End.verb_label(),
        )

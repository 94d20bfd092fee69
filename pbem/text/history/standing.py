"""The state of a game except its position: its players, the decision due, and the side to move.

It also reports how long a game has waited and for which file, and warns of dates ahead of this
computer's clock. docs/protocol.md has these among the duties of a program.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from engine.choices import Choices
from engine.message import NOTHING, Concat, Message, and_list, mark, or_list, sentences
from engine.sides import Side
from engine.state import Decision
from pbem.foreign import display_name
from pbem.play.game_file import whose_move
from pbem.play.look import Look, Spectator
from pbem.play.store.entries import is_ahead
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import Due, PendingRecord, pending_record, sides_to_close
from pbem.text.facts.chronicle import Chronicle
from pbem.text.games import contact, spectator_clause
from pbem.text.language import Line, Tone, item
from pbem.text.ordering.guided_turn import decision_text
from pbem.text.phrases import day, day_in_numbers, fingerprint, instant, opponents_text, player


def past_turn_notice(chronicle: Chronicle, number: int) -> Message:
    """Return a notice that the view shows a past turn, with the records of the turn."""
    records, last = chronicle.turn(number).records, chronicle.last
    if not number:
        when = Message("Looking back: the setup, before turn 1.")
    elif number == last and chronicle.is_under_way:
        when = Message("Looking back: turn {number}, so far.", number=number)
    else:
        when = Message("Looking back: after turn {number} of {last}.", number=number, last=last)
    if len(records) == 1:
        return sentences(when, Message("In the file: record {number}.", number=records[0]))
    within = Message("In the file: records {first} to {last}.", first=records[0], last=records[-1])
    return sentences(when, within)


def past_record_notice(past_match: Match, last: int) -> Message:
    """Return a notice that the view shows a past record; `last` is the last record's number."""
    record = past_match.last
    author = display_name(past_match.invite.name)
    if record.side in [side.value for side in past_match.entrants]:
        author = player(past_match, Side(record.side))
    return Message(
        "Looking back: after record {number} of {last}, signed by {player}, {time}.",
        number=record.index,
        last=last,
        player=author,
        time=instant(record.time),
    )


def players_text(look: Look, command: str) -> Iterator[Line]:
    """Yield the players, and the reason why a spectator sees no more."""
    match = look.match
    yield Line(opponents_text(*(player(match, side, look.viewer) for side in match.entrants)))
    if isinstance(look.access, Spectator):
        reason = spectator_clause(look.access, command)
        yield Line(Message("You see only what is public, because {reason}.", reason=reason))


def move_text(look: Look, command: str) -> Iterator[Line]:
    """Yield the side to move, and the `command` with which the viewer continues."""
    match, viewer = look.whole, look.viewer
    if look.must_write and not match.is_over:
        yield from _decision(look)
        yield Line(Message("To answer: {command}", command=command), is_whole=True)
        return
    yield Line(whose_move(match), Tone.HEAD)
    if look.must_write:
        yield Line(Message("To close the game: {command}", command=command), is_whole=True)
    elif viewer is not None and match.next_side is viewer.opponent:
        opponent = contact(match.entrants[viewer.opponent])
        yield Line(Message("Send this file to {player} if you have not yet.", player=opponent))


def _decision(look: Look) -> Iterator[Line]:
    """Yield the decision due, and the kinds of order possible in a turn.

    The few possible replies are named with the decision.
    """
    state, side = look.state, look.viewer
    assert side is not None
    yield Line(sentences(Message("It is your move."), decision_text(state, side)), Tone.HEAD)
    if state.awaiting.decision is Decision.TURN and state.can_decide(side):
        verbs = or_list(kind.verb_label() for kind in Choices([state]).kinds())
        # Translators: {verbs} are the verbs of orders, as players type them.
        yield Line(Message("Orders you can give: {verbs}.", verbs=verbs))


LONG_WAIT = timedelta(days=7)
"""The length of a wait after which a warning explains it."""


def silence_text(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """Yield the start of a wait for a shuffle or a close, with remarks, as paragraphs.

    `since` is the start by this computer's clock, if known. Otherwise the signed times are used,
    except those far ahead of `now`.
    """
    pending = pending_record(match)
    if pending is None or pending.due is Due.PLAY:
        return
    last_date = _last_credible(match, now)
    start = since or pending.since
    if not is_ahead(start, now):
        yield _due_text(match, pending, day_in_numbers(start))
    else:
        unknown = mark("Nobody can say since when: all dates are ahead of this computer's clock.")
        template = mark(
            "It has been so since some time after {day}: all later dates are ahead of this "
            "computer's clock."
        )
        yield _due_text(match, pending)
        yield (Message(template, day=day_in_numbers(last_date)) if last_date else Message(unknown))
    if pending.due is Due.OPENING and _is_long(since or last_date, now):
        yield Message(
            "There may be many reasons for the wait. Without that file, though, nobody can "
            "tell whether the right cards were shuffled."
        )


def long_silence_text(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """Yield the paragraphs of `silence_text` if an opening has been due for a long time."""
    pending = pending_record(match)
    is_due = pending is not None and pending.due is Due.OPENING
    if is_due and _is_long(since or _last_credible(match, now), now):
        yield from silence_text(match, now, since)


def _due_text(match: Match, pending: PendingRecord, since: Message = NOTHING) -> Message:
    """Return the file that is due, its author, and the day since which it is due, if known."""
    if pending.due is Due.CLOSE:
        players = and_list(player(match, side) for side in sides_to_close(match))
        template = mark("Still to close the game: {players}.")
        if since:
            template = mark("Still to close the game, since {day}: {players}.")
        return Message(template, day=since, players=players)
    template = mark("It is the move of {player}, whose next file has to open a shuffle.")
    if since:
        template = mark(
            "It has been the move of {player}, whose next file has to open a shuffle, since {day}."
        )
    may_not_know = Message(
        "They may never have got the file that asks for it: this one shows that it was written, "
        "not that it arrived."
    )
    return sentences(Message(template, player=player(match, pending.side), day=since), may_not_know)


def _last_credible(match: Match, now: str) -> str | None:
    """Return the last date of a record that is not far ahead of `now`, or None."""
    dates = (record.time for record in reversed(match.records))
    return next((date for date in dates if not is_ahead(date, now)), None)


def _is_long(since: str | None, now: str) -> bool:
    """Return True if the wait is long or of unknown length."""
    start = datetime.fromisoformat(since) if since else None
    return start is None or datetime.fromisoformat(now) - start > LONG_WAIT


# --- future dates


def future_date_warning(match: Match, now: str) -> Message:
    """Return a warning if a record is dated far ahead of `now`; else empty."""
    # Dates never decrease from record to record. There is no record if the first one was invalid.
    if not match.records or not is_ahead(match.last.time, now):
        return NOTHING
    record = next(record for record in match.records if is_ahead(record.time, now))
    is_inviter = not match.is_joined or not record.index
    author = match.invite if is_inviter else match.entrants[Side(record.side)]
    warning = Message(
        "Record {number}, signed by {player}, is dated {date}, more than 48 hours ahead of this "
        "computer's clock: one of the two clocks is probably wrong.",
        number=record.index,
        player=display_name(author.name),
        date=day(record.time),
    )
    consequence = Message(
        "The game goes on all the same. But no record may be dated before the one it follows, so "
        "all later records will have this date or a later one."
    )
    return sentences(warning, consequence)


def borrowed_date_notice(match: Match, now: str) -> Message:
    """Return a notice that the new record took the date of the previous record.

    It is empty if that date is not far ahead of `now`.
    """
    if not is_ahead(match.last.time, now):
        return NOTHING
    return Message(
        "Your record {number} is dated {date} too: it may not be dated before the one that it "
        "answers.",
        number=match.last.index,
        date=day(match.last.time),
    )


def not_a_player_notice(
    match: Match, own_key: bytes | None, home: Path, command: str, option: str
) -> Message:
    """Return advice for a viewer without a key, or whose key is not in the game.

    `option` is the front end's option for another home.
    """
    first, second = (
        Concat((display_name(entrant.name), " (", fingerprint(entrant.key), ")"))
        for entrant in match.entrants.values()
    )
    template = mark(
        "You have no identity in {folder}, and this game goes on only with the keys of {first} and "
        "{second}. If one of these is yours, bring it back with: {command} key restore"
    )
    if own_key is not None:
        template = mark(
            "You are not one of the players of this game: your key ({key}) is not that of {first} "
            "or {second}. If one of these is yours, give its folder with {option}, or bring it "
            "back from its recovery text, with {option} and the name of a new folder: key restore"
        )
    key = fingerprint(own_key) if own_key else ""
    facts = {"first": first, "second": second, "key": key, "option": option, "command": command}
    return Message(template, folder=home, **facts)


# --- the notes of a player


def notes_text(text: str) -> Iterator[Line]:
    """Yield a player's private notes under a heading, as typed, if there are any."""
    if text:
        yield Line()
        yield Line(Message("Your notes"), Tone.HEAD)
        yield from _note_lines(text)


def notes_notice(old: str, new: str) -> Iterator[Line]:
    """Yield the notes in the new file, or a notice that the old ones are left out."""
    if new:
        text = Message("Your notes travel with the file, sealed: nobody but you can read them.")
        yield Line(text)
        yield from _note_lines(new)
    elif old:
        yield Line(Message("Your old notes are left out of this file."))


def _note_lines(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        yield item(line) if line.strip() else Line()

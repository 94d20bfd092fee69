"""Where a game stands, besides its position: who plays, what is to be decided, whose move it is.

Whom it waits for, since when and what for; and what is dated ahead of this clock: docs/protocol.md,
What a player's program has to take care of: Name an unanswered opening; Go by your own clock.
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
from pbem.text.games import contact, why_spectator
from pbem.text.language import Line, Tone, item
from pbem.text.ordering.guided_turn import decision_text
from pbem.text.phrases import day, day_in_numbers, fingerprint, instant, player, versus


def after_turn_text(chronicle: Chronicle, number: int) -> Message:
    """Return that a game is looked at as it was after a turn, and which records have that turn."""
    records, last = chronicle.turn(number).records, chronicle.last
    if not number:
        told = Message("Looking back: the setup, before turn 1.")
    elif number == last and chronicle.is_under_way:
        told = Message("Looking back: turn {number}, so far.", number=number)
    else:
        told = Message("Looking back: after turn {number} of {last}.", number=number, last=last)
    if len(records) == 1:
        return sentences(told, Message("In the file: record {number}.", number=records[0]))
    within = Message("In the file: records {first} to {last}.", first=records[0], last=records[-1])
    return sentences(told, within)


def looking_back(then: Match, last: int) -> Message:
    """Return that a game is looked at as it was after a record, and `last` is the last one."""
    record = then.last
    author = display_name(then.invite.name)
    if record.side in [side.value for side in then.entrants]:
        author = player(then, Side(record.side))
    return Message(
        "Looking back: after record {number} of {last}, signed by {player}, {time}.",
        number=record.index,
        last=last,
        player=author,
        time=instant(record.time),
    )


def players_text(look: Look, command: str) -> Iterator[Line]:
    """Yield who plays whom, and why a spectator sees no more; `command` calls the program."""
    match = look.match
    yield Line(versus(*(player(match, side, look.viewer) for side in match.entrants)))
    if isinstance(look.who, Spectator):
        reason = why_spectator(look.who, command)
        yield Line(Message("You see only what is public, because {reason}.", reason=reason))


def move_text(look: Look, command: str) -> Iterator[Line]:
    """Whose move it is, and how to go on: by a `command` where it is the viewer's own."""
    match, viewer = look.whole, look.viewer
    if look.is_to_write and not match.is_over:
        yield from _decision(look)
        yield Line(Message("To answer: {command}", command=command), is_whole=True)
        return
    yield Line(whose_move(match), Tone.HEAD)
    if look.is_to_write:
        yield Line(Message("To close the game: {command}", command=command), is_whole=True)
    elif viewer is not None and match.next_side is viewer.opponent:
        to = contact(match.entrants[viewer.opponent])
        yield Line(Message("Send this file to {player} if you have not yet.", player=to))


def _decision(look: Look) -> Iterator[Line]:
    """Yield what a player has to decide, and which kinds of order are possible in a turn.

    Of a reply the few ways are said with what it is.
    """
    state, side = look.state, look.viewer
    assert side is not None
    yield Line(sentences(Message("It is your move."), decision_text(state, side)), Tone.HEAD)
    if state.awaiting.decision is Decision.TURN and state.decides(side):
        verbs = or_list(kind.words() for kind in Choices([state]).kinds())
        # Translators: verbs of orders, as they are typed.
        yield Line(Message("Orders you can give: {verbs}.", verbs=verbs))


PATIENCE = timedelta(days=7)
"""After this long a silence it is worth saying what it may mean."""


def silence_text(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """Yield since when a game waits, where more than a turn is due, a paragraph each.

    That is `since` then by this computer's clock, where that is known; else by the signed times, of
    which one that is far ahead of `now` counts for nothing.
    """
    waits = pending_record(match)
    if waits is None or waits.due is Due.PLAY:
        return
    before = _last_credible(match, now)
    counts = since or waits.since
    if not is_ahead(counts, now):
        yield _due(match, waits, day_in_numbers(counts))
    else:
        unknown = mark("Nobody can say since when: all dates are ahead of this computer's clock.")
        later = mark(
            "It has been so since some time after {day}: all later dates are ahead of this "
            "computer's clock."
        )
        yield _due(match, waits)
        yield Message(later, day=day_in_numbers(before)) if before else Message(unknown)
    if waits.due is Due.OPENING and _is_long(since or before, now):
        yield Message(
            "There may be many reasons for the wait. Without that file, though, nobody can "
            "tell whether the right cards were shuffled."
        )


def long_silence_text(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """Yield since when an opening has been due, if for long, to the player who waits for it."""
    waits = pending_record(match)
    is_due = waits is not None and waits.due is Due.OPENING
    if is_due and _is_long(since or _last_credible(match, now), now):
        yield from silence_text(match, now, since)


def _due(match: Match, waits: PendingRecord, since: Message = NOTHING) -> Message:
    """Return who has to do what, and since which day, if known."""
    if waits.due is Due.CLOSE:
        left = and_list(player(match, side) for side in sides_to_close(match))
        told = mark("Still to close the game: {players}.")
        if since:
            told = mark("Still to close the game, since {day}: {players}.")
        return Message(told, day=since, players=left)
    told = mark("{player} is to open a shuffle with the next file.")
    if since:
        told = mark("{player} has been due to open a shuffle with the next file since {day}.")
    may_not_know = Message(
        "They may never have got the file that asks for it: this one shows that it was written, "
        "not that it arrived."
    )
    return sentences(Message(told, player=player(match, waits.side), day=since), may_not_know)


def _last_credible(match: Match, now: str) -> str | None:
    """Return the last date of a record that is not far ahead of `now`; None if all are."""
    dates = (record.time for record in reversed(match.records))
    return next((date for date in dates if not is_ahead(date, now)), None)


def _is_long(since: str | None, now: str) -> bool:
    """Return True if the wait is worth mentioning, as it may be if nobody knows its length."""
    if since is None:
        return True
    return datetime.fromisoformat(now) - datetime.fromisoformat(since) > PATIENCE


# --- dates that are ahead


def ahead_text(match: Match, now: str) -> Message:
    """Return that a record is dated far ahead of `now`, by whom, and what it means; else empty."""
    # No record is dated before the one that it follows; the first one may have been refused.
    if not match.records or not is_ahead(match.last.time, now):
        return NOTHING
    record = next(record for record in match.records if is_ahead(record.time, now))
    inviter = not match.is_joined or not record.index
    author = match.invite if inviter else match.entrants[Side(record.side)]
    dated = Message(
        "Record {number}, signed by {player}, is dated {date}, more than 48 hours ahead of this "
        "computer's clock: one of the two clocks is probably wrong.",
        number=record.index,
        player=display_name(author.name),
        date=day(record.time),
    )
    means = Message(
        "The game goes on all the same. But no record may be dated before the one it follows, so "
        "all later records will have this date or a later one."
    )
    return sentences(dated, means)


def borrowed_text(match: Match, now: str) -> Message:
    """Return that the last record, written just now, has borrowed the date of the one before it.

    Empty where its date is not far ahead of `now`.
    """
    if not is_ahead(match.last.time, now):
        return NOTHING
    return Message(
        "Your record {number} is dated {date} too: it may not be dated before the one that it "
        "answers.",
        number=match.last.index,
        date=day(match.last.time),
    )


def not_a_player(
    match: Match, own_key: bytes | None, home: Path, command: str, option: str
) -> Message:
    """Return what a player can do without a key at home, or with one not in the game.

    `option` is how the front end names another home.
    """
    first, second = (
        Concat((display_name(entrant.name), " (", fingerprint(entrant.key), ")"))
        for entrant in match.entrants.values()
    )
    told = mark(
        "You have no identity in {folder}, and this game goes on only with the keys of {first} and "
        "{second}. If one of these is yours, bring it back with: {command} key restore"
    )
    if own_key is not None:
        told = mark(
            "You are not one of the players of this game: your key ({key}) is not that of {first} "
            "or {second}. If one of these is yours, give its folder with {option}, or bring it "
            "back from its recovery text, with {option} and the name of a new folder: key restore"
        )
    key = fingerprint(own_key) if own_key else ""
    facts = {"first": first, "second": second, "key": key, "option": option, "command": command}
    return Message(told, folder=home, **facts)


# --- the notes of a player


def notes_text(text: str) -> Iterator[Line]:
    """Yield a player's private notes under a heading, as they were typed; or nothing."""
    if text:
        yield Line()
        yield Line(Message("Your notes"), Tone.HEAD)
        yield from _as_typed(text)


def notes_in_file(old: str, new: str) -> Iterator[Line]:
    """Yield the notes that go into the file, or that the old ones do not; nothing for none."""
    if new:
        yield Line(
            Message("Your notes travel with the file, sealed: nobody but you can read them.")
        )
        yield from _as_typed(new)
    elif old:
        yield Line(Message("Your old notes are left out of this file."))


def _as_typed(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        yield item(line) if line.strip() else Line()

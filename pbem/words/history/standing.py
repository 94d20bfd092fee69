"""Where a game stands, beside its position: who plays, what is to decide, whose move it is."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, joined_with_or, sentences
from engine.sides import Side
from engine.state import Decision
from engine.ways import Ways
from pbem.foreign import named
from pbem.play.answer import Answer
from pbem.play.game_file import whose_move
from pbem.play.look import Look, Spectator
from pbem.protocol.match import Match
from pbem.words.dates import instant
from pbem.words.games.invitation import rules_told
from pbem.words.games.people import why_spectator
from pbem.words.lines import Line, Tone, item
from pbem.words.ordering.decision import awaited
from pbem.words.phrases import address, against, player


def invitation_told(match: Match) -> Iterator[Line]:
    """A game that nobody has joined."""
    name = named(match.invite.name)
    yield Line(Message("An invitation by {player}; nobody has joined yet.", player=name))
    yield from map(item, rules_told(match.invite))


def looking_back(then: Match, last: int) -> Message:
    """That a game is looked at as it was after a record, and `last` is the last one."""
    record = then.last
    author = named(then.invite.name)
    if record.side in [side.value for side in then.entrants]:
        author = player(then, Side(record.side))
    return Message(
        "Looking back: after record {number} of {last}, signed by {player}, {time}.",
        number=record.index,
        last=last,
        player=author,
        time=instant(record.time),
    )


def players_told(look: Look, command: str) -> Iterator[Line]:
    """Who plays whom, and why a spectator sees no more; `command` is how the program is called."""
    match = look.match
    yield Line(against(*(player(match, side, look.viewer) for side in match.entrants)))
    if isinstance(look.who, Spectator):
        reason = why_spectator(look.who, command)
        yield Line(Message("You see what everybody may see, because {reason}.", reason=reason))


def move_told(look: Look, command: str) -> Iterator[Line]:
    """Whose move it is, and how to go on: by a `command` where it is the viewer's own."""
    match, viewer, answer = look.game.match, look.viewer, look.answer
    if answer is not None and not match.is_over:
        yield from _decision(answer)
        yield Line(Message("To answer: {command}", command=command), is_whole=True)
        return
    yield Line(whose_move(match), Tone.HEAD)
    if answer is not None:
        yield Line(Message("To close the game: {command}", command=command), is_whole=True)
    elif viewer is not None and match.next_side is viewer.opponent:
        to = address(match, viewer.opponent)
        yield Line(Message("Send this file to {player} if you have not yet.", player=to))


def _decision(answer: Answer) -> Iterator[Line]:
    """What a player has to decide, and which kinds of order are possible in a turn.

    Of a reply the few ways are said with what it is.
    """
    state, side = answer.view(), answer.seat.side
    yield Line(sentences(Message("It is your move."), awaited(state, side)), Tone.HEAD)
    if state.awaiting.decision is Decision.TURN and state.decides(side):
        verbs = joined_with_or(kind.words() for kind in Ways([state]).kinds())
        # Translators: verbs of orders, as they are typed.
        yield Line(Message("You can: {verbs}.", verbs=verbs))

"""What happened and who is to write, printed."""

from __future__ import annotations

from engine.message import Message
from engine.sides import Side
from pbem.cli import console
from pbem.play.game_file import whose_move
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.view.history import last_deeds
from pbem.words.history.report import nothing_yet, report
from pbem.words.phrases import address


def say_last(match: Match, viewer: Side | None, own: HiddenCards | None = None) -> None:
    """Print what happened last, or that nothing was done yet, and what waits for an answer.

    `own` are the cards of the viewer, who is told which were drawn.
    """
    last = report(match, last_deeds(match, viewer), viewer, own)
    for account in last.accounts:
        console.say_behind(account.heading, account.lines)
    if not last.accounts:
        console.item(nothing_yet(match))
    for told in last.dropped:
        console.item(told)
    if last.announced:
        console.say(last.announced)


def say_whose_move(match: Match, viewer: Side | None) -> None:
    """Print who writes next, and for a player how to go on."""
    console.say(whose_move(match), style="bold")
    if viewer is not None and match.next_side is viewer.opponent:
        player = address(match, viewer.opponent)
        console.say(Message("Send this file to {player} if you have not yet.", player=player))

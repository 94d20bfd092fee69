"""What happened and who is to write, printed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from engine.message import Message
from pbem.cli import console
from pbem.cli.telling import announced, dropped_in, happened, last_deeds
from pbem.play.game_file import whose_move
from pbem.words.phrases import address

if TYPE_CHECKING:
    from engine.sides import Side
    from pbem.protocol.hand import HiddenCards
    from pbem.protocol.match import Match
    from pbem.protocol.table import Deed

# --- what happened


def say_deeds(
    match: Match, deeds: Sequence[Deed], viewer: Side | None, own: HiddenCards | None = None
) -> None:
    """Print deeds in sentences, under the name of who did them.

    `own` are the cards of the viewer, who is told which were drawn.
    """
    for account in happened(match, deeds, viewer, [own] if own else []):
        console.item(account.heading)
        for line in account.lines:
            console.item(line, indent=4)


def say_last(match: Match, viewer: Side | None, own: HiddenCards | None = None) -> None:
    """Print what happened last, or that nothing was done yet; `own` is as for `say_deeds`."""
    deeds = last_deeds(match, viewer)
    if deeds:
        for account in happened(match, deeds, viewer, [own] if own else []):
            console.say_behind(account.heading, account.lines)
        say_dropped(match, {deed.record for deed in deeds}, viewer)
    elif match.state.setup:
        console.item(Message("Nothing yet: the cards are being dealt."))
    else:
        console.item(Message("Nothing yet: the game begins."))


def say_dropped(match: Match, records: Collection[int], viewer: Side | None) -> None:
    """Print which orders came to nothing in these records, and what that means."""
    for told in dropped_in(match, records, viewer):
        console.item(told)


def say_announced(match: Match, viewer: Side | None) -> None:
    """Print what waits to be carried out after an answer."""
    told = announced(match, viewer)
    if told:
        console.say(told)


# --- who is to write


def say_whose_move(match: Match, viewer: Side | None) -> None:
    """Print who writes next, and for a player how to go on."""
    console.say(whose_move(match), style="bold")
    if viewer is not None and match.next_side is viewer.opponent:
        player = address(match, viewer.opponent)
        console.say(Message("Send this file to {player} if you have not yet.", player=player))

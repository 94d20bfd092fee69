"""Printing what arrived by mail: of each game the newest file, and what to do with it.

Headers of messages are what anybody can write there; they are told in quotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.message import Message
from pbem.cli import console
from pbem.cli.game_standing import say_game
from pbem.cli.opponent import say_recognised
from pbem.foreign import quoted, shown
from pbem.play.inbox.filing import Filed, Kind, News
from pbem.words.proof.arrivals import arrived, newest, news_told, warnings

_BOLD = (Kind.NEW, Kind.AGAIN, Kind.INVITATION)
"""Kinds that somebody waits for."""


def say_arrivals(news: Sequence[News], now: str, command: str) -> None:
    """Print the contents of a message, and what to do about it.

    How a game stands of which a turn arrived says `say_standing`: more of it may follow.
    """
    for filed in newest(news):
        _say_filed(filed, now, command)
    for each in news:
        if not isinstance(each, Filed):
            console.warn(news_told(each, command))


def say_standing(news: Iterable[News], now: str, command: str) -> None:
    """Print how each game stands of which a turn arrived, and what to do, by its newest file."""
    for filed in newest(news):
        if filed.kind in (Kind.NEW, Kind.AGAIN) and filed.listed is not None:
            say_game(filed.listed, now, command)


def _say_filed(filed: Filed, now: str, command: str) -> None:
    path, listed = filed.path, filed.listed
    console.say(arrived(filed), "bold" if filed.kind in _BOLD else "")
    if filed.kind in (Kind.OLDER, Kind.OTHER) and path:
        console.say_whole(f"  {shown(path)}")
    known = (listed.file_in or listed.file_out) if listed else None
    if filed.kind is Kind.OTHER and known and path:
        audit = f"{command} audit {quoted(known)} {quoted(path)}"
        console.say_whole("  " + Message("To see who signed both: {command}", command=audit))
    if filed.kind is Kind.INVITATION and path:
        join = f"{command} join {quoted(path)}"
        console.say_whole("  " + Message("To accept it: {command}", command=join))
    if filed.opponent:
        say_recognised(filed.opponent, command)
    for warning in warnings(filed, now):
        console.warn(warning)

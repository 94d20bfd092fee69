"""The list of a player's games, in words and as data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.sides import Side
from pbem.cli import console
from pbem.cli.paths import quoted, shown
from pbem.cli.records import day
from pbem.cli.words import counted
from pbem.library.games import JOIN, NOBODY, OPPONENT, YOU
from pbem.silence import Due

if TYPE_CHECKING:
    from pbem.library import Listed

HEADINGS = {
    YOU: "Waiting for you",
    OPPONENT: "Waiting for your opponent",
    NOBODY: "Finished",
}


def say_games(games: Sequence[Listed], now: str, command: str) -> None:
    """Print games under whom they wait for; `command` is how the program is called."""
    if not games:
        console.say("No game is listed yet. If you have files of games, these are found by:")
        console.say_whole(f"  {command} games add FOLDER")
        console.say_whole(f"To begin one: {command} new, or {command} join FILE")
        return
    is_first = True
    for waits_for, heading in HEADINGS.items():
        some = [listed for listed in games if listed.game.waits_for == waits_for]
        if not some:
            continue
        if not is_first:
            console.say()
        is_first = False
        console.say(heading, style="bold")
        for listed in some:
            say_game(listed, now, command)


def say_game(listed: Listed, now: str, command: str) -> None:
    """Print how a game stands, and where its last file is."""
    console.item(f"{called(listed)}, {_rules(listed)}")
    console.item(_standing(listed, now), indent=4)
    late = _overdue(listed, now)
    if late:
        over = counted(late.days, "day") if late.days else "hours"
        console.item(f"Overdue by {over}: {pace_told(listed.pace)}.", "bold", indent=4)
    if listed.game.waits_for == YOU and listed.file_in:
        _say_path(f"To look at it: {command} turn show", listed.file_in)
    elif listed.file_out:
        _say_path("The last file of yours:", listed.file_out)


def _say_path(words: str, path: Path) -> None:
    if _is_there(path):
        console.say_whole(f"    {words} {quoted(path)}")
    else:
        console.say_whole(f"    Its last file is no longer in {shown(path)}")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def called(listed: Listed) -> str:
    """What a game is called: by the opponent and the beginning of its number."""
    number, side = listed.id.hex()[:8], listed.own_side
    if not listed.game.opponent or side is None:
        return f"Game {number}, an invitation"
    return f"Game {number} against {console.named(listed.game.opponent)} ({side.opponent.label})"


def _rules(listed: Listed) -> str:
    rules = f"{listed.game.edition} edition"
    if listed.game.house_rules:
        rules += f" with {', '.join(listed.game.house_rules.split())}"
    return rules


def _standing(listed: Listed, now: str) -> str:
    """How a game stands and since when, in a sentence or two."""
    game = listed.game
    days = (datetime.fromisoformat(now).date() - datetime.fromisoformat(game.since).date()).days
    ago = {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")
    since = f"since {day(game.since)} ({ago})" if days >= 0 else f"since {day(game.since)}"
    if game.waits_for == NOBODY:
        return f"{_result(listed)} It was closed on {day(game.since)}."
    if game.due == JOIN:
        return f"Nobody has joined it yet, {since}."
    if game.waits_for == YOU:
        if game.winner:
            return f"{_result(listed)} You are to close the game, {since}."
        return f"It is your move, {since}: turn {game.turn}."
    if game.due == Due.OPENING:
        over = f"{_result(listed)} " if game.winner else ""
        return f"{over}Your opponent is to open a shuffle with the next file, {since}."
    if game.winner:
        return f"{_result(listed)} Your opponent is to close the game, {since}."
    return f"It is your opponent's move, {since}: turn {game.turn}."


def _result(listed: Listed) -> str:
    if not listed.game.winner:
        return "It is over."
    return "You have won." if Side(listed.game.winner) is listed.own_side else "You have lost."


def pace_told(pace: int | None) -> str:
    """A pace in words."""
    return (
        "a move may take as long as it needs" if pace is None else f"{counted(pace, 'day')} a move"
    )


def _overdue(listed: Listed, now: str) -> timedelta | None:
    """By how much the next move is late; None where it is not, or no pace was agreed."""
    if listed.pace is None or listed.game.waits_for == NOBODY:
        return None
    waited = datetime.fromisoformat(now) - datetime.fromisoformat(listed.game.since)
    late = waited - timedelta(days=listed.pace)
    return late if late > timedelta() else None


def facts(listed: Listed, now: str) -> dict[str, Any]:
    """The same of one game as plain data."""
    game, late = listed.game, _overdue(listed, now)
    return {
        "game": listed.id.hex(),
        "edition": game.edition,
        "house_rules": game.house_rules.split(),
        "side": None if listed.own_side is None else game.side,
        "opponent": game.opponent or None,
        "email": game.email or None,
        "records": game.records,
        "turn": game.turn or None,
        "waits_for": game.waits_for,
        "due": game.due or None,
        "since": game.since,
        "winner": game.winner or None,
        "pace_days": listed.pace,
        "overdue_days": None if late is None else late.days,
        "file_in": None if listed.file_in is None else str(listed.file_in),
        "file_out": None if listed.file_out is None else str(listed.file_out),
    }

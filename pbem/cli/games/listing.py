"""The list of a player's games, in words and as data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.message import Message, Run, Said, mark, sentences
from engine.sides import Side
from pbem.cli import console
from pbem.cli.paths import quoted, shown
from pbem.library.entries import JOIN, NOBODY, OPPONENT, YOU
from pbem.library.times import credible, is_ahead
from pbem.protocol.silence import Due
from pbem.words.dates import day
from pbem.words.rules.editions import rules_named

if TYPE_CHECKING:
    from pbem.library import Listed

HEADINGS = {
    YOU: mark("Waiting for you"),
    OPPONENT: mark("Waiting for your opponent"),
    NOBODY: mark("Finished"),
}


def say_games(games: Sequence[Listed], now: str, command: str) -> None:
    """Print games under whom they wait for; `command` is how the program is called."""
    if not games:
        console.say(
            Message("No game is listed yet. If you have files of games, these are found by:")
        )
        found_by = Message("{command} games add FOLDER", command=command)
        console.say_whole(Run(("  ", found_by)))
        console.say_whole(
            Message("To begin one: {command} new, or {command} join FILE", command=command)
        )
        return
    is_first = True
    for waits_for, heading in HEADINGS.items():
        some = [listed for listed in games if listed.game.waits_for == waits_for]
        if not some:
            continue
        if not is_first:
            console.say()
        is_first = False
        console.say(Message(heading), style="bold")
        for listed in some:
            say_game(listed, now, command)
            if is_ahead(listed.game.since, now):
                console.item(_dated_ahead(listed), indent=4)


def say_game(listed: Listed, now: str, command: str) -> None:
    """Print how a game stands, and where its last file is."""
    rules = rules_named(listed.game.edition, listed.game.house_rules.split())
    console.item(Run((called(listed), ", ", rules)))
    console.item(_standing(listed, now), indent=4)
    late = _overdue(listed, now)
    if late:
        console.item(_overdue_told(late.days, pace_told(listed.pace)), "bold", indent=4)
    path = listed.file_in if listed.game.waits_for == YOU else None
    last = path or listed.file_out
    if last:
        console.say_whole(Run(("    ", _last_file(last, command if path else ""))))


def _dated_ahead(listed: Listed) -> Message:
    return Message(
        "Record {number}, the last one, is dated {date}, more than 48 hours ahead of this "
        "computer's clock.",
        number=listed.game.records - 1,
        date=day(listed.game.since),
    )


def _overdue_told(days: int, pace: Said) -> Message:
    if not days:
        return Message("Overdue by hours: {pace}.", pace=pace)
    # Translators: {pace} is such as “3 days a move”.
    return Message.counted(
        "Overdue by {count} day: {pace}.", "Overdue by {count} days: {pace}.", days, pace=pace
    )


def _last_file(path: Path, command: str) -> Message:
    """Where the last file of a game is, and with what `command` it is looked at, if with any."""
    if not _is_there(path):
        return Message("Its last file is no longer in {file}", file=shown(path))
    if command:
        return Message(
            "To look at it: {command} turn show {file}", command=command, file=quoted(path)
        )
    return Message("The last file of yours: {file}", file=quoted(path))


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def called(listed: Listed) -> Message:
    """What a game is called: by the opponent and the beginning of its number."""
    number, side = listed.id.hex()[:8], listed.own_side
    if not listed.game.opponent or side is None:
        return Message("Game {number}, an invitation", number=number)
    return Message(
        "Game {number} against {player} ({side})",
        number=number,
        player=console.named(listed.game.opponent),
        side=side.opponent.label,
    )


def _standing(listed: Listed, now: str) -> Message:
    """How a game stands and since when, in a sentence or two."""
    game, waits_since = listed.game, _waits_since(listed, now)
    since = _since(waits_since, now)
    if game.waits_for == NOBODY:
        closed = Message("It was closed on {date}.", date=day(waits_since or game.since))
        return sentences(_result(listed), closed)
    if game.due == JOIN:
        return Message("Nobody has joined it yet, {since}.", since=since)
    result = Run((_result(listed), " ")) if game.winner else ""
    if game.waits_for == YOU and game.winner:
        return result + Message("You are to close the game, {since}.", since=since)
    if game.waits_for == YOU:
        return Message("It is your move, {since}: turn {turn}.", since=since, turn=game.turn)
    if game.due == Due.OPENING:
        return result + Message(
            "Your opponent is to open a shuffle with the next file, {since}, if your file has ever "
            "reached them.",
            since=since,
        )
    if game.winner:
        return result + Message("Your opponent is to close the game, {since}.", since=since)
    return Message("It is your opponent's move, {since}: turn {turn}.", since=since, turn=game.turn)


def _waits_since(listed: Listed, now: str) -> str | None:
    """Since when a game waits, by the clock here if that is known; None if nobody can say."""
    return credible(listed.arrived, listed.game.since, now)


def _since(time: str | None, now: str) -> Message:
    """Since when a game waits, to stand in a sentence: `since 21 Nov 2026 (3 days ago)`."""
    if time is None:
        return Message("since a day that is not known")
    days = (datetime.fromisoformat(now).date() - datetime.fromisoformat(time).date()).days
    date = day(time)
    if days == 0:
        return Message("since {date} (today)", date=date)
    if days == 1:
        return Message("since {date} (yesterday)", date=date)
    return Message.counted(
        "since {date} ({count} day ago)", "since {date} ({count} days ago)", days, date=date
    )


def _result(listed: Listed) -> Message:
    if not listed.game.winner:
        return Message("It is over.")
    has_won = Side(listed.game.winner) is listed.own_side
    return Message("You have won.") if has_won else Message("You have lost.")


def pace_told(pace: int | None) -> Message:
    """A pace in words."""
    if pace is None:
        return Message("a move may take as long as it needs")
    return Message.counted("{count} day a move", "{count} days a move", pace)


def _overdue(listed: Listed, now: str) -> timedelta | None:
    """By how much the next move is late; None where it is not, or no pace was agreed."""
    since = _waits_since(listed, now)
    if since is None or listed.pace is None or listed.game.waits_for == NOBODY:
        return None
    waited = datetime.fromisoformat(now) - datetime.fromisoformat(since)
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
        "arrived": listed.arrived or None,
        "winner": game.winner or None,
        "pace_days": listed.pace,
        "overdue_days": None if late is None else late.days,
        "file_in": None if listed.file_in is None else str(listed.file_in),
        "file_out": None if listed.file_out is None else str(listed.file_out),
    }

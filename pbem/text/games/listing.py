"""How the games of a player stand, in sentences, and as facts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from engine.message import NOTHING, Message, Run, joined_with_semicolons, mark, sentences
from engine.sides import Side
from pbem.foreign import named, quoted, shown
from pbem.play.listed import Newer
from pbem.play.store import Listed, credible, is_ahead
from pbem.play.store.entries import JOIN, NOBODY, OPPONENT, YOU
from pbem.protocol.state_of_play import Due
from pbem.text.dates import day
from pbem.text.facts.plain import Facts
from pbem.text.rules.editions import rules_named
from pbem.text.tables import entry

HEADINGS = {
    YOU: mark("Waiting for you"),
    OPPONENT: mark("Waiting for your opponent"),
    NOBODY: mark("Finished"),
}
"""The headings under which games are listed, by whom they wait for."""


def listed_facts(listed: Listed, now: str) -> Facts:
    """Return a game as the library lists it, at a time by the clock here."""
    game, late = listed.game, overdue(listed, now)
    return {
        "game": listed.id,
        "edition": game.edition,
        "house_rules": game.house_rules.split(),
        "side": listed.own_side,
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
        "file_in": listed.file_in,
        "file_out": listed.file_out,
    }


def waits_since(listed: Listed, now: str) -> str | None:
    """Return since when a game waits, by the clock here if known; None if nobody can say."""
    return credible(listed.arrived, listed.game.since, now)


def overdue(listed: Listed, now: str) -> timedelta | None:
    """Return by how much the next move is late; None if it is not, or no pace was agreed."""
    since = waits_since(listed, now)
    if since is None or listed.pace is None or listed.game.waits_for == NOBODY:
        return None
    waited = datetime.fromisoformat(now) - datetime.fromisoformat(since)
    late = waited - timedelta(days=listed.pace)
    return late if late > timedelta() else None


def file_to_answer(listed: Listed) -> Path | None:
    """Return the file that the player is to look at; None if nothing waits for it."""
    return listed.file_in if listed.game.waits_for == YOU else None


# --- in sentences


def game_called(listed: Listed) -> Message:
    """Return what a game is called: by the opponent and the beginning of its number."""
    number, side = listed.id.hex()[:8], listed.own_side
    player, label = named(listed.game.opponent), side.opponent.label if side else ""
    told = mark("Game {number} against {player} ({side})")
    if listed.game.opponent and listed.game.due == JOIN:
        told = mark("Game {number}, an invitation from {player}")
    elif not listed.game.opponent or side is None:
        told = mark("Game {number}, an invitation")
    return Message(told, number=number, player=player, side=label)


def which_game(games: Iterable[tuple[int, Listed]]) -> Message:
    """Return that one of these games has to be named; each is given with its number in the list."""
    told = (
        # Translators: {game} is such as “Game 34de8b95 against Anna (British)”.
        Message("{number} is {game}", number=str(number), game=game_called(listed))
        for number, listed in games
    )
    return Message(
        "Say which game you mean, by its number or by your opponent: {games}.",
        games=joined_with_semicolons(told),
    )


def called_with_rules(listed: Listed) -> Message:
    """Return what a game is called, and by which rules it is played."""
    rules = rules_named(listed.game.edition, listed.game.house_rules.split())
    return Run((game_called(listed), ", ", rules))


def standing(listed: Listed, now: str) -> Message:
    """Return how a game stands and since when, in a sentence or two."""
    game, waiting_since = listed.game, waits_since(listed, now)
    if game.waits_for == NOBODY:
        closed = Message("It was closed on {date}.", date=day(waiting_since or game.since))
        return sentences(_result(listed), closed)
    is_told_by_due = game.due == JOIN or (game.due == Due.OPENING and game.waits_for == OPPONENT)
    what = game.due if is_told_by_due else "close" if game.winner else "play"
    since = _since(waiting_since, now)
    told = entry("waits", f"{game.waits_for} {what}", since=since, turn=game.turn)
    return sentences(_result(listed) if game.winner else NOTHING, told)


def _since(time: str | None, now: str) -> Message:
    """Return since when a game waits, as part of a sentence: `since 21 Nov 2026 (3 days ago)`."""
    if time is None:
        return Message("since an unknown date")
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
    """Return a pace in words."""
    if pace is None:
        return Message("a move may take as long as it needs")
    return Message.counted("{count} day per move", "{count} days per move", pace)


def overdue_told(listed: Listed, now: str) -> Message:
    """Return by how much the next move is late, as a sentence; empty if it is not."""
    late, pace = overdue(listed, now), pace_told(listed.pace)
    if late is None:
        return NOTHING
    if not late.days:
        return Message("Overdue by less than a day: {pace}.", pace=pace)
    # Translators: {pace} is such as “3 days per move”.
    return Message.counted(
        "Overdue by {count} day: {pace}.", "Overdue by {count} days: {pace}.", late.days, pace=pace
    )


def dated_ahead(listed: Listed, now: str) -> Message:
    """Return that the last record comes from the future, as a sentence; empty if it does not."""
    if not is_ahead(listed.game.since, now):
        return NOTHING
    return Message(
        "Record {number}, the last one, is dated {date}, more than 48 hours ahead of this "
        "computer's clock.",
        number=listed.game.records - 1,
        date=day(listed.game.since),
    )


def last_file(listed: Listed, command: str) -> Message:
    """Return where the last file of a game is, and how it is looked at; empty if none is known."""
    answers, path = file_to_answer(listed), file_to_answer(listed) or listed.file_out
    if path is None:
        return NOTHING
    if not _is_there(path):
        return Message("Its last file is no longer in {file}", file=shown(path))
    if listed.game.due == JOIN and answers:
        return Message("To accept it: {command}", command=f"{command} join {quoted(path)}")
    if answers:
        return Message(
            "To look at it: {command} turn show {file}", command=command, file=quoted(path)
        )
    return Message("The last file of yours: {file}", file=quoted(path))


def how_to_play(listed: Listed, number: int, command: str) -> Message:
    """Return how a game that waits for the player is played on; `number` is its place in the list.

    Empty where it does not wait for them, or its file is gone.
    """
    file = file_to_answer(listed)
    if listed.game.waits_for != YOU or listed.game.due == JOIN or not file or not _is_there(file):
        return NOTHING
    return Message("To play it: {command}", command=f"{command} play {number}")


def newer_told(newer: Newer, file: Path, command: str) -> Message:
    """Return that a file is not the newest one of its game, and how to look at that or at both."""
    if newer.otherwise is None:
        older = Message("This file is not the newest of its game, which has reached record {last}.")
        show = f"{command} turn show {quoted(newer.file)}"
        how = Message("To look at the newest: {command}", command=show)
        return sentences(older.about(last=newer.last), how)
    other = Message(
        "This file contradicts the newest one of its game that you know: its record {number} is "
        "different.",
        number=newer.otherwise,
    )
    audit = f"{command} audit {quoted(newer.file)} {quoted(file)}"
    return sentences(other, Message("To see who signed both: {command}", command=audit))


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False

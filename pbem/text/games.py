"""A player's games and opponents, as facts and in sentences.

It shows a first key, warns of a changed one, and lists the rules that an invitation sets. Sentences
that contain the name of the program get it from the caller, as `command`.

docs/protocol.md, “Know who is who”; docs/json.md has the keys of the facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from engine.house_rules import house_rules
from engine.message import (
    NOTHING,
    Concat,
    Message,
    Phrase,
    mark,
    semicolon_list,
    sentences,
    with_label,
)
from engine.ruleset import editions
from engine.sides import Side
from pbem.errors import UsageError
from pbem.foreign import display_address, display_name, display_path, shell_quote
from pbem.play.game_list import NewerFile
from pbem.play.look import Spectator
from pbem.play.store import GameEntry
from pbem.play.store.entries import (
    JOIN,
    NOBODY,
    OPPONENT,
    YOU,
    KnownPlayer,
    Person,
    Recognition,
    Trust,
    are_addresses_alike,
    are_names_alike,
    believable_arrival,
    is_ahead,
)
from pbem.protocol.match import Match
from pbem.protocol.schema import EMAIL, NAME
from pbem.protocol.steps import MIN_SAFE_LISTS, Invite
from pbem.protocol.table import Entrant
from pbem.savefile.disk import path_exists
from pbem.text.facts.json_data import Facts
from pbem.text.language import Line, Tone, item, row
from pbem.text.phrases import day, fingerprint, local_date, points_text, row_text
from pbem.text.rules.editions import edition_name, house_rule_names, rules_name

# --- names and keys of opponents


def read_name(text: str) -> str:
    """Return a player's own name as typed. Raises UsageError if it is not allowed."""
    try:
        return NAME.read(text)
    except ValueError as error:
        raise UsageError("Your name {reason}.", reason=error) from None


def read_email(text: str) -> str:
    """Return a player's own address as typed, which may be empty.

    Raises UsageError if it is not allowed.
    """
    try:
        if text and "@" not in text:
            raise ValueError(Message("must contain an @, such as name@example.org"))
        return EMAIL.read(text)
    except ValueError as error:
        # Translators: {reason} is, for example, “must contain an @, such as name@example.org”.
        raise UsageError("Your e-mail address {reason}.", reason=error) from None


def read_site(text: str) -> str:
    """Return the address of a site as typed, which may be empty, with a slash at its end.

    Raises UsageError if it is not allowed.

    >>> read_site("https://acres.example/play")
    'https://acres.example/play/'
    """
    if text and not re.fullmatch(r"https?://[!\"$->@-~]{1,200}", text):
        raise UsageError("The address of a site begins with https:// and has no ? or #.")
    return f"{text.rstrip('/')}/" if text else ""


def identity_warning(recognised: Recognition) -> Message:
    """Return sentences about an unknown, changed or nicknamed player; empty for others."""
    person, other, nickname = recognised.person, recognised.other, recognised.nickname
    if recognised.trust is not Trust.KNOWN:
        facts = {"player": contact(person), "key": fingerprint(person.key)}
        if other is not None:
            facts |= {"other": contact(other), "known_key": fingerprint(other.key)}
        ask = Message(
            "Before you sign anything, ask them, for example by telephone, which key is theirs."
        )
        text = row_text("who-it-is", recognised.trust.value, **facts)
        return sentences(text, ask if recognised.is_doubted else NOTHING)
    if nickname and nickname != person.name:
        return Message(
            "You call {player} {nickname}.",
            player=display_name(person.name),
            nickname=display_name(nickname),
        )
    return NOTHING


def vouching_hint(key: bytes, command: str) -> Message:
    """Return how to confirm that a key belongs to the player it names."""
    return Message(
        "If it is theirs: {command} players name {digits} NAME", command=command, digits=digits(key)
    )


def contact(person: Person | Entrant) -> Phrase:
    """Return a player's name, with the e-mail address if there is one."""
    name = display_name(person.name)
    return Concat((name, " <", display_address(person.email), ">")) if person.email else name


def digits(key: bytes) -> str:
    """Return the first digits of a key, as one word that can be typed."""
    return key[:4].hex()


# --- known players


def known_player_facts(player: KnownPlayer) -> Facts:
    """Return the facts of a known player; `passes_for` is the key of a player of the same name."""
    return {
        "key": player.key,
        "people": [
            {"name": person.name, "email": person.email or None} for person in player.people
        ],
        "nickname": player.nickname or None,
        "since": player.since or None,
        "games": player.games,
        "passes_for": player.passes_for.key if player.passes_for else None,
    }


def opponent_facts(recognised: Recognition) -> Facts:
    """Return the facts of an opponent; `known_key` is the key of a similar player."""
    return {
        "key": recognised.person.key,
        "trust": recognised.trust,
        "known_key": recognised.other.key if recognised.other else None,
        "nickname": recognised.nickname or None,
    }


def find_players(players: Iterable[KnownPlayer], text: str) -> list[KnownPlayer]:
    """Return the known players that a text names, by the beginning of a key, name or address."""
    digits = "".join(text.split()).lower().removeprefix("key")
    by_key, by_name = list[KnownPlayer](), list[KnownPlayer]()
    for player in players:
        names = [player.nickname, *(person.name for person in player.people)]
        is_named = any(name and are_names_alike(name, text) for name in names)
        if digits and player.key.hex().startswith(digits):
            by_key.append(player)
        elif is_named or any(are_addresses_alike(person.email, text) for person in player.people):
            by_name.append(player)
    return by_key + by_name


def player_label(player: KnownPlayer) -> Message:
    """Return a player's nickname, if any, and the names that the player used."""
    names = semicolon_list(map(contact, player.people))
    return with_label(display_name(player.nickname), names) if player.nickname else names


def known_player_text(player: KnownPlayer) -> Message:
    """Return a player's key, the number of games with them, and the date of the first."""
    key = fingerprint(player.key)
    if not player.since:
        games = Message.counted("{count} game", "{count} games", player.games)
        # Translators: for example, “key 0001 0203 0405 0607, 2 games”.
        return Message("{key}, {games}", key=key, games=games)
    # Translators: {key} is, for example, “key 0001 0203 0405 0607”.
    return Message.counted(
        "{key}, {count} game since {date}",
        "{key}, {count} games since {date}",
        player.games,
        key=key,
        date=day(player.since),
    )


def impostor_warning(other: Person) -> Message:
    """Return a warning that a player may be an impostor who uses a known player's name."""
    return Message(
        "You know {other} by {key}: this may be somebody else using their name.",
        other=contact(other),
        key=fingerprint(other.key),
    )


_SPECTATOR_REASONS = {
    Spectator.KEY_GONE: mark(
        "your identity is gone; a recovery text brings it back: {command} key restore"
    ),
    Spectator.NO_KEY: mark("you have no identity here"),
    Spectator.OTHER_KEY: mark("your key is not one of the players'"),
    Spectator.SEALED: mark("your identity is sealed"),
}


def spectator_clause(spectator: Spectator, command: str) -> Message:
    """Return the reason why a viewer sees only public information, as a clause."""
    return Message(_SPECTATOR_REASONS[spectator], command=command)


# --- a robot

_STRENGTHS = {
    1: mark("plays simply and instantly, for a first game"),
    2: mark("looks ahead, and answers in a moment"),
    3: mark("the strongest; thinks for a few seconds"),
}


def strength_text(strength: int) -> Phrase:
    """Return the description of a robot's strength, or its number if it has none."""
    text = _STRENGTHS.get(strength)
    return Message(text) if text else str(strength)


# --- the rules of a game


START_CARD = Message("The card that you begin with")
HOME_SUPPORT = {
    "asked": mark("asked for, with an answer in between"),
    "ahead": mark(
        "named ahead: no extra file, but whoever may hold the card sees up to three cards ahead"
    ),
}
"""The meaning of the options for the cards of Home Support, as phrases."""


def invitation_text(match: Match) -> Iterator[Line]:
    """Yield a description of a game that nobody has joined."""
    name = display_name(match.invite.name)
    yield Line(Message("An invitation from {player}; nobody has joined yet.", player=name))
    yield from map(item, rules_text(match.invite))


def invitation_summary(invitation: Invite, *, is_own: bool) -> Iterator[Message]:
    """Yield sentences about an invitation to its author or to a guest, the heading first."""
    side = None if invitation.side == "any" else Side(invitation.side)
    if is_own:
        yield Message("Your invitation is written.")
        yield (
            Message("You play the {side}.", side=side.label)
            if side
            else Message("Your opponent chooses a side.")
        )
        return
    player = display_name(invitation.name)
    yield Message("{player} invites you to a game.", player=player)
    if side:
        sides = {"side": side.label, "other": side.opponent.label}
        yield Message("{player} plays the {side}, and you the {other}.", player=player, **sides)
    all_rules = house_rules()
    for rule in filter(None, map(all_rules.get, invitation.house_rules)):
        yield with_label(rule.title, Message(rule.summary))
    if invitation.home_support == "ahead":
        yield _home_support_line(invitation)
    yield lists_warning(invitation.lists)


def rules_text(invitation: Invite) -> list[Message]:
    """Return the rules and options that an invitation sets, one message for each."""
    edition, rules = edition_name(invitation.edition), house_rule_names(invitation.house_rules)
    lists, frequency = invitation.lists, frequency_text(invitation.lists)
    sides = Message("sides: the invited player chooses")
    if invitation.side != "any":
        sides = Message("sides: the inviter plays the {side}", side=Side(invitation.side).label)
    return [
        Message("rules: {edition}", edition=edition),
        Message("house rules: {rules}", rules=rules) if rules else Message("house rules: none"),
        sides,
        Message(
            "lists per shuffle: {number} (a deck with wrong cards passes {often})",
            number=lists,
            often=frequency,
        ),
        _home_support_line(invitation),
    ]


def _home_support_line(invitation: Invite) -> Message:
    how = Message(HOME_SUPPORT[invitation.home_support])
    return Message("cards of Home Support: {how}", how=how)


def lists_warning(lists: int) -> Message:
    """Return a warning if a deck with wrong cards would pass too often; empty if not."""
    if lists >= MIN_SAFE_LISTS:
        return NOTHING
    return Message(
        "Shuffles are hardly checked in this game: wrong cards in your opponent's deck go "
        "unnoticed {often}. The default is one time in 1024. If that is too often for you, ask "
        "for another invitation.",
        often=frequency_text(lists),
    )


def frequency_text(lists: int) -> Message:
    """Return how often a deck with wrong cards passes a shuffle with `lists` lists."""
    return Message("every time") if lists == 1 else Message("one time in {number}", number=lists)


# --- demands on an invitation


def check_demands(
    invitation: Invite,
    edition: str | None,
    house_rules: list[str] | None,
    lists: int | None,
    home_support: str | None,
) -> None:
    """Raise UsageError if an invitation sets other rules than the player asked for."""
    demands: tuple[tuple[Any, Any, Callable[[Any], Phrase]], ...] = (
        (edition, invitation.edition, _edition_text),
        (sorted({*(house_rules or ())}), sorted(invitation.house_rules), _house_rules_text),
        (lists, invitation.lists, _lists_text),
        (home_support, invitation.home_support, _home_support_text),
    )
    for demanded, offered, words in demands:
        if demanded and demanded != offered:
            raise UsageError(
                # Translators: both are, for example, “the first edition” or “no house rules”.
                "You asked for {wanted}, but the invitation has {offered}: nothing was "
                "written. Ask for another invitation, or leave the option out.",
                wanted=words(demanded),
                offered=words(offered),
            )


def _edition_text(edition: str) -> Message:
    # Translators: {edition} is, for example, “first edition”.
    return Message("the {edition}", edition=edition_name(edition))


def _lists_text(lists: int) -> Message:
    return Message.counted("{count} list per shuffle", "{count} lists per shuffle", lists)


def _home_support_text(mode: str) -> Message:
    # Translators: {how} is, for example, “asked for, with an answer in between”.
    return Message("cards of Home Support that are {how}", how=Message(HOME_SUPPORT[mode]))


def _house_rules_text(rules: Iterable[str]) -> Message:
    names = house_rule_names(rules)
    return Message("the house rules {rules}", rules=names) if names else Message("no house rules")


# --- the list of games


HEADINGS = {
    YOU: mark("Waiting for you"),
    OPPONENT: mark("Waiting for your opponent"),
    NOBODY: mark("Finished"),
}
"""The headings of the list of games, by the player whose move it is."""


def game_entry_facts(entry: GameEntry, now: str) -> Facts:
    """Return the facts of a game in the library; `now` is this computer's time."""
    game, delay = entry.game, overdue_time(entry, now)
    return {
        "game": entry.id,
        "edition": game.edition,
        "house_rules": game.house_rules.split(),
        "side": entry.own_side,
        "opponent": game.opponent or None,
        "email": game.email or None,
        "records": game.records,
        "turn": game.turn or None,
        "waits_for": game.waits_for,
        "due": game.due or None,
        "since": game.since,
        "arrived": entry.arrived or None,
        "winner": game.winner or None,
        "pace_days": entry.pace,
        "overdue_days": None if delay is None else delay.days,
        "file_in": entry.file_in,
        "file_out": entry.file_out,
    }


def wait_start(entry: GameEntry, now: str) -> str | None:
    """Return the time since which a game waits, by this computer's clock if possible, or None."""
    return believable_arrival(entry.arrived, entry.game.since, now)


def overdue_time(entry: GameEntry, now: str) -> timedelta | None:
    """Return the delay of the next move; None without a delay or without an agreed pace."""
    since = wait_start(entry, now)
    if since is None or entry.pace is None or entry.game.waits_for == NOBODY:
        return None
    delay = datetime.fromisoformat(now) - datetime.fromisoformat(since) - timedelta(days=entry.pace)
    return delay if delay > timedelta() else None


def file_to_answer(entry: GameEntry) -> Path | None:
    """Return the file that the player has to answer, or None if it is not their move."""
    return entry.file_in if entry.game.waits_for == YOU else None


# --- games in sentences


def game_title(entry: GameEntry) -> Message:
    """Return the title of a game: its number and the opponent."""
    number, side = entry.id.hex()[:8], entry.own_side
    player, label = display_name(entry.game.opponent), side.opponent.label if side else ""
    title = mark("Game {number} against {player} ({side})")
    if entry.game.opponent and entry.game.due == JOIN:
        title = mark("Game {number}, an invitation from {player}")
    elif not entry.game.opponent or side is None:
        title = mark("Game {number}, an invitation")
    return Message(title, number=number, player=player, side=label)


def title_with_rules(entry: GameEntry) -> Message:
    """Return the title of a game, with its edition and house rules."""
    rules = rules_name(entry.game.edition, entry.game.house_rules.split())
    return Concat((game_title(entry), ", ", rules))


def card_title(entry: GameEntry, guest: str = "") -> Message:
    """Return the title of a game in a list with pictures: the opponent, or the inviter or guest.

    The number of the game is in `number_and_rules`. `guest` is the invited player, if known.
    """
    player, side = display_name(entry.game.opponent), entry.own_side
    if entry.game.due == JOIN and entry.game.waits_for == YOU:
        return Message("An invitation from {player}", player=player)
    if guest:
        return Message("Your invitation to {player}", player=display_name(guest))
    if not entry.game.opponent or side is None:
        return Message("Your invitation")
    return Message("Against {player} ({side})", player=player, side=side.opponent.label)


def number_and_rules(entry: GameEntry) -> Message:
    """Return the rules and the number of a game."""
    rules = rules_name(entry.game.edition, entry.game.house_rules.split())
    return Message("Game {number}, {rules}", rules=rules, number=entry.id.hex()[:8])


def next_step(entry: GameEntry) -> Message:
    """Return the next step for an invitation; empty for other games."""
    if entry.game.due != JOIN:
        return NOTHING
    if entry.game.waits_for == YOU:
        return Message("Next: open it, and accept it.")
    return Message(
        "Next: send the file to your friend. The game begins when the file that comes back is here."
    )


def state_text(entry: GameEntry, now: str) -> Message:
    """Return the state of a game and how long it has waited, in one or two sentences."""
    game, start = entry.game, wait_start(entry, now)
    if game.waits_for == NOBODY:
        closed = Message("It was closed on {date}.", date=day(start or game.since))
        return sentences(_result_text(entry), closed)
    due = JOIN if game.due == JOIN else "close" if game.winner else "play"
    since = _since_text(start, now)
    text = row_text("waits", f"{game.waits_for} {due}", since=since, turn=game.turn)
    return sentences(_result_text(entry) if game.winner else NOTHING, text)


def _since_text(time: str | None, now: str) -> Message:
    """Return the start of the wait as a phrase: `since 21 Nov 2026 (3 days ago)`."""
    if time is None:
        return Message("since an unknown date")
    days, date = _days(time, now), day(time)
    if days == 0:
        return Message("since {date} (today)", date=date)
    if days == 1:
        return Message("since {date} (yesterday)", date=date)
    return Message.counted(
        "since {date} ({count} day ago)", "since {date} ({count} days ago)", days, date=date
    )


def _result_text(entry: GameEntry) -> Message:
    if not entry.game.winner:
        return Message("It is over.")
    points = entry.game.points
    total = Message("Points: {points}.", points=points_text(points)) if points else NOTHING
    return sentences(result_heading(Side(entry.game.winner), entry.own_side), total)


def result_heading(winner: Side, viewer: Side | None) -> Message:
    """Return which side won, or that the viewer won or lost."""
    if viewer is None:
        return Message("The {side} won.", side=winner.label)
    return Message("You have won.") if viewer is winner else Message("You have lost.")


def pace_text(pace: int | None) -> Message:
    """Return a pace in words."""
    if pace is None:
        return Message("a move may take as long as it needs")
    return Message.counted("{count} day per move", "{count} days per move", pace)


def overdue_text(entry: GameEntry, now: str) -> Message:
    """Return the delay of the next move as a sentence, or an empty message without a delay."""
    delay, pace = overdue_time(entry, now), pace_text(entry.pace)
    if delay is None:
        return NOTHING
    if not delay.days:
        return Message("Overdue by less than a day: {pace}.", pace=pace)
    # Translators: {pace} is, for example, “3 days per move”.
    return Message.counted(
        "Overdue by {count} day: {pace}.", "Overdue by {count} days: {pace}.", delay.days, pace=pace
    )


def date_warning(entry: GameEntry, now: str) -> Message:
    """Return a warning if the last record is dated in the future; empty if it is not."""
    if not is_ahead(entry.game.since, now):
        return NOTHING
    return Message(
        "Record {number}, the last one, is dated {date}, more than 48 hours ahead of this "
        "computer's clock.",
        number=entry.game.records - 1,
        date=day(entry.game.since),
    )


def last_file_hint(entry: GameEntry, command: str) -> Message:
    """Return the path of a game's last file and the command to open it; empty without a file."""
    file, path = file_to_answer(entry), file_to_answer(entry) or entry.file_out
    if path is None:
        return NOTHING
    if not path_exists(path):
        return Message("Its last file is no longer in {file}", file=display_path(path))
    if entry.game.due == JOIN and file:
        return Message("To accept it: {command}", command=f"{command} join {shell_quote(path)}")
    quoted = shell_quote(path)
    if file:
        return Message("To look at it: {command} turn show {file}", command=command, file=quoted)
    return Message("The last file of yours: {file}", file=quoted)


def play_hint(entry: GameEntry, number: int, command: str) -> Message:
    """Return the command that plays a game, if it is the player's move and the file exists.

    `number` is the game's place in the list.
    """
    file = file_to_answer(entry)
    if entry.game.waits_for != YOU or entry.game.due == JOIN or not file or not path_exists(file):
        return NOTHING
    return Message("To play it: {command}", command=f"{command} play {number}")


def newer_file_notice(newer: NewerFile, file: Path, command: str) -> Message:
    """Return a notice that a file is not the newest, with a command to open or compare both."""
    if newer.first_difference is None:
        older = Message("This file is not the newest of its game, which has reached record {last}.")
        show = f"{command} turn show {shell_quote(newer.file)}"
        hint = Message("To look at the newest: {command}", command=show)
        return sentences(older.with_facts(last=newer.last), hint)
    other = Message(
        "This file contradicts the newest one of its game that you know: its record {number} is "
        "different.",
        number=newer.first_difference,
    )
    audit = f"{command} audit {shell_quote(newer.file)} {shell_quote(file)}"
    return sentences(other, Message("To see who signed both: {command}", command=audit))


# --- statistics


class Results(NamedTuple):
    """The numbers of games won, lost and in progress."""

    won: int
    lost: int
    going_on: int


class SideResults(NamedTuple):
    """The results in games of one edition with one side."""

    edition: str
    side: Side
    won: int
    lost: int
    going_on: int


class Spread(NamedTuple):
    """The minimum, median and maximum of some numbers; the median is one of them."""

    least: int
    median: int
    most: int


class Statistics(NamedTuple):
    """The results of games; `turns` and `days` of finished games, or None if there are none."""

    in_all: Results
    results: list[SideResults]
    turns: Spread | None
    days: Spread | None


def statistics(games: Iterable[GameEntry], beginnings: Mapping[bytes, str]) -> Statistics:
    """Return the statistics of the games that an opponent has joined.

    `beginnings` are the times at which games began, by their ids.
    """
    joined = [game for game in games if game.own_side is not None and game.game.opponent]
    ended = [game for game in joined if game.game.winner]
    days = [_days(beginnings[game.id], game.game.since) for game in ended if game.id in beginnings]
    return Statistics(
        in_all=_results(joined),
        results=[
            SideResults(edition, side, *_results(group))
            for edition in editions()
            for side in Side
            if (group := [e for e in joined if (e.game.edition, e.own_side) == (edition, side)])
        ],
        turns=_spread([game.game.turn for game in ended]),
        days=_spread([number for number in days if number >= 0]),
    )


def _results(games: Sequence[GameEntry]) -> Results:
    winners = [game.game.winner for game in games]
    won = sum(game.game.winner == game.own_side for game in games)
    going_on = winners.count("")
    return Results(won, len(games) - won - going_on, going_on)


def _days(start: str, end: str) -> int:
    """Return the number of days between two times, by the player's calendar."""
    return (local_date(end).date() - local_date(start).date()).days


def _spread(numbers: Sequence[int]) -> Spread | None:
    # The standard library's `statistics` takes longer to import than most commands run.
    ordered = sorted(numbers)
    return Spread(ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1]) if ordered else None


def statistics_text(facts: Statistics) -> Iterator[Line]:
    """Yield the statistics under headings."""
    yield Line(Message("Your games"), Tone.HEAD)
    for line in facts.results:
        yield row(Concat((edition_name(line.edition), line.side.label), ", "), _results_text(line))
    if len(facts.results) != 1:
        yield row(Message("in all"), _results_text(facts.in_all))
    if facts.turns:
        yield Line()
        yield Line(Message("How long the finished games took"), Tone.HEAD)
        yield row(Message("turns"), _spread_text(facts.turns))
    if facts.days:
        yield row(Message("days"), _spread_text(facts.days))


def _results_text(results: Results | SideResults) -> Message:
    return Message(
        "won: {won}, lost: {lost}, in progress: {going_on}",
        won=results.won,
        lost=results.lost,
        going_on=results.going_on,
    )


def _spread_text(spread: Spread) -> Phrase:
    if spread.least == spread.most:
        return str(spread.most)
    # Translators: numbers of turns or days: “38 to 130; half of the games took at most 71”.
    return Message("{least} to {most}; half of the games took at most {median}", **spread._asdict())

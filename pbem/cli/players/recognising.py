"""Whom a player has to do with: a first key is shown, a changed one is warned of.

docs/protocol.md, What a player's program has to take care of: Know who is who.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import typer

from engine.message import NOTHING, Message, Run, Said, mark, sentences
from pbem.cli import console
from pbem.cli.home import command_of, has_library
from pbem.cli.own_library import OwnLibrary, own_library

if TYPE_CHECKING:
    from pbem.library import Person, Recognised
    from pbem.protocol.record import Record


def say_opponent(context: typer.Context, records: Sequence[Record]) -> None:
    """Print what whoever looks at a file with these records should know of their opponent.

    Where there is no library, looking at a file begins none, so that nobody is known from then on.
    """
    from pbem.library import Trust

    recognised = _recognised(own_library(context), records)
    if recognised is None or (recognised.trust is Trust.LEARNT and not has_library(context)):
        return
    say_recognised(recognised, command_of(context))


def warn_of_opponent(context: typer.Context, records: Sequence[Record]) -> None:
    """Print aside what of that is to be minded."""
    recognised = _recognised(own_library(context), records)
    if recognised is not None and recognised.other:
        _warn(recognised, command_of(context))


def check_opponent(
    context: typer.Context, records: Sequence[Record], *, is_trial: bool = False
) -> None:
    """Warn whoever is about to sign of a key that may be somebody else's; may raise Cancelled.

    A player at a terminal is asked whether a changed key is right, unless it is only a trial.
    """
    own = own_library(context)
    recognised = _recognised(own, records)
    if own is None or recognised is None or recognised.other is None:
        return
    asks = recognised.is_doubted and not is_trial and console.is_terminal()
    if not asks:
        _warn(recognised, command_of(context))
        return
    say_recognised(recognised, command_of(context))
    hint = mark("{yes} takes this key for theirs and goes on, {no} stops here.")
    if not console.ask_yes(Message("Is the new key theirs?"), hint):
        raise console.Cancelled
    _vouch(own, recognised.person)


def say_new_key(context: typer.Context, records: Sequence[Record]) -> None:
    """Print the key of an opponent with whom nothing was signed yet, as far as is known."""
    from pbem.library import Trust

    recognised = _recognised(own_library(context), records)
    if recognised is not None and recognised.trust in (Trust.FIRST, Trust.LEARNT):
        say_recognised(recognised, command_of(context))


def tell_keeper(context: typer.Context, records: Sequence[Record]) -> None:
    """Print aside, once, that a robot, whom nobody can ask, begins to play with a changed key."""
    recognised = _recognised(own_library(context), records)
    if recognised is not None and recognised.is_doubted and not recognised.is_met:
        _warn(recognised, command_of(context))


def say_recognised(recognised: Recognised, command: str) -> None:
    """Print what is known of somebody, if there is anything to be said.

    `command` is how the program is called.
    """
    from pbem.cli.words import fingerprint

    told = console.told(who_it_is(recognised))
    for person in filter(None, (recognised.person, recognised.other)):
        # What is compared digit by digit stays on one line.
        key = console.told(fingerprint(person.key))
        told = told.replace(key, key.replace(" ", "\u00a0"))
    if told:
        console.say(told, style="bold red" if recognised.is_doubted else "")
    if recognised.is_to_be_settled:
        console.say_whole(how_to_vouch(recognised.person.key, command))


def _warn(recognised: Recognised, command: str) -> None:
    """Print the same aside."""
    told = who_it_is(recognised)
    if recognised.is_to_be_settled:
        told = sentences(told, how_to_vouch(recognised.person.key, command))
    console.warn(told)


def who_it_is(recognised: Recognised) -> Message:
    """What is known of somebody, in a few sentences; empty where there is nothing to be said."""
    from pbem.cli.words import fingerprint

    person, other = recognised.person, recognised.other
    if other is None:
        return _undoubted(recognised)
    facts = {
        "player": described(person),
        "key": fingerprint(person.key),
        "other": described(other),
        "known_key": fingerprint(other.key),
    }
    if recognised.is_doubted:
        # Translators: {known_key} and {key} are such as “key 0001 0203 0405 0607”.
        warning = Message(
            "Another key than before: you know {other} by {known_key}, and in this file {player} "
            "has {key}. It is a new key of theirs, or somebody else in their name.",
            **facts,
        )
        ask = Message("Before you sign anything, ask them which key is theirs, by telephone say.")
        return sentences(warning, ask)
    # Translators: two people, each with a key, such as “key 0001 0203 0405 0607”.
    return Message(
        "This is {player}, {key}. You know somebody else of that name: {other}, {known_key}. If "
        "you take both for one person, ask them before you sign anything.",
        **facts,
    )


def how_to_vouch(key: bytes, command: str) -> Message:
    """How to say that a key is rightly that of whom it names."""
    return Message(
        "If it is theirs: {command} players name {digits} NAME", command=command, digits=digits(key)
    )


def _undoubted(recognised: Recognised) -> Message:
    from pbem.cli.words import fingerprint
    from pbem.library import Trust

    person, nickname = recognised.person, recognised.nickname
    facts = {"player": described(person), "key": fingerprint(person.key)}
    if recognised.trust is Trust.FIRST:
        return Message(
            "You play with {player} by this key for the first time: {key}. To be sure who it is, "
            "compare it, by telephone say, with what acres key show tells them.",
            **facts,
        )
    if recognised.trust is Trust.LEARNT:
        return Message("{player} is known here from now on, by this key: {key}.", **facts)
    if nickname and nickname != person.name:
        return Message(
            "You call {player} {nickname}.",
            player=console.named(person.name),
            nickname=console.named(nickname),
        )
    return NOTHING


def recognised_facts(recognised: Recognised) -> dict[str, Any]:
    """The same as plain data."""
    person, other = recognised.person, recognised.other
    return {
        "key": person.key.hex(),
        "trust": recognised.trust.value,
        "known_key": other.key.hex() if other else None,
        "nickname": recognised.nickname or None,
    }


def described(person: Person) -> Said:
    """A name, and e-mail address where there is one."""
    name = console.named(person.name)
    return Run((name, " <", console.mailbox(person.email), ">")) if person.email else name


def digits(key: bytes) -> str:
    """The beginning of a key, as it can be typed in one word."""
    return key[:4].hex()


def _recognised(own: OwnLibrary | None, records: Sequence[Record]) -> Recognised | None:
    """What is known of the opponent; None where there is none, or it cannot be looked up."""
    from pbem.library import LibraryFailed

    if own is None or not own.is_usable:
        return None
    try:
        return own.players().recognise(records)
    except LibraryFailed:
        # Whoever signs is told of that.
        return None


def _vouch(own: OwnLibrary, person: Person) -> None:
    from pbem.library import LibraryFailed

    # What is not noted is asked again.
    with suppress(LibraryFailed):
        own.players().vouch(person)

"""Whom a player has to do with: a first key is shown, a changed one is warned of.

docs/protocol.md, What a player's program has to take care of: Know who is who.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from engine.message import NOTHING, Message, Run, Said, mark, sentences
from pbem.cli import console
from pbem.cli.home import at_home, command_of
from pbem.cli.own_library import own_library

if TYPE_CHECKING:
    from pbem.library import Person, Recognised
    from pbem.play.own_library import OwnLibrary
    from pbem.protocol.record import Record


def say_opponent(context: typer.Context, records: Sequence[Record]) -> None:
    """Print what whoever looks at a file with these records should know of their opponent.

    Where there is no library, looking at a file begins none, so that nobody is known from then on.
    """
    from pbem.library import Trust

    own = own_library(context)
    recognised = own.recognise(records) if own else None
    if recognised is None or (recognised.trust is Trust.LEARNT and not at_home(context).has_played):
        return
    say_recognised(recognised, command_of(context))


def warn_of_opponent(context: typer.Context, records: Sequence[Record]) -> None:
    """Print aside what of that is to be minded."""
    own = own_library(context)
    recognised = own.recognise(records) if own else None
    if recognised is not None and recognised.other:
        warn_of_key(recognised, command_of(context))


def tell_of_key(own: OwnLibrary, recognised: Recognised, command: str, is_trial: bool) -> None:
    """Warn whoever is about to sign of a key that may be somebody else's; may raise Cancelled.

    A player at a terminal is asked whether a changed key is right, unless it is only a trial.
    """
    if not recognised.is_doubted or is_trial or not console.is_terminal():
        warn_of_key(recognised, command)
        return
    say_recognised(recognised, command)
    hint = mark("{yes} takes this key for theirs and goes on, {no} stops here.")
    if not console.ask_yes(Message("Is the new key theirs?"), hint):
        raise console.Cancelled
    own.vouch(recognised.person)


def say_recognised(recognised: Recognised, command: str) -> None:
    """Print what is known of somebody, if there is anything to be said.

    `command` is how the program is called.
    """
    from pbem.words.phrases import fingerprint

    told = console.told(who_it_is(recognised))
    for person in filter(None, (recognised.person, recognised.other)):
        # What is compared digit by digit stays on one line.
        key = console.told(fingerprint(person.key))
        told = told.replace(key, key.replace(" ", "\u00a0"))
    if told:
        console.say(told, style="bold red" if recognised.is_doubted else "")
    if recognised.is_to_be_settled:
        console.say_whole(how_to_vouch(recognised.person.key, command))


def warn_of_key(recognised: Recognised, command: str) -> None:
    """Print the same aside."""
    told = who_it_is(recognised)
    if recognised.is_to_be_settled:
        told = sentences(told, how_to_vouch(recognised.person.key, command))
    console.warn(told)


def who_it_is(recognised: Recognised) -> Message:
    """What is known of somebody, in a few sentences; empty where there is nothing to be said."""
    from pbem.words.phrases import fingerprint

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
    from pbem.library import Trust
    from pbem.words.phrases import fingerprint

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

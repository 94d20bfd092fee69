"""Players and their keys: a first key is shown, and a changed one warned of.

docs/protocol.md, What a player's program has to take care of: Know who is who.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.message import (
    NOTHING,
    Message,
    Run,
    Said,
    joined_with_semicolons,
    labelled,
    mark,
    sentences,
)
from pbem.errors import WrongUse
from pbem.foreign import mailbox, named
from pbem.play.look import Spectator
from pbem.play.store import Acquaintance, Person, Recognised, Trust
from pbem.play.store.entries import are_addresses_alike, are_names_alike
from pbem.protocol.schema import EMAIL, NAME
from pbem.protocol.table import Entrant
from pbem.text.dates import day
from pbem.text.facts.plain import Facts
from pbem.text.phrases import fingerprint
from pbem.text.tables import entry


def read_name(text: str) -> str:
    """Return the name that somebody gives as their own; raises WrongUse if it cannot be one."""
    try:
        return NAME.read(text)
    except ValueError as error:
        raise WrongUse("Your name {reason}.", reason=error) from None


def read_email(text: str) -> str:
    """Return the address that somebody gives as their own, maybe none; raises WrongUse likewise."""
    try:
        if text and "@" not in text:
            raise ValueError(Message("must contain an @, such as name@example.org"))
        return EMAIL.read(text)
    except ValueError as error:
        # Translators: {reason} is such as “has to have an @ in it, such as name@example.org”.
        raise WrongUse("Your e-mail address {reason}.", reason=error) from None


def who_it_is(recognised: Recognised) -> Message:
    """Return what is known about somebody, in a few sentences; empty if there is nothing to say."""
    person, other, nickname = recognised.person, recognised.other, recognised.nickname
    if recognised.trust is not Trust.KNOWN:
        facts = {"player": described(person), "key": fingerprint(person.key)}
        if other is not None:
            facts |= {"other": described(other), "known_key": fingerprint(other.key)}
        ask = Message(
            "Before you sign anything, ask them, for example by telephone, which key is theirs."
        )
        told = entry("who-it-is", recognised.trust.value, **facts)
        return sentences(told, ask if recognised.is_doubted else NOTHING)
    if nickname and nickname != person.name:
        return Message(
            "You call {player} {nickname}.", player=named(person.name), nickname=named(nickname)
        )
    return NOTHING


def how_to_vouch(key: bytes, command: str) -> Message:
    """Return how to say that a key does belong to the player it names."""
    return Message(
        "If it is theirs: {command} players name {digits} NAME", command=command, digits=digits(key)
    )


def described(person: Person | Entrant) -> Said:
    """Return a name, with the e-mail address if there is one."""
    name = named(person.name)
    return Run((name, " <", mailbox(person.email), ">")) if person.email else name


def digits(key: bytes) -> str:
    """Return the beginning of a key, as it can be typed in one word."""
    return key[:4].hex()


# --- who was met


def met_facts(one: Acquaintance) -> Facts:
    """Return the facts of a player who was met; `passes_for` is somebody else's key."""
    return {
        "key": one.key,
        "people": [{"name": who.name, "email": who.email or None} for who in one.people],
        "nickname": one.nickname or None,
        "since": one.since or None,
        "games": one.games,
        "passes_for": one.passes_for.key if one.passes_for else None,
    }


def opponent_facts(recognised: Recognised) -> Facts:
    """Return the facts of an opponent; `known_key` is of somebody for whom they may be taken."""
    return {
        "key": recognised.person.key,
        "trust": recognised.trust,
        "known_key": recognised.other.key if recognised.other else None,
        "nickname": recognised.nickname or None,
    }


def players_meant(met: Iterable[Acquaintance], typed: str) -> list[Acquaintance]:
    """Return the players whom a text means: the beginning of a key, or a name or an address."""
    digits = "".join(typed.split()).lower().removeprefix("key")
    by_key, by_name = list[Acquaintance](), list[Acquaintance]()
    for one in met:
        names = [one.nickname, *(person.name for person in one.people)]
        is_named = any(name and are_names_alike(name, typed) for name in names)
        if digits and one.key.hex().startswith(digits):
            by_key.append(one)
        elif is_named or any(are_addresses_alike(person.email, typed) for person in one.people):
            by_name.append(one)
    return by_key + by_name


def player_called(one: Acquaintance) -> Message:
    """Return a player as they are called, and as they call themselves."""
    names = joined_with_semicolons(map(described, one.people))
    return labelled(named(one.nickname), names) if one.nickname else names


def met(one: Acquaintance) -> Message:
    """Return by which key a player was met, in how many games, and since when."""
    key = fingerprint(one.key)
    if not one.since:
        # Translators: such as “key 0001 0203 0405 0607, 2 games”.
        games = Message.counted("{count} game", "{count} games", one.games)
        return Message("{key}, {games}", key=key, games=games)
    # Translators: {key} is such as “key 0001 0203 0405 0607”.
    return Message.counted(
        "{key}, {count} game since {date}",
        "{key}, {count} games since {date}",
        one.games,
        key=key,
        date=day(one.since),
    )


def doubt(other: Person) -> Message:
    """Return that a player may pass for somebody else who is known."""
    return Message(
        "You know {other} by {key}: this may be somebody else using their name.",
        other=described(other),
        key=fingerprint(other.key),
    )


_WHY = {
    Spectator.KEY_GONE: mark(
        "your identity is gone; a recovery text brings it back: {command} key restore"
    ),
    Spectator.NO_KEY: mark("you have no identity here"),
    Spectator.OTHER_KEY: mark("your key is not one of the players'"),
    Spectator.SEALED: mark("your identity is sealed"),
}


def why_spectator(who: Spectator, command: str) -> Message:
    """Return why somebody sees only what everybody may see, in a clause."""
    return Message(_WHY[who], command=command)


# --- a robot

_STRENGTHS = {
    1: mark("plays simply and instantly, for a first game"),
    2: mark("looks ahead, and answers in a moment"),
    3: mark("the strongest: thinks for some seconds"),
}


def strength_told(strength: int) -> Said:
    """Return what to expect of a robot of that strength, in a clause, or its number."""
    told = _STRENGTHS.get(strength)
    return Message(told) if told else str(strength)

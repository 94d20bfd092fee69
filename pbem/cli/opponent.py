"""The opponent in a file, as the key is known: printed for everybody who looks at it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.message import sentences
from pbem.cli import console
from pbem.cli.own_home import at_home, own_command, own_library
from pbem.play.store import Recognised, Trust
from pbem.protocol.record import Record
from pbem.text.games.people import how_to_vouch, who_it_is
from pbem.text.phrases import fingerprint


def say_opponent(records: Sequence[Record]) -> None:
    """Print what whoever looks at a file with these records should know of their opponent.

    Where there is no library, looking at a file begins none, so that nobody is known from then on.
    """
    own = own_library()
    recognised = own.recognise(records) if own else None
    if recognised is None or (recognised.trust is Trust.LEARNT and not at_home().has_played):
        return
    say_recognised(recognised, own_command())


def warn_of_opponent(records: Sequence[Record]) -> None:
    """Print aside what of that is to be minded."""
    own = own_library()
    recognised = own.recognise(records) if own else None
    if recognised is not None and recognised.other:
        warn_of_key(recognised, own_command())


def say_recognised(recognised: Recognised, command: str) -> None:
    """Print what is known of somebody, if there is anything to be said.

    `command` is how the program is called.
    """
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

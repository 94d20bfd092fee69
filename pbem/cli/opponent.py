"""The opponent in a file, as the key is known: printed for everybody who looks at it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.message import sentences
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.play.store import Recognised, Trust
from pbem.protocol.record import Record
from pbem.text.games import how_to_vouch, who_it_is
from pbem.text.phrases import fingerprint


def say_opponent(records: Sequence[Record]) -> None:
    """Print what whoever looks at a file with these records should know of their opponent.

    If there is no library, looking at a file begins none, so that nobody is known from then on.
    """
    app = current_app()
    recognised = app.store.recognise(records) if app.store else None
    if recognised and (recognised.trust is not Trust.LEARNT or app.home.has_played):
        say_recognised(recognised)


def warn_of_opponent(records: Sequence[Record]) -> None:
    """Print aside what of that is to be minded."""
    store = current_app().store
    recognised = store.recognise(records) if store else None
    if recognised and recognised.other:
        warn_of_key(recognised)


def say_recognised(recognised: Recognised) -> None:
    """Print what is known of somebody, if there is anything to be said."""
    told = console.told(who_it_is(recognised))
    for person in filter(None, (recognised.person, recognised.other)):
        # What is compared digit by digit stays on one line.
        key = console.told(fingerprint(person.key))
        told = told.replace(key, key.replace(" ", "\u00a0"))
    if told:
        console.say(told, style="bold red" if recognised.is_doubted else "")
    if recognised.is_to_be_settled:
        console.say_whole(how_to_vouch(recognised.person.key, current_app().command))


def warn_of_key(recognised: Recognised) -> None:
    """Print the same aside."""
    told = who_it_is(recognised)
    if recognised.is_to_be_settled:
        told = sentences(told, how_to_vouch(recognised.person.key, current_app().command))
    console.warn(told)

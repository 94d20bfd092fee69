"""Reading the file that a player gives: mended where it has to be, explained where it fails.

A front end gives `checking`: what to do around a check that may take long, such as showing how far
it has come; inside it, records are passed on one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias, TypeVar

from engine.message import Said
from pbem.errors import NotProved, Unreadable
from pbem.mail.given import Given
from pbem.protocol.match import Passing

Checking: TypeAlias = Callable[[], AbstractContextManager[Passing]]
_T = TypeVar("_T")


def in_silence() -> AbstractContextManager[Passing]:
    """Check without showing how far it has come."""
    return nullcontext(iter)


@contextmanager
def explaining(
    data: bytes,
    own_key: bytes | None = None,
    where: Callable[[int], Said] = lambda record: "",
    *,
    is_as_sent: bool = True,
    checking: Checking = in_silence,
) -> Iterator[None]:
    """Tell whoever has `own_key` in a player's words why the file of that content does not hold.

    `where` tells where the damage to a record begins; all else is as for `explained`.
    """
    try:
        yield
    except (NotProved, Unreadable) as error:
        # Imported here because a file that holds needs nothing of what explains one that does not.
        from pbem.words.proof.finding import explained

        damage = where(error.finding.record) if isinstance(error, NotProved) else ""
        with checking() as passing:
            told = explained(
                error, data, own_key, is_as_sent=is_as_sent, damage=damage, passing=passing
            )
        if told is error:
            raise
        raise told from None


def read_or_restore(
    given: Given,
    read: Callable[[bytes], _T],
    own_key: bytes | None = None,
    checking: Checking = in_silence,
) -> tuple[_T, Given]:
    """What `read` makes of the file that was given, and that file, with what had to be mended.

    A file that was copied out of a message by hand may have to be restored first. Raises Unreadable
    where it is none, and FileFails as `explained` to whoever has `own_key`.
    """
    as_sent = given.is_as_sent
    try:
        with explaining(given.data, own_key, given.where, is_as_sent=as_sent, checking=checking):
            return read(given.data), given
    except Unreadable:
        # Imported here because a file that was not copied by hand needs nothing of it.
        from pbem.mail.taking import restored

        again = restored(given)
        if again is None:
            raise
    with explaining(again.data, own_key, is_as_sent=False, checking=checking):
        return read(again.data), again

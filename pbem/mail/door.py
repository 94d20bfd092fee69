"""The one way by which the bytes of a letter come in.

Anybody may have written them, and whoever reads them here uses libraries that may be wrong about
them. So whatever goes wrong inside ends in one sentence, and so does what takes too long.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import TypeVar

from engine.message import Message
from pbem.errors import Unreadable
from pbem.savefile.document import forget

LONGEST = 1.0
"""In seconds of the processor, what one letter may cost until it is given up; what is being done
then goes on to its end, which is less than once more that long."""
_T = TypeVar("_T")


class LetterUnreadable(Unreadable):
    """A letter that cannot be read: out of bounds, too dear, or made to break its reader."""


class TooDear(LetterUnreadable):
    """A letter that was given up because it took too long."""


class Budget:
    """What it may cost to read one letter, from now on; asked as it goes."""

    def __init__(self, seconds: float = LONGEST, clock: Callable[[], float] = process_time) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def check(self) -> None:
        """Raise TooDear once it is spent."""
        if self._clock() > self._end:
            raise TooDear(
                Message(
                    "This message takes too long to read: save the file that is attached to it, "
                    "and give that."
                )
            )


def let_in(read: Callable[[bytes, Budget], _T], data: bytes) -> _T:
    """What `read` makes of the bytes of a letter; raises Unreadable where it makes nothing.

    Nothing else comes out, whatever goes wrong inside: in any part of the letter or of a library.
    """
    try:
        return read(data, Budget())
    except Unreadable:
        raise
    except Exception as error:
        raise LetterUnreadable(
            Message("This message cannot be read ({error}).", error=type(error).__name__)
        ) from None
    finally:
        forget()

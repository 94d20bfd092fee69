"""Checking again and again whether there is something new, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from engine.message import Message, sentences
from pbem.cli import console
from pbem.errors import AcresError
from pbem.play.incoming import Pauses

T = TypeVar("T")


def look_again(
    look: Callable[[], T | None], every: int, is_back: Callable[[], None] = lambda: None
) -> T:
    """Call `look` every so many seconds until it finds something, and return that.

    It is called less often while it fails for a reason that may pass. A failure is reported once,
    and `is_back` is called when it goes well again. Raises what `look` raises and does not pass.
    """
    pauses = Pauses(every)
    while True:
        try:
            found = look()
        except AcresError as error:
            # A full disk may not stay full; a mail server may say that it is in vain.
            if not getattr(error, "may_pass", True):
                raise
            if pauses.fails(error):
                console.warn(sentences(error.said, Message("It will be tried again.")))
        else:
            if found is not None:
                return found
            if pauses.goes_well():
                is_back()
        console.flush()
        time.sleep(pauses.seconds)

"""Checking again and again whether there is something new, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NoReturn

from engine.message import Message, sentences
from pbem.cli import console
from pbem.errors import AcresError
from pbem.play.pauses import Pauses


def look_again(
    look: Callable[[], None],
    every: int,
    may_pass: Callable[[AcresError], bool],
    is_back: Callable[[], None] = lambda: None,
    wait: Callable[[float], None] | None = None,
) -> NoReturn:
    """Look every few seconds, as asked, and less often while that fails for a reason that may pass.

    While it goes well, `wait` may wait less long than it is told. What goes wrong is told once, and
    `is_back` tells that it goes well again. Raises what `look` raises and does not pass.
    """
    pauses = Pauses(every)
    while True:
        pause: Callable[[float], None] = wait or time.sleep
        try:
            look()
        except AcresError as error:
            if not may_pass(error):
                raise
            if pauses.fails(error):
                console.warn(sentences(error.said, Message("It will be tried again.")))
            pause = time.sleep
        else:
            if pauses.goes_well():
                is_back()
        console.flush()
        pause(pauses.seconds)

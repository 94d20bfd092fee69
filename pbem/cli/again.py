"""Looking again and again whether there is something new, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NoReturn

from engine.message import Message, sentences
from pbem.cli import console
from pbem.errors import AcresError

MOST_DOUBLED = 4
"""Where looking fails, the time until the next look is doubled so often, one more each time."""


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
    failures, told = 0, ""
    while True:
        try:
            look()
        except AcresError as error:
            if not may_pass(error):
                raise
            if str(error) != told:
                console.warn(sentences(error.said, Message("It will be tried again.")))
            failures, told = failures + 1, str(error)
        else:
            if failures:
                is_back()
            failures, told = 0, ""
        console.flush()
        if failures or wait is None:
            time.sleep(every << min(failures, MOST_DOUBLED))
        else:
            wait(every)

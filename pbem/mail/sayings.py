"""What a server said, as a player sees it."""

from __future__ import annotations

import re

from engine.message import Message, Run, Said
from pbem.foreign import excerpt, within_quotes

LONGEST_SAYING = 160
"""How many characters are told of what a server says."""


_FULL = re.compile(r"(?<![0-9.])[45]\.2\.2(?![0-9.])")
"""RFC 3463, 3.3."""


def is_full(text: str) -> bool:
    """Whether a server says that a mailbox is full.

    >>> is_full("552 5.2.2 Quota exceeded"), is_full("10.4.2.2 is not here")
    (True, False)
    """
    return _FULL.search(text) is not None


def said(answer: object) -> Said:
    """What a server said, in quotes and no longer than it helps; empty where it said nothing.

    It stands behind a sentence, before its full stop.
    """
    short = in_short(answer)
    if not short:
        return ""
    # Translators: behind a sentence such as “mail.example.org does not go on”.
    told = Message("(it said: “{answer}”)", answer=short)
    return Run((" ", told))


def in_short(answer: object) -> str:
    """What a server said, no longer than it helps, for where it stands in quotes."""
    return excerpt(within_quotes(as_text(answer)), LONGEST_SAYING)


def as_text(answer: object) -> str:
    """What a server said, at its length."""
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)

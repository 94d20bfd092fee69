"""Letters that no person wrote, which no program is to answer (RFC 3834)."""

from __future__ import annotations

from email.message import Message

_LONGEST = 200
_PRECEDENCES = ("bulk", "list", "junk", "auto_reply")
_OF_LISTS = ("List-Id", "List-Post", "List-Unsubscribe", "X-Loop", "X-Auto-Response-Suppress")


def is_automatic(message: Message) -> bool:
    """Whether a message says of itself that a program or a list sent it.

    >>> from email import message_from_string as message
    >>> is_automatic(message("Auto-Submitted: auto-replied"))
    True
    >>> is_automatic(message("Auto-Submitted: no"))
    False
    """
    return (
        _begins(message, "Auto-Submitted") not in ("", "no")
        or _begins(message, "Precedence") in _PRECEDENCES
        or _begins(message, "Return-Path") == "<>"
        or any(header in message for header in _OF_LISTS)
    )


def _begins(message: Message, header: str) -> str:
    """The first word of a header, in small letters; empty without one."""
    words = str(message.get(header, ""))[:_LONGEST].partition(";")[0].split()
    return words[0].casefold() if words else ""

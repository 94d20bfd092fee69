"""Letters that no person wrote, which no program is to answer (RFC 3834)."""

from __future__ import annotations

from pbem.mail.fields import Fields

_PRECEDENCES = ("bulk", "list", "junk", "auto_reply")
_BY_PROGRAMS = (
    b"list-id",
    b"list-post",
    b"list-unsubscribe",
    b"x-autoreply",
    b"x-autorespond",
    b"x-auto-response",
    b"x-auto-response-suppress",
    b"x-loop",
)


def is_automatic(fields: Fields) -> bool:
    """Whether a message says of itself that a program or a list sent it.

    >>> is_automatic(Fields({b"auto-submitted": b"auto-replied (vacation)"}))
    True
    >>> is_automatic(Fields({b"auto-submitted": b"no"}))
    False
    """
    return (
        _begins(fields, b"auto-submitted") not in ("", "no")
        or _begins(fields, b"precedence") in _PRECEDENCES
        or _begins(fields, b"return-path") == "<>"
        or any(name in fields for name in _BY_PROGRAMS)
    )


def _begins(fields: Fields, name: bytes) -> str:
    """The first word of a field, in small letters; empty without one."""
    words = fields.value(name).partition(";")[0].split()
    return words[0].casefold() if words else ""

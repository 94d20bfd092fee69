"""What the system's keyring stores for an account: a password, or the result of signing in.

The latter, a grant, is in pieces, because the keyring of Windows limits their length. A process
stopped while another grant takes its place leaves one of the two, whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import keyring
from keyring.errors import NoKeyringError

from pbem.errors import AcresError
from pbem.sources import random_bytes

SERVICE = "acres"
"""Under this name, and that of the user, the keyring has the password."""

_LONGEST_PIECE = 1000
_IN_PIECES = re.compile(r"oauth2 ([1-9])(?: ([0-9a-f]+))?")
"""Stands where a password would be, for a grant in that many pieces, under names with that in them;
before they had any, each was written over the one before."""
_TRIES = 3
"""How often pieces are reread, because another process may replace them meanwhile."""


class NoKeyring(AcresError):
    """The keyring of the system cannot be used; the message says why."""


@dataclass(frozen=True)
class Kept:
    """A password, or a grant as a text."""

    text: str = field(repr=False)
    is_grant: bool


def kept(user: str) -> Kept | None:
    """What the keyring has for a user; None for nothing, not all of it, or no keyring."""
    for _ in range(_TRIES):
        password = _entry(user)
        names = list(_pieces(user, password))
        if not names:
            return Kept(password, is_grant=False) if password else None
        found = [_entry(name) for name in names]
        if None not in found:
            return Kept("".join(map(str, found)), is_grant=True)
    return None


def keep_grant(user: str, grant: str) -> None:
    """Keep what came of signing in instead of what was there before; raises NoKeyring."""
    pieces = [grant[at : at + _LONGEST_PIECE] for at in range(0, len(grant), _LONGEST_PIECE)]
    unique = random_bytes(4, f"names of the pieces of the grant of {user}").hex()
    named = f"oauth2 {len(pieces)} {unique}"
    for name, piece in zip(_pieces(user, named), pieces, strict=True):
        _keep(name, piece)
    keep_password(user, named)


def keep_password(user: str, password: str) -> None:
    """Keep a password instead of what was there before; raises NoKeyring."""
    before = _entry(user)
    _keep(user, password)
    for name in _pieces(user, before):
        # Its parts come from many hands, and nobody reads these again.
        with suppress(Exception):
            keyring.delete_password(SERVICE, name)


def _pieces(user: str, password: str | None) -> Iterator[str]:
    """The names of the pieces that stand for a password; none for one that is one."""
    found = _IN_PIECES.fullmatch(password or "")
    if found:
        which = f"{found[2]} " if found[2] else ""
        yield from (f"{user} oauth2 {which}{number}" for number in range(int(found[1])))


def _entry(name: str) -> str | None:
    try:
        return keyring.get_password(SERVICE, name)
    except Exception:
        # Its parts come from many hands; whatever they raise, there is nothing.
        return None


def _keep(name: str, text: str) -> None:
    try:
        keyring.set_password(SERVICE, name, text)
    except NoKeyringError:
        raise NoKeyring("This system has no keyring to keep the password in.") from None
    except Exception as error:
        raise NoKeyring(
            "The keyring of this system does not keep the password ({error}).",
            error=type(error).__name__,
        ) from None

"""E-mail addresses to which mail can be sent."""

from __future__ import annotations

import re

from pbem.errors import WrongUse
from pbem.foreign import mailbox

LONGEST = 254
_ATOM = r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
PATTERN = rf"(?=.{{1,{LONGEST}}}\Z){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*"


def is_address(text: str) -> bool:
    """Whether mail can be sent to that: an address alone, in ASCII.

    >>> is_address("zoe@example.org"), is_address("Zoé <zoe@example.org>"), is_address("a@b, c@d")
    (True, False, False)
    """
    return re.fullmatch(PATTERN, text) is not None


def domain_of(address: str) -> str:
    """The domain of an address, in small letters."""
    return address.rpartition("@")[2].lower()


def is_within(host: str, address: str) -> bool:
    """Whether a host is of the domain of an address, so of whoever answers for both.

    >>> is_within("imap.example.org", "zoe@example.org"), is_within("example.com", "zoe@le.com")
    (True, False)
    """
    return f".{host}".lower().endswith(f".{domain_of(address)}")


def check_address(text: str) -> None:
    """Raise WrongUse where mail cannot be sent to that, and say how an address is written."""
    if not is_address(text):
        raise WrongUse(
            "{address} is not an e-mail address: an address looks like anna@example.org, without a "
            "name.",
            address=mailbox(text),
        )

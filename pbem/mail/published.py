"""The mail servers that a provider publishes for its addresses, as mail programs look for them.

First by a file on its own pages, or in the list that Thunderbird's makers keep (autoconfig); then
by records in the domain name system (RFC 6186, RFC 8314). What is found was said by whoever answers
for that domain, and the password goes there: a front end shows it before. docs/mail.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple, Protocol, TypeVar
from urllib.parse import quote
from xml.etree import ElementTree

from pbem.errors import WrongUse
from pbem.mail.account import STARTTLS, TLS, Account, Server
from pbem.mail.address import domain_of, is_within
from pbem.mail.soon import all_in_time

LIST = "https://autoconfig.thunderbird.net/v1.1"
"""Servers of many providers, by their domains; it is told nothing of an address but its domain."""
LONGEST = 6.0
"""In seconds: so long pages, or answers of the domain name system, are waited for together."""
MOST_SERVERS = 20
"""How many are looked at of those that one file names."""

_T = TypeVar("_T")
_SECURITIES = {"ssl": TLS, "starttls": STARTTLS}
_SERVICES = {
    "smtp": (("_submissions._tcp", TLS), ("_submission._tcp", STARTTLS)),
    "imap": (("_imaps._tcp", TLS), ("_imap._tcp", STARTTLS)),
}
"""Under which names the domain name system has servers, those first that encrypt at once."""
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"%EMAIL(ADDRESS|LOCALPART|DOMAIN)%")


class Service(NamedTuple):
    """A server that the domain name system names; the lowest `priority` comes first."""

    priority: int
    host: str
    port: int


class Lookups(Protocol):
    """What is asked of others; where nobody answers, or in vain, there is nothing."""

    def page(self, url: str) -> bytes:
        """What is found there, over connections that are encrypted all the way."""

    def services(self, name: str) -> list[Service]:
        """The servers of that name; an empty host says that there is none."""

    def exchangers(self, domain: str) -> list[str]:
        """The servers that take the mail for a domain, the first choice first."""


@dataclass(frozen=True)
class Published:
    """The servers for an address, either of which may be missing; `source` is who said so.

    That it `is_proved` says that whoever answers for the domain of the address said it, or the
    list, and nobody in between; the domain name system may be forged.
    """

    source: str
    smtp: Server | None
    imap: Server | None
    is_proved: bool


def published_for(address: str, lookups: Lookups) -> Published | None:
    """The servers for an address; None where none are published that encrypt."""
    domain = domain_of(address)
    own = f"mail/config-v1.1.xml?emailaddress={quote(address)}"
    pages = (
        f"https://autoconfig.{domain}/{own}",
        f"https://{domain}/.well-known/autoconfig/{own}",
        f"{LIST}/{domain}",
    )
    found = [_in_page(page, address, domain) for page in _all_soon(lookups.page, pages, b"")]
    return (
        next(filter(None, found), None)
        or _by_services(address, domain, lookups)
        or _by_exchanger(address, domain, lookups)
    )


def _all_soon(look: Callable[[str], _T], names: Sequence[str], nothing: _T) -> list[_T]:
    """What is found under all of these, in their order; nothing where that takes too long."""
    return all_in_time(LONGEST, [partial(look, name) for name in names], nothing)


def _by_exchanger(address: str, domain: str, lookups: Lookups) -> Published | None:
    """The servers of the provider that takes the mail of this domain, among others."""
    (exchangers,) = _all_soon(lookups.exchangers, [domain], list[str]())
    first = next(iter(exchangers), "").rstrip(".").lower()
    labels = first.split(".")
    # One or two labels stand before the domain of a provider, or three (Microsoft); that of a
    # country has two itself.
    ends = (labels[1:], labels[2:], labels[-2:])
    providers = dict.fromkeys(".".join(end) for end in ends if len(end) > 1)
    others = [each for each in providers if each != domain]
    pages = _all_soon(lookups.page, [f"{LIST}/{each}" for each in others], b"")
    for provider, page in zip(others, pages, strict=True):
        found = _in_page(page, address, provider)
        if found:
            return Published(provider, found.smtp, found.imap, is_proved=False)
    return None


# --- a file


def _in_page(page: bytes, address: str, source: str) -> Published | None:
    """The servers that a file names; None without any, or where it is no such file."""
    if not page or _DECLARATION.search(page):
        return None
    try:
        root = ElementTree.fromstring(page)
    except (ElementTree.ParseError, ValueError, LookupError):
        return None
    smtp = _first(root.iterfind(".//outgoingServer[@type='smtp']"), "smtp", address)
    imap = _first(root.iterfind(".//incomingServer[@type='imap']"), "imap", address)
    return Published(source, smtp, imap, is_proved=True) if smtp or imap else None


def _first(elements: Iterator[ElementTree.Element], kind: str, address: str) -> Server | None:
    servers = (_server(each, kind, address) for each in islice(elements, MOST_SERVERS))
    return next(filter(None, servers), None)


def _server(element: ElementTree.Element, kind: str, address: str) -> Server | None:
    """A server of such a file; None for one that does not encrypt, or cannot be one."""
    said = {name: (element.findtext(name) or "").strip() for name in ("hostname", "port")}
    security = _SECURITIES.get((element.findtext("socketType") or "").strip().lower())
    user = _filled((element.findtext("username") or "").strip(), address) or address
    port = said["port"]
    if security is None or not (port.isascii() and port.isdecimal() and len(port) < 6):
        return None
    host = _filled(said["hostname"], address).lower()
    return _checked(Server(kind, host, int(port), security, user), address)


def _filled(text: str, address: str) -> str:
    local, _, domain = address.rpartition("@")
    parts = {"ADDRESS": address, "LOCALPART": local, "DOMAIN": domain}
    return _PLACEHOLDER.sub(lambda found: parts[found[1]], text)


def _checked(server: Server, address: str) -> Server | None:
    """The server, if the settings can hold it."""
    try:
        Account.given(address, *(server if server.kind == kind else "-" for kind in _SERVICES))
    except WrongUse:
        return None
    return server


# --- the domain name system


def _by_services(address: str, domain: str, lookups: Lookups) -> Published | None:
    names = [f"{name}.{domain}" for kind in _SERVICES.values() for name, _ in kind]
    found = dict(zip(names, _all_soon(lookups.services, names, list[Service]()), strict=True))
    smtp, imap = (_service(kind, address, domain, found) for kind in _SERVICES)
    if smtp is None and imap is None:
        return None
    # Somebody who forges an answer forges one for a server of their own, not for one of the domain
    # itself.
    is_proved = all(is_within(server.host, address) for server in (smtp, imap) if server)
    return Published(domain, smtp, imap, is_proved)


def _service(
    kind: str, address: str, domain: str, found: Mapping[str, list[Service]]
) -> Server | None:
    for name, security in _SERVICES[kind]:
        for each in sorted(found[f"{name}.{domain}"])[:MOST_SERVERS]:
            host = each.host.rstrip(".").lower()
            if host and 0 < each.port < 2**16:
                server = _checked(Server(kind, host, each.port, security, address), address)
                if server:
                    return server
    return None

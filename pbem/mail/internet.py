"""Looking things up on the internet, for a few seconds: pages, and the domain name system."""

from __future__ import annotations

from typing import Any

import dns.exception
import dns.resolver
import httpx2

from pbem.mail.published import Service

SECONDS = 4.0
"""How long to wait for one answer: somebody is sitting there."""
MOST_BYTES = 64 * 1024
MOST_REDIRECTS = 3


class Internet:
    """The `Lookups` of a player who is online, over that transport; who is not finds nothing."""

    def __init__(self, transport: httpx2.BaseTransport | None = None) -> None:
        self._transport = transport

    def page(self, url: str) -> bytes:
        """What is found there; nothing where it is longer than any such file, or not encrypted."""
        try:
            with httpx2.Client(timeout=SECONDS, transport=self._transport) as client:
                for _ in range(MOST_REDIRECTS + 1):
                    if not url.startswith("https://"):
                        return b""
                    with client.stream("GET", url) as answer:
                        if not answer.is_redirect:
                            return _body(answer) if answer.is_success else b""
                        url = str(answer.url.join(answer.headers["location"]))
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, KeyError):
            pass
        return b""

    def services(self, name: str) -> list[Service]:
        """The SRV records of a name."""
        return [Service(each.priority, str(each.target), each.port) for each in _asked(name, "SRV")]

    def exchangers(self, domain: str) -> list[str]:
        """The hosts in the MX records of a domain."""
        found = sorted(_asked(domain, "MX"), key=lambda each: each.preference)
        return [str(each.exchange) for each in found]


def _body(answer: httpx2.Response) -> bytes:
    data = b""
    for piece in answer.iter_bytes():
        data += piece
        if len(data) > MOST_BYTES:
            return b""
    return data


def _asked(name: str, kind: str) -> list[Any]:
    try:
        return list(dns.resolver.resolve(name, kind, lifetime=SECONDS))
    except (dns.exception.DNSException, OSError, ValueError):
        return []

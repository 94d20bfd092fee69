"""What can be found out about servers, for tests: pages, records of the domain name system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.mail.published import Service


@dataclass
class Told:
    """Lookups that find what stands here, and nothing else; `asked` is what was looked for."""

    pages: Mapping[str, bytes] = field(default_factory=dict)
    records: Mapping[str, list[Service]] = field(default_factory=dict)
    mail: Mapping[str, list[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def page(self, url: str) -> bytes:
        self.asked.append(url)
        return self.pages.get(url.partition("?")[0], b"")

    def services(self, name: str) -> list[Service]:
        self.asked.append(name)
        return self.records.get(name, [])

    def exchangers(self, domain: str) -> list[str]:
        return self.mail.get(domain, [])


def config_of(*servers: str) -> bytes:
    """A file in which a provider publishes these servers (autoconfig, version 1.1)."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<clientConfig version="1.1">\n'
        '<emailProvider id="example.org"><domain>example.org</domain>\n'
        f"{''.join(servers)}</emailProvider></clientConfig>\n"
    ).encode()


def server(
    way: str, kind: str, host: str, port: int, security: str, user: str = "%EMAILADDRESS%"
) -> str:
    """A server in such a file, which is `incoming` or `outgoing`."""
    return (
        f'<{way}Server type="{kind}"><hostname>{host}</hostname><port>{port}</port>'
        f"<socketType>{security}</socketType><username>{user}</username>"
        f"<authentication>password-cleartext</authentication></{way}Server>\n"
    )

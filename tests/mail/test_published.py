"""Servers that a provider publishes: found as mail programs find them, and no others."""

from __future__ import annotations

from time import monotonic, sleep

import httpx2
import pytest

from pbem.mail import published
from pbem.mail.account import Server
from pbem.mail.internet import MOST_BYTES, Internet
from pbem.mail.published import LIST, Published, Service, published_for
from tests.mail.published import Told, config_of, server
from tests.present import present

ADDRESS = "anna@example.org"
OWN = "https://autoconfig.example.org/mail/config-v1.1.xml"
WELL_KNOWN = "https://example.org/.well-known/autoconfig/mail/config-v1.1.xml"
IMAP = server("incoming", "imap", "imap.example.org", 993, "SSL")
SMTP = server("outgoing", "smtp", "smtp.example.org", 587, "STARTTLS", "%EMAILLOCALPART%")


def found(page: bytes) -> Published | None:
    return published_for(ADDRESS, Told({OWN: page}))


# --- files


@pytest.mark.parametrize("url", [OWN, WELL_KNOWN, f"{LIST}/example.org"])
def test_a_file_is_found_where_thunderbird_finds_it(url: str) -> None:
    pop = server("incoming", "pop3", "pop.example.org", 995, "SSL")
    servers = present(published_for(ADDRESS, Told({url: config_of(pop, IMAP, SMTP)})))
    assert servers.imap == Server("imap", "imap.example.org", 993, "tls", ADDRESS)
    assert servers.smtp == Server("smtp", "smtp.example.org", 587, "starttls", "anna")
    assert servers.is_proved


def test_the_providers_own_file_comes_before_the_list_of_others() -> None:
    other = config_of(server("incoming", "imap", "elsewhere.example.com", 993, "SSL"))
    told = Told({f"{LIST}/example.org": other, WELL_KNOWN: config_of(IMAP)})
    assert present(present(published_for(ADDRESS, told)).imap).host == "imap.example.org"


def test_nobody_but_the_provider_is_told_more_than_the_domain() -> None:
    told = Told()
    published_for(ADDRESS, told)
    knowing = [asked for asked in told.asked if "anna" in asked]
    assert all(asked.startswith((OWN, WELL_KNOWN)) for asked in knowing)


def test_a_server_is_named_for_each_domain_of_a_provider() -> None:
    imap = server("incoming", "imap", "imap.%EMAILDOMAIN%", 993, "SSL")
    assert present(present(found(config_of(imap))).imap).host == "imap.example.org"


def test_the_first_server_that_encrypts_is_taken() -> None:
    plain = server("incoming", "imap", "plain.example.org", 143, "plain")
    assert present(present(found(config_of(plain, IMAP))).imap).host == "imap.example.org"
    assert found(config_of(plain)) is None


BOMB = b"""<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"""


@pytest.mark.parametrize(
    "page",
    [
        b"<html><body>Not found</body></html>",
        b"\xff\xfe\x00",
        b"<clientConfig>",
        BOMB + config_of(IMAP),
        config_of(server("incoming", "imap", "imap.example.org", 0, "SSL")),
        config_of(server("incoming", "imap", "imap.example.org", 99999, "SSL")),
        config_of(server("incoming", "imap", "an example", 993, "SSL")),
        config_of(server("incoming", "imap", "", 993, "SSL")),
        config_of(server("incoming", "imap", "imap.example.org", 993, "SSL", "a&#10;b")),
    ],
)
def test_what_is_no_such_file_names_no_server(page: bytes) -> None:
    assert found(page) is None


def test_whoever_answers_slowly_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Told):
        def page(self, url: str) -> bytes:
            sleep(5)
            return b""

        def services(self, name: str) -> list[Service]:
            sleep(5)
            return []

        def exchangers(self, domain: str) -> list[str]:
            sleep(5)
            return []

    monkeypatch.setattr(published, "LONGEST", 0.1)
    began = monotonic()
    assert published_for(ADDRESS, Slow()) is None
    assert monotonic() - began < 2


def test_names_are_looked_up_together() -> None:
    class Slow(Told):
        def services(self, name: str) -> list[Service]:
            sleep(0.5)
            return []

    began = monotonic()
    assert published_for(ADDRESS, Slow()) is None
    assert monotonic() - began < 1.5


# --- the domain name system


def test_servers_are_found_by_their_services() -> None:
    """RFC 6186, 3.4 and RFC 8314, 5.1: the lowest number first, and `.` for none."""
    records = {
        "_imaps._tcp.example.org": [
            Service(20, "second.example.org.", 993),
            Service(10, "imap.example.org.", 994),
        ],
        "_submissions._tcp.example.org": [Service(0, ".", 0)],
        "_submission._tcp.example.org": [Service(0, "smtp.example.org.", 587)],
    }
    servers = present(published_for(ADDRESS, Told(records=records)))
    assert servers.imap == Server("imap", "imap.example.org", 994, "tls", ADDRESS)
    assert servers.smtp == Server("smtp", "smtp.example.org", 587, "starttls", ADDRESS)
    assert servers.is_proved


@pytest.mark.parametrize("host", ["imap.example.com.", "example.org.evil.example", "myexample.org"])
def test_a_service_elsewhere_may_be_forged(host: str) -> None:
    told = Told(records={"_imaps._tcp.example.org": [Service(0, host, 993)]})
    assert not present(published_for(ADDRESS, told)).is_proved


@pytest.mark.parametrize(
    ("exchanger", "source"),
    [
        ("mx1.example.com.", "example.com"),
        ("mx.a.example.com.", "example.com"),
        ("mx.example.co.uk.", "example.co.uk"),
        ("example-org.mail.protection.outlook.com.", "outlook.com"),
    ],
)
def test_the_provider_of_a_domain_is_known_by_who_takes_its_mail(
    exchanger: str, source: str
) -> None:
    told = Told({f"{LIST}/{source}": config_of(IMAP)}, mail={"example.org": [exchanger]})
    servers = present(published_for(ADDRESS, told))
    assert (servers.source, servers.is_proved) == (source, False)


# --- how it is asked for


def internet(**pages: httpx2.Response) -> Internet:
    """An internet of these pages, by the hosts they are at."""
    return Internet(httpx2.MockTransport(lambda ask: pages.get(ask.url.host, httpx2.Response(404))))


def test_a_page_is_read_wherever_it_has_moved_as_long_as_it_is_encrypted() -> None:
    there = httpx2.Response(200, content=b"<clientConfig/>")
    moved = httpx2.Response(301, headers={"location": "https://b/x"})
    in_clear = httpx2.Response(301, headers={"location": "http://b/x"})
    in_circles = httpx2.Response(301, headers={"location": "https://a/"})
    assert internet(a=moved, b=there).page("https://a/") == b"<clientConfig/>"
    for first in (in_clear, in_circles):
        assert internet(a=first, b=there).page("https://a/") == b""
    assert internet(b=there).page("http://b/") == b""


def test_a_page_that_is_too_long_or_none_is_nothing() -> None:
    long = httpx2.Response(200, content=b"x" * (MOST_BYTES + 1))
    assert internet(a=long).page("https://a/") == b""
    assert internet().page("https://a/") == b""
    assert internet().page("https://[/") == b""

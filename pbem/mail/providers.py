"""Mail providers whose servers are known by the domain of an address."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from engine.message import Message, Said
from pbem.mail.address import domain_of
from pbem.mail.login import TOKEN_VARIABLE


class Provider(NamedTuple):
    """A provider: its servers, as `host:port`, and what lets a program in.

    `login` is "password", or "app password" or "token" where that is not taken; `opened` says that
    programs are let in only after the player has allowed that, and `keeps_copies` that what is sent
    lies in the mailbox by itself. `others` are hosts of servers beside these two.
    """

    name: str
    domains: tuple[str, ...]
    smtp: str
    imap: str
    login: str
    opened: bool = False
    keeps_copies: bool = False
    others: tuple[str, ...] = ()

    @property
    def hosts(self) -> set[str]:
        """Where its servers are."""
        return {server.partition(":")[0] for server in (self.smtp, self.imap)} | {*self.others}

    def notes(self, draft: str) -> Iterator[Said]:
        """Yield the sentences that a player has to know of it.

        `draft` is the command that does without an account.
        """
        yield Message("The servers of {provider} are known.", provider=self.name)
        if self.login == "app password":
            yield Message(
                "{provider} wants an app password, made for programs, which you get in the "
                "settings of your account.",
                provider=self.name,
            )
        if self.login == "token":
            yield Message(
                "{provider} accepts no password from programs. You can do without: {command} FILE "
                "writes a message for your mail program. Or another program provides a token, in "
                "{variable}.",
                provider=self.name,
                variable=TOKEN_VARIABLE,
                command=draft,
            )
        if self.opened:
            yield Message(
                "{provider} lets programs in only after you have allowed IMAP in the settings of "
                "your account.",
                provider=self.name,
            )


def provider_of(address: str) -> Provider | None:
    """The provider of an address; None where it is not known here.

    >>> provider_of("zoe@gmail.com").imap
    'imap.gmail.com:993'
    """
    domain = domain_of(address)
    return next((each for each in _all() if domain in each.domains), None)


def keeps_copies(host: str) -> bool:
    """Return True if a server puts what is sent by it into the mailbox by itself.

    >>> keeps_copies("smtp.gmail.com"), keeps_copies("smtp.example.org")
    (True, False)
    """
    return any(host.lower() in each.hosts for each in _all() if each.keeps_copies)


def is_of_one_provider(hosts: Iterable[str]) -> bool:
    """Return True if all of these hosts are known to be one provider's.

    >>> is_of_one_provider(["smtp.gmail.com", "imap.gmail.com"])
    True
    """
    given = {host.lower() for host in hosts}
    return bool(given) and any(given <= each.hosts for each in _all())


@cache
def _all() -> list[Provider]:
    text = files("pbem.mail").joinpath("providers.toml").read_text("utf-8")
    rows = tomllib.loads(text)["provider"]
    for row in rows:
        row["domains"], row["others"] = tuple(row["domains"]), tuple(row.get("others", ()))
    return [Provider(**row) for row in rows]

"""Mail providers whose servers are known by the domain of an address."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from engine.message import Message, Said
from pbem.mail.password import TOKEN_VARIABLE

TOKEN = "token"
"""The login of a provider that takes no password from programs."""


class Provider(NamedTuple):
    """A provider: its servers, as `host:port`, and what lets a program in.

    `login` is "password", "app password" or "token"; `opened` is true if the player has to allow
    programs first, and `keeps_copies` if what is sent lies in the mailbox by itself. `others` are
    hosts of servers beside these two.
    """

    name: str
    domains: Sequence[str]
    smtp: str
    imap: str
    login: str
    opened: bool = False
    keeps_copies: bool = False
    others: Sequence[str] = ()

    def notes(self, draft: str) -> Iterator[Said]:
        """Yield the sentences that a player has to know of it; `draft` does without an account."""
        yield Message("The servers of {provider} are known.", provider=self.name)
        if self.login == "app password":
            yield Message(
                "{provider} wants an app password, made for programs, which you get in the "
                "settings of your account.",
                provider=self.name,
            )
        if self.login == TOKEN:
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
    """Return the provider of an address; None if it is not known here.

    >>> provider_of("zoe@gmail.com").imap
    'imap.gmail.com:993'
    """
    domain = address.rpartition("@")[2].lower()
    return next((each for each in _all() if domain in each.domains), None)


def keeps_copies(host: str) -> bool:
    """Return True if a server puts what is sent by it into the mailbox by itself.

    >>> keeps_copies("smtp.gmail.com"), keeps_copies("smtp.example.org")
    (True, False)
    """
    return any(
        host.lower() in (each.smtp.partition(":")[0], *each.others)
        for each in _all()
        if each.keeps_copies
    )


@cache
def _all() -> list[Provider]:
    text = files("pbem.mail").joinpath("providers.toml").read_text("utf-8")
    return [Provider(**row) for row in tomllib.loads(text)["provider"]]

"""Mail providers whose servers are known by the domain of an address."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple

APP_PASSWORD, TOKEN = "app password", "token"
"""What providers ask for, who do not take the usual password."""


class Provider(NamedTuple):
    """A provider: its servers, as `host:port`, and what lets a program in.

    `login` is "password", or one of those above; `opened` says that programs are let in only after
    the player has allowed that.
    """

    name: str
    domains: tuple[str, ...]
    smtp: str
    imap: str
    login: str
    opened: bool = False


def provider_of(address: str) -> Provider | None:
    """The provider of an address; None where it is not known here.

    >>> provider_of("zoe@gmail.com").imap
    'imap.gmail.com:993'
    """
    domain = address.rpartition("@")[2].lower()
    return next((each for each in _all() if domain in each.domains), None)


def _all() -> list[Provider]:
    text = files("pbem.mail").joinpath("providers.toml").read_text("utf-8")
    rows = tomllib.loads(text)["provider"]
    return [Provider(**row | {"domains": tuple(row["domains"])}) for row in rows]

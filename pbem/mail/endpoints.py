"""Where players sign in with a provider that accepts no passwords from programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Endpoints:
    """Where a provider lets players sign in; without `device` by a page that leads back here.

    `scope` is what the program may do there, and `asked` what else the provider wants to be told.
    """

    authorize: str
    token: str
    scope: str
    device: str = ""
    asked: Mapping[str, str] = field(default_factory=dict)

"""What a player wants of a new game with the robot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.cli.game_options import SideChoice


class Wishes(NamedTuple):
    """What a player wants of a new game with the robot; None for what is as usual."""

    side: SideChoice | None = None
    edition: str | None = None
    house_rules: Sequence[str] = ()
    strength: int | None = None
    start_card: str | None = None

    @property
    def are_any(self) -> bool:
        """Whether anything is wanted."""
        return self != Wishes()

"""Numbers as players give them with an option."""

from __future__ import annotations

from collections.abc import Callable

from pbem.errors import WrongUse


def number_for(option: str) -> Callable[[str], int]:
    """A reader of whole numbers; raises WrongUse, which names the option, for anything else."""

    def read(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise WrongUse(f"{option} takes a whole number, not “{text}”.") from None

    return read

"""The option that says how strong a robot plays."""

from __future__ import annotations

from typing import Any

from engine.players import STRENGTHS
from pbem.cli import completion
from pbem.cli.numbers import number_option


def strength_option(help: str) -> Any:
    """`--strength N`, for the strengths that there are."""
    return number_option(
        "--strength", help, most=max(STRENGTHS), autocompletion=completion.strengths
    )

"""Templates filled in a player's language, and the parts of a page whose content changes by scene.

All that comes from outside is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem.text.facts.position_facts import Scene, SiegeFacts
from pbem.text.language import Language
from pbem.text.phrases import with_sign

# --- templates


_FOLDER = Path(__file__).parent


class Templates:
    """The templates of the board, in which `say` says a message in a language.

    Those in the folder `also` stand before them.
    """

    def __init__(self, language: Language, also: Path | None = None) -> None:
        self.language = language
        self._environment = _environment(also)

    def fill(self, template: str, /, **facts: object) -> Markup:
        """A template of `templates/` about these facts, as markup."""
        # Said each time, and no part of the environment: each template is compiled once for all.
        found = self._environment.get_template(template)
        return Markup(found.render(facts, say=self.language.say))


def asset(name: str) -> str:
    """The text of a file of `assets/`, as it stands."""
    return _FOLDER.joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _environment(also: Path | None) -> Environment:
    environment = Environment(
        loader=FileSystemLoader([*filter(None, [also]), _FOLDER / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Filled by thousands: nobody looks each time whether the file has changed.
        auto_reload=False,
    )
    # A minus is as wide as a plus, which a hyphen is not.
    environment.filters["signed"] = lambda number: with_sign(number).replace("-", "−")
    return environment


# --- parts of a page


Parts: TypeAlias = Mapping[str, Markup]
"""The content of each element, by its id. Attributes that change belong to an element within."""
_EMPTY = re.compile(r'(<(\w+)\b[^<>]*? id="([^"<>]+)"[^<>]*>)(</\2>)')


class Maker(Protocol):
    """Draws or tells one thing of a scene, in one language and for one game."""

    def frame(self) -> Markup:
        """Return what all scenes share, with an empty element, by its id, for each part."""

    def parts(self, scene: Scene) -> Parts:
        """Return the content of these elements in a scene; the same ids for every scene."""


def filled(frame: Markup, parts: Parts) -> Markup:
    """A frame with what stands in its elements; raises LookupError for a part without a place."""
    left = dict(parts)

    def fill(element: re.Match[str]) -> str:
        return element[1] + str(left.pop(element[3], "")) + element[4]

    # Every quote and bracket of a text is escaped, so that no text passes for an element.
    whole = _EMPTY.sub(fill, str(frame))
    if left:
        raise LookupError(f"no place in the frame for {', '.join(left)}")
    return Markup(whole)


# --- the track of a siege


class TrackStep(NamedTuple):
    """A step of the track of a siege: the strength `shown` there, the side that wins there, if any.

    With whether the marker stands on it, and whether it stood there before the turn and has left.
    """

    shown: int
    winner: str | None
    is_here: bool
    was_here: bool


def track(siege: SiegeFacts, before: int | None = None, behind: int = 0) -> list[TrackStep]:
    """The steps of a siege from where its defender wins to where its besieger does.

    There are that many more `behind` both, and the last on either hand stands for all behind it.
    `before` is where the marker was; None for where it is.
    """
    lost, won, marker = siege.defender_wins_at, siege.besieger_wins_at, siege.marker
    first, last = lost - behind, won + behind
    here, was = (min(max(at, first), last) for at in (marker, marker if before is None else before))
    return [
        TrackStep(
            shown=marker if strength == here else strength,
            winner=_winner(siege, strength),
            is_here=strength == here,
            was_here=strength == was != here,
        )
        for strength in range(first, last + 1)
    ]


def _winner(siege: SiegeFacts, strength: int) -> str | None:
    """The side that wins with the marker there."""
    if strength <= siege.defender_wins_at:
        return siege.defender
    return siege.besieger if strength >= siege.besieger_wins_at else None

"""The parts of a page: elements whose content changes from scene to scene."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol, TypeAlias

from markupsafe import Markup

from pbem.text.facts.position_facts import Scene

Parts: TypeAlias = Mapping[str, Markup]
"""What stands in each element, by its id. Attributes that change belong to an element within."""
_EMPTY = re.compile(r'(<(\w+)\b[^<>]*? id="([^"<>]+)"[^<>]*>)(</\2>)')


class Maker(Protocol):
    """Draws or tells one thing of a scene, in one language and for one game."""

    def frame(self) -> Markup:
        """What stays the same in all scenes, with an empty element, by its id, for each part."""

    def parts(self, scene: Scene) -> Parts:
        """What stands in these elements in a scene; the same ids for every scene."""


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

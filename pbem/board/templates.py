"""Templates rendered in a player's language, and the parts of a page that change by scene.

All texts are escaped.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from engine.message import with_colon, with_label
from pbem.text.facts.position_facts import Scene, SiegeFacts
from pbem.text.language import Language
from pbem.text.phrases import with_sign

# --- templates


_FOLDER = Path(__file__).parent


class Templates:
    """The templates of the board; in them `say` translates a message into the language.

    Templates in the folder `extra_folder` take precedence. The addresses of pages in them begin
    with `root`.
    """

    def __init__(
        self, language: Language, extra_folder: Path | None = None, *, root: str = ""
    ) -> None:
        self.language = language
        self._root = root
        self._extra_folder = extra_folder

    def render(self, template: str, /, **facts: object) -> Markup:
        """Return a template of `templates/` rendered with the values `facts`."""
        # Without `say` in the environment each template is compiled once for all languages.
        compiled = _environment(self._extra_folder).get_template(template)
        return Markup(compiled.render(facts, say=self.language.say, root=self._root))


def compile_templates(extra_folder: Path | None = None) -> None:
    """Compile all templates, which otherwise happens when each is first rendered."""
    environment = _environment(extra_folder)
    for name in environment.list_templates():
        environment.get_template(name)


def read_asset(name: str) -> str:
    """Return the text of a file of `assets/`."""
    return _FOLDER.joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _environment(extra_folder: Path | None) -> Environment:
    environment = Environment(
        loader=FileSystemLoader([*filter(None, [extra_folder]), _FOLDER / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Templates are rendered thousands of times, so do not check their files each time.
        auto_reload=False,
    )
    # A minus sign is as wide as a plus, unlike a hyphen.
    environment.filters["signed"] = lambda number: with_sign(number).replace("-", "−")
    environment.globals.update(with_label=with_label, with_colon=with_colon)
    return environment


# --- parts of a page


Parts: TypeAlias = Mapping[str, Markup]
"""The content of each element by its id; attributes that change are those of inner elements."""
_EMPTY = re.compile(r'(<(\w+)\b[^<>]*? id="([^"<>]+)"[^<>]*>)(</\2>)')


class SceneView(Protocol):
    """One view of the scenes of a game, such as the drawing or the graph, in one language."""

    def render_frame(self) -> Markup:
        """Return the markup that all scenes share, with an empty element for each part."""

    def render_parts(self, scene: Scene) -> Parts:
        """Return the content of the changing elements by id. All scenes have the same ids."""


def fill_frame(frame: Markup, parts: Parts) -> Markup:
    """Return a frame with parts in its empty elements. Raises LookupError for a part without one.

    >>> str(fill_frame(Markup('<p id="a"></p>'), {"a": Markup("Hi")}))
    '<p id="a">Hi</p>'
    """
    remaining = dict(parts)

    def fill(element: re.Match[str]) -> str:
        return element[1] + str(remaining.pop(element[3], "")) + element[4]

    # Quotes and brackets in texts are escaped, so that no text can pass for an element.
    whole = _EMPTY.sub(fill, str(frame))
    if remaining:
        raise LookupError(f"no place in the frame for {', '.join(remaining)}")
    return Markup(whole)


# --- all scenes of a page


def pack_scenes(parts_by_scene: Sequence[Parts], later: Sequence[str] = ()) -> str:
    """Return the parts of all scenes as JSON, compressed with zlib and encoded in base64.

    In the JSON, `lines` are all distinct lines, `texts` lists of line numbers, and `ids` the ids of
    the elements. The first of `scenes` has a text number for each element; every other has pairs of
    an index into `ids` and a text number, for the elements that differ from the scene before.
    `later` are the ids of parts that are not yet on the page.
    """
    lines, texts = dict[str, int](), dict[str, int]()
    ids = list(parts_by_scene[0])
    scenes: list[list[int]] = []
    before: list[int] = []
    for parts in parts_by_scene:
        scene = [texts.setdefault(str(parts[id]), len(texts)) for id in ids]
        scenes.append([n for pair in _differing(before, scene) for n in pair] if before else scene)
        before = scene
    data = {
        "texts": [
            [lines.setdefault(line, len(lines)) for line in text.split("\n")] for text in texts
        ],
        "lines": list(lines),
        "ids": ids,
        "later": later,
        "scenes": scenes,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def _differing(before: Sequence[int], scene: Sequence[int]) -> Iterable[tuple[int, int]]:
    for index, (old, new) in enumerate(zip(before, scene, strict=True)):
        if old != new:
            yield index, new


# --- the track of a siege


class TrackStep(NamedTuple):
    """A step of the track of a siege: its number, and the side that wins there, if any.

    `is_here` is True for the step of the marker, `was_here` for the different step of the marker
    before the turn.
    """

    number: int
    winner: str | None
    is_here: bool
    was_here: bool


def siege_track(siege: SiegeFacts, before: int | None = None, margin: int = 0) -> list[TrackStep]:
    """Return the steps of a siege, from the defender's victory to the besieger's.

    Both ends have `margin` additional steps; the last one represents all further steps. `before`
    is the position of the marker before the turn, or None if it has not moved.
    """
    low, high, marker = siege.defender_wins_at, siege.besieger_wins_at, siege.marker
    first, last = low - margin, high + margin
    new, old = (min(max(at, first), last) for at in (marker, marker if before is None else before))
    return [
        TrackStep(
            number=marker if strength == new else strength,
            winner=_winner(siege, strength),
            is_here=strength == new,
            was_here=strength == old != new,
        )
        for strength in range(first, last + 1)
    ]


def _winner(siege: SiegeFacts, strength: int) -> str | None:
    """Return the side that wins with the marker at this strength, or None."""
    if strength <= siege.defender_wins_at:
        return siege.defender
    return siege.besieger if strength >= siege.besieger_wins_at else None

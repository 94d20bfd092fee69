"""Pages of games, taken apart as a browser does, but for the scripts."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from dataclasses import dataclass, field
from functools import cache, cached_property
from html.parser import HTMLParser
from typing import Any

from engine.sides import Side
from pbem.board.page import Checked, page
from pbem.play.audit import audit
from pbem.play.look import Spectator
from pbem.play.seat import Seat
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.scenes import Scene, scenes
from pbem.text.language import Language
from tests.play.playing import identities

MADE = "2026-11-22T12:00:00Z"
_VOID = {"meta", "input", "br", "hr", "link", "img"}


# The same page is looked at by many tests.
@cache
def page_of(
    match: Match,
    who: Seat | Spectator = Spectator.FOR_ALL,
    *,
    code: str = "en",
    turn: int | None = None,
) -> str:
    """The page of a match, as somebody may see it."""
    chronicle, its_scenes = _seen(match, who)
    at = chronicle.last if turn is None else turn
    return page(chronicle, its_scenes, Language(code), _checked(match), at)


# The same game is shown in several languages, and to several people.
@cache
def _checked(match: Match) -> Checked:
    return Checked(audit(SaveFile(tuple(match.records)).write()), MADE)


@cache
def _seen(match: Match, who: Seat | Spectator) -> tuple[Chronicle, list[Scene]]:
    chronicle = Chronicle(match, who)
    return chronicle, scenes(chronicle)


def seats(match: Match, seed: int) -> dict[Side, Seat]:
    """Both seats of a match between the players of that seed."""
    return {seat.side: seat for who in identities(seed) for seat in [Seat(match, who)]}


@dataclass
class Element:
    """An element of a page: its attributes, and what is written in it and in what it holds."""

    tag: str
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


class Page(HTMLParser):
    """A page: all its elements, in their order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.all: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.all.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.texts.append(data)

    def tagged(self, *tags: str) -> list[Element]:
        return [each for each in self.all if each.tag in tags]

    def by_id(self, id: str) -> Element:
        (found,) = [each for each in self.all if each.attributes.get("id") == id]
        return found

    @cached_property
    def game(self) -> dict[str, Any]:
        data = zlib.decompress(b64decode(self.by_id("game").text, validate=True))
        found: dict[str, Any] = json.loads(data)
        return found

    @cached_property
    def scenes(self) -> list[dict[str, str]]:
        """What stands in each part after each turn, as the script of the page finds it out."""
        game, scenes = self.game, list[list[int]]()
        for scene in game["scenes"]:
            now = [*scenes[-1]] if scenes else scene
            if scenes:
                for place, text in zip(scene[::2], scene[1::2], strict=True):
                    now[place] = text
            scenes.append(now)
        texts = ["\n".join(game["lines"][line] for line in text) for text in game["texts"]]
        return [dict(zip(game["ids"], map(texts.__getitem__, s), strict=True)) for s in scenes]

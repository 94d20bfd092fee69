"""Pages of games, parsed as in a browser without scripts."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from functools import cache, cached_property
from typing import Any

from engine.sides import Side
from pbem.board.page import DatedAudit, render_page
from pbem.play.audit import audit
from pbem.play.look import Look, Secrets, Spectator
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, scenes
from pbem.text.language import Language
from tests.board.markup import Element, read
from tests.play.matches import identities
from tests.seats import Seat

AUDIT_TIME = "2026-11-22T12:00:00Z"


# Many tests read the same page.
@cache
def page_of(
    match: Match,
    who: Seat | Spectator = Spectator.FOR_ALL,
    *,
    code: str = "en",
    turn: int | None = None,
) -> str:
    """Return the page of a match for one of its players, or its public page."""
    chronicle, its_scenes = _scenes_of(match, who)
    at = chronicle.last if turn is None else turn
    return render_page(chronicle, its_scenes, Language(code), _audit_of(match), at)


# The same game is shown in several languages, and to several viewers.
@cache
def _audit_of(match: Match) -> DatedAudit:
    return DatedAudit(audit(SaveFile(tuple(match.records)).write()), AUDIT_TIME)


@cache
def _scenes_of(match: Match, who: Secrets | Spectator) -> tuple[Chronicle, list[Scene]]:
    chronicle = Chronicle(Look(match, who))
    return chronicle, scenes(chronicle)


def seats(match: Match, seed: int) -> dict[Side, Seat]:
    """Both seats of a match between the players of that seed."""
    return {seat.side: seat for who in identities(seed) for seat in [Seat(match, who)]}


class Page:
    """A page: all its elements, in their order."""

    def __init__(self, html: str) -> None:
        self.html = html
        self._root = read(html)
        self.all = [*self._root]

    def tagged(self, *tags: str) -> list[Element]:
        return [node for node in self.all if node.tag in tags]

    def by_id(self, id: str) -> Element:
        return self._root.find_one(id=id)

    @cached_property
    def game(self) -> dict[str, Any]:
        data = zlib.decompress(b64decode(self.by_id("game").text, validate=True))
        game: dict[str, Any] = json.loads(data)
        return game

    @cached_property
    def scenes(self) -> list[dict[str, str]]:
        """The content of each part after each turn, as the script of the page unpacks it."""
        game, scenes = self.game, list[list[int]]()
        for scene in game["scenes"]:
            now = [*scenes[-1]] if scenes else scene
            if scenes:
                for place, text in zip(scene[::2], scene[1::2], strict=True):
                    now[place] = text
            scenes.append(now)
        texts = ["\n".join(game["lines"][line] for line in text) for text in game["texts"]]
        return [dict(zip(game["ids"], map(texts.__getitem__, s), strict=True)) for s in scenes]

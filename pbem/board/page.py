"""A whole game as one page that needs nothing else: opened from disk, mailed, put on the web."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Message
from pbem import VERSION
from pbem.board.drawing import Drawing
from pbem.board.graph import LABELS, WITH_CHANCES, Graph, deciding
from pbem.board.kept import kept
from pbem.board.lettering import face_css
from pbem.board.tabletop import Tabletop
from pbem.board.templates import Maker, Parts, Templates, asset, filled
from pbem.play.analysis import Analysis
from pbem.play.audit import AuditReport
from pbem.text.board import position_text
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene
from pbem.text.history.log import Log
from pbem.text.language import Language, Line, Tone
from pbem.text.phrases import instant, names
from pbem.text.piles import open_hands_text
from pbem.text.proof.verdict import audit_text

_STYLES = ("colours.css", "board.css", "page.css", "table.css", "cards.css")
_SCRIPTS = ("cards.js", "parts.js", "scenes.js", "time.js", "theme.js", "faces.js", "page.js")
"""Modules, each behind those from which it imports."""
_IMPORT, _EXPORT = re.compile(r"^import .*;\n", re.M), re.compile(r"^export ", re.M)
_LATER = ("faces-of-cards", "words-on-cards", "graph-table", "turns")
"""Parts that are long and never change: a script puts them in place, out of what is compressed."""


class Checked(NamedTuple):
    """The audit of the file that a page is made from, and when that was made."""

    report: AuditReport
    time: str


def page(
    chronicle: Chronicle,
    played: Sequence[Scene],
    language: Language,
    checked: Checked,
    at: int,
    analysis: Analysis | None = None,
) -> str:
    """The page of a game of which these are the scenes, as the chronicle's viewer may see it.

    It opens at the scene of that number, and has what an `analysis` found, where one was made.
    """
    templates = Templates(language)
    catalogue = chronicle.match.state.ruleset.catalogue
    log = Log(chronicle)
    narrator = Narrator(templates, log, played)
    table = Tabletop(templates, catalogue, chronicle.viewer)
    makers: dict[str, Maker] = {
        "drawing": Drawing(templates, catalogue),
        "table": table,
        "graph": Graph(templates, played, analysis.chances if analysis else ()),
        "words": narrator,
    }
    shown = [{what: maker.parts(scene) for what, maker in makers.items()} for scene in played]
    together = [{id: text for part in each.values() for id, text in part.items()} for each in shown]
    at_first = together[at] | dict.fromkeys(_LATER, Markup())
    at_first["faces-of-cards"] = table.faces_in(at_first)
    at_first["words-on-cards"] = table.card_names
    style, script = face_css(language) + _joined(_STYLES), _as_one(_SCRIPTS)
    return templates.fill(
        "page.html",
        lang=language.code,
        labels=WITH_CHANCES if analysis else LABELS,
        title=log.title,
        players=log.players,
        warning=log.warning,
        frames={what: _static(maker, shown[at][what], at_first) for what, maker in makers.items()},
        turn=narrator.turn(played[at]),
        heading=narrator.heading(played[at]),
        deciding=deciding(templates, chronicle, analysis) if analysis else "",
        proved=proved(templates, checked.report, checked.time),
        at=at,
        last=len(played) - 1,
        data=kept(together, _LATER),
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'",
    )


def _static(maker: Maker, parts: Iterable[str], at_first: Parts) -> Markup:
    """A frame with what stands in its parts before any script has run."""
    return filled(maker.frame(), {id: at_first[id] for id in parts if at_first[id]})


def _joined(names: Sequence[str]) -> str:
    return "\n".join(asset(name) for name in names)


def _as_one(modules: Sequence[str]) -> str:
    """Modules as one script: a page that is opened from disk can load none."""
    joined = '"use strict";\n' + _joined(modules)
    return _EXPORT.sub("", _IMPORT.sub("", joined))


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def proved(templates: Templates, report: AuditReport, made: str) -> Markup:
    """Return what an audit found when the page was `made`."""
    match = report.match
    return templates.fill(
        "proved.html",
        lines=[line for line in audit_text(report, made) if line.text],
        when=Message(
            "Checked by acres {version} on {time}, when this page was made.",
            version=VERSION,
            time=instant(made),
        ),
        how=Message(
            "The page itself proves nothing: anyone who has the file of the game can check it with"
        ),
        command="acres audit FILE",
        same=Message(
            "It must name the same game, keys and number of records; the full id of the game is"
        ),
        id=match.id.hex(),
    )


# --- what is told of a game in sentences


class Narrator:
    """The sentences of a game, as HTML; there is room for the position of any scene of `played`."""

    def __init__(self, templates: Templates, log: Log, played: Sequence[Scene]) -> None:
        self._templates = templates
        self._lines: dict[tuple[str, Tone, bool], Markup] = {}
        self._sections = list(log.sections())
        self._blocks = {scene.number: list(self._in_words(scene)) for scene in played}
        sizes = zip_longest(*(map(len, each) for each in self._blocks.values()), fillvalue=0)
        self._room = [max(size) for size in sizes]
        self._turns = templates.fill("turns.html", sections=self._sections)

    def frame(self) -> Markup:
        """A line for each of the position in words; all turns stand elsewhere on a page."""
        return self._templates.fill("in_words.html", room=self._room)

    def parts(self, scene: Scene) -> Parts:
        """The position in words, as the terminal's plain mode has it, line by line; all turns."""
        told = {"turns": self._turns}
        blocks = self._blocks[scene.number]
        for block, room in enumerate(self._room):
            lines = blocks[block] if block < len(blocks) else []
            for place in range(room):
                line = lines[place] if place < len(lines) else Line()
                told[f"line-{block}-{place}"] = self._line(line)
        return told

    def turn(self, scene: Scene) -> Markup:
        """Return what was done in the turn that led to a scene."""
        return self._templates.fill("turn.html", section=self._sections[scene.number])

    def heading(self, scene: Scene) -> str:
        """The heading of that turn."""
        return self._templates.language.say(self._sections[scene.number].heading)

    def _line(self, line: Line) -> Markup:
        if not line.text:
            return Markup()
        # Most of what is told after a turn was so before it.
        said = self._templates.language.say(line.text), line.tone, bool(line.indent)
        if said not in self._lines:
            self._lines[said] = self._templates.fill("line.html", line=line)
        return self._lines[said]

    def _in_words(self, scene: Scene) -> Iterator[list[Line]]:
        """Yield what is told of the position, without the lines between."""
        language, name = self._templates.language, names(scene.state)
        told = position_text(language, scene.state, scene.facts, name)
        yield from _blocks(told)
        yield from _blocks(open_hands_text(language, scene.facts, name))


def _blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines that belong together: a new heading and an empty line begin what does not."""
    block: list[Line] = []
    for line in lines:
        if block and (line.tone is Tone.HEAD or not line.text):
            yield block
            block = []
        if line.text:
            block.append(line)
    if block:
        yield block

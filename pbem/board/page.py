"""A whole game as one page that needs nothing else: opened from disk, mailed, put on the web."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from pbem.board.deciding import deciding
from pbem.board.drawing import Drawing
from pbem.board.faces import face_css
from pbem.board.graph import Graph
from pbem.board.kept import kept
from pbem.board.labels import LABELS, WITH_CHANCES
from pbem.board.maker import Maker, Parts, filled
from pbem.board.narrator import Narrator
from pbem.board.proof import proved
from pbem.board.tabletop import Tabletop
from pbem.board.templates import Templates, asset
from pbem.play.analysis import Analysis
from pbem.play.audit import AuditReport
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.scenes import Scene
from pbem.text.history.log import Log
from pbem.text.language import Language

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

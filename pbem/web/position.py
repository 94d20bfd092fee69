"""The position of a game as its player sees it, after every order; and its turns before now.

Those are drawn and judged beside the service, from what nobody else has: a match finds out some of
what it knows only when it is asked, and two threads never ask the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Message
from pbem.board.drawing import Drawing
from pbem.board.graph import WITH_CHANCES, Graph, deciding
from pbem.board.kept import kept
from pbem.board.tabletop import Tabletop
from pbem.board.templates import Parts, Templates, filled
from pbem.play.analysis import Analysis, hands_known
from pbem.play.game_file import GameFile
from pbem.play.look import Look, Secrets, Spectator
from pbem.play.turn import look_now
from pbem.protocol.cache import ALL_VERIFIED, GameCache
from pbem.text.board import position_text
from pbem.text.facts.chronicle import Chronicle, last_deeds
from pbem.text.facts.position_facts import Scene, scene_now, scenes
from pbem.text.history.log import Log
from pbem.text.history.report import Section, nothing_yet, report
from pbem.text.phrases import names
from pbem.text.piles import open_hands_text
from pbem.web.host import Host

_WORDS, _LINES = "position-in-words", "turn-lines"
_ONCE = ("faces-of-cards", "words-on-cards")
"""Parts that never change."""
NOW = Message("What happened last")
"""The heading of what was done last, behind the turns of a game."""


class PositionView:
    """The board, table and words of one game, for a player or a spectator."""

    def __init__(self, templates: Templates, look: Look) -> None:
        catalogue = look.match.state.ruleset.catalogue
        self._templates = templates
        plays = look.viewer is not None
        self._drawing = Drawing(templates, catalogue, plays=plays)
        self._table = Tabletop(templates, catalogue, look.viewer, plays=plays)
        self._hand = self._table.own_hand() if plays else Markup()

    @cached_property
    def _frames(self) -> tuple[Markup, Markup]:
        """The frames of the board and of the table, which never change."""
        return self._drawing.frame(), self._table.frame()

    def page(self, look: Look) -> tuple[dict[str, Markup], dict[str, Markup]]:
        """Return what a page has of it, and all of that which changes, as `parts` has it.

        These are the board, the table, the own hand and words, with all that stands in them.
        """
        scene, last = scene_now(look), _last(look)
        drawn, lying = self._drawing.parts(scene), dict(self._table.parts(scene))
        parts = self._changing({**drawn, **lying}, scene, last)
        in_hand = {id: lying.pop(id) for id in list(lying) if f'id="{id}"' in self._hand}
        drawing, table = self._frames
        frames = {
            "drawing": filled(drawing, drawn),
            "table": filled(table, lying),
            "hand": filled(self._hand, in_hand),
            "words": parts[_WORDS],
            "turn": self._templates.fill("turn.html", section=last),
        }
        return frames, parts

    def parts(self, look: Look) -> dict[str, Markup]:
        """Return what stands in the elements that change with the position, by their ids."""
        scene = scene_now(look)
        return self._changing(self._parts(scene), scene, _last(look))

    def _parts(self, scene: Scene) -> dict[str, Markup]:
        return {**self._drawing.parts(scene), **self._table.parts(scene)}

    def _changing(
        self, parts: Parts, scene: Scene, last: Section | None = None
    ) -> dict[str, Markup]:
        changing = {id: part for id, part in parts.items() if id not in _ONCE}
        changing[_WORDS] = self._in_words(scene)
        if last is not None:
            changing[_LINES] = self._templates.fill("section_lines.html", section=last)
        return changing

    def _in_words(self, scene: Scene) -> Markup:
        language, name = self._templates.language, names(scene.state)
        lines = position_text(language, scene.state, scene.facts, name)
        open_hands = open_hands_text(language, scene.facts, name)
        return self._templates.fill("lines.html", lines=[*lines, *open_hands])

    def past(self, look: Look, analysis: Analysis | None = None) -> dict[str, object]:
        """All turns of the game up to the file, to be stepped through: see `pbem.board.templates`.

        Where there is an `analysis` of them, what it found is there as well.
        """
        chronicle = Chronicle(look.at(look.whole))
        played = scenes(chronicle)
        graph = Graph(self._templates, played, analysis.chances if analysis else ())
        sections = [*Log(chronicle).sections(), _last(look)]
        turns = self._templates.fill("turns.html", sections=sections)
        shown: list[Parts] = [
            {**self._changing(self._parts(scene), scene), **graph.parts(scene), "turns": turns}
            for scene in played
        ]
        found: dict[str, object] = {
            "packed": kept(shown, ("turns", "graph-table")),
            "graph": graph.frame(),
            "last": len(played),
        }
        if analysis is not None:
            found["heading"] = self._templates.language.say(WITH_CHANCES["graph"])
            found["deciding"] = deciding(self._templates, chronicle, analysis)
        return found


def _last(look: Look) -> Section:
    """What was done last, before whoever looks began to answer it."""
    match, viewer = look.whole, look.viewer
    told = report(match, last_deeds(match, viewer), viewer, look.own)

    def lines() -> Iterator[Message]:
        for section in told.sections:
            yield section.heading
            yield from section.lines
        yield from told.dropped
        if told.announced:
            yield told.announced

    return Section(NOW, [*lines()] or [nothing_yet(look.match)])


# --- turns before now


class PastTurns(NamedTuple):
    """A file as it was read and verified at the service, and `who` looks at it."""

    data: bytes
    who: Secrets | Spectator

    @classmethod
    def of(cls, game: GameFile, look: Look) -> PastTurns:
        """Return what is needed of a game to draw its turns; to be called at the service."""
        return cls(game.save.write(), look.who)

    def draw(self, templates: Templates) -> dict[str, object]:
        """All turns, to be stepped through, as `PositionView.past` has them; in any thread."""
        look = self._look()
        return PositionView(templates, look).past(look)

    def judge(self, host: Host, templates: Templates) -> dict[str, object]:
        """Return the same, with what an analysis finds; in any thread.

        Raises WrongUse if no hand is known, or it ends before it is through.
        """
        look = self._look()
        return PositionView(templates, look).past(look, host.analyse(look.whole, hands_known(look)))

    def _look(self) -> Look:
        game = GameFile.read(self.data, lambda game: GameCache(ALL_VERIFIED))
        return look_now(game, Look(game.match, self.who), game.match.last.time)

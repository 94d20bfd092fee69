"""The position of a game as its player sees it, and the game's earlier turns.

Earlier turns are drawn and analysed in other threads, from a separate match, because a match
computes some of its values lazily and must not be shared between threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Message
from pbem.board.drawing import Drawing
from pbem.board.graph import LABELS_WITH_CHANCES, Graph, render_analysis
from pbem.board.tabletop import ScoreStrip, Tabletop
from pbem.board.templates import Parts, Templates, fill_frame, pack_scenes
from pbem.play.analysis import Analysis, known_hands
from pbem.play.game_file import GameFile
from pbem.play.look import Look, Secrets, Spectator
from pbem.play.turn import look_now
from pbem.protocol.cache import ALL_VERIFIED, GameCache
from pbem.text.board import position_text
from pbem.text.facts.chronicle import Chronicle, last_moves
from pbem.text.facts.position_facts import Scene, scene_now, scenes
from pbem.text.history.log import Log
from pbem.text.history.report import Section, no_moves_notice, report
from pbem.text.phrases import names
from pbem.text.piles import open_hands_text
from pbem.web.host import Host

_WORDS, _LINES = "position-in-words", "turn-lines"
_STATIC_IDS = ("faces-of-cards", "words-on-cards")
"""The ids of elements that never change."""
LATEST_HEADING = Message("What happened last")
"""The heading of the latest events, after the earlier turns."""


class PositionView:
    """The board, table and text of one game, for a player or a spectator."""

    def __init__(self, templates: Templates, look: Look) -> None:
        catalogue = look.match.state.ruleset.catalogue
        self._templates = templates
        is_player = look.viewer is not None
        self._drawing = Drawing(templates, catalogue, interactive=is_player)
        self._table = Tabletop(templates, catalogue, look.viewer, interactive=is_player)
        self._strip = ScoreStrip(templates, look.viewer)
        self._hand = self._table.render_own_hand() if is_player else Markup()

    @cached_property
    def _frames(self) -> tuple[Markup, Markup]:
        """The unchanging frames of the board and of the table."""
        return self._drawing.render_frame(), self._table.render_frame()

    def page(self, look: Look) -> tuple[dict[str, Markup], dict[str, Markup]]:
        """Return the HTML of the page by block, and its changing elements as `parts` does."""
        scene, latest = scene_now(look), _latest_events(look)
        board, table = self._drawing.render_parts(scene), dict(self._table.render_parts(scene))
        strip = self._strip.render_parts(scene)
        parts = self._complete({**board, **table, **strip}, scene, latest)
        hand = {id: table.pop(id) for id in list(table) if f'id="{id}"' in self._hand}
        board_frame, table_frame = self._frames
        frames = {
            "strip": fill_frame(self._strip.render_frame(), strip),
            "drawing": fill_frame(board_frame, board),
            "table": fill_frame(table_frame, table),
            "hand": fill_frame(self._hand, hand),
            "words": parts[_WORDS],
            "turn": self._templates.render("turn.html", section=latest),
        }
        return frames, parts

    def parts(self, look: Look) -> dict[str, Markup]:
        """Return the HTML of the elements that change with the position, by id."""
        scene = scene_now(look)
        return self._complete(self._parts(scene), scene, _latest_events(look))

    def _parts(self, scene: Scene) -> dict[str, Markup]:
        views = (self._drawing, self._table, self._strip)
        return {id: part for view in views for id, part in view.render_parts(scene).items()}

    def _complete(
        self, parts: Parts, scene: Scene, latest: Section | None = None
    ) -> dict[str, Markup]:
        changing = {id: part for id, part in parts.items() if id not in _STATIC_IDS}
        changing[_WORDS] = self._in_words(scene)
        if latest is not None:
            changing[_LINES] = self._templates.render("section_lines.html", section=latest)
        return changing

    def _in_words(self, scene: Scene) -> Markup:
        language, name = self._templates.language, names(scene.state)
        lines = position_text(language, scene.state, scene.facts, name)
        open_hands = open_hands_text(language, scene.facts, name)
        return self._templates.render("lines.html", lines=[*lines, *open_hands])

    def turns(self, look: Look, analysis: Analysis | None = None) -> dict[str, object]:
        """Return all turns of the game up to the file, for the slider. See `pbem.board.templates`.

        An `analysis` adds the chances of winning and the deciding turns.
        """
        chronicle = Chronicle(look.at(look.whole))
        all_scenes = scenes(chronicle)
        graph = Graph(self._templates, all_scenes, analysis.chances if analysis else ())
        sections = [*Log(chronicle).sections(), _latest_events(look)]
        turns = {"turns": self._templates.render("turns.html", sections=sections)}
        turn_parts: list[Parts] = [
            {**self._complete(self._parts(scene), scene), **graph.render_parts(scene), **turns}
            for scene in all_scenes
        ]
        content: dict[str, object] = {
            "packed": pack_scenes(turn_parts, ("turns", "graph-table")),
            "graph": graph.render_frame(),
            "last": len(all_scenes),
        }
        if analysis is not None:
            content["heading"] = self._templates.language.say(LABELS_WITH_CHANCES["graph"])
            content["deciding"] = render_analysis(self._templates, chronicle, analysis)
        return content


def _latest_events(look: Look) -> Section:
    """Return a section about the events since the viewer's last turn."""
    match, viewer = look.whole, look.viewer
    events = report(match, last_moves(match, viewer), viewer, look.own)

    def lines() -> Iterator[Message]:
        for section in events.sections:
            yield section.heading
            yield from section.lines
        yield from events.dropped
        if events.announced:
            yield events.announced

    return Section(LATEST_HEADING, [*lines()] or [no_moves_notice(look.match)])


# --- earlier turns


class PastTurns(NamedTuple):
    """A verified file as bytes and its viewer, for drawing earlier turns in another thread."""

    data: bytes
    viewpoint: Secrets | Spectator

    @classmethod
    def of(cls, game: GameFile, look: Look) -> PastTurns:
        """Return the data of a game for drawing its turns. Called by the game service."""
        return cls(game.save.write(), look.access)

    def draw(self, templates: Templates) -> dict[str, object]:
        """Return all turns as `PositionView.turns` does. It may be called in any thread."""
        look = self._look()
        return PositionView(templates, look).turns(look)

    def analyse(self, host: Host, templates: Templates) -> dict[str, object]:
        """Return all turns with an analysis of the game. It may be called in any thread.

        Raises UsageError if no hand is known, or if the analysis is stopped.
        """
        look = self._look()
        analysis = host.analyse(look.whole, known_hands(look))
        return PositionView(templates, look).turns(look, analysis)

    def _look(self) -> Look:
        game = GameFile.read(self.data, lambda game: GameCache(ALL_VERIFIED))
        return look_now(game, Look(game.match, self.viewpoint), game.match.last.time)

"""The position of a game as its player sees it, and the game's earlier turns.

Earlier turns are drawn and analysed in other threads, from a separate match, because a match
computes some of its values lazily and must not be shared between threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from engine.message import Message
from engine.sides import Side
from pbem.board.drawing import Drawing
from pbem.board.graph import LABELS_WITH_CHANCES, Graph, render_analysis
from pbem.board.tabletop import ScoreStrip, Tabletop
from pbem.board.templates import Parts, Templates, fill_frame, pack_scenes
from pbem.play.analysis import Analysis, known_hands
from pbem.play.game_file import GameFile
from pbem.play.look import Look, Secrets, Spectator
from pbem.play.turn import look_now
from pbem.protocol.cache import ALL_VERIFIED, GameCache
from pbem.protocol.match import Match
from pbem.text.board import position_text
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, scene_now, scenes, step_scenes
from pbem.text.history.analysis import PONDERING, PONDERING_ORDERS
from pbem.text.history.log import Log
from pbem.text.history.report import Section, no_moves_notice
from pbem.text.language import Language
from pbem.text.phrases import names
from pbem.text.piles import open_hands_text
from pbem.web.host import AnalyseMatch, Tell

WORDS, _LINES = ("words-0", "words-1", "words-2"), "turn-lines"
_STATIC_IDS = ("faces-of-cards", "words-on-cards")
"""The ids of elements that never change."""
LABELS = {
    "latest": Message("What happened last"),
    "step_through": Message("Since my last turn, step by step"),
}
"""The heading of the latest events, and the button that shows them one by one."""


class PositionView:
    """The board, table and text of one game, for a player or a spectator."""

    def __init__(self, templates: Templates, look: Look) -> None:
        catalogue = look.match.state.ruleset.catalogue
        self._templates = templates
        is_player = look.viewer is not None
        self._drawing = Drawing(templates, catalogue, interactive=is_player)
        self._table = Tabletop(templates, catalogue, look.viewer, interactive=is_player)
        self._strip = ScoreStrip(templates, look.viewer)
        self._recollection: Recollection | None = None
        self._hand = self._table.render_own_hand() if is_player else Markup()

    @cached_property
    def _frames(self) -> tuple[Markup, Markup]:
        """The unchanging frames of the board and of the table."""
        return self._drawing.render_frame(), self._table.render_frame()

    def _recall(self, look: Look) -> Recollection:
        """Return the moves in the file, which are replayed once after each record."""
        if self._recollection is None or self._recollection.match is not look.whole:
            self._recollection = Recollection.of(look, self._templates)
        return self._recollection

    def page(self, look: Look) -> tuple[dict[str, Markup], dict[str, Markup]]:
        """Return the HTML of the page by block, and its changing elements as `parts` does."""
        past = self._recall(look)
        scene = scene_now(look, past.chronicle)
        board, table = self._drawing.render_parts(scene), dict(self._table.render_parts(scene))
        strip = self._strip.render_parts(scene, look.whole.next_side)
        parts = self._complete({**board, **table, **strip}, scene) | {_LINES: past.lines}
        hand = {id: table.pop(id) for id in list(table) if f'id="{id}"' in self._hand}
        board_frame, table_frame = self._frames
        frames = {
            "strip": fill_frame(self._strip.render_frame(), strip),
            "drawing": fill_frame(board_frame, board),
            "table": fill_frame(table_frame, table),
            "hand": fill_frame(self._hand, hand),
            "words": Markup("").join(
                Markup('<div id="{}">{}</div>').format(id, parts[id]) for id in WORDS
            ),
            "turn": parts[_LINES],
        }
        return frames, parts

    def parts(self, look: Look) -> dict[str, Markup]:
        """Return the HTML of the elements that change with the position, by id."""
        past = self._recall(look)
        scene = scene_now(look, past.chronicle)
        parts = self._parts(scene, look.whole.next_side)
        return self._complete(parts, scene) | {_LINES: past.lines}

    def _parts(self, scene: Scene, writer: Side | None = None) -> dict[str, Markup]:
        strip = self._strip.render_parts(scene, writer)
        return {**self._drawing.render_parts(scene), **self._table.render_parts(scene), **strip}

    def _complete(self, parts: Parts, scene: Scene) -> dict[str, Markup]:
        changing = {id: part for id, part in parts.items() if id not in _STATIC_IDS}
        return changing | self._in_words(scene)

    def _in_words(self, scene: Scene) -> dict[str, Markup]:
        """Return the position in words: the cards, the board, and the rest."""
        language, name = self._templates.language, names(scene.state)
        lines = [*position_text(language, scene.state, scene.facts, name)]
        lines += open_hands_text(language, scene.facts, name)
        board, rest = [index for index, line in enumerate(lines) if not line.text][:2]
        pieces = (lines[:board], lines[board:rest], lines[rest:])
        texts = (self._templates.render("lines.html", lines=piece) for piece in pieces)
        return dict(zip(WORDS, texts, strict=True))

    def turns(self, look: Look, analysis: Analysis | None = None) -> dict[str, object]:
        """Return all turns of the game up to the file, for the slider. See `pbem.board.templates`.

        After them are the present and the `steps` since the viewer's last order, each the number of
        moves up to it. An `analysis` adds the chances of winning and the deciding turns.
        """
        past = self._recall(look)
        chronicle, all_scenes = past.chronicle, scenes(past.chronicle)
        graph = Graph(self._templates, all_scenes, analysis.chances if analysis else ())
        turns = {"turns": past.render_turns(self._templates)}
        turn_parts: list[Parts] = [
            {**self._complete(parts, scene), **graph.render_parts(scene), **turns}
            for scene, parts in [
                *((scene, self._parts(scene)) for scene in all_scenes),
                (all_scenes[-1], self._parts(all_scenes[-1], look.whole.next_side)),
                *((s, self._parts(s)) for s in step_scenes(chronicle, past.steps)),
            ]
        ]
        content: dict[str, object] = {
            "packed": pack_scenes(turn_parts, ("turns", "graph-table")),
            "graph": graph.render_frame(),
            "last": len(all_scenes),
            "turn": chronicle.last if look.whole.is_over else look.whole.turn,
            "steps": [step.stop for step in past.steps],
        }
        if analysis is not None:
            content["heading"] = self._templates.language.say(LABELS_WITH_CHANCES["graph"])
            content["deciding"] = render_analysis(self._templates, chronicle, analysis)
        return content


class Recollection(NamedTuple):
    """The moves of a file; `latest` are the turns since the viewer's last order, also as `lines`.

    `steps` are the indexes of the moves in each line, if the opponent has made any since then.
    """

    match: Match
    chronicle: Chronicle
    log: Log
    latest: dict[int, Section]
    lines: Markup
    steps: list[range]

    @classmethod
    def of(cls, look: Look, templates: Templates) -> Recollection:
        """Return the moves of the file of a look. It takes longer than a click may."""
        chronicle = Chronicle(look.at(look.whole))
        log = Log(chronicle)
        latest = log.latest()
        spans = [span for section in reversed(latest.values()) for span in section.spans]
        steps = [span for span in spans if span and span.start >= chronicle.seen_moves]
        moves = look.whole.moves
        if all(
            move.side is look.viewer for step in steps for move in moves[step.start : step.stop]
        ):
            steps = []
        notices = log.notices() or ([] if latest else [no_moves_notice(look.match)])
        lines = templates.render(
            "section_lines.html",
            sections=latest.items(),
            notices=notices,
            steps=[step.stop for step in steps],
            with_headings=True,
        )
        return cls(look.whole, chronicle, log, latest, lines, steps)

    def render_turns(self, templates: Templates) -> Markup:
        """Return the list of all turns, newest first, after the latest ones."""
        turns = [*enumerate(self.log.sections())][::-1]
        facts = {"number": len(turns), "heading": LABELS["latest"], "lines": self.lines}
        older = templates.render("turns.html", turns=turns, latest=self.latest)
        return templates.render("now.html", **facts) + older


# --- earlier turns


class PastTurns(NamedTuple):
    """A verified file as bytes and its viewer, for drawing earlier turns in another thread."""

    data: bytes
    viewpoint: Secrets | Spectator

    @classmethod
    def of(cls, game: GameFile, look: Look) -> PastTurns:
        """Return the data of a game for drawing its turns. Called by the game service."""
        return cls(game.save.write(), look.access)

    def draw(self, templates: Templates, analysis: Analysis | None = None) -> dict[str, object]:
        """Return all turns as `PositionView.turns` does. It may be called in any thread."""
        look = self.look()
        return PositionView(templates, look).turns(look, analysis)

    def analyse(self, language: Language, analyse_match: AnalyseMatch, tell: Tell) -> Analysis:
        """Analyse the game. It may be called in any thread.

        `tell` is called with the number of items that are `done`, the `total`, and both as `text`.

        Raises UsageError if no hand is known, or if the analysis is stopped.
        """
        look, stages = self.look(), iter((PONDERING, PONDERING_ORDERS))

        def progress(items: Sequence[Any]) -> Iterator[Any]:
            stage, total = next(stages), len(items)
            for done, item in enumerate(items):
                text = language.say(Message(stage, done=done, total=total))
                tell(done=done, total=total, text=text)
                yield item

        return analyse_match(look.whole, known_hands(look), progress)

    def look(self) -> Look:
        """Return the view of the player, of a match of its own."""
        game = GameFile.read(self.data, lambda game: GameCache(ALL_VERIFIED))
        return look_now(game, Look(game.match, self.viewpoint), game.match.last.time)

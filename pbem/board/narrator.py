"""What is told of a game in sentences: each turn, and the position in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from markupsafe import Markup

from pbem.board.maker import Parts
from pbem.board.templates import Templates
from pbem.text.board import position_told
from pbem.text.facts.scenes import Scene
from pbem.text.history.log import Log
from pbem.text.lines import Line, Tone
from pbem.text.phrases import names
from pbem.text.piles import open_hands_told


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
        """What was done in the turn that led to a scene."""
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
        """What is told of the position, without the lines that stand between."""
        language, name = self._templates.language, names(scene.state)
        told = position_told(language, scene.state, scene.facts, name)
        yield from _blocks(told)
        yield from _blocks(open_hands_told(language, scene.facts, name))


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

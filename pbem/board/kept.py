"""The texts of a page that shows many turns: each once, and of each turn what differs."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence

from pbem.board.templates import Parts


def kept(shown: Sequence[Parts], later: Sequence[str] = ()) -> str:
    """The parts of all scenes, as JSON, compressed (zlib) and in base64: a quarter of its size.

    `lines` are all lines of all texts, `texts` the numbers of their lines, `ids` the elements. The
    first of `scenes` has the number of a text for each element; each other one has pairs of the
    place of an element in `ids` and the number of its text, for those that differ from the scene
    before. All scenes have the same elements; what is filled `later` is not on the page yet.
    """
    lines, texts = dict[str, int](), dict[str, int]()
    ids = list(shown[0])
    scenes: list[list[int]] = []
    before: list[int] = []
    for parts in shown:
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
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return b64encode(zlib.compress(told, 9)).decode()


def _differing(before: Sequence[int], scene: Sequence[int]) -> Iterable[tuple[int, int]]:
    for place, (old, new) in enumerate(zip(before, scene, strict=True)):
        if old != new:
            yield place, new

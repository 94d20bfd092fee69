"""Print the table of letters that look alike, from Unicode's data in PyICU, which only this needs.

The program takes letters apart (NFKD) and drops their accents before it looks them up, so the table
has none with accents. The output replaces `pbem/play/store/lookalikes.txt`.
"""

from __future__ import annotations

from collections import defaultdict
from importlib import import_module
from textwrap import wrap
from typing import Any
from unicodedata import category

HEAD = """\
# Letters after the text that each looks like: skeletons (UTS 39) of Unicode {version}, no accents;
# written by python -m tools.lookalikes. © Unicode, Inc., https://www.unicode.org/license.txt
"""
WIDTH = 118


def write_table() -> str:
    """Return the content of the file."""
    icu: Any = import_module("icu")
    decompose, checker = icu.Normalizer2.getNFKDInstance().normalize, icu.SpoofChecker()
    is_accent = icu.Char.getCombiningClass
    alike: dict[str, str] = defaultdict(str)
    for one in map(chr, (*range(0x21, 0xD800), *range(0xE000, 0x110000))):
        is_visible = icu.Char.isdefined(one) and category(one) not in ("Cc", "Cf", "Co")
        if not is_visible or decompose(one) != one or is_accent(one):
            continue
        look = [c for c in decompose(checker.getSkeleton(0, one)) if not is_accent(c)]
        letters = [c for c in look if category(c)[0] in "LMN"]
        if letters not in ([], [one]) and (category(one)[0] in "LMN" or letters == look):
            alike["".join(letters)] += one
    groups = " ".join(f"{look}={characters}" for look, characters in sorted(alike.items()))
    lines = wrap(groups, WIDTH, break_long_words=False, break_on_hyphens=False)
    return HEAD.format(version=icu.UNICODE_VERSION) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(write_table(), end="")

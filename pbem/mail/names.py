"""Names for files that come from other people: never a path, never one that a system reserves."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 80
_SEPARATORS = re.compile(r"[/\\:]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def safe_name(name: str) -> str:
    r"""A name of a file out of a message: letters, digits, spaces and `.-_()`, in no folder.

    Empty if there is nothing else in it.

    >>> safe_name("../../.ssh/bela-004.toml"), safe_name("C:\\zug 4.toml"), safe_name("..")
    ('bela-004.toml', 'zug 4.toml', '')
    """
    last = _SEPARATORS.split(unicodedata.normalize("NFC", name[:1000]))[-1]
    kept = "".join(c if c.isalnum() or c in " .-_()" else "_" for c in " ".join(last.split()))
    kept = kept.lstrip(" .-_")
    stem, dot, suffix = kept.rpartition(".")
    if dot and stem and len(suffix) < 10:
        kept = f"{stem[: LONGEST - len(suffix) - 1].rstrip(' .')}.{suffix}"
    kept = kept[:LONGEST].rstrip(" .")
    return f"_{kept}" if _RESERVED.fullmatch(kept) else kept


def in_safe_letters(name: str) -> str:
    """The name of a player as the stem of a file: small letters without accents, and digits.

    >>> in_safe_letters("Émile O’Neil"), in_safe_letters("Анна"), in_safe_letters("…")
    ('emile-o-neil', 'анна', 'game')
    """
    letters = unicodedata.normalize("NFKD", name[:1000].casefold())
    plain = "".join(c for c in letters if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain))
    stem = safe_name("-".join(words))[: LONGEST // 2].rstrip("-")
    return stem or "game"

"""Which TOML a text is written in: a file of acres is TOML 1.0, whichever reader takes it in.

A reader of TOML 1.1, as later Pythons have, takes more. Two honest programs would part over such a
file, and anybody who passes one on can write it so: how a record is laid out is not signed.

docs/save-format.md, R-1.6.
"""

from __future__ import annotations

import re
from functools import cache

# Without the escapes \e and \x, which are new.
_STRING = (
    r'"""(?:[^"\\]++|\\[^ex]|"(?!""))*+"{3,5}'
    r"|'''(?:[^']++|'(?!''))*+'{3,5}"
    r'|"(?!"")(?:[^"\\\n]++|\\[^ex\n])*+"'
    r"|'(?!'')[^'\n]*+'"
)
_COMMENT = r"#[^\n]*+"
# Up to the next inline table; within one, up to what opens or closes something; and within a list
# in it, where lines may break and a comma may be the last. What is new ends each of them as well.
_BETWEEN = rf"""(?:[^"'#{{]++|{_STRING}|{_COMMENT})*+"""
_IN_TABLE = rf"""(?:[^"'#{{}}\[\],\n]++|{_STRING}|,(?![ \t]*+}}))*+"""
_IN_LIST = rf"""(?:[^"'#{{}}\[\]]++|{_STRING}|{_COMMENT})*+"""

_NOT_BARE = f"{_STRING}|{_COMMENT}"
_NO_SECONDS = r"(?<![0-9:+-])[0-9]{2}:[0-9]{2}(?!:)"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when it is asked for: every start imports this, and few files need it."""
    return re.compile(pattern, re.S)


def is_newer(text: str) -> bool:
    r"""Whether a document of TOML 1.1 is none of TOML 1.0; for any other text, either.

    >>> is_newer("step = {kind = 'draw', count = 5}")
    False
    >>> is_newer("step = {kind = 'draw', count = 5,}")
    True
    """
    return _has_newer_form(text) or _has_newer_time(text)


def _has_newer_form(text: str) -> bool:
    r"""Whether a string has \e or \x, or an inline table a line break or a comma at its end."""
    at, within = 0, ""
    while at <= len(text):
        part = (_IN_LIST if within[-1] == "[" else _IN_TABLE) if within else _BETWEEN
        found = _compiled(part).match(text, at)
        at = found.end() if found else at
        mark = text[at : at + 1]
        if mark and mark in "{[":
            within += mark
        elif mark and mark in "}]":
            within = within[:-1]
        elif mark:
            return True
        at += 1
    return False


def _has_newer_time(text: str) -> bool:
    """Whether a time has no seconds; outside of strings and comments only times have colons."""
    return bool(
        _compiled(_NO_SECONDS).search(text)
        and _compiled(_NO_SECONDS).search(_compiled(_NOT_BARE).sub("''", text))
    )

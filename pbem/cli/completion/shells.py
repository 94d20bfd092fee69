"""The shells that ask for completion, each with its own format for the line and the values.

typer has the scripts (`acres --show-completion`) and parses the typed line. It is always called in
the format of bash, in which it returns one bare value per line. Then each shell gets the values
with their remarks, quoted as it requires.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from pbem.cli.completion import LINE, VARIABLE, Candidates, Completer, remarks

_END = "\0"
_BREAKS = (":", "=")
"""The characters outside quotes at which bash begins a new word."""


def print_values(command: Callable[..., object], find: Callable[[str], Completer]) -> int:
    """Print the values that fit the line in the environment; return the exit status.

    `find` returns a completer by its name. Errors are not reported, because the shell is showing a
    line that the user is typing.
    """
    stdin = sys.stdin
    with Path(os.devnull).open() as nothing, Path(os.devnull).open("w") as nowhere:
        sys.stdin = nothing
        try:
            with redirect_stderr(nowhere):
                return _print_values(lambda: command([], "acres", standalone_mode=False, obj=find))
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1
        except Exception:
            return 1
        finally:
            sys.stdin = stdin


def _print_values(run: Callable[[], object]) -> int:
    instruction, _, shell = os.environ[VARIABLE].partition("_")
    if instruction != "complete" or shell not in _SHELLS:
        run()
        return 0
    read, write = _SHELLS[shell]
    words, prefix = read()
    values = [(value, remarks.get(value, "")) for value in _collect_values(run, words, prefix)]
    if shell == "fish" and os.environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        return 0 if values else 1
    print(write(values))
    return 0


def _collect_values(run: Callable[[], object], words: list[str], prefix: str) -> list[str]:
    """Return typer's values for the word after `words`. Raises SystemExit as typer does."""
    environment = os.environ.copy()
    os.environ |= {
        VARIABLE: "complete_bash",
        "COMP_WORDS": shlex.join([*words, prefix]),
        "COMP_CWORD": str(len(words)),
    }
    try:
        with redirect_stdout(StringIO()) as output:
            run()
    except SystemExit as end:
        if end.code:
            raise
    finally:
        os.environ.clear()
        os.environ |= environment
    return [value for value in output.getvalue().split("\n") if value]


def split(line: str) -> tuple[list[str], str]:
    """Return the complete words of a command line, and the word that is being typed.

    >>> split('acres turn apply x.toml "take ')
    (['acres', 'turn', 'apply', 'x.toml'], 'take ')
    >>> split("acres turn ")
    (['acres', 'turn'], '')
    """
    lexer = shlex.shlex(line + _END, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words += lexer
    except ValueError:
        # With an open quote, the lexer holds the last word.
        words.append(lexer.token)
    return words[:-1], words[-1].replace(f"\\{_END}", "").removesuffix(_END)


def _read_bash() -> tuple[list[str], str]:
    return split(" ".join(_bash_words()))


def _bash_words() -> list[str]:
    """Return the words up to the current one as they were typed, without the splits of bash."""
    joined: list[str] = []
    for word in os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]:
        if joined and (word in _BREAKS or (word and joined[-1].endswith(_BREAKS))):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _write_bash(candidates: Candidates) -> str:
    prefix = _bash_words()[-1]
    option, equals, value = prefix.partition("=")
    prefix = value if option.startswith("-") and equals else prefix
    return "\n".join(for_bash(value, prefix) for value, _ in candidates)


def for_bash(value: str, prefix: str) -> str:
    r"""Return the text that bash inserts for a value, given the word typed so far, with quotes.

    >>> for_bash("take Boston", ""), for_bash("take Boston", '"ta'), for_bash("a: b c", "a:")
    ('take\\ Boston', 'take Boston', '\\ b\\ c')
    """
    if prefix.startswith('"'):
        return re.sub(r'(["$`\\])', r"\\\1", value)
    if prefix.startswith("'"):
        return value.replace("'", r"'\''")
    # Bash replaces only the text after its last word break.
    parts = re.split("([:=])", value)
    breaks = sum(prefix.count(sign) for sign in _BREAKS)
    tail = "".join(parts[2 * breaks :])
    return re.sub(r"([^\w@%+=:,./~-])", r"\\\1", tail)


def _read_line() -> tuple[list[str], str]:
    return split(os.environ.get(LINE, ""))


def _write_zsh(candidates: Candidates) -> str:
    if not candidates:
        return "_files"
    values = [(value.replace("\\", "\\\\").replace(":", "\\:"), note) for value, note in candidates]
    quoted = (shlex.quote(f"{value}:{note}" if note else value) for value, note in values)
    # The script evaluates this line.
    return f"local -a offered; offered=({' '.join(quoted)}); _describe value offered"


def _write_fish(candidates: Candidates) -> str:
    return "\n".join(f"{value}\t{remark}" if remark else value for value, remark in candidates)


def _read_powershell() -> tuple[list[str], str]:
    line = os.environ.get(LINE, "")
    return split(line if os.environ.get("_TYPER_COMPLETE_WORD_TO_COMPLETE") else f"{line} ")


def _write_powershell(candidates: Candidates) -> str:
    return "\n".join(f"{_quoted(value)}:::{remark or ' '}" for value, remark in candidates)


def _quoted(value: str) -> str:
    plain = re.fullmatch(r"[\w./\\:~-]+", value)
    return value if plain else "'" + value.replace("'", "''") + "'"


_SHELLS = {
    "bash": (_read_bash, _write_bash),
    "zsh": (_read_line, _write_zsh),
    "fish": (_read_line, _write_fish),
    "powershell": (_read_powershell, _write_powershell),
    "pwsh": (_read_powershell, _write_powershell),
}
"""For each shell, a function that reads its line, and a function that formats values for it."""

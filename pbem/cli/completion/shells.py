"""The shells that ask what to offer: how each tells the line, and takes values with spaces in them.

typer brings the scripts (`acres --show-completion`) and finds out what is being typed. Its classes
offer values as they are, which a shell takes for several words; these put each as its shell has to
have it.
"""

from __future__ import annotations

import os
import re
import shlex

from typer._click.shell_completion import CompletionItem, add_completion_class
from typer._completion_classes import BashComplete, FishComplete, PowerShellComplete, ZshComplete

_END = "\0"
_BREAKS = (":", "=")
"""At these signs, outside of quotes, bash begins a new word."""


def register() -> None:
    """Let these classes answer instead of typer's."""
    for shell in (_Bash, _Zsh, _Fish, _PowerShell):
        add_completion_class(shell, shell.name)
    add_completion_class(_PowerShell, "pwsh")


def split(line: str) -> tuple[list[str], str]:
    """The words of a command line before the one that is being typed, and that one.

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
        # Where a quote is still open, the lexer has the word in hand.
        words.append(lexer.token)
    return words[:-1], words[-1].replace(f"\\{_END}", "").removesuffix(_END)


class _Bash(BashComplete):
    def complete(self) -> str:
        *before, typed = _joined(os.environ["COMP_WORDS"], int(os.environ["COMP_CWORD"]))
        args, incomplete = split(" ".join([*before[1:], typed]))
        option, equals, value = typed.partition("=")
        typed = value if option.startswith("-") and equals else typed
        values = [str(item.value) for item in self.get_completions(args, incomplete)]
        return "\n".join(for_bash(value, typed) for value in values)


def _joined(words: str, current: int) -> list[str]:
    """The words up to the current one, as they were typed; bash has broken them at some signs."""
    joined: list[str] = []
    for word in words.split("\n")[: current + 1]:
        if joined and (word in _BREAKS or (word and joined[-1].endswith(_BREAKS))):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def for_bash(value: str, typed: str) -> str:
    r"""What bash has to put in place of the word that was typed so far, quotes and all.

    >>> for_bash("take Boston", ""), for_bash("take Boston", '"ta'), for_bash("a: b c", "a:")
    ('take\\ Boston', 'take Boston', '\\ b\\ c')
    """
    if typed.startswith('"'):
        return re.sub(r'(["$`\\])', r"\\\1", value)
    if typed.startswith("'"):
        return value.replace("'", r"'\''")
    # Bash puts it in place of what follows the last sign at which it breaks.
    parts = re.split("([:=])", value)
    breaks = sum(typed.count(sign) for sign in _BREAKS)
    tail = "".join(parts[2 * breaks :])
    return re.sub(r"([^\w@%+=:,./~-])", r"\\\1", tail)


class _Zsh(ZshComplete):
    def get_completion_args(self) -> tuple[list[str], str]:
        words, incomplete = split(os.environ.get("_TYPER_COMPLETE_ARGS", ""))
        return words[1:], incomplete

    def complete(self) -> str:
        args, incomplete = self.get_completion_args()
        offered = [_described(item) for item in self.get_completions(args, incomplete)]
        if not offered:
            return "_files"
        # The script carries out what it is told.
        return f"local -a offered; offered=({' '.join(offered)}); _describe value offered"


def _described(item: CompletionItem) -> str:
    value = str(item.value).replace("\\", "\\\\").replace(":", "\\:")
    return shlex.quote(f"{value}:{item.help}" if item.help else value)


class _Fish(FishComplete):
    def get_completion_args(self) -> tuple[list[str], str]:
        words, incomplete = split(os.environ.get("_TYPER_COMPLETE_ARGS", ""))
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.value}\t{item.help}" if item.help else str(item.value)


class _PowerShell(PowerShellComplete):
    def get_completion_args(self) -> tuple[list[str], str]:
        typed = os.environ.get("_TYPER_COMPLETE_WORD_TO_COMPLETE", "")
        line = os.environ.get("_TYPER_COMPLETE_ARGS", "")
        words, incomplete = split(line if typed else f"{line} ")
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        value = str(item.value)
        if not re.fullmatch(r"[\w./\\:~-]+", value):
            value = "'" + value.replace("'", "''") + "'"
        return f"{value}:::{item.help or ' '}"

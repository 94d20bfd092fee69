"""Games that were played, one a line of JSON in a file that is only added to."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import engine
from benchmarks import matches
from benchmarks.balance.settings import Setting
from engine.sides import Side
from engine.state import EndReason


class Result(NamedTuple):
    """How the game of one deal went; the turns are those of both sides, `code` is who played it.

    `seconds` of processor time the British and the French took to choose, where that was asked for.
    """

    setting: Setting
    deal: int
    winner: Side
    ended_by: EndReason | None
    turns: int
    points: tuple[int, int]
    code: str
    seconds: tuple[float, float] | None = None

    @property
    def key(self) -> tuple[Setting, int]:
        """What was played: another game of it would be the same."""
        return self.setting, self.deal

    def line(self) -> str:
        """It as JSON; `points` are those of the British, then of the French."""
        row = self.setting._asdict() | self._asdict()
        del row["setting"]
        if self.seconds is None:
            del row["seconds"]
        return json.dumps(row)

    @classmethod
    def of(cls, line: str) -> Result:
        """What a line says; raises ValueError, KeyError or TypeError where that is no result."""
        row: dict[str, Any] = json.loads(line)
        return cls(
            Setting(row["edition"], tuple(row["rules"]), row["british"], row["french"]),
            row["deal"],
            Side(row["winner"]),
            None if row["ended_by"] is None else EndReason(row["ended_by"]),
            row["turns"],
            (row["points"][0], row["points"][1]),
            row["code"],
            (row["seconds"][0], row["seconds"][1]) if "seconds" in row else None,
        )


def play(setting: Setting, deal: int) -> Result:
    """Play the game of a deal: the cards lie, as long as the same is done, as in any other setting.

    Only where a rule changes a side's first cards do they lie otherwise.

    What comes of it is the same whenever it is played; so the time that it took is left out.
    """
    return timed(setting, deal)._replace(seconds=None)


def timed(setting: Setting, deal: int) -> Result:
    """Play the game of a deal, and say how long the players took."""
    game = matches.play(setting.names, deal, setting.ruleset())
    british, french = Side
    turns, points = sum(game.turns.values()), (game.points[british], game.points[french])
    took = (round(game.seconds[british], 3), round(game.seconds[french], 3))
    return Result(setting, deal, game.winner, game.ended_by, turns, points, code(), took)


@cache
def code() -> str:
    """What games are played by here: a digest of the engine, its data and its players.

    Of what is executed: comments, docstrings and layout play nothing.
    """
    root = Path(str(engine.__file__)).parent
    files = {
        path.relative_to(root).as_posix(): path
        for path in root.rglob("*")
        if path.suffix in (".py", ".toml")
    }
    digest = sha256()
    for name, path in [*sorted(files.items()), ("matches", Path(matches.__file__))]:
        text = meaning(path.read_text("utf-8"), path.suffix).encode()
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:12]


def meaning(text: str, suffix: str) -> str:
    """What a file of that kind says to the program that reads it, the same in each Python."""
    # Tables stay in their sequence: programs go through them in it.
    return json.dumps(tomllib.loads(text)) if suffix == ".toml" else _tree(ast.parse(text))


def _tree(node: object) -> str:
    """The syntax below a node: `ast.dump` without texts that stand alone, such as docstrings.

    It leaves out what is empty, as `ast.dump` does from Python 3.13 on: later versions have fields
    that earlier ones lack.
    """
    if isinstance(node, list):
        return f"[{', '.join(_tree(each) for each in node if not _is_remark(each))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, each) for name, each in ast.iter_fields(node) if each not in (None, [])]
    inner = ", ".join(f"{name}={_tree(each)}" for name, each in fields)
    return f"{type(node).__name__}({inner})"


def _is_remark(node: object) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


class Damaged(ValueError):
    """A file of results has a line that is none."""


class Mixed(Exception):
    """Games that were played by other rules or players would be counted with these."""


class Results:
    """All results so far, in memory, and in a file where there is one."""

    def __init__(self, path: Path | None) -> None:
        """Read what the file has; a last line that was cut off counts as not written.

        Raises Damaged where another line is no result, OSError where the file cannot be read.
        """
        self.path = path
        self._all: dict[tuple[Setting, int], Result] = {}
        if path is not None and path.exists():
            for result in _read(path):
                self._all.setdefault(result.key, result)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._all.values())

    def __contains__(self, key: tuple[Setting, int]) -> bool:
        return key in self._all

    def add(self, result: Result) -> None:
        """Keep one more; what is in the file then stays there, whatever ends the program."""
        self._all[result.key] = result
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{result.line()}\n")

    def __getitem__(self, key: tuple[Setting, int]) -> Result:
        return self._all[key]

    def refuse_others(self) -> None:
        """Raise Mixed if other code than this played one of them."""
        others = self.codes - {code()}
        if others:
            raise Mixed(
                f"{self.path} has games that other code played ({', '.join(sorted(others))}; this"
                f" is {code()}): give another file"
            )

    @property
    def codes(self) -> set[str]:
        """What all of them were played by."""
        return {result.code for result in self}


def _read(path: Path) -> Iterator[Result]:
    text = path.read_bytes()
    whole, _, rest = text.rpartition(b"\n")
    if rest:
        with path.open("r+b") as file:
            file.truncate(len(text) - len(rest))
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            yield Result.of(line.decode())
        except (ValueError, KeyError, TypeError) as error:
            raise Damaged(f"{path}, line {number}: this is no result of a game") from error

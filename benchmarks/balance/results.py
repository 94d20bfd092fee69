"""The results of games, in a file with one JSON object per line that is only appended to."""

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
    """The result of the game of one deal; `turns` counts both sides, `code` identifies the program.

    `seconds` is the processor time of the British and the French, or None if not measured.
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
        """The setting and the deal, which determine the game."""
        return self.setting, self.deal

    def line(self) -> str:
        """Return the result as JSON, with the points of the British, then of the French."""
        row = self.setting._asdict() | self._asdict()
        del row["setting"]
        if self.seconds is None:
            del row["seconds"]
        return json.dumps(row)

    @classmethod
    def of(cls, line: str) -> Result:
        """Return the result in a line. Raises ValueError, KeyError or TypeError for any other."""
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
    """Play the game of a deal, with the same sequence of cards in every setting.

    The sequence differs only if a rule changes the first cards of a side. Equal calls return equal
    results, without times.
    """
    return play_timed(setting, deal)._replace(seconds=None)


def play_timed(setting: Setting, deal: int) -> Result:
    """Play the game of a deal and record the time that the players took."""
    game = matches.play(setting.names, deal, setting.ruleset())
    british, french = Side
    turns, points = sum(game.turns.values()), (game.points[british], game.points[french])
    seconds = (round(game.seconds[british], 3), round(game.seconds[french], 3))
    return Result(setting, deal, game.winner, game.ended_by, turns, points, code(), seconds)


@cache
def code() -> str:
    """Return a digest of the code of the engine, its data and its players.

    Comments, docstrings and layout do not count.
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
    """Return a text that is equal for equivalent files in every version of Python."""
    # Keep the order of tables, because programs iterate over them.
    return json.dumps(tomllib.loads(text)) if suffix == ".toml" else _tree(ast.parse(text))


def _tree(node: object) -> str:
    """Return the syntax tree below a node like `ast.dump`, without docstrings.

    Empty fields are omitted, as by `ast.dump` since Python 3.13, because later versions have
    additional fields.
    """
    if isinstance(node, list):
        return f"[{', '.join(_tree(item) for item in node if not _is_remark(item))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
    inner = ", ".join(f"{name}={_tree(value)}" for name, value in fields)
    return f"{type(node).__name__}({inner})"


def _is_remark(node: object) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


class DamagedResultsError(ValueError):
    """Raised if a line of a file of results is not a result."""


class MixedResultsError(Exception):
    """Raised if games of other rules or players would be counted together."""


class Results:
    """All results, in memory and, if a path is given, in a file."""

    def __init__(self, path: Path | None) -> None:
        """Read the results in the file; an incomplete last line is ignored.

        Raises DamagedResultsError if another line is not a result, and OSError if the file
        cannot be read.
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
        """Add a result and append it to the file at once."""
        self._all[result.key] = result
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{result.line()}\n")

    def __getitem__(self, key: tuple[Setting, int]) -> Result:
        return self._all[key]

    def refuse_others(self) -> None:
        """Raise MixedResultsError if other code played one of the games."""
        codes = self.codes - {code()}
        if codes:
            raise MixedResultsError(
                f"{self.path} has games that other code played ({', '.join(sorted(codes))}; this"
                f" is {code()}): give another file"
            )

    @property
    def codes(self) -> set[str]:
        """The digests of the code of all results."""
        return {result.code for result in self}


def _read(path: Path) -> Iterator[Result]:
    text = path.read_bytes()
    lines, _, incomplete = text.rpartition(b"\n")
    if incomplete:
        with path.open("r+b") as file:
            file.truncate(len(text) - len(incomplete))
    for number, line in enumerate(lines.splitlines(), 1):
        try:
            yield Result.of(line.decode())
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedResultsError(
                f"{path}, line {number}: this is no result of a game"
            ) from error

"""The rows of a club's audit as data, in words, and as tables for other programs."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from engine.message import Concat, Message, comma_list, sentences, with_label
from engine.sides import Side
from pbem.club.verdicts import ClubGame, ForkEvidence, Row, UnreadableFile, Verdict
from pbem.errors import UsageError, report_os_errors
from pbem.foreign import clean, display_name, display_path
from pbem.play.store.entries import is_ahead
from pbem.text.facts.json_data import Facts, to_json_data
from pbem.text.language import Line, Tone
from pbem.text.phrases import (
    day_in_numbers,
    fingerprint,
    instant,
    opponents_text,
    points_text,
    with_side,
)
from pbem.text.rules.editions import rules_name

_KINDS = {ClubGame: "game", ForkEvidence: "evidence", UnreadableFile: "file"}
_HIDDEN = ("hashes", "data")
Paths: TypeAlias = Mapping[bytes, Path]
"""The paths of the evidence files of a game, by their bytes."""


def row_facts(row: Row, paths: Paths) -> Facts:
    """Return a row as facts. Evidence is given by its path."""
    names = [field.name for field in fields(row) if field.name not in _HIDDEN]
    facts = {"kind": _KINDS[type(row)]} | {name: getattr(row, name) for name in names}
    if isinstance(row, ClubGame):
        accusations = [vars(one) | {"evidence": paths.get(one.evidence)} for one in row.accusations]
        facts |= {"accusations": accusations, "accused": {one.key for one in row.accusations}}
    return facts


# --- in words


def row_text(row: Row, paths: Paths, now: str) -> Iterator[Line]:
    """Yield a row as lines, at the time `now`."""
    match row:
        case ClubGame():
            head, *others = _game_text(row, paths, now)
            yield head._replace(label=f"{row.id.hex()[:8]}  ", tone=Tone.HEAD)
            yield from (line._replace(label=" " * 10) for line in others)
        case ForkEvidence(name, key):
            text = Message(
                "{file} proves that the owner of {key} signed two different turns, in a game that "
                "is not here.",
                file=name,
                key=fingerprint(key),
            )
            yield Line(text, Tone.BAD)
        case UnreadableFile(name, reason):
            yield Line(with_label(name, reason), Tone.BAD)


def _game_text(game: ClubGame, paths: Paths, now: str) -> Iterator[Line]:
    who = {side: display_name(player.name) for side, player in game.players.items()}
    if len(who) == len(Side):
        players = opponents_text(*(with_side(name, side) for side, name in who.items()))
    else:
        players = Message("an invitation from {player}", player=display_name(game.inviter.name))
    yield Line(Concat((players, ", ", rules_name(game.edition, game.house_rules))))
    named = [game.inviter, *game.players.values()]
    keys = {one.key: with_label(display_name(one.name), fingerprint(one.key)) for one in named}
    yield Line(comma_list(keys.values()))
    span = {"first": day_in_numbers(game.first), "last": day_in_numbers(game.last)}
    # Translators: {turns} is, for example, “British 31, French 30”.
    yield Line(Message("turns: {turns}; {first} to {last}", turns=points_text(game.turns), **span))
    if is_ahead(game.last, now):
        ahead = Message(
            "It is dated {time}, ahead of this computer's clock.", time=instant(game.last)
        )
        yield Line(ahead, Tone.BAD)
    if result := game.result:
        ended = Message("The game ended: {reason}.", reason=result.cause)
        won = Message("The {side} won.", side=result.winner.label)
        yield Line(sentences(ended, won))
    if game.missing:
        text = Message(
            "Record {number} is missing, which {file} is or mentions: ask for it.",
            number=game.missing.index,
            file=game.missing.file,
        )
        yield Line(text, Tone.BAD)
    elif game.owed and game.owed.side in who:
        text = Message(
            "{player} writes next, since {day}.",
            player=with_side(who[game.owed.side], game.owed.side),
            day=day_in_numbers(game.owed.since),
        )
        yield Line(text)
    for one in game.accusations:
        name = next((p.name for p in named if p.key == one.key), "")
        text = Message(
            "{name} cheated in record {number}: {reason}",
            name=display_name(name),
            number=one.index,
            reason=one.sentence,
        )
        yield Line(text, Tone.BAD)
        if path := paths.get(one.evidence):
            yield Line(Message("The evidence: {file}", file=display_path(path)), is_whole=True)
    for file in game.unreadable:
        yield Line(with_label(file.name, file.reason), Tone.BAD)
    if game.verdict is Verdict.HONEST:
        yield Line(Message("Everything so far is proved."), Tone.FINE)
    elif game.verdict is Verdict.DAMAGED:
        yield Line(Message("No file of it is whole: ask both players for the newest."), Tone.BAD)


def verdicts(row: Row) -> Iterator[Verdict | None]:
    """Yield the verdict of a row to be counted, and None for each file that cannot be read."""
    if isinstance(row, ClubGame):
        yield row.verdict
        yield from (None for _ in row.unreadable)
    else:
        yield Verdict.FORKED if isinstance(row, ForkEvidence) else None


def summary(counts: Counter[Verdict | None]) -> Message:
    """Return the numbers of `verdicts` as sentences."""
    return Message(
        "Games: {games}. Games with a cheat: {cheated}. Games without a whole file: {damaged}. "
        "Files that cannot be read or do not verify: {unreadable}.",
        games=sum(counts.values()) - counts[None],
        cheated=counts[Verdict.CHEATED] + counts[Verdict.FORKED],
        damaged=counts[Verdict.DAMAGED],
        unreadable=counts[None],
    )


# --- as tables


_COLUMNS = """
kind id edition house_rules home_support lists inviter.key players.british.name players.british.key
players.french.name players.french.key turns.british turns.french records first last result.winner
result.by result.points.british result.points.french closed verdict accused owed.due owed.side
owed.since missing.index missing.file files name key game reason
"""
COLUMNS = _COLUMNS.split()
"""The columns of tables: the paths of facts in `row_facts`."""
_NUMBERS = re.compile(r"lists|records|(turns|points)\.\w+|missing.index")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""The beginnings of cells that spreadsheets may execute."""
TableWriter: TypeAlias = Callable[[Row], object]


def cells(row: Row) -> dict[str, str | int | None]:
    """Return a row as the cells of a table, without control characters; None for empty ones."""
    facts = to_json_data(row_facts(row, {}))
    return {name: _cell(reduce(_part, name.split("."), facts)) for name in COLUMNS}


def _part(facts: Any, key: str) -> Any:
    return facts.get(key) if facts else None


def _cell(value: Any) -> str | int | None:
    if isinstance(value, list):
        value = " ".join(sorted(value))
    return clean(value) if isinstance(value, str) else value


@contextmanager
def csv_table(path: Path) -> Iterator[TableWriter]:
    """Yield a function that writes a row of a new CSV file; no cell is a formula.

    Raises UsageError if the file exists or cannot be written.
    """
    with report_os_errors(path), path.open("x", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        yield lambda row: writer.writerow({k: _quote(v) for k, v in cells(row).items()})


def _quote(cell: str | int | None) -> str | int | None:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


@contextmanager
def parquet_table(path: Path) -> Iterator[TableWriter]:
    """Yield a function that writes a row of a new Parquet file.

    Raises UsageError if the file exists or cannot be written, or if pyarrow is not installed.
    """
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        command = "pip install 'acres-pbem[club]'"
        raise UsageError("Parquet needs pyarrow: {command}", command=command) from None
    kinds = [arrow.int64() if _NUMBERS.search(name) else arrow.string() for name in COLUMNS]
    schema = arrow.schema([*zip(COLUMNS, kinds, strict=True)])
    with report_os_errors(path), path.open("xb") as file, parquet.ParquetWriter(file, schema) as to:
        waiting: list[dict[str, Any]] = []

        def write(*rows: Row) -> None:
            waiting.extend(map(cells, rows))
            if len(waiting) >= _BATCH or not rows:
                to.write_table(arrow.Table.from_pylist(waiting, schema))
                waiting.clear()

        yield write
        write()


_BATCH = 1000
"""The number of rows that are written to a Parquet file at once."""

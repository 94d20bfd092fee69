"""The audit, the standings and the problems of a club: as facts for `--json`, in words, as tables.

The texts are in the table `club` of `pbem/text/tables.toml`.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import fields
from datetime import date, datetime
from functools import reduce
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from engine.message import (
    NOTHING,
    Concat,
    Message,
    Phrase,
    comma_list,
    semicolon_list,
    sentences,
    with_label,
)
from engine.sides import Side
from pbem.club import import_extra
from pbem.club.club_file import Club, Pair
from pbem.club.ratings import Rating
from pbem.club.standings import Pairing, Place, Standings
from pbem.club.verdicts import ClubGame, ForkEvidence, Row, UnreadableFile, Verdict
from pbem.errors import NOT_WRITTEN, report_os_errors
from pbem.foreign import clean, display_name, display_path
from pbem.play.signing import is_signed
from pbem.play.store.entries import is_ahead
from pbem.protocol.schema import decode_bytes
from pbem.savefile.disk import reserve_file
from pbem.text.facts.json_data import Facts, to_json_data
from pbem.text.language import Line, Tone, item, row
from pbem.text.phrases import (
    day_in_numbers,
    fingerprint,
    instant,
    opponents_text,
    points_text,
    row_text,
    with_side,
)
from pbem.text.rules.editions import rules_name

STANDINGS, SIGNATURE = "standings.json", "standings.json.sig"
"""The names of signed standings and of their signature."""

# --- facts


def standings_facts(standings: Standings) -> Facts:
    """Return the standings as facts; docs/json.md has their keys."""
    club, ratings = standings.club, standings.ratings
    return {
        "club": club.name,
        "season": [club.begins.isoformat(), club.ends.isoformat()],
        "organiser": club.organiser,
        "pairing": club.pairing,
        "table": standings.places,
        "ladder": standings.ladder or None,
        "ratings": [
            {"name": name, **rating._asdict(), "curve": ratings.curves[name]}
            for name, rating in ratings.players.items()
        ],
        "sides": [
            {"edition": edition, "house_rules": rules, **worth._asdict()}
            for (edition, rules), worth in ratings.sides.items()
        ],
        "games": [_game_facts(pairing) for pairing in standings.pairings],
        "uncounted": [{"game": row.id, "reason": row.reason} for row in standings.uncounted],
    }


def _game_facts(pairing: Pairing) -> Facts:
    return {
        "game": pairing.id or None,
        "round": pairing.round or None,
        "players": pairing.names,
        "winner": pairing.winner,
        "result": result_text(pairing),
        "adjudicated": bool(pairing.adjudications),
        "provisional": pairing.is_provisional,
        "rated": pairing.is_rated,
    }


def standings_document(standings: Standings) -> bytes:
    """Return the standings as the JSON text that the organiser signs."""
    return (json.dumps(to_json_data(standings_facts(standings)), indent=2) + "\n").encode()


def is_signed_document(document: bytes, club: Club) -> bool:
    """Return True if the organiser's signature of a document is beside the file of a club."""
    try:
        text = club.path.with_name(SIGNATURE).read_text(encoding="ascii")
        signature = decode_bytes(text.strip())
    except (OSError, ValueError):
        return False
    return is_signed(document, signature, bytes.fromhex(club.organiser))


# --- standings in words


def standings_text(standings: Standings) -> Iterator[Line]:
    """Yield the standings under headings; each figure stands with its number of games."""
    ratings = standings.ratings
    yield Line(display_name(standings.club.name), Tone.HEAD)
    for place in standings.places:
        yield row(Concat((f"{place.rank}. ", display_name(place.name))), place_text(place))
    yield from _heading("ladder", standings.ladder)
    for rung, name in enumerate(standings.ladder, 1):
        yield item(Concat((f"{rung}. ", display_name(name))))
    yield from _heading("ratings", ratings.players)
    for name, rating in ratings.players.items():
        yield row(display_name(name), rating_text(rating))
    yield from _heading("sides", ratings.sides)
    for rules, worth in ratings.sides.items():
        yield row(rules_name(*rules), side_text(worth))
    yield from _heading("uncounted", standings.uncounted)
    for pairing in standings.uncounted:
        yield row(pairing.id[:8], reason_text(pairing))


def _heading(key: str, rows: Sized) -> list[Line]:
    return [Line(), Line(row_text("club-page", key), Tone.HEAD)] if rows else []


def place_text(place: Place) -> Message:
    """Return the results of a member in words."""
    return row_text("club", "place", **place._asdict())


def rating_text(rating: Rating) -> Message:
    """Return a rating with its uncertainty and its number of games."""
    error = 2 * rating.deviation
    return row_text("club", "rating", points=rating.points, error=error, games=rating.games)


def side_text(worth: Rating) -> Message:
    """Return the share of games that the British win, with its uncertainty and number of games."""
    low, percent, high = (round(100 * worth.expected(by)) for by in (-2, 0, 2))
    return row_text("club", "side", percent=percent, low=low, high=high, games=worth.games)


def result_text(pairing: Pairing) -> Phrase:
    """Return the result of a game in words with the reservations about it, or why it counts not."""
    if pairing.reason:
        return pairing.reason
    winner = display_name(pairing.names[pairing.winner]) if pairing.winner else NOTHING
    if pairing.adjudications:
        key = "won by adjudication" if pairing.winner else "void"
        return row_text("club", key, name=winner, reason=clean(pairing.adjudications[0].reason))
    if pairing.game is None or pairing.game.result is None:
        return row_text("club", "going on" if pairing.game else "no file")
    result = pairing.game.result
    points = {side.value: result.points[side] for side in Side}
    texts = [row_text("club", "won", name=winner, reason=result.cause, **points)]
    texts += [row_text("club", "unrated", name=display_name(name)) for name in pairing.idle]
    texts += [row_text("club", "provisional")] if pairing.is_provisional else []
    return semicolon_list(texts)


def reason_text(pairing: Pairing) -> Phrase:
    """Return the reason why a game does not count, after the names of its players."""
    return with_label(pairing.title, pairing.reason) if pairing.title else pairing.reason


def invitation_text(club: Club, number: int, pair: Pair) -> Iterator[Line]:
    """Yield the text with which the organiser invites a pair to their game in a round."""
    british, french = map(display_name, pair)
    facts = {"british": british, "french": french, "number": number, "days": club.pace_days}
    rules = comma_list(f"--house-rule {rule}" for rule in club.house_rules)
    yield Line(row_text("club", "invitation", club=display_name(club.name), **facts))
    yield Line(f"  acres new --side british --edition {club.editions[0]}", is_whole=True)
    if club.house_rules:
        yield Line(row_text("club", "invitation to rules", rules=rules))
    yield Line(row_text("club", "invitation to join", **facts))
    yield Line("  acres join FILE", is_whole=True)
    yield Line(row_text("club", "invitation to copy", **facts))
    yield Line()


# --- problems


class Problem(NamedTuple):
    """A problem in words, with its kind and the id of its game, which is empty without one."""

    kind: str
    game: str
    text: Phrase


def find_problems(standings: Standings, rows: Iterable[Row], now: str) -> list[Problem]:
    """Return the problems of a club, by kind, at the time `now`.

    `rows` are all that was read from the files. A delay is counted from the time of the last
    record, which its author signed.
    """
    findings, delays = _findings(standings, rows), _delays(standings, now)
    return [*findings, *delays, *_adjudications(standings)]


def _problem(kind: str, game: str, **facts: object) -> Problem:
    return Problem(kind, game, row_text("club-problems", kind, **facts))


def _findings(standings: Standings, rows: Iterable[Row]) -> Iterator[Problem]:
    """Yield cheats, files that cannot be read, and games that do not count, if undecided."""
    decided = {pairing.id for pairing in standings.rows if pairing.adjudications}
    for entry in rows:
        if isinstance(entry, UnreadableFile):
            game = entry.game.hex() if entry.game else ""
            yield Problem("unreadable", game, with_label(entry.name, entry.reason))
        elif isinstance(entry, ClubGame) and entry.unique_id not in decided:
            names = {who.key: who.name for who in (entry.inviter, *entry.players.values())}
            for proof in entry.accusations if any(map(standings.name_of, names)) else ():
                name, why = display_name(names.get(proof.key, "")), proof.sentence
                number = proof.index
                yield _problem("cheated", entry.unique_id, name=name, number=number, reason=why)
        elif isinstance(entry, ForkEvidence) and (member := standings.name_of(entry.key)):
            yield _problem("forked", "", name=display_name(member), file=entry.name)
    for pairing in standings.uncounted:
        if not pairing.adjudications:
            yield Problem("uncounted", pairing.id, reason_text(pairing))


def _delays(standings: Standings, now: str) -> Iterator[Problem]:
    """Yield the games that lack a file, or a move within the pace."""
    for pairing in standings.pairings:
        game, pair = pairing.game, pairing.title
        if pairing.is_decided:
            continue
        if game is None:
            day = standings.club.round[pairing.round - 1].day or date.min
            if (date.fromisoformat(now[:10]) - day).days >= standings.club.pace_days:
                yield _problem("absent", "", pair=pair, round=pairing.round)
        elif game.missing:
            yield _problem("missing", pairing.id, pair=pair, **vars(game.missing))
        elif game.owed and game.owed.side:
            since = game.owed.since
            days = (datetime.fromisoformat(now) - datetime.fromisoformat(since)).days
            if days >= standings.club.pace_days:
                name = display_name(pairing.names[game.owed.side])
                facts = {"name": name, "days": days, "date": day_in_numbers(since)}
                yield _problem("overdue", pairing.id, pair=pair, **facts)


def _adjudications(standings: Standings) -> Iterator[Problem]:
    """Yield the adjudications that decide nothing."""
    rows = [row.adjudications for row in standings.rows]
    for number, line in enumerate(standings.club.adjudication, 1):
        if not any(line is lines[0] for lines in rows if lines):
            is_second = any(line in lines for lines in rows)
            yield _problem("second" if is_second else "adjudication", "", number=number)


# --- the audit

_KINDS = {ClubGame: "game", ForkEvidence: "evidence", UnreadableFile: "file"}
_HIDDEN = ("newest", "data")
Paths: TypeAlias = Mapping[bytes, Path]
"""The paths of the evidence files of a game, by their bytes."""


def audit_facts(row: Row, paths: Paths) -> Facts:
    """Return a row as facts. Evidence is given by its path."""
    names = [field.name for field in fields(row) if field.name not in _HIDDEN]
    facts = {"kind": _KINDS[type(row)]} | {name: getattr(row, name) for name in names}
    if isinstance(row, ClubGame):
        accusations = [vars(one) | {"evidence": paths.get(one.evidence)} for one in row.accusations]
        accused = {one.key for one in row.accusations}
        facts |= {"id": row.unique_id, "accusations": accusations, "accused": accused}
    return facts


def audit_text(row: Row, paths: Paths, now: str) -> Iterator[Line]:
    """Yield a row as lines, at the time `now`."""
    match row:
        case ClubGame():
            head, *others = _game_text(row, paths, now)
            yield head._replace(label=f"{row.id.hex()[:8]}  ", tone=Tone.HEAD)
            yield from (line._replace(label=" " * 10) for line in others)
        case ForkEvidence(name, key):
            yield _line("elsewhere", Tone.BAD, file=name, key=fingerprint(key))
        case UnreadableFile(name, reason):
            yield Line(with_label(name, reason), Tone.BAD)


def _line(key: str, tone: Tone = Tone.PLAIN, /, **facts: object) -> Line:
    return Line(row_text("club-audit", key, **facts), tone)


def _game_text(game: ClubGame, paths: Paths, now: str) -> Iterator[Line]:
    names = {one.key: display_name(one.name) for one in (game.inviter, *game.players.values())}
    who = {side: with_side(names[one.key], side) for side, one in game.players.items()}
    players = row_text("club-audit", "invitation", player=names[game.inviter.key])
    if len(who) == len(Side):
        players = opponents_text(*who.values())
    yield Line(Concat((players, ", ", rules_name(game.edition, game.house_rules))))
    yield Line(comma_list(with_label(name, fingerprint(key)) for key, name in names.items()))
    first, last = day_in_numbers(game.first), day_in_numbers(game.last)
    yield _line("turns", turns=points_text(game.turns), first=first, last=last)
    if is_ahead(game.last, now):
        yield _line("ahead", Tone.BAD, time=instant(game.last))
    if result := game.result:
        ended = row_text("club-audit", "ended", reason=result.cause)
        yield Line(sentences(ended, row_text("club-audit", "won", side=result.winner.label)))
    if game.missing:
        yield _line("missing", Tone.BAD, number=game.missing.index, file=game.missing.file)
    elif game.owed and game.owed.side in who:
        day = day_in_numbers(game.owed.since)
        yield _line("next", player=who[game.owed.side], day=day)
    for one in game.accusations:
        facts = {"name": names.get(one.key, ""), "number": one.index, "reason": one.sentence}
        yield _line("cheated", Tone.BAD, **facts)
        if path := paths.get(one.evidence):
            yield _line("evidence", file=display_path(path))._replace(is_whole=True)
    for file in game.unreadable:
        yield Line(with_label(file.name, file.reason), Tone.BAD)
    if game.verdict is Verdict.HONEST:
        yield _line("honest", Tone.FINE)
    elif game.verdict is Verdict.DAMAGED:
        yield _line("damaged", Tone.BAD)


def verdicts(row: Row) -> Iterator[Verdict | None]:
    """Yield the verdict of a row to be counted, and None for each file that cannot be read."""
    if isinstance(row, ClubGame):
        yield row.verdict
        yield from (None for _ in row.unreadable)
    else:
        yield Verdict.FORKED if isinstance(row, ForkEvidence) else None


def summary(counts: Counter[Verdict | None]) -> Message:
    """Return the numbers of `verdicts` as sentences."""
    return row_text(
        "club-audit",
        "summary",
        games=counts.total() - counts[None],
        cheated=counts[Verdict.CHEATED] + counts[Verdict.FORKED],
        damaged=counts[Verdict.DAMAGED],
        unreadable=counts[None],
    )


# --- the audit as tables


_COLUMNS = """
kind id edition house_rules home_support lists inviter.key players.british.name players.british.key
players.french.name players.french.key turns.british turns.french records first last result.winner
result.by result.points.british result.points.french closed verdict accused owed.due owed.side
owed.since missing.index missing.file files name key game reason
"""
COLUMNS = _COLUMNS.split()
"""The columns of tables: the paths of facts in `audit_facts`."""
_NUMBERS = re.compile(r"lists|records|(turns|points)\.\w+|missing.index")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""The beginnings of cells that spreadsheets may execute."""
_BATCH = 1000
"""The number of rows that are written to a Parquet file at once."""


def cells(row: Row) -> dict[str, str | int | None]:
    """Return a row as the cells of a table, without control characters; None for empty ones."""
    facts = to_json_data(audit_facts(row, {}))
    return {name: _cell(reduce(_part, name.split("."), facts)) for name in COLUMNS}


def _part(facts: Any, key: str) -> Any:
    return facts.get(key) if facts else None


def _cell(value: Any) -> str | int | None:
    if isinstance(value, list):
        value = " ".join(sorted(value))
    return clean(value) if isinstance(value, str) else value


def csv_table(rows: Iterator[Row], path: Path) -> Iterator[Row]:
    """Write rows into a new CSV file, in which no cell is a formula, and yield them.

    Raises UsageError if the file exists or cannot be written. It appears when it is complete.
    """
    with _new_file(path) as file, TextIOWrapper(file, "utf-8", newline="") as text:
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        for entry in rows:
            writer.writerow({name: _quote(cell) for name, cell in cells(entry).items()})
            yield entry


def _quote(cell: str | int | None) -> str | int | None:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def parquet_table(rows: Iterator[Row], path: Path) -> Iterator[Row]:
    """Write rows into a new Parquet file, as `csv_table` does.

    Raises UsageError also if pyarrow is not installed.
    """
    arrow, parquet = map(import_extra, ("pyarrow", "pyarrow.parquet"))
    kinds = [arrow.int64() if _NUMBERS.search(name) else arrow.string() for name in COLUMNS]
    schema = arrow.schema([*zip(COLUMNS, kinds, strict=True)])
    with _new_file(path) as file, parquet.ParquetWriter(file, schema) as writer:
        while batch := [*islice(rows, _BATCH)]:
            writer.write_table(arrow.Table.from_pylist([*map(cells, batch)], schema))
            yield from batch


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    with reserve_file(path, 0) as new, report_os_errors(path, NOT_WRITTEN):
        with os.fdopen(new.descriptor, "wb", closefd=False) as file:
            yield file
        new.commit()

"""The tables of libraries of versions 1 and 2, and downgraded libraries."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from contextlib import closing
from functools import cache
from pathlib import Path

KEPT = Path(__file__).parents[2] / "old_files/robot-for-guests/robot/library.sqlite3"
"""A library that a program of version 1 made."""
GUESTS = ("guests", "waiting", "turned_away")
"""The additional tables of a robot's library."""
SAME = ("games", "kept_turns", "dispatched", "met", "vouched")
"""The tables that have not changed since version 2."""
_BACK = """
INSERT INTO signed
    SELECT game, key, "index", hash, previous, as_json(record) FROM records WHERE counts;
INSERT INTO replaced
    SELECT game, key, "index", hash, previous, as_json(record) FROM records WHERE NOT counts;
INSERT INTO destinations
    SELECT game, key, "index", hash, file, instead_of, writers FROM records
    WHERE writers IS NOT NULL;
INSERT INTO learnt SELECT game, key, hash FROM records WHERE is_learnt;
INSERT INTO verified SELECT game, hash, signature, checks FROM seen WHERE checks;
INSERT INTO arrivals
    SELECT DISTINCT game, key, hash, arrived FROM seen JOIN
    (SELECT game, key FROM records UNION SELECT game, key FROM games) USING (game)
    WHERE arrived <> '';
INSERT INTO looked_through
    SELECT key, place, entry, changed_or_validity, size_or_uid FROM searched
    WHERE typeof(place) = 'blob';
INSERT INTO mailboxes
    SELECT key, place, changed_or_validity, size_or_uid FROM searched
    WHERE typeof(place) = 'text';
INSERT INTO complete SELECT key FROM keys WHERE complete_since = '';
INSERT INTO complete_since SELECT key, complete_since FROM keys WHERE complete_since <> '';
DROP TABLE records;
DROP TABLE seen;
DROP TABLE searched;
DROP TABLE keys;
"""


@cache
def _statements() -> dict[str, str]:
    """Return the statement that creates each table of version 1, by its name."""
    with closing(sqlite3.connect(f"{KEPT.as_uri()}?immutable=1", uri=True)) as database:
        rows = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {name: statement for name, statement in rows if name not in GUESTS}


def make_tables(database: sqlite3.Connection, version: int) -> None:
    """Make the tables of a version, 1 or 2, in a database that has none."""
    for statement in _statements().values():
        database.execute(statement)
    if version == 2:
        database.execute("ALTER TABLE vouched ADD COLUMN nickname TEXT NOT NULL DEFAULT ''")
        database.execute("DROP TABLE nicknames")
    database.execute(f"PRAGMA user_version = {version}")


def downgrade(path: Path, *without: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.create_function("as_json", 1, _as_json)
        database.execute("DROP TABLE snapshots")
        for name, statement in _statements().items():
            if name not in (*SAME, "nicknames"):
                database.execute(statement)
        database.executescript(_BACK)
        for name in without:
            database.execute(f"DROP TABLE {name}")
        database.execute("PRAGMA user_version = 1")
        database.commit()


def _as_json(text: str) -> str:
    (plain,) = tomllib.loads(text)["record"]
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

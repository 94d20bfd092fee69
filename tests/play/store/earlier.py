"""The tables of libraries of versions 1 and 2, and libraries that are given them."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

VERSION_2 = """
CREATE TABLE signed (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    "index" INTEGER NOT NULL,
    hash BLOB NOT NULL,
    previous BLOB NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (game, key, "index")
);
CREATE TABLE replaced (game, key, "index", hash, previous, record);
CREATE TABLE destinations (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    "index" INTEGER NOT NULL,
    hash BLOB NOT NULL,
    file BLOB,
    instead_of BLOB,
    writers INTEGER NOT NULL,
    PRIMARY KEY (game, key, "index", hash)
);
CREATE TABLE verified (
    game BLOB NOT NULL,
    hash BLOB NOT NULL,
    signature BLOB NOT NULL,
    checks INTEGER NOT NULL,
    PRIMARY KEY (game, hash, signature)
) WITHOUT ROWID;
CREATE TABLE games (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    records INTEGER NOT NULL,
    last BLOB NOT NULL,
    edition TEXT NOT NULL,
    house_rules TEXT NOT NULL,
    side TEXT NOT NULL,
    opponent TEXT NOT NULL,
    email TEXT NOT NULL,
    turn INTEGER NOT NULL,
    waits_for TEXT NOT NULL,
    due TEXT NOT NULL,
    since TEXT NOT NULL,
    winner TEXT NOT NULL,
    file_in BLOB,
    file_out BLOB,
    pace INTEGER,
    PRIMARY KEY (game, key)
);
CREATE TABLE learnt (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (game, key, hash)
) WITHOUT ROWID;
CREATE TABLE complete (key);
CREATE TABLE complete_since (
    key BLOB NOT NULL PRIMARY KEY,
    time TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE dispatched (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    hash BLOB NOT NULL,
    state TEXT NOT NULL,
    time TEXT NOT NULL,
    "to" TEXT NOT NULL,
    PRIMARY KEY (game, key, hash)
);
CREATE TABLE arrivals (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    hash BLOB NOT NULL,
    time TEXT NOT NULL,
    PRIMARY KEY (game, key, hash)
) WITHOUT ROWID;
CREATE TABLE mailboxes (
    key BLOB NOT NULL,
    mailbox TEXT NOT NULL,
    validity INTEGER NOT NULL,
    uid INTEGER NOT NULL,
    PRIMARY KEY (key, mailbox)
);
CREATE TABLE met (
    key BLOB NOT NULL,
    game BLOB NOT NULL,
    player BLOB NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    time TEXT NOT NULL,
    PRIMARY KEY (key, game, player)
);
CREATE TABLE vouched (
    key BLOB NOT NULL,
    player BLOB NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    nickname TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (key, player, name, email)
);
CREATE TABLE snapshots (
    game BLOB NOT NULL,
    number INTEGER NOT NULL,
    length INTEGER NOT NULL,
    digest BLOB NOT NULL,
    records BLOB NOT NULL,
    position BLOB NOT NULL,
    seal BLOB NOT NULL
);
CREATE TABLE kept_turns (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    record BLOB NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (game, key, record)
) WITHOUT ROWID;
CREATE TABLE looked_through (
    key BLOB NOT NULL,
    folder BLOB NOT NULL,
    name BLOB NOT NULL,
    changed INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (key, folder, name)
) WITHOUT ROWID;
"""
NICKNAMES = """
CREATE TABLE nicknames (
    key BLOB NOT NULL,
    player BLOB NOT NULL,
    nickname TEXT NOT NULL,
    PRIMARY KEY (key, player)
);
"""
SAME = ("games", "kept_turns", "dispatched", "met", "vouched")
"""The tables that are now as they were, from version 2 on."""
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


def as_earlier(path: Path, *without: str, version: int = 1) -> None:
    """Give a library the tables of an earlier version, but for these, and what is in them."""
    with closing(sqlite3.connect(path)) as database:
        database.create_function("as_json", 1, _as_json)
        database.execute("DROP TABLE snapshots")
        script = VERSION_2
        for name in SAME:
            script = script.replace(f"CREATE TABLE {name} ", f"CREATE TABLE IF NOT EXISTS {name} ")
        database.executescript(script + _BACK)
        for name in without:
            database.execute(f"DROP TABLE {name}")
        database.execute(f"PRAGMA user_version = {version}")
        database.commit()


def _as_json(text: str) -> str:
    (plain,) = tomllib.loads(text)["record"]
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

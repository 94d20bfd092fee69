"""How long answers were waited for: by this computer's clock, from arrival to signature."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path

from pbem.library import Library, Seen, Wait
from pbem.protocol.match import Match
from tests.library.players import ANNA, up_to

MINUTES = [0, 7, 3, 60, 11, 2, 1440, 5]
"""How long each record of Anna's game was waited for, the even ones hers."""


def lived_through(path: Path, match: Match, minutes: Sequence[int]) -> Library:
    """The library of Anna after records came, and were signed, so long after each other."""
    begun, now = datetime(2026, 11, 21, 10), [""]
    library = Library(path, ANNA.public_key, lambda: now[0])
    for index, after in enumerate(accumulate(minutes)):
        now[0] = (begun + timedelta(minutes=after)).isoformat() + "Z"
        then = up_to(match, index + 1)
        seen = Seen.of(then, library.key, None)
        assert seen is not None
        if index % 2:
            library.note(seen, begins=True)
        else:
            library.remember(match.id, then.last, seen=[seen])
    return library


def test_each_answer_was_waited_for_since_the_record_before_it(path: Path, match: Match) -> None:
    library = lived_through(path, match, MINUTES)
    # The invitation and the joining are no answers, and that record 7 came, nobody has answered.
    expected = [(True, 3), (False, 60), (True, 11), (False, 2), (True, 1440)]
    assert [(each.is_own, each.seconds / 60) for each in library.waits()] == expected


def test_looking_at_a_file_again_changes_nothing(path: Path, match: Match) -> None:
    library = lived_through(path, match, MINUTES)
    before = library.waits()
    later = Library(path, ANNA.public_key, lambda: "2026-12-24T10:00:00Z")
    for number in range(2, len(MINUTES) + 1):
        seen = Seen.of(up_to(match, number), library.key, Path("again.toml"))
        assert seen is not None
        later.note(seen)
    assert later.waits() == before


def test_nobody_answers_before_a_turn_came(path: Path, match: Match) -> None:
    """Where the clock was put back, nothing is known of that answer, and of others all."""
    library = lived_through(path, match, [*MINUTES[:4], -30, *MINUTES[5:]])
    assert all(each.seconds >= 0 for each in library.waits())
    assert Wait(match.id, True, 1440 * 60) in library.waits()


def test_of_records_that_came_by_no_clock_nothing_is_known(library: Library, match: Match) -> None:
    seen = Seen.of(match, library.key, None)
    assert seen is not None
    library.note(seen, begins=True)
    assert library.waits() == []
    assert library.beginnings() == {match.id: match.records[0].time}


def test_a_game_that_is_not_listed_any_more_counts_no_more(path: Path, match: Match) -> None:
    library = lived_through(path, match, MINUTES)
    library.forget(match.id)
    assert (library.waits(), library.beginnings()) == ([], {})


def test_without_a_library_nothing_is_known(library: Library) -> None:
    assert (library.waits(), library.beginnings()) == ([], {})


def test_what_is_damaged_is_left_out(path: Path, match: Match) -> None:
    library = lived_through(path, match, MINUTES)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE arrivals SET time = 'soon'")
        database.execute("""UPDATE signed SET "index" = 'one' WHERE "index" = 4""")
        database.execute("""UPDATE signed SET record = '[' WHERE "index" = 0""")
    assert (library.waits(), library.beginnings()) == ([], {})

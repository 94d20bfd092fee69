"""False dates cause warnings, and do not affect letters, pace and long waits."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from pbem.play.game_file import GameFile
from pbem.play.message import extract_files
from tests.attacks.clocks import FAR, clock_at
from tests.cli.commands import Result, acres, do
from tests.play.store.old_library import downgrade

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ANNA, BELA = Path("anna"), Path("bela")
pytestmark = pytest.mark.usefixtures("table")
DATED = "dated 31 Dec 9999, more than 48 hours ahead of this computer's clock"


def time_after(**span: float) -> str:
    return f"{NOW + timedelta(**span):%Y-%m-%dT%H:%M:%SZ}"


def output_of(result: Result) -> str:
    return " ".join((result.out + result.err).split())


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run in a folder with the homes of Anna and Bela, and Anna's invitation of the same day."""
    monkeypatch.chdir(tmp_path)
    with clock_at(NOW):
        for home in (ANNA, BELA):
            name = home.name.capitalize()
            do("init", "--name", name, "--email", f"{home}@example.org", home=home)
        do("new", "--side", "british", "--lists", 256, "--output", "g-000.toml", home=ANNA)
        yield


def join_at(date: str) -> None:
    with clock_at(date):
        do("join", "g-000.toml", home=BELA)


def play_pass(file: str, *more: object, home: Path = ANNA) -> Result:
    return do("turn", "apply", file, "pass", *more, home=home)


def only_game(home: Path) -> dict[str, object]:
    (facts,) = json.loads(do("games", "--json", home=home).out)
    return dict(facts)


# --- warnings


@pytest.mark.parametrize(
    "words", [["turn", "show"], ["turn", "legal"], ["log"], ["audit"], ["turn", "apply"]]
)
def test_date_far_ahead_is_reported_by_every_command(words: list[str]) -> None:
    join_at(FAR)
    result = do(*words, "g-001.toml", *(["pass"] if words[-1] == "apply" else []), home=ANNA)
    assert f"Record 1, signed by Bela, is {DATED}" in output_of(result)
    assert "one of the two clocks is probably wrong" in output_of(result)
    assert output_of(result).count("more than 48 hours ahead") == 1


def test_invitation_from_the_future_is_reported() -> None:
    with clock_at(FAR):
        do("new", "--side", "any", "--output", "far.toml", home=ANNA)
    result = do("join", "far.toml", "--side", "french", home=BELA)
    assert f"Record 0, signed by Anna, is {DATED}" in output_of(result)
    assert "Your record 1 is dated 31 Dec 9999 too" in output_of(result)
    assert "Record 1, the last one, is dated 31 Dec 9999" in output_of(do("games", home=BELA))


@pytest.mark.parametrize(("hours", "is_reported"), [(47, False), (49, True)])
def test_clocks_may_differ_by_two_days(hours: int, is_reported: bool) -> None:
    join_at(time_after(hours=hours))
    for words in (["turn", "show", "g-001.toml"], ["games"], ["audit", "g-001.toml"]):
        assert ("48 hours ahead" in output_of(do(*words, home=ANNA))) is is_reported


def test_date_far_ahead_is_reported_before_and_after_signing() -> None:
    join_at(FAR)
    result = play_pass("g-001.toml")
    assert DATED in output_of(result)
    assert "Your record 2 is dated 31 Dec 9999 too: it may not be dated before" in output_of(result)
    # The protocol requires this date.
    assert GameFile.read(Path("g-002.toml").read_bytes()).match.last.time == FAR
    assert do("audit", "g-002.toml", home=BELA).status == 0


def test_time_of_signing_is_reported_instead_of_the_date() -> None:
    with clock_at(FAR):
        do("new", "--side", "british", "--output", "far.toml", home=ANNA)
    do("join", "far.toml", home=BELA)
    join_at(FAR)
    play_pass("g-001.toml")
    with clock_at(time_after(hours=5)):
        for again in (
            play_pass("g-001.toml", "--output", "again.toml"),
            do("join", "far.toml", "--output", "again-1.toml", home=BELA),
        ):
            assert f", on {NOW:%-d %b %H:%M}" in output_of(again)
        other = acres("turn", "resign", "g-001.toml", "--yes", "--output", "x", home=ANNA)
        assert f"already answered this file, on {NOW:%-d %b %H:%M}" in output_of(other)


# --- letters


def date_of(draft: str) -> datetime:
    return parsedate_to_datetime(str(message_from_bytes(Path(draft).read_bytes())["Date"]))


def test_message_is_dated_by_the_senders_clock() -> None:
    join_at(FAR)
    with clock_at(time_after(hours=5)):
        play_pass("g-001.toml", "--mail")
    assert date_of("g-002.eml") == NOW + timedelta(hours=5)
    (attachment,) = extract_files(Path("g-002.eml").read_bytes())
    assert attachment.data == Path("g-002.toml").read_bytes()


@pytest.mark.parametrize("date", [FAR, time_after(hours=1)])
def test_draft_is_rebuilt_with_its_date(date: str) -> None:
    join_at(date)
    play_pass("g-001.toml", "--mail")
    before = Path("g-002.eml").read_bytes()
    with clock_at(time_after(days=3)):
        again = play_pass("g-001.toml", "--mail")
        assert "already exists" in output_of(again)
        do("mail", "draft", "g-002.toml", "--output", "other.eml", home=ANNA)
    assert Path("g-002.eml").read_bytes() == Path("other.eml").read_bytes() == before


def test_message_without_a_library_is_not_dated_ahead() -> None:
    join_at(FAR)
    play_pass("g-001.toml")
    (ANNA / "library.sqlite3").unlink()
    with clock_at(time_after(days=1)):
        do("mail", "draft", "g-002.toml", home=ANNA)
    assert date_of("g-002.eml") == NOW + timedelta(days=1)


# --- pace


def test_opponent_with_a_borrowed_date_gets_overdue() -> None:
    join_at(FAR)
    play_pass("g-001.toml")
    do("games", "pace", "g-002.toml", 3, home=ANNA)
    assert only_game(ANNA)["overdue_days"] is None
    with clock_at(time_after(days=5)):
        assert "since 21 Nov 2026 (5 days ago)" in output_of(do("games", home=ANNA))
        assert "Overdue by 2 days" in output_of(do("games", home=ANNA))
        facts = only_game(ANNA)
    assert (facts["overdue_days"], facts["since"], facts["arrived"]) == (2, FAR, time_after())


def test_own_move_counts_from_the_arrival_of_the_file() -> None:
    """A file that is dated back is not overdue when it arrives."""
    join_at(time_after(minutes=1))
    with clock_at(time_after(days=20)):
        do("turn", "show", "g-001.toml", home=ANNA)
        do("games", "pace", "g-001.toml", 3, home=ANNA)
        assert "(today)" in output_of(do("games", home=ANNA))
    with clock_at(time_after(days=24)):
        # Reading the file again changes nothing.
        do("turn", "show", "g-001.toml", home=ANNA)
        assert only_game(ANNA)["overdue_days"] == 1


def test_games_are_listed_in_order_of_arrival() -> None:
    join_at(FAR)
    do("turn", "show", "g-001.toml", home=ANNA)
    with clock_at(time_after(days=2)):
        do("new", "--side", "french", "--output", "second.toml", home=ANNA)
    games = json.loads(do("games", "--json", home=ANNA).out)
    assert [game["since"] for game in games] == [FAR, time_after(days=2)]


def test_signed_times_count_without_arrivals_up_to_now() -> None:
    join_at(time_after(hours=40))
    play_pass("g-001.toml")
    do("games", "pace", "g-002.toml", 3, home=ANNA)
    downgrade(ANNA / "library.sqlite3", "arrivals")
    assert "since 21 Nov 2026 (today)" in output_of(do("games", home=ANNA))
    with clock_at(time_after(hours=40, days=4)):
        assert only_game(ANNA)["overdue_days"] == 1
        # A known file does not count as arriving now.
        do("turn", "show", "g-002.toml", home=ANNA)
        assert only_game(ANNA)["arrived"] is None
        assert only_game(ANNA)["overdue_days"] == 1


def test_unknown_date_is_reported_as_unknown() -> None:
    join_at(FAR)
    play_pass("g-001.toml")
    do("games", "pace", "g-002.toml", 3, home=ANNA)
    (ANNA / "library.sqlite3").unlink()
    do("games", "add", ".", home=ANNA)
    text = output_of(do("games", home=ANNA))
    assert "since an unknown date" in text
    assert "Overdue" not in text
    assert only_game(ANNA)["arrived"] is None


@pytest.mark.parametrize("wrong", [FAR, "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z"])
def test_wrong_local_clock_breaks_nothing(wrong: str) -> None:
    join_at(time_after(minutes=1))
    with clock_at(wrong):
        do("turn", "show", "g-001.toml", home=ANNA)
        do("games", "pace", "g-001.toml", 3, home=ANNA)
        do("games", home=ANNA)
        do("audit", "g-001.toml", home=ANNA)
    for time in (time_after(days=1), wrong):
        with clock_at(time):
            assert do("games", home=ANNA).err == ""
            assert "last one" not in output_of(do("games", home=ANNA)) or time == wrong
    if wrong == FAR:
        with clock_at(time_after(days=5)):
            # A wrong arrival is ignored, and the signed time counts.
            assert "(5 days ago)" in output_of(do("games", home=ANNA))
    # The next record has a correct arrival.
    with clock_at(time_after(days=6)):
        play_pass("g-001.toml")
        assert only_game(ANNA)["arrived"] == time_after(days=6)


def test_damaged_arrivals_are_ignored() -> None:
    join_at(time_after(minutes=1))
    do("turn", "show", "g-001.toml", home=ANNA)
    for rubbish in ("", "soon", "2026-11-21", b"\xff", 7, "9" * 99):
        with sqlite3.connect(ANNA / "library.sqlite3") as database:
            database.execute("UPDATE seen SET arrived = ?", (rubbish,))
        database.close()
        assert only_game(ANNA)["arrived"] is None
        assert "Waiting for you" in output_of(do("games", home=ANNA))


# --- long waits


def owe_opening(date: str) -> str:
    """Return the file of a game in which Bela, who dated hers so, has to open a shuffle."""
    join_at(date)
    play_pass("g-001.toml")
    return "g-002.toml"


def test_date_far_ahead_does_not_hide_a_wait_in_the_audit() -> None:
    file = owe_opening(FAR)
    for days, is_long in ((1, False), (8, True), (4000, True)):
        with clock_at(time_after(days=days)):
            text = output_of(do("audit", file, home=BELA))
        assert ("There may be many reasons for the wait" in text) is is_long
        assert "since some time after 2026-11-21:" in text


def test_game_dated_far_ahead_does_not_hide_a_wait() -> None:
    with clock_at(FAR):
        Path("g-000.toml").unlink()
        do("new", "--side", "british", "--lists", 256, "--output", "g-000.toml", home=ANNA)
    text = output_of(do("audit", owe_opening(FAR), home=BELA))
    assert "Nobody can say since when" in text
    assert "There may be many reasons for the wait" in text


def test_wait_is_reported_by_the_local_clock() -> None:
    file = owe_opening(FAR)
    for days, is_long in ((6, False), (8, True)):
        with clock_at(time_after(days=days)):
            text = output_of(do("turn", "show", file, home=ANNA))
        # A shorter wait is not reported.
        due = "whose next file has to open a shuffle, since 2026-11-21."
        assert (due in text, "There may be many reasons for the wait" in text) == (is_long,) * 2

"""`acres mail fetch`: arrivals are verified, filed and reported; nothing is lost or overwritten."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import socket
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient

from pbem.cli import mail_account
from pbem.savefile.save_file import SaveFile
from tests.attacks.clocks import FAR, clock_at
from tests.cli.commands import Result, acres, play_practice_files
from tests.cli.table import unwrap
from tests.mail.messages import FETCHED_FLAGS, flags, letter, plain
from tests.mail.players import Player, begin_game
from tests.mail.sent_messages import parse
from tests.mail.test_message import HOSTILE, NESTED

FORGED = "\x1b[31mAnna\u202e"


def deliver_and_fetch(player: Player, *messages: bytes, status: int = 0) -> Result:
    """Deliver these messages, and fetch them."""
    for message in messages:
        player.office.deliver(player.address, message)
    result = player.run("mail", "fetch")
    assert result.status == status, result
    return result


def as_data(player: Player, *words: object) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = json.loads(player.run("mail", "fetch", "--json", *words).out)
    return results


# --- what goes well


def test_turn_is_saved_beside_the_latest_file(
    anna: Player, turns: dict[int, Path], tmp_path: Path
) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    shutil.move(anna.folder / "game-000.toml", elsewhere / "with-bela-000.toml")
    shutil.copy(turns[2], elsewhere / "with-bela-002.toml")
    anna.do("games", "add", elsewhere)
    deliver_and_fetch(anna, letter(turns[3].read_bytes()))
    assert (elsewhere / "with-bela-003.toml").read_bytes() == turns[3].read_bytes()
    assert anna.files == []


def test_existing_file_is_not_overwritten(anna: Player, joined: Path) -> None:
    (anna.folder / "game-001.toml").write_bytes(b"This is precious.\n")
    text = deliver_and_fetch(anna, letter(joined.read_bytes())).out
    assert (anna.folder / "game-001.toml").read_bytes() == b"This is precious.\n"
    (copy,) = anna.folder.glob("acres-*-001.toml")
    assert copy.read_bytes() == joined.read_bytes()
    assert copy.name in text


def test_new_library_learns_from_messages(
    bela: Player, anna: Player, players_folder: Path, turns: dict[int, Path]
) -> None:
    """The messages have an invitation and a game that was joined elsewhere."""
    (bela.home / "library.sqlite3").unlink()
    invitation = (players_folder / "game-000.toml").read_bytes()
    text = deliver_and_fetch(bela, letter(invitation, "anna@example.org", name="../../.bashrc")).out
    (name,) = set(bela.files) - {"game-000.toml", "game-001.toml"}
    assert name.startswith("acres-")
    assert (bela.folder / name).read_bytes() == invitation
    assert f"join {bela.folder}/{name}" in text
    assert flags(bela) == [FETCHED_FLAGS]
    assert (
        "your move since"
        in deliver_and_fetch(bela, letter(turns[4].read_bytes(), anna.address)).out
    )
    assert "against Anna" in bela.do("games").out


@pytest.mark.parametrize("days", ["0", "-1", "4000000", "99999999999"])
def test_invalid_days_option_is_refused(anna: Player, days: str) -> None:
    assert "--days takes" in anna.run("mail", "fetch", "--days", days).fails().err


def test_turn_dated_far_ahead_is_timed_by_the_local_clock(anna: Player, bela: Player) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    with clock_at(FAR):
        file = begin_game(anna.home, bela.home, bela.folder, "far")
    with clock_at(now):
        bela.do("mail", "send", file)
        result = deliver_and_fetch(anna)
        text = unwrap(result.out + result.err)
        assert "Record 0, signed by Anna, is dated 31 Dec 9999, more than 48 hours ahead" in text
        assert text.count("48 hours") == 1
        anna.do("turn", "apply", file, "pass", "--send")
    for message in (*anna.inbox(), *bela.inbox()):
        assert parsedate_to_datetime(str(parse(message)["Date"])) == now


# --- twice, late, in the wrong order


def test_duplicate_and_late_turns_are_reported(
    anna: Player, bela: Player, turns: dict[int, Path]
) -> None:
    anna.office.faults.delivers_twice = True
    bela.do("mail", "send", bela.file)
    assert (deliver_and_fetch(anna).out.count("your move since"), len(anna.inbox())) == (1, 2)
    assert anna.files == ["game-000.toml", "game-001.toml"]
    assert (
        "You already have this turn" in deliver_and_fetch(anna, letter(bela.file.read_bytes())).out
    )
    deliver_and_fetch(anna, letter(turns[5].read_bytes()))
    before = anna.files
    assert "is an old file" in deliver_and_fetch(anna, letter(turns[3].read_bytes())).out
    assert (anna.files, flags(anna)) == (before, [FETCHED_FLAGS] * 5)
    (game,) = json.loads(anna.do("games", "--json").out)
    assert game["records"] == 6


def test_newest_of_several_turns_is_reported(anna: Player, turns: dict[int, Path]) -> None:
    text = deliver_and_fetch(
        anna, *(letter(turns[number].read_bytes()) for number in (5, 1, 3))
    ).out
    assert text.count("A turn has arrived") == 1 and "is an old file" not in text
    assert text.count("your move since") == 1
    (game,) = json.loads(anna.do("games", "--json").out)
    assert Path(game["file_in"]).read_bytes() == turns[5].read_bytes()


def test_own_message_is_not_an_arrival(bela: Player, turns: dict[int, Path]) -> None:
    """A mailbox may also hold sent messages."""
    bela.do("games", "add", turns[5].parent)
    own = letter(turns[5].read_bytes(), bela.address)
    assert deliver_and_fetch(bela, own).out == "No turn has arrived.\n"
    assert flags(bela) == [set()]


# --- what is not to be trusted


def spoil_signature(file: Path) -> bytes:
    """Return a file with one character of the last signature changed."""
    text = file.read_text()
    position = text.rindex('signature = """') + 20
    return (
        text[:position] + ("A" if text[position] != "A" else "B") + text[position + 1 :]
    ).encode()


def test_sender_is_known_by_signature_not_by_address(anna: Player, joined: Path) -> None:
    result = deliver_and_fetch(anna, letter(joined.read_bytes(), "Bela <mallory@example.org>"))
    assert "your move since" in result.out
    assert {"mallory@example.org", "bela@example.org"} <= set(
        re.findall(r"\w+@[\w.]+\w", result.err)
    )


def test_altered_file_is_left_in_the_mailbox_and_reported(anna: Player, joined: Path) -> None:
    result = deliver_and_fetch(anna, letter(spoil_signature(joined), subject=FORGED), status=1)
    for text in ("was changed after it was signed", "to send the file again", "audit MESSAGE"):
        assert text in unwrap(result.err)
    assert not {"\x1b", "\u202e"} & set(result.err)
    assert (anna.files, flags(anna)) == (["game-000.toml"], [set()])


@pytest.mark.parametrize("is_forged", [True, False])
def test_game_of_other_players_is_not_verified(
    anna: Player, tmp_path: Path, is_forged: bool
) -> None:
    """Proofs of other games could be made to take long."""
    save = SaveFile.read(play_practice_files(tmp_path / "others", 6)[-1].path.read_bytes())
    *before, last = save.records
    if is_forged:
        save = save._replace(records=(*before, last._replace(signature=bytes(64))))
    assert "in which you do not play" in deliver_and_fetch(anna, letter(save.write())).out
    (facts,) = as_data(anna, "--days", 1)
    assert (facts["what"], facts["record"], facts["file"]) == ("foreign", 5, None)
    assert (anna.files, flags(anna)) == (["game-000.toml"], [set()])


def test_conflicting_record_is_saved_beside_the_known_file(
    anna: Player, bela: Player, turns: dict[int, Path], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    deliver_and_fetch(anna, letter(turns[3].read_bytes()))
    known, other = anna.files, tmp_path / "other.toml"
    bela.do("turn", "apply", turns[2], "draft Coureurs", "--output", other)
    text = deliver_and_fetch(anna, letter(other.read_bytes())).out
    assert "differs from your file" in unwrap(text)
    (beside,) = set(anna.files) - set(known)
    assert (anna.folder / beside).read_bytes() == other.read_bytes()
    audit = next(line for line in text.splitlines() if "audit" in line).partition("audit ")[2]
    assert acres("audit", *shlex.split(audit)).status == 1


def test_hostile_messages_do_not_block_a_turn(anna: Player, joined: Path) -> None:
    good = NESTED + b"\n" + letter(joined.read_bytes()).partition(b"\n")[2]
    bad = b"From: Zoe <zoe@example.org>\nContent-Type: multipart/a; boundary*=undefined''x\n"
    bad += b"Subject: Hello\n\nHi!\n"
    result = deliver_and_fetch(
        anna, *list(HOSTILE.values())[::4], bad, good, HOSTILE["words"], status=1
    )
    assert "A turn has arrived" in result.out and "your move since" in result.out
    text = unwrap(result.err)
    assert "from zoe@example.org with the subject “Hello” was left in the mailbox" in text
    assert "This message cannot be read (UnicodeError)." in text
    assert [item["what"] for item in as_data(anna, "--days", 1)] == ["unreadable", "again"]
    assert deliver_and_fetch(anna).out == "No turn has arrived.\n"
    assert flags(anna).count(FETCHED_FLAGS) == 1


@pytest.mark.parametrize("values", [{b"SEQ": 1}, {b"BODY[]<0>": None}, {b"BODY[]": b"x" * 2**24}])
def test_withheld_message_is_reported(
    anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch, values: Mapping[bytes, Any]
) -> None:
    """The message is not taken for a deleted one."""
    whole, withheld = IMAPClient.fetch, list[int]()

    def fetch(self: IMAPClient, uids: Sequence[int], parts: Sequence[Any]) -> Mapping[int, Any]:
        if withheld or "BODY" not in str(parts):
            results: dict[int, Any] = whole(self, uids, parts)
            return results
        withheld.extend(uids)
        return dict.fromkeys(uids, values)

    monkeypatch.setattr(IMAPClient, "fetch", fetch)
    result = deliver_and_fetch(anna, plain(), letter(joined.read_bytes()), status=1)
    assert "does not give it out" in result.err
    assert "your move since" in result.out


def test_ordinary_mail_is_ignored(anna: Player) -> None:
    archive = letter(b"PK\x03\x04" * 100, name="pictures.zip", subject="Pictures")
    some = (plain(), archive, b"garbage", b"\xff\x00\r\n\r\n", plain("acres-sav " * 99))
    result = deliver_and_fetch(anna, *some)
    assert (result.out, result.err) == ("No turn has arrived.\n", "")
    assert (len(anna.inbox()), flags(anna)) == (5, [set()] * 5)


def test_oversized_message_is_skipped(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.fetching.MAX_MESSAGE", 4000)
    assert "left alone" in deliver_and_fetch(anna, plain("y\n" * 3000)).err


# --- before a game is chosen


@pytest.mark.parametrize("word", [(), ("1",)])
def test_newest_file_is_searched_for_in_the_mailbox(
    anna: Player, bela: Player, invitation: bytes, word: tuple[str, ...]
) -> None:
    anna.do("games", "folders", "add", anna.folder)
    (anna.folder / "stranger.toml").write_bytes(invitation)
    bela.do("mail", "send", bela.file)
    # An invitation that lies there keeps nobody from the game that goes on.
    page = anna.do("turn", "show", *word, "--json")
    assert json.loads(page.out)["record"]["index"] == 1
    assert flags(anna) == [FETCHED_FLAGS]
    # A game waits now, and nothing else is asked for.
    anna.set_up(re.sub(r"port = [0-9]+", "port = 1", anna.office.config(anna.address)))
    assert anna.do("turn", "show", *word, "--json") == page
    anna.do("turn", "apply", "pass")
    assert "game-002.toml" in anna.files


@pytest.mark.parametrize("fault", ["down", "silent", "full"])
def test_failing_mailbox_does_not_block_the_newest_file(
    anna: Player, invitation: bytes, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_account, "TIMEOUT_SECONDS", 1)
    anna.office.deliver(anna.address, letter(invitation, "zoe@example.org"))
    with socket.create_server(("localhost", 0)) as silent:
        port = {"down": 1, "silent": silent.getsockname()[1], "full": anna.office.imaps}[fault]
        config = anna.office.config(anna.address, folder=str(anna.home / "config.toml"))
        anna.set_up(re.sub(r"port = [0-9]+", f"port = {port}", config))
        began = time.monotonic()
        page = anna.do("turn", "show", "1")
        assert time.monotonic() - began < 4
    assert "An invitation from Anna" in page.out
    assert "Note: " in page.err


@pytest.mark.parametrize("has_folder", [True, False])
def test_invitation_alone_is_listed(anna: Player, invitation: bytes, has_folder: bool) -> None:
    if not has_folder:
        anna.set_up(anna.office.config(anna.address))
    anna.office.deliver(anna.address, letter(invitation, "zoe@example.org"))
    assert "Zoé invites you to a game" in unwrap(anna.do("turn", "show").err)
    (file,) = (anna.folder if has_folder else anna.home / "games").glob("acres-*.toml")
    for _ in range(2):
        assert f"join {file}" in anna.do("games").out
    assert "An invitation from Zoé" in anna.do("turn", "show", "zoé").out

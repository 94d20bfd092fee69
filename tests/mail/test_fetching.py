"""`acres mail fetch`: what arrives is verified, filed and told; nothing is lost or written over."""

import json
import re
import shlex
import shutil
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from pbem.cli import own_mailbox
from pbem.mail.arrivals import Filed
from pbem.mail.filing import file_away
from pbem.mail.parts import is_message
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile
from tests.cli.using import acres, practice_files
from tests.mail.arriving import MARKED, flags, letter, plain
from tests.mail.players import Player
from tests.mail.servers import PostOffice

FORGED = "\x1b[31mAnna\u202e"


# --- what goes well


def test_what_arrives_is_filed_told_and_marked(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    office.deliver(anna.address, plain())
    bela.do("mail", "send", joined)
    told = anna.do("mail", "fetch").out
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert "your move since" in told
    assert f"turn show {anna.folder}/game-001.toml" in told
    assert flags(anna) == [set(), MARKED]
    assert len(anna.inbox()) == 2


def unreachable(office: PostOffice, player: Player) -> str:
    """The settings of a player whose servers are not there."""
    config = office.config(player.address, folder=str(player.folder))
    return re.sub(r"port = [0-9]+", "port = 1", config)


def test_who_asks_for_the_newest_file_does_not_wait_for_what_lies_in_the_mailbox(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    shown = anna.do("turn", "show", "--json")
    assert json.loads(shown.out)["record"]["index"] == 1
    assert flags(anna) == [MARKED]
    # A game waits now, and nothing else is asked for.
    anna.set_up(unreachable(office, anna))
    assert anna.do("turn", "show", "--json") == shown


def test_a_server_that_does_not_answer_keeps_nobody_from_the_newest_file(
    office: PostOffice, anna: Player
) -> None:
    anna.set_up(unreachable(office, anna))
    shown = anna.do("turn", "show")
    assert "An invitation from Anna" in shown.out
    assert "Note: " in shown.err


def test_the_mailbox_is_looked_into_for_a_game_that_waits_for_the_opponent(
    anna: Player, bela: Player, joined: Path, stranger: bytes
) -> None:
    anna.do("games", "folders", "add", anna.folder)
    (anna.folder / "stranger.toml").write_bytes(stranger)
    bela.do("mail", "send", joined)
    # An invitation that lies there keeps nobody from the game that goes on.
    assert json.loads(anna.do("turn", "show", "--json").out)["record"]["index"] == 1
    anna.do("turn", "apply", "pass")
    (answer,) = set(anna.files) - {"game-000.toml", "game-001.toml", "stranger.toml"}
    assert answer == "game-002.toml"


def test_a_game_is_looked_for_in_the_mailbox_by_its_number(
    anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    assert json.loads(anna.do("turn", "show", "1", "--json").out)["record"]["index"] == 1


@pytest.fixture
def stranger(tmp_path: Path) -> bytes:
    """The invitation of somebody whom nobody knows."""
    home, file = tmp_path / "home-zoe", tmp_path / "zoe.toml"
    for words in (["init", "--name", "Zoé"], ["new", "--side", "french", "--output", file]):
        assert acres(*words, home=home).status == 0
    return file.read_bytes()


@pytest.mark.parametrize("has_folder", [True, False])
def test_an_invitation_that_comes_by_itself_is_told_and_stays_in_the_list(
    office: PostOffice, anna: Player, stranger: bytes, has_folder: bool
) -> None:
    if not has_folder:
        anna.set_up(office.config(anna.address))
    office.deliver(anna.address, letter(stranger, "zoe@example.org"))
    shown = anna.do("turn", "show")
    assert "Zoé invites you to a game" in plain_text(shown.err)
    (file,) = (anna.folder if has_folder else anna.home / "games").glob("acres-*.toml")
    for _ in range(2):
        assert f"join {file}" in anna.do("games").out
    assert "An invitation from Zoé" in anna.do("turn", "show", "zoé").out


def test_what_cannot_be_put_away_keeps_nobody_from_the_newest_file(
    office: PostOffice, anna: Player, stranger: bytes
) -> None:
    anna.set_up(office.config(anna.address, folder=str(anna.home / "config.toml")))
    office.deliver(anna.address, letter(stranger, "zoe@example.org"))
    shown = anna.do("turn", "show", "1")
    assert "An invitation from Anna" in shown.out
    assert "Note: " in shown.err


def test_a_server_that_is_silent_is_not_waited_for_long(
    office: PostOffice, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_mailbox, "LONGEST", 1)
    with socket.create_server(("localhost", 0)) as silent:
        config = office.config(anna.address, folder=str(anna.folder))
        anna.set_up(re.sub(r"port = [0-9]+", f"port = {silent.getsockname()[1]}", config))
        began = time.monotonic()
        shown = anna.do("turn", "show")
        assert time.monotonic() - began < 4
    assert "An invitation from Anna" in shown.out
    assert "Note: " in shown.err


def plain_text(told: str) -> str:
    return " ".join(told.split())


@pytest.mark.parametrize("starttls", [True, False])
def test_by_either_way_of_encrypting(
    office: PostOffice, anna: Player, bela: Player, joined: Path, starttls: bool
) -> None:
    anna.set_up(office.config(anna.address, starttls=starttls, folder=str(anna.folder)))
    bela.do("mail", "send", joined)
    anna.do("mail", "fetch")
    assert "game-001.toml" in anna.files


def test_the_next_time_tells_only_what_is_new(anna: Player, bela: Player, joined: Path) -> None:
    bela.do("mail", "send", joined)
    anna.do("mail", "fetch")
    before = anna.files
    assert anna.do("mail", "fetch").out == "No turn has arrived.\n"
    assert anna.files == before


def test_an_invitation_of_a_stranger_is_shown_with_the_way_to_join(
    office: PostOffice, bela: Player, kept: Path
) -> None:
    (bela.home / "library.sqlite3").unlink()
    invitation = (kept / "game-000.toml").read_bytes()
    office.deliver(bela.address, letter(invitation, "anna@example.org", name="../../.bashrc"))
    told = bela.do("mail", "fetch").out
    (name,) = set(bela.files) - {"game-000.toml", "game-001.toml"}
    assert name.startswith("acres-")
    assert (bela.folder / name).read_bytes() == invitation
    assert f"join {bela.folder}/{name}" in told
    assert flags(bela) == [MARKED]


def test_a_game_that_was_joined_on_another_computer_is_ones_own(
    office: PostOffice, bela: Player, played: dict[int, Path]
) -> None:
    (bela.home / "library.sqlite3").unlink()
    office.deliver(bela.address, letter(played[4].read_bytes(), "anna@example.org"))
    assert "your move since" in bela.do("mail", "fetch").out
    assert "against Anna" in bela.do("games").out


def test_a_file_goes_beside_the_last_one_of_its_game(
    anna: Player, office: PostOffice, played: dict[int, Path], tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.move(anna.folder / "game-000.toml", elsewhere / "with-bela-000.toml")
    shutil.copy(played[2], elsewhere / "with-bela-002.toml")
    anna.do("games", "add", elsewhere)
    office.deliver(anna.address, letter(played[3].read_bytes()))
    anna.do("mail", "fetch")
    assert (elsewhere / "with-bela-003.toml").read_bytes() == played[3].read_bytes()
    assert anna.files == []


def test_a_file_of_that_name_is_not_written_over(anna: Player, bela: Player, joined: Path) -> None:
    precious = b"This is precious.\n"
    (anna.folder / "game-001.toml").write_bytes(precious)
    bela.do("mail", "send", joined)
    told = anna.do("mail", "fetch").out
    assert (anna.folder / "game-001.toml").read_bytes() == precious
    assert (anna.folder / "game-001 (2).toml").read_bytes() == joined.read_bytes()
    assert "game-001 (2).toml" in told


@pytest.mark.parametrize("days", ["0", "-1", "4000000", "99999999999"])
def test_days_that_cannot_be_looked_back_are_told(anna: Player, days: str) -> None:
    done = anna.run("mail", "fetch", "--days", days)
    assert done.status == 2
    assert "--days takes" in done.err


def test_as_data(office: PostOffice, anna: Player, bela: Player, joined: Path) -> None:
    bela.do("mail", "send", joined)
    (news,) = json.loads(anna.do("mail", "fetch", "--json").out)
    assert news["what"] == "new"
    assert news["record"] == 1
    assert news["file"] == str(anna.folder / "game-001.toml")
    assert news["listed"]["waits_for"] == "you"
    assert bela.address in news["from"]
    assert json.loads(anna.do("mail", "fetch", "--json").out) == []


# --- twice, late, in the wrong order


def test_what_is_delivered_twice_is_filed_once(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    office.matter.twice = True
    bela.do("mail", "send", joined)
    assert len(anna.inbox()) == 2
    told = anna.do("mail", "fetch").out
    assert told.count("your move since") == 1
    assert anna.files == ["game-000.toml", "game-001.toml"]
    assert flags(anna) == [MARKED, MARKED]


def test_what_comes_again_later_is_told_as_such(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    for _ in range(2):
        office.deliver(anna.address, letter(joined.read_bytes()))
        told = anna.do("mail", "fetch").out
    assert "came again" in told
    assert anna.files == ["game-000.toml", "game-001.toml"]


def test_of_two_that_come_at_once_the_newest_is_told(
    office: PostOffice, anna: Player, played: dict[int, Path], joined: Path
) -> None:
    for data in (played[5].read_bytes(), joined.read_bytes(), played[3].read_bytes()):
        office.deliver(anna.address, letter(data))
    told = anna.do("mail", "fetch").out
    assert "record 5" in told
    assert "has come late" not in told
    assert told.count("your move since") == 1
    (file,) = json.loads(anna.do("games", "--json").out)
    assert SaveFile.read(read(file["file_in"])).records == records(played[5])


def test_what_comes_late_is_told_and_changes_nothing(
    office: PostOffice, anna: Player, played: dict[int, Path]
) -> None:
    office.deliver(anna.address, letter(played[5].read_bytes()))
    anna.do("mail", "fetch")
    before = anna.files
    office.deliver(anna.address, letter(played[3].read_bytes()))
    assert "has come late (record 3 " in anna.do("mail", "fetch").out
    assert anna.files == before
    (game,) = json.loads(anna.do("games", "--json").out)
    assert game["records"] == 6


def test_ones_own_letter_among_those_that_arrive_is_nothing_new(
    office: PostOffice, bela: Player, played: dict[int, Path]
) -> None:
    """As in a mailbox that holds what was sent, too."""
    bela.do("games", "add", played[5].parent)
    office.deliver(bela.address, letter(played[5].read_bytes(), bela.address))
    assert bela.do("mail", "fetch").out == "No turn has arrived.\n"
    assert flags(bela) == [set()]


def read(path: str) -> bytes:
    return Path(path).read_bytes()


def records(path: Path) -> Sequence[Record]:
    return SaveFile.read(path.read_bytes()).records


# --- what is not to be trusted


def test_the_signature_counts_and_not_the_address(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    office.deliver(anna.address, letter(joined.read_bytes(), "Bela <mallory@example.org>"))
    done = anna.do("mail", "fetch")
    assert "your move since" in done.out
    assert "mallory@example.org" in done.err
    assert "bela@example.org" in done.err


def test_a_file_that_was_changed_is_left_there_and_told(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    text = joined.read_text()
    at = text.rindex('signature = """') + 20
    changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
    office.deliver(anna.address, letter(changed.encode(), subject=FORGED))
    done = anna.run("mail", "fetch")
    assert done.status == 1
    assert "was changed after it was signed" in done.err
    assert "to send the file again" in done.err
    assert "audit MESSAGE" in done.err
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err
    assert anna.files == ["game-000.toml"]
    assert flags(anna) == [set()]


def test_damage_on_the_way_is_not_told_as_a_forgery(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    """Mail quoted it, and lost a letter: `acres audit` of that message says so too."""
    text = joined.read_text()
    at = text.rindex('signature = """') + 20
    changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
    quoted = "".join(f"> {line}\n" for line in changed.splitlines())
    office.deliver(anna.address, plain(quoted))
    done = anna.run("mail", "fetch")
    assert done.status == 1
    told = " ".join(done.err.split())
    assert "it may have been damaged on the way" in told
    assert "was changed after" not in told
    assert anna.files == ["game-000.toml"]


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_message_that_was_cut_short_is_told_and_nothing_filed(
    office: PostOffice, anna: Player, bela: Player, joined: Path, part: float
) -> None:
    bela.do("mail", "send", joined)
    office.clear(anna.address)
    whole = office.taken[-1]
    begins = whole.index(b'format = "acres-save"')
    office.deliver(anna.address, whole[: begins + int((len(whole) - begins) * part)])
    done = anna.run("mail", "fetch")
    assert done.status == 1, done.out
    assert "sent again" in done.err
    assert anna.files == ["game-000.toml"]
    assert flags(anna) == [set()]
    office.deliver(anna.address, whole)
    anna.do("mail", "fetch")
    assert "game-001.toml" in anna.files


def test_a_game_of_others_is_told_and_left_there(
    office: PostOffice, bela: Player, anna: Player, played: dict[int, Path], tmp_path: Path
) -> None:
    done = acres("init", "--name", "Carla", home=tmp_path / "carla")
    assert done.status == 0
    shutil.copy(anna.home / "config.toml", tmp_path / "carla")
    office.deliver(anna.address, letter(played[3].read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACRES_MAIL_PASSWORD", anna.password)
        done = acres("mail", "fetch", home=tmp_path / "carla")
    assert done.status == 0
    assert "in which you do not play" in done.out
    assert anna.files == ["game-000.toml"]
    assert flags(anna) == [set()]


def test_the_proofs_of_a_game_of_others_are_not_checked(
    office: PostOffice, anna: Player, tmp_path: Path
) -> None:
    """They may be many, and made to take long."""
    others = practice_files(tmp_path / "others", 6)
    save = SaveFile.read(others[-1].path.read_bytes())
    *before, last = save.records
    changed = save._replace(records=(*before, last._replace(signature=bytes(64))))
    office.deliver(anna.address, letter(changed.write()))
    told = anna.do("mail", "fetch")
    assert "in which you do not play" in told.out
    (facts,) = json.loads(anna.do("mail", "fetch", "--days", 1, "--json").out)
    assert (facts["what"], facts["record"], facts["file"]) == ("foreign", 5, None)


def test_another_record_than_the_known_one_is_kept_beside_it(
    office: PostOffice,
    anna: Player,
    bela: Player,
    played: dict[int, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    office.deliver(anna.address, letter(played[3].read_bytes()))
    anna.do("mail", "fetch")
    known = anna.files
    other = tmp_path / "other.toml"
    bela.do("turn", "apply", played[2], "draft Coureurs", "--output", other)
    office.deliver(anna.address, letter(other.read_bytes()))
    told = anna.do("mail", "fetch").out
    assert "differs from your file" in " ".join(told.split())
    (kept,) = set(anna.files) - set(known)
    assert (anna.folder / kept).read_bytes() == other.read_bytes()
    audit = next(line for line in told.splitlines() if "audit" in line).partition("audit ")[2]
    assert acres("audit", *shlex.split(audit)).status == 1


@pytest.mark.parametrize("given", [{b"SEQ": 1}, {b"BODY[]<0>": None}, {b"BODY[]": b"x" * 2**24}])
def test_one_that_the_server_does_not_give_out_is_told(
    office: PostOffice,
    anna: Player,
    joined: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: Mapping[bytes, bytes | int | None],
) -> None:
    """And it is not taken for one that somebody has deleted."""
    from imapclient import IMAPClient

    whole = IMAPClient.fetch
    withheld: list[int] = []

    def fetch(
        self: IMAPClient, uids: Sequence[int], parts: Sequence[bytes | str]
    ) -> Mapping[int, Any]:
        if withheld or "BODY" not in str(parts):
            found: dict[int, Any] = whole(self, uids, parts)
            return found
        withheld.extend(uids)
        return dict.fromkeys(uids, given)

    office.deliver(anna.address, plain())
    office.deliver(anna.address, letter(joined.read_bytes()))
    monkeypatch.setattr(IMAPClient, "fetch", fetch)
    done = anna.run("mail", "fetch")
    assert "does not give it out" in done.err
    assert "your move since" in done.out
    assert done.status == 1


def test_one_that_cannot_be_read_does_not_keep_the_others_back(
    office: PostOffice, anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.mail import search

    whole = is_message

    def fails(message: bytes) -> bool:
        if b"Dinner" in message:
            raise ZeroDivisionError
        return whole(message)

    monkeypatch.setattr(search, "is_message", fails)
    office.deliver(anna.address, plain())
    office.deliver(anna.address, letter(joined.read_bytes()))
    done = anna.run("mail", "fetch")
    assert "your move since" in done.out
    assert "ZeroDivisionError" in done.err
    assert flags(anna) == [set(), MARKED]


def test_ordinary_mail_is_left_as_it_is(office: PostOffice, anna: Player) -> None:
    archive = letter(b"PK\x03\x04" * 100, name="pictures.zip", subject="Pictures")
    for message in (plain(), archive, b"garbage", b"\xff\x00\r\n\r\n", plain("acres-save " * 99)):
        office.deliver(anna.address, message)
    before = anna.inbox()
    done = anna.do("mail", "fetch")
    assert done.out == "No turn has arrived.\n"
    assert done.err == ""
    assert anna.inbox() == before
    assert flags(anna) == [set()] * 5


def test_a_large_message_is_left_alone_with_a_sentence(
    office: PostOffice, anna: Player, monkeypatch: pytest.MonkeyPatch, joined: Path
) -> None:
    monkeypatch.setattr("pbem.mail.fetching.MAX_MESSAGE", 4000)
    office.deliver(anna.address, plain("x" * 70 + "\n" + "y\n" * 3000))
    done = anna.do("mail", "fetch")
    assert "left alone" in done.err


def test_very_many_messages_are_looked_through(
    office: PostOffice, anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.mail.fetching.AT_A_TIME", 3)
    for _ in range(7):
        office.deliver(anna.address, plain())
    office.deliver(anna.address, letter(joined.read_bytes()))
    assert "your move since" in anna.do("mail", "fetch").out


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_what_was_told_is_let_go(
    office: PostOffice,
    anna: Player,
    played: dict[int, Path],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    """But for the newest file of a game, of which it is still to be told how it stands."""
    kept: list[ref[object]] = []
    most: list[int] = []

    def filed(*given: Any) -> Filed:
        most.append(sum(each() is not None for each in kept))
        found = file_away(*given)
        kept.append(ref(found.found))
        return found

    monkeypatch.setattr("pbem.mail.fetching.file_away", filed)
    for number in played:
        office.deliver(anna.address, letter(played[number].read_bytes()))
    anna.do("mail", "fetch", *words)
    assert len(most) == len(played)
    assert max(most) <= 2

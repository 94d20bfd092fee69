"""The table of a robot by mail: who is told that there is no place, how often, and what is kept."""

from __future__ import annotations

import shutil
from email.utils import parsedate_to_datetime

import pytest

from engine.sides import Side
from pbem.library import LibraryFailed
from pbem.mail.parts import envelope_of
from pbem.play.entry import invite
from pbem.play.game_file import GameFile, pack
from pbem.protocol.identity import Identity
from pbem.sources import random_bytes
from tests.attacks.clocks import FAR
from tests.mail.players import Player
from tests.mail.robots import NOW, identity, inbox, invited, refusals, serve

pytestmark = pytest.mark.usefixtures("noon")
ENOUGH = "no more than that with one player"


def test_who_finds_no_place_is_told_once_a_day(robot: Player, mallory: str) -> None:
    stranger = Identity.generate("Mallory", mallory)
    sent = [invited(robot, stranger, mallory, time=FAR) for _ in range(10)]
    told = serve(robot).out
    assert told.count(ENOUGH) == 7
    assert told.count("Told mallory@example.org why game ") == 1
    (refused,) = refusals(robot, mallory)
    assert len(inbox(robot, mallory)) == 4
    # That the games are dated ahead is no reason for a letter to be.
    dates = [parsedate_to_datetime(str(each["Date"])) for each in inbox(robot, mallory)]
    assert dates == [NOW] * 4
    assert refused["Auto-Submitted"] == "auto-replied"
    assert (refused["To"], refused["From"]) == (mallory, f"Robot <{robot.address}>")
    assert refused["In-Reply-To"] in sent
    assert refused["References"].split()[-1] == refused["In-Reply-To"]
    assert refused.get_content_type() == "text/plain"
    assert ENOUGH in " ".join(str(refused.get_payload()).split())
    assert parsedate_to_datetime(str(refused["Date"])) == NOW
    assert envelope_of(refused.as_bytes()).is_automatic
    # Not again the same day, whatever comes; but on another one.
    invited(robot, stranger, mallory)
    serve(robot, days=0.9)
    assert len(refusals(robot, mallory)) == 1
    invited(robot, stranger, mallory)
    serve(robot, days=1.1)
    assert len(refusals(robot, mallory)) == 2
    assert len({str(each["Message-ID"]) for each in refusals(robot, mallory)}) == 2


def test_few_lists_are_refused_with_a_reason(robot: Player, mallory: str) -> None:
    invited(robot, Identity.generate("Mallory", mallory), mallory, lists=1)
    assert "The robot plays with 256 lists or more" in serve(robot).out
    (refused,) = inbox(robot, mallory)
    assert "invite it again with --lists 1024" in " ".join(str(refused.get_payload()).split())
    assert not list(robot.folder.iterdir())


def test_no_letter_holds_a_word_of_who_wrote_the_invitation(robot: Player, mallory: str) -> None:
    """It may be in the name of somebody else, who then gets the answer."""
    spam = Identity.generate("Buy at spam.example", mallory)
    name = invited(robot, spam, mallory, lists=1, Reply_To="victim@example.org")
    (letter,) = robot.office.inbox(robot.address)
    robot.office.clear(robot.address)
    robot.office.deliver(robot.address, letter.replace(name.encode(), b"<Buy at spam.example>"))
    serve(robot)
    (refused,) = inbox(robot, mallory)
    assert b"spam" not in refused.as_bytes()
    assert b"victim" not in refused.as_bytes()
    assert refused["In-Reply-To"] == name


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Auto_Submitted", "auto-generated"),
        ("Auto_Submitted", "auto-replied; owner-email=x"),
        ("Precedence", "bulk"),
        ("List_Id", "<games.example.org>"),
        ("Return_Path", "<>"),
        ("X_Auto_Response_Suppress", "All"),
    ],
)
def test_a_letter_that_no_person_sent_is_not_answered(
    robot: Player, mallory: str, header: str, value: str
) -> None:
    stranger = Identity.generate("Mallory", mallory)
    invited(robot, stranger, mallory, lists=1, **{header: value})
    assert "256 lists" in serve(robot).out
    assert not inbox(robot, mallory)


@pytest.mark.parametrize(
    "sender", ["robot@example.org", "nobody", "a@b, c@d", "<a@b> <c@d>", "@", "x" * 300 + "@b.c"]
)
def test_where_there_is_no_address_to_answer_nobody_is_told(robot: Player, sender: str) -> None:
    stranger = Identity.generate("Mallory", "")
    match = invite(
        stranger, side=Side.BRITISH, nonce=random_bytes(32, "nonce of a guest"), time=FAR, lists=1
    )
    file = pack(match, None, {}, "").write()
    robot.office.deliver(robot.address, f"From: {sender}\nSubject: x\n\n".encode() + file)
    serve(robot)
    assert not robot.office.taken


def test_an_invitation_without_an_address_is_answered_to_who_sent_it(
    robot: Player, mallory: str
) -> None:
    invited(robot, Identity.generate("Mallory", ""), mallory)
    assert "names no address" in serve(robot).out
    assert len(refusals(robot, mallory)) == 1


def test_what_could_not_be_told_for_now_is_told_later(
    robot: Player, mallory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(robot, Identity.generate("Mallory", mallory), mallory, lists=1)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        robot.office.matter.spurns = ""
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", wait)
    robot.office.matter.spurns = "451 4.7.1 Greylisted"
    assert robot.run("serve-robot").status == 130
    assert len(refusals(robot, mallory)) == 1


# By folder it is tried in every run: test_robot_places.py.
@pytest.mark.long
def test_strangers_in_the_friends_name_keep_no_friend_out(
    anna: Player, robot: Player, mallory: str
) -> None:
    for _ in range(5):
        invited(robot, Identity.generate("Anna", anna.address), anna.address, time=FAR)
    serve(robot)
    invited(robot, anna, anna.address)
    serve(robot)
    assert len(inbox(robot, anna.address)) == 6
    # But no more letters than ten go there in a day: she is not the one who asks for them.
    for _ in range(10):
        invited(robot, Identity.generate("Anna", anna.address), anna.address, time=FAR)
    assert "enough games for today" in serve(robot).out
    assert len(inbox(robot, anna.address)) == 11
    assert len(refusals(robot, anna.address)) == 1


def test_an_address_has_to_be_that_of_the_letter_and_a_key_is_enough(
    anna: Player, robot: Player, mallory: str
) -> None:
    forger = Identity.generate("Anna", anna.address)
    invited(robot, forger, mallory)
    assert "does not play with" in serve(robot, "--only", anna.address).out
    assert not robot.office.taken
    invited(robot, forger, anna.address)
    key = identity(anna).public_key.hex()
    assert "does not play with" in serve(robot, "--only", key).out
    assert not robot.office.taken
    invited(robot, anna, mallory)
    serve(robot, "--only", key)
    assert len(inbox(robot, anna.address)) == 1


def files(robot: Player) -> list[int]:
    """By how many records the files in the robot's folder end."""
    found = [GameFile.read(path.read_bytes()) for path in robot.folder.glob("*.toml")]
    return sorted(len(each.match.records) for each in found)


def test_of_a_game_the_last_files_are_kept_and_of_what_is_refused_none(
    anna: Player, robot: Player, mallory: str
) -> None:
    stranger = Identity.generate("Mallory", mallory)
    for lists in (1, 256, 256, 256, 256, 256):
        invited(robot, stranger, mallory, lists=lists)
    serve(robot)
    assert files(robot) == [2, 2, 2]
    serve(robot, days=4)
    assert files(robot) == []
    invited(robot, anna, anna.address)
    serve(robot)
    for number in range(3):
        anna.do("mail", "fetch")
        newest = max(anna.folder.glob("*.toml"), key=lambda path: path.stat().st_size)
        anna.do("turn", "apply", newest, *["pass"] * (2 if number else 1))
        anna.do("mail", "send")
        serve(robot)
        assert files(robot) == [3 + 2 * number, 4 + 2 * number]
    # What somebody else laid there stays.
    (robot.folder / "acres-00000000-001.toml").write_text("mine")
    serve(robot, days=40)
    assert [path.name for path in robot.folder.iterdir()] == ["acres-00000000-001.toml"]


def test_a_game_that_was_given_up_is_played_on_when_its_file_comes(
    anna: Player, robot: Player
) -> None:
    invited(robot, anna, anna.address)
    serve(robot)
    serve(robot, days=4)
    anna.do("mail", "fetch")
    (file,) = anna.folder.glob("acres-*.toml")
    anna.do("turn", "apply", file, "pass")
    anna.do("mail", "send")
    serve(robot, days=5)
    assert len(inbox(robot, anna.address)) == 2


def test_what_contradicts_a_game_is_not_kept(anna: Player, robot: Player) -> None:
    invited(robot, anna, anna.address)
    serve(robot)
    twin = shutil.copytree(anna.home, anna.home.parent / "twin")
    anna.do("mail", "fetch")
    (file,) = anna.folder.glob("acres-*.toml")
    anna.do("turn", "apply", file, "pass")
    anna.do("mail", "send")
    serve(robot)
    other = anna.folder / "other.toml"
    anna.do("--home", twin, "turn", "apply", file, "draft rangers", "--output", other)
    robot.office.deliver(
        robot.address, b"From: anna@example.org\nSubject: x\n\n" + other.read_bytes()
    )
    told = serve(robot).out
    assert "is not of the game that the robot knows, and was left in the mailbox" in told
    assert files(robot) == [3, 4]


def test_a_library_that_cannot_be_written_ends_in_a_sentence(
    robot: Player, mallory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(robot, Identity.generate("Mallory", mallory), mallory, lists=1)

    def fail(*_: object) -> None:
        raise LibraryFailed("the disk is gone")

    monkeypatch.setattr("pbem.library.guest_book.GuestBook.turn_away", fail)
    ended = robot.run("serve-robot", "--once")
    assert ended.status == 2
    assert "cannot be used: the disk is gone" in ended.err
    assert not robot.office.taken

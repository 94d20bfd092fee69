"""Two valid signatures of one record, which Ed25519 allows, are the same record to every reader."""

from __future__ import annotations

import mailbox
from pathlib import Path

import pytest

from pbem.play import keyfile
from pbem.play.inbox import ArrivalKind, Inbox, find_file
from pbem.play.incoming import FileQuery
from pbem.play.robot_folder import write_answer
from pbem.play.session import Session
from pbem.savefile.save_file import SaveFile
from tests.mail.messages import letter
from tests.play.homes import LAST, NAMES, file, open_home
from tests.signing import sign_otherwise


def sign_again(folder: Path, index: int, number: int = LAST) -> bytes:
    """Return a file in which the author of a record has signed it once more."""
    save = SaveFile.read(file(folder, number).read_bytes())
    author = keyfile.load(folder / NAMES[index % 2] / "identity.toml", lambda: "")
    records = [*save.records]
    records[index] = sign_otherwise(records[index], author)
    return save._replace(records=tuple(records)).write()


@pytest.fixture
def anna(folder: Path) -> Session:
    return open_home(folder, "anna")


@pytest.mark.parametrize("index", range(LAST + 1))
@pytest.mark.parametrize("number", [LAST, LAST - 1])
def test_mailbox_with_two_signatures_of_a_record_is_read(
    folder: Path, anna: Session, index: int, number: int
) -> None:
    """The file comes twice, or after a shorter one, in two messages or in one."""
    if index > number:
        return
    pair = [sign_again(folder, index, number), file(folder, LAST).read_bytes()]
    box = mailbox.mbox(folder / "Inbox")
    for data in (*pair, pair[0]):
        box.add(letter(data))
    box.close()
    notes: list[object] = []
    query = FileQuery(anna.store, notes.append, "acres")
    for source in (folder / "Inbox", letter(pair[0], more=pair[1])):
        found = find_file(source, "the mailbox", query)
        assert len(found.records) == LAST + 1
        anna.read(found.data)
    assert "differently" not in " ".join(map(str, notes))


@pytest.mark.parametrize("index", range(LAST + 1))
def test_file_that_comes_again_under_another_signature_is_known(
    folder: Path, anna: Session, index: int
) -> None:
    inbox, before = Inbox(anna.store, folder / "new"), {*folder.iterdir()}
    inbox.add(file(folder, LAST))
    for _ in range(2):
        (arrival,) = inbox.add(letter(sign_again(folder, index)))
        assert arrival.kind is ArrivalKind.AGAIN
    assert {*folder.iterdir()} == before
    (entry,) = inbox.games()
    assert (entry.file_in, entry.game.records) == (file(folder, LAST), LAST + 1)


def test_answer_to_a_file_under_another_signature_is_the_same(folder: Path) -> None:
    """The opponent makes a robot answer one record under many signatures."""
    path, is_new = write_answer(file(folder, LAST).read_bytes(), folder / "robot.toml")
    assert is_new
    for index in range(LAST):
        assert write_answer(sign_again(folder, index), folder / "robot.toml") == (path, False)

"""A home that is exported, and imported on another device or on the same one."""

from __future__ import annotations

import io
import shutil
import sqlite3
import zipfile
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.errors import InputError, UsageError
from pbem.play import keyfile, recovery, transfer
from pbem.play.home import LIBRARY, Home
from pbem.play.keyfile import Cost, WrongPassphraseError
from pbem.play.robot import folder_of_robot
from pbem.play.session import Session
from pbem.play.signing import (
    ConflictKind,
    NotRemembered,
    OpenQuestionsError,
    PriorConsent,
    Question,
    SignedBefore,
    questions,
    sign,
)
from pbem.play.store import Store
from pbem.protocol.identity import Identity
from pbem.protocol.primitives import Tag
from pbem.text.proof.signature import Wording
from tests.play.homes import LAST, NOW, begin_turn, file, open_home, sign_answer
from tests.play.robot_setup import answer_as_keeper, invite_robot, keeper_at, poll_robot
from tests.signing import sign_agreed

PASSPHRASE = "neige é"


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal homes at the lowest allowed cost."""
    monkeypatch.setattr(recovery, "DEFAULT_COST", Cost(2**14, 1, 1))


def home(folder: Path, name: str, time: str = NOW) -> Home:
    return Home(folder / name, clock=lambda: time)


def export(folder: Path, name: str = "anna", *, moves: bool = True) -> bytes:
    return transfer.export_home(home(folder, name), PASSPHRASE, moves=moves)


def import_as(folder: Path, name: str, data: bytes) -> Session:
    transfer.import_home(home(folder, name), data, PASSPHRASE)
    return open_home(folder, name)


def open_questions(folder: Path, name: str, number: int = LAST) -> list[Question]:
    """Return the questions before the answer to a file that passes twice."""
    with open_home(folder, name) as session:
        turn = begin_turn(session, file(folder, number), "pass", "pass")
        return questions(turn, session.store)


# --- moving


def test_moved_home_has_key_settings_games_and_signatures(folder: Path) -> None:
    (folder / "anna/config.toml").write_text('theme = "dark"\n')
    with open_home(folder, "anna") as before:
        before.read(file(folder, LAST))
    with import_as(folder, "phone", export(folder)) as session:
        assert session.identity.seed == before.identity.seed
        (entry,) = session.store.games()
        assert entry.game.records == LAST + 1 and entry.file_in is not None
        assert entry.file_in.parent == folder / "phone/games"
        assert entry.file_in.read_bytes() == file(folder, LAST).read_bytes()
        hashes = session.store.signed_hashes(entry.id)
        assert hashes and hashes == before.store.signed_hashes(entry.id)
    assert (folder / "phone/config.toml").read_text() == 'theme = "dark"\n'


def test_both_devices_ask_once_in_a_game_that_moved(folder: Path) -> None:
    assert open_questions(folder, "anna") == []
    data = export(folder)
    import_as(folder, "phone", data)
    (here,), (there,) = open_questions(folder, "anna"), open_questions(folder, "phone")
    assert isinstance(here, NotRemembered) and here.moved_time == NOW
    assert isinstance(there, NotRemembered) and there.has_moved and not there.moved_time
    sign_answer(folder, "phone", LAST, "pass", "pass")
    sign_answer(folder, "bela", LAST + 1, "pass", "pass")
    assert open_questions(folder, "phone", LAST + 2) == []
    # The device that it left finds a record in the file that it has not signed.
    assert any(isinstance(q, NotRemembered) for q in open_questions(folder, "anna", LAST + 2))


def test_second_device_with_a_key_asks_without_any_network(folder: Path) -> None:
    """A laptop and a phone answer one file: whichever comes second does not sign unasked."""
    import_as(folder, "phone", export(folder))
    with open_home(folder, "phone") as phone:
        sign_agreed(phone, begin_turn(phone, file(folder, LAST), "pass", "pass"), folder / "a.toml")
    with open_home(folder, "anna") as laptop:
        turn = begin_turn(laptop, file(folder, LAST), "pass", "pass")
        with pytest.raises(OpenQuestionsError):
            sign(turn, laptop.identity, laptop.store, path=folder / "b.toml")
    assert not (folder / "b.toml").exists()


def test_moved_key_asks_before_it_accepts_an_invitation(folder: Path) -> None:
    with open_home(folder, "bela") as bela:
        sign_agreed(bela, bela.invite(Side.BRITISH, lists=1), folder / "new.toml")
    import_as(folder, "phone", export(folder))
    for name in ("anna", "phone"):
        with open_home(folder, name) as session:
            acceptance = session.join(session.read(folder / "new.toml"))
            acceptance.choose(None)
            assert any(isinstance(q, NotRemembered) for q in questions(acceptance, session.store))


def test_question_says_when_the_key_was_moved(folder: Path) -> None:
    export(folder)
    (question,) = open_questions(folder, "anna")
    assert "moved to another device on 1 May" in str(
        Wording("acres", dict.fromkeys(PriorConsent, "")).risk(question)
    )


def test_copy_asks_only_where_it_is_imported(folder: Path) -> None:
    data = export(folder, moves=False)
    assert open_questions(folder, "anna") == []
    import_as(folder, "phone", data)
    assert isinstance(open_questions(folder, "phone")[0], NotRemembered)


def test_saved_time_is_noted(folder: Path) -> None:
    with open_home(folder, "anna") as session:
        assert session.store.saved_time() == ""
        export(folder, moves=False)
        assert session.store.saved_time() == NOW
        transfer.export_home(home(folder, "anna", "2026-06-01T12:00:00Z"), PASSPHRASE, moves=True)
        assert session.store.saved_time() == "2026-06-01T12:00:00Z"


# --- merging


def test_home_that_comes_back_knows_what_both_devices_signed(folder: Path) -> None:
    """The first device went on, too: its record counts, and the other one is not forgotten."""
    import_as(folder, "phone", export(folder))
    with open_home(folder, "phone") as phone:
        elsewhere = sign_agreed(
            phone, begin_turn(phone, file(folder, LAST), "pass", "pass"), folder / "phone.toml"
        )
    with open_home(folder, "anna") as laptop:
        turn = begin_turn(laptop, file(folder, LAST), resigns=True)
        here = sign_agreed(laptop, turn, folder / "laptop.toml")
    with import_as(folder, "anna", export(folder, "phone")) as laptop:
        game, last = here.match.id, here.match.last
        assert laptop.store.signed_hashes(game)[last.index] == last.hash
        database = sqlite3.connect(folder / "anna" / LIBRARY)
        rows = database.execute('SELECT hash, counts FROM records WHERE "index" = ?', (last.index,))
        assert {*rows} == {(last.hash, 1), (elsewhere.match.last.hash, 0)}
        database.close()
        assert laptop.store.moved_time() == ""


def test_own_copy_does_not_undo_the_move(folder: Path) -> None:
    """The other device may have signed more than this one, before and after the move."""
    for _ in range(2):
        before = export(folder, moves=False)
    later = "2026-06-01T12:00:00Z"
    transfer.export_home(home(folder, "anna", later), PASSPHRASE, moves=True)
    at_last = home(folder, "anna", "2026-06-02T12:00:00Z")
    transfer.export_home(at_last, PASSPHRASE, moves=False)
    for copy in (before, transfer.export_home(at_last, PASSPHRASE, moves=False)):
        import_as(folder, "anna", copy)
        (question,) = open_questions(folder, "anna")
        assert isinstance(question, NotRemembered) and question.moved_time == later


def test_answered_file_is_known_after_the_move(folder: Path) -> None:
    sign_answer(folder, "anna", LAST, "pass", "pass")
    with import_as(folder, "phone", export(folder)) as phone:
        turn = begin_turn(phone, file(folder, LAST), resigns=True)
        kinds = [q.kind for q in questions(turn, phone.store) if isinstance(q, SignedBefore)]
        assert kinds == [ConflictKind.ANSWERED]


def test_import_can_be_repeated(folder: Path) -> None:
    data = export(folder)
    first = import_as(folder, "phone", data)
    before = sorted(path.name for path in (folder / "phone").rglob("*"))
    second = import_as(folder, "phone", data)
    assert sorted(path.name for path in (folder / "phone").rglob("*")) == before
    assert first.identity.seed == second.identity.seed


def test_key_that_is_there_is_not_replaced(folder: Path) -> None:
    data, before = export(folder), (folder / "bela/identity.toml").read_bytes()
    with pytest.raises(UsageError, match="another identity"):
        transfer.import_home(home(folder, "bela"), data, PASSPHRASE)
    assert (folder / "bela/identity.toml").read_bytes() == before


def test_games_with_the_robot_go_on(tmp_path: Path) -> None:
    """The player moves between two turns, and the robot answers on the other device."""
    with keeper_at(tmp_path / "anna") as laptop:
        invite_robot(laptop)
        (joined,) = poll_robot(laptop)
        laptop.read(joined.path)
    with import_as(tmp_path, "phone", export(tmp_path)) as phone:
        (path,) = folder_of_robot(phone.home).iterdir()
        turn = answer_as_keeper(phone, path, PracticePlayer(Random(3)))
        (answered,) = poll_robot(phone)
        assert answered.game == turn.match.id
        assert phone.read(answered.path).match.last.index == turn.match.last.index + 1


def test_sealed_key_stays_sealed(tmp_path: Path) -> None:
    Session.create(home(tmp_path, "zoe"), Identity.generate("Zoé", ""), "other words")
    transfer.import_home(home(tmp_path, "new"), export(tmp_path, "zoe"), PASSPHRASE)
    assert keyfile.read(tmp_path / "new/identity.toml").is_sealed


# --- files that are something else


@pytest.mark.parametrize("change", [0, 12, 13, 15, 16, 40, -1])
def test_changed_file_is_refused(folder: Path, change: int) -> None:
    data = bytearray(export(folder, moves=False))
    data[change] ^= 1
    with pytest.raises((InputError, WrongPassphraseError)) as raised:
        transfer.import_home(home(folder, "phone"), bytes(data), PASSPHRASE)
    assert "recovery text" not in str(raised.value)
    assert not (folder / "phone").exists()


@pytest.mark.parametrize("length", [0, 13, 15, 32, 100])
def test_shortened_file_is_refused(folder: Path, length: int) -> None:
    data = export(folder, moves=False)[:length]
    with pytest.raises((InputError, WrongPassphraseError)):
        transfer.import_home(home(folder, "phone"), data, PASSPHRASE)


def test_wrong_passphrase_is_refused(folder: Path) -> None:
    with pytest.raises(WrongPassphraseError):
        transfer.import_home(home(folder, "phone"), export(folder), "snow")


def seal_files(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return transfer.MAGIC + recovery.seal(packed.getvalue(), PASSPHRASE, Tag.HOME, "a test")


@pytest.mark.parametrize("damage", [slice(0), slice(9), slice(60, None), slice(0, -1)])
def test_sealed_file_that_is_no_archive_is_refused(folder: Path, damage: slice) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("identity.toml", (folder / "anna/identity.toml").read_bytes())
    sealed = recovery.seal(packed.getvalue()[damage], PASSPHRASE, Tag.HOME, "a test")
    with pytest.raises(InputError, match="not a sealed file"):
        transfer.import_home(home(folder, "phone"), transfer.MAGIC + sealed, PASSPHRASE)


@pytest.mark.parametrize(
    "name", ["games/../../evil.toml", "/tmp/evil.toml", "games\\evil.toml", "C:evil.toml"]
)
def test_path_that_leaves_the_home_is_refused(folder: Path, name: str) -> None:
    identity = (folder / "anna/identity.toml").read_bytes()
    data = seal_files({"identity.toml": identity, name: b""})
    with pytest.raises(InputError):
        transfer.import_home(home(folder, "phone"), data, PASSPHRASE)
    assert not [*folder.rglob("*evil*")]


def test_home_that_unpacks_to_too_much_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "MAX_SIZE", 10_000)
    identity = (folder / "anna/identity.toml").read_bytes()
    data = seal_files({"identity.toml": identity, "games/large.toml": bytes(20_000)})
    with pytest.raises(InputError):
        transfer.import_home(home(folder, "phone"), data, PASSPHRASE)
    with pytest.raises(UsageError, match="larger"):
        export(folder)


def test_home_without_an_identity_or_with_a_damaged_library_is_refused(folder: Path) -> None:
    identity = (folder / "anna/identity.toml").read_bytes()
    for files in ({}, {"identity.toml": b"seed"}):
        with pytest.raises(InputError):
            transfer.import_home(home(folder, "phone"), seal_files(files), PASSPHRASE)
    data = seal_files({"identity.toml": identity, LIBRARY: b"no database"})
    with pytest.raises(Exception, match="database"):
        transfer.import_home(home(folder, "phone"), data, PASSPHRASE)
    assert not (folder / "phone/identity.toml").exists()


def test_key_of_an_example_is_not_exported(tmp_path: Path) -> None:
    shutil.copytree("saves/practice/british", tmp_path / "british")
    with pytest.raises(UsageError, match="Anybody"):
        export(tmp_path, "british")


def test_interrupted_import_leaves_no_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = export(folder)
    monkeypatch.setattr(Store, "note_saved", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        import_as(folder, "phone", data)
    assert not home(folder, "phone").has_identity
    monkeypatch.undo()
    assert import_as(folder, "phone", data).home.has_identity

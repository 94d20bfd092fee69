"""Games whose ids begin with the same digits, which a stranger can make, do not disturb another."""

from __future__ import annotations

import mailbox
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.errors import UsageError
from pbem.play.game_file import pack
from pbem.play.home import Home
from pbem.play.inbox import ArrivalKind, Inbox, find_file
from pbem.play.incoming import FileQuery
from pbem.play.invitation import Invitation
from pbem.play.robot import answer, give_orders, make_players
from pbem.play.robot_folder import AnsweredFile, RobotFolder, SkippedFile
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.schema import canonical_json
from pbem.savefile.disk import write_new
from pbem.savefile.save_file import SaveFile
from tests.mail.messages import letter
from tests.play.matches import TIME
from tests.signing import sign_agreed, sign_last

STRANGER = Identity("Stranger", "", bytes(range(32)))


@cache
def colliding_invitations(side: Side | None = Side.BRITISH) -> tuple[bytes, bytes]:
    """Return two invitations that differ in their times; their ids share eight digits."""
    invitation = Invitation(STRANGER, side=side, time=TIME, nonce=bytes(32), lists=1)
    before, after = canonical_json(invitation.match.last.content()).split(TIME.encode())
    times: dict[bytes, str] = {}
    moment = datetime.fromisoformat(TIME).replace(tzinfo=None)
    while True:
        moment -= timedelta(seconds=1)
        time = moment.isoformat() + "Z"
        begin = tagged_hash(Tag.RECORD, before, time.encode(), after)[:4]
        if begin in times:
            break
        times[begin] = time
    files = []
    for chosen in (times[begin], time):
        match = invitation.match.copy()
        match.records = [match.last._replace(time=chosen)]
        files.append(pack(sign_last(match, STRANGER), None, {}, "").write())
    return files[0], files[1]


def game_in(data: bytes) -> bytes:
    return SaveFile.read(data).records[0].hash


def open_session(folder: Path, name: str) -> Session:
    identity = STRANGER if name == STRANGER.name else Identity.generate(name, f"{name}@a.b")
    return Session.create(Home(folder / name, clock=lambda: TIME), identity)


@pytest.fixture
def bela(tmp_path: Path) -> Session:
    return open_session(tmp_path, "Bela")


def play_turn(session: Session, path: Path, output: Path | None = None) -> Path:
    """Join the game in a file, or answer it, by default in the usual place."""
    game = session.read(path)
    if game.match.is_joined:
        draft: Any = session.answer(game)
        give_orders(draft, PracticePlayer(Random(1)).choose)
    else:
        draft = session.join(game)
        draft.choose()
    return sign_agreed(session, draft, output).path


def test_ids_of_the_invitations_collide() -> None:
    one, two = map(game_in, colliding_invitations())
    assert one != two and one[:4] == two[:4]


def test_games_that_came_by_mail_are_joined_and_go_on(bela: Session, tmp_path: Path) -> None:
    """Every file has a name of its own, though the program chooses all of them."""
    inbox, stranger = Inbox(bela.store, bela.home.games), open_session(tmp_path, "Stranger")
    for data in colliding_invitations() * 2:
        (arrival,) = inbox.add(letter(data))
        assert arrival.kind is ArrivalKind.INVITATION
    for entry in inbox.games():
        assert entry.file_in is not None
        play_turn(bela, entry.file_in)
    for number in range(3):
        for entry in bela.store.games():
            assert entry.file_out is not None
            sent = play_turn(stranger, entry.file_out, tmp_path / f"{entry.id.hex()}-{number}.toml")
            (arrival,) = inbox.add(letter(sent.read_bytes()))
            assert arrival.kind is ArrivalKind.NEW and arrival.path is not None
            play_turn(bela, arrival.path)
    games = bela.store.games()
    files = {path: entry.id for entry in games for path in (entry.file_in, entry.file_out) if path}
    assert len(files) == 4 and {entry.game.records for entry in games} == {8}
    for path, game in files.items():
        assert game_in(path.read_bytes()) == game
        assert path.parent == bela.home.games and "(" not in path.name


def test_each_game_in_a_mailbox_has_a_number_of_its_own(bela: Session, tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "Inbox")
    for data in colliding_invitations():
        box.add(letter(data))
    box.close()
    query = FileQuery(bela.store, lambda message: None, "acres", to_join=True)
    with pytest.raises(UsageError, match="There are files of 2 games") as error:
        find_file(tmp_path / "Inbox", "Inbox", query)
    for data in colliding_invitations():
        number = game_in(data).hex()[:16]
        assert number in str(error.value)
        found = find_file(tmp_path / f"Inbox#{number}", "Inbox", query)
        assert found.records == SaveFile.read(data).records


def robot_folder(bela: Session, folder: Path, reply: Callable[..., Any] = answer) -> RobotFolder:
    players = make_players(1)
    reply = partial(reply, robot=bela, players=players)
    return RobotFolder(folder, folder, reply, lambda error: error, is_last=True)


def test_robot_answers_both_games(bela: Session, tmp_path: Path) -> None:
    for name, data in zip("ab", colliding_invitations(), strict=True):
        (tmp_path / f"{name}.eml").write_bytes(letter(data))
    answers = [*robot_folder(bela, tmp_path).poll()]
    assert [type(one) for one in answers] == [AnsweredFile] * 2
    assert len({one.path for one in answers}) == 2


def test_robot_finds_free_names_among_its_own_and_others(bela: Session, tmp_path: Path) -> None:
    number = game_in(colliding_invitations()[0]).hex()[:8]
    for name, data in zip("ab", colliding_invitations(), strict=True):
        (tmp_path / f"{name}.eml").write_bytes(letter(data, name=f"acres-{number}-000.toml"))
    (tmp_path / f"acres-{number}-001.toml").mkdir()
    answers = [*robot_folder(bela, tmp_path).poll()]
    assert len({one.path for one in answers if isinstance(one, AnsweredFile)}) == 2


# --- errors that one game causes


class PoisonError(Exception):
    pass


def poison(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Let the verification of a game fail with a bug."""
    verify, game = Inbox._verify, game_in(data)

    def fail(inbox: Inbox, file: Any, *args: Any, **options: Any) -> Any:
        if file.records[0].hash == game:
            raise PoisonError
        return verify(inbox, file, *args, **options)

    monkeypatch.setattr(Inbox, "_verify", fail)


@pytest.mark.parametrize("way", ["message", "messages", "folder", "collection", "mailbox"])
def test_game_that_fails_does_not_stop_others(
    bela: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    bad, good = colliding_invitations()
    poison(monkeypatch, bad)
    inbox, folder = Inbox(bela.store, tmp_path / "new"), tmp_path / "came"
    folder.mkdir()
    if way in ("message", "messages"):
        both = [letter(bad), letter(good)]
        if way == "message":
            both = [letter(bad, more=good)]
        arrivals = [arrival for data in both for arrival in inbox.add(data)]
    elif way == "mailbox":
        box = mailbox.mbox(folder / "Inbox.mbox")
        for data in (bad, good):
            box.add(letter(data))
        box.close()
        arrivals = inbox.collect([folder / "Inbox.mbox"], print).arrivals
    else:
        for name, data in (("a.toml", bad), ("b.toml", good)):
            (folder / name).write_bytes(data)
        arrivals = (
            inbox.scan([folder], print)
            if way == "folder"
            else inbox.collect([folder], print).arrivals
        )
    kinds = {arrival.kind for arrival in arrivals}
    assert kinds == {ArrivalKind.FAILED, ArrivalKind.INVITATION}
    assert any("PoisonError" in str(arrival.error) for arrival in arrivals)


def test_game_in_a_protected_folder_does_not_stop_others(
    bela: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_elsewhere(path: Path, data: bytes) -> None:
        if path.parent.name == "protected":
            raise UsageError("Permission denied")
        write_new(path, data)

    stranger, folder = open_session(tmp_path, "Stranger"), tmp_path / "protected"
    folder.mkdir()
    (folder / "game-000.toml").write_bytes(colliding_invitations()[0])
    sent = play_turn(stranger, play_turn(bela, folder / "game-000.toml"), tmp_path / "sent.toml")
    monkeypatch.setattr("pbem.play.inbox.write_new", write_elsewhere)
    (arrival,) = Inbox(bela.store, bela.home.games).add(letter(sent.read_bytes()))
    assert arrival.kind is ArrivalKind.NEW
    assert arrival.path is not None and arrival.path.parent == bela.home.games


def test_robot_goes_on_after_a_bug_in_one_game(bela: Session, tmp_path: Path) -> None:
    bad, good = colliding_invitations()

    def fail(data: bytes, **options: Any) -> bytes | None:
        if game_in(data) == game_in(bad):
            raise PoisonError
        return answer(data, **options)

    for name, data in (("a-000.toml", bad), ("b-000.toml", good)):
        (tmp_path / name).write_bytes(data)
    outcomes = [*robot_folder(bela, tmp_path, fail).poll()]
    assert {type(one) for one in outcomes} == {AnsweredFile, SkippedFile}
    assert any("PoisonError" in str(one.reason) for one in outcomes if isinstance(one, SkippedFile))

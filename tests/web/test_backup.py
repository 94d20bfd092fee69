"""The recovery text, and sealed files of key and games, on the pages."""

from __future__ import annotations

import re
from base64 import b64decode
from html import unescape
from pathlib import Path

import pytest

from pbem.play import keyfile, recovery, transfer
from pbem.play.home import Home
from pbem.play.keyfile import Cost
from pbem.play.signing import NotRemembered, OpenQuestionsError, questions, sign
from tests.web.inline import HOST, Answer, Table, Visitor

SECRET = "neige d’été"


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal keys at the lowest allowed cost."""
    for module in (keyfile, recovery):
        monkeypatch.setattr(module, "DEFAULT_COST", Cost(2**14, 1, 1))


def make_visitor(folder: Path, passphrase: str = "") -> Visitor:
    visitor = Visitor(folder)
    visitor.post("/welcome", name="Zoé", email="", passphrase=passphrase, again=passphrase)
    return visitor


@pytest.fixture
def zoe(tmp_path: Path) -> Visitor:
    return make_visitor(tmp_path / "zoe")


def export(visitor: Visitor, moves: str = "") -> bytes:
    answer = visitor.post("/export", passphrase=SECRET, again=SECRET, moves=moves)
    name, content = answer.data["file"]
    assert (answer.status, name) == (200, "acres-home.sealed")
    return b64decode(content)


def bring(visitor: Visitor, data: bytes, secret: str = SECRET) -> Answer:
    body = secret.encode() + b"\n" + data
    return visitor._ask("POST", "/import", body, {"origin": f"https://{HOST}"})


def seed(visitor: Visitor) -> bytes:
    return visitor.pages.service.identity().seed


def text_on_paper(visitor: Visitor) -> str:
    page = visitor.get("/recovery", accept="text/html").body.decode()
    return unescape(page.partition("<pre>")[2].partition("</pre>")[0])


def text_of(visitor: Visitor, path: str) -> str:
    return visitor.get(path, accept="text/html").body.decode()


@pytest.mark.parametrize("moves", ["", "1"])
def test_sealed_file_brings_the_key_to_another_browser(
    zoe: Visitor, tmp_path: Path, moves: str
) -> None:
    other = Visitor(tmp_path / "other")
    assert 'data-upload="/import"' in text_of(other, "/welcome")
    assert bring(other, export(zoe, moves)).data["go"] == "/"
    assert seed(other) == seed(zoe)


def test_recovery_text_brings_the_key_to_another_browser(zoe: Visitor, tmp_path: Path) -> None:
    other, text = Visitor(tmp_path / "other"), text_on_paper(zoe)
    assert bring(other, text.encode(), "").data["go"] == "/"
    assert seed(other) == seed(zoe)
    assert other.pages.service.key_file().name == "Zoé"


def test_sealed_recovery_text_is_opened_and_the_key_stays_sealed(
    zoe: Visitor, tmp_path: Path
) -> None:
    text = recovery.write(zoe.pages.service.identity(), "1 June 2026", SECRET)
    other = Visitor(tmp_path / "other")
    assert bring(other, text.encode(), "wrong").status == 409
    assert bring(other, text.encode()).status == 200
    assert other.pages.service.key_file().is_sealed and seed(other) == seed(zoe)


@pytest.mark.parametrize("data", [b"", b"no key", b"acres home 1\n", b"acres home 2\nabc", b"\xff"])
def test_anything_else_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    other = Visitor(tmp_path / "other")
    answer = bring(other, data)
    assert answer.status == 409 and answer.data["said"]
    assert not other.pages.service.home.has_identity


def test_key_that_is_there_is_not_replaced(zoe: Visitor, tmp_path: Path) -> None:
    other = make_visitor(tmp_path / "other")
    before = seed(other)
    for data in (export(zoe), text_on_paper(zoe).encode()):
        assert bring(other, data).status == 409
        assert seed(other) == before


def test_passphrase_is_typed_twice(zoe: Visitor) -> None:
    answer = zoe.post("/export", passphrase=SECRET, again="other", moves="")
    assert answer.status == 409 and "file" not in answer.data


@pytest.mark.parametrize("secret", ["", "seven 7", " " * 20])
def test_home_is_not_sealed_under_a_passphrase_that_can_be_guessed(
    zoe: Visitor, secret: str
) -> None:
    answer = zoe.post("/export", passphrase=secret, again=secret, moves="1")
    assert answer.status == 409 and "8 characters" in answer.data["said"]
    assert not zoe.pages.service.store().moved_time()


def test_sealed_key_asks_for_its_passphrase_before_it_is_shown(tmp_path: Path) -> None:
    make_visitor(tmp_path / "zoe", SECRET)
    again = Visitor(tmp_path / "zoe")
    answer = again.get("/recovery", accept="text/html")
    assert (answer.status, dict(answer.headers)[b"location"]) == (303, b"/unlock?then=/recovery")


def test_page_with_the_key_is_not_stored(zoe: Visitor) -> None:
    answer = zoe.get("/recovery", accept="text/html")
    assert dict(answer.headers)[b"cache-control"] == b"no-store"


# --- a host that can lose what it stores


def invite(visitor: Visitor) -> str:
    visitor.post("/new/friend", side="british", edition="second", lists="1")
    return visitor.pages.service.games()[0].id.hex()


@pytest.mark.parametrize("way", ["export", "paper"])
def test_no_file_leaves_before_the_key_is_saved(zoe: Visitor, way: str) -> None:
    zoe.pages.host.can_lose_storage = True
    game = invite(zoe)
    assert "only in this browser" in text_of(zoe, "/")
    for path in ("file", "text"):
        answer = zoe.get(f"/games/{game}/{path}")
        assert answer.status == 404 and "save your identity" in answer.data["said"]
    assert f"/games/{game}/file" not in text_of(zoe, f"/games/{game}")
    assert "save your identity" in text_of(zoe, f"/games/{game}")
    if way == "paper":
        assert zoe.post("/recovery").data["go"] == "/settings"
    else:
        export(zoe)
    assert zoe.get(f"/games/{game}/file").body.startswith(b'format = "acres-save"')
    assert f"/games/{game}/file" in text_of(zoe, f"/games/{game}")
    for page in ("/", "/settings"):
        assert "last saved on" in text_of(zoe, page)


def test_computer_that_keeps_its_files_asks_nothing(zoe: Visitor) -> None:
    game = invite(zoe)
    assert zoe.get(f"/games/{game}/file").status == 200
    assert "only in this browser" not in text_of(zoe, "/")


# --- the device that the home left


def test_turn_that_was_begun_before_the_move_asks_before_it_is_signed(tmp_path: Path) -> None:
    table = Table(tmp_path / "table")
    table.look()
    table.give_all()
    home = Home(table.pair.homes[table.side])
    transfer.export_home(home, SECRET, moves=True)
    assert table.visitor.post(f"{table.path}/sign").status == 409
    table.look()
    (question,) = re.findall('data-agree="(.*?)"', "".join(table.parts.values()))
    assert "moved to another device" in "".join(table.parts.values())
    table.do("agree", question=question)
    assert table.do("sign")["signed"]


def test_turn_in_another_process_asks_after_the_move(tmp_path: Path) -> None:
    table = Table(tmp_path / "table")
    session = table.pair.sessions[table.side]
    turn = session.answer(session.read(table.pair.file))
    for order in table.orders:
        turn.order(order)
    transfer.export_home(session.home, SECRET, moves=True)
    with pytest.raises(OpenQuestionsError) as refused:
        sign(turn, session.identity, session.store, questions(turn, session.store))
    (question,) = refused.value.questions
    assert isinstance(question, NotRemembered) and question.moved_time
    agreed = [*questions(turn, session.store), question]
    assert not sign(turn, session.identity, session.store, agreed).is_repeat

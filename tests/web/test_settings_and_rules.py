"""The list of games, settings, rules, and a word in a message, without a browser."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from engine.position import score
from engine.ruleset import editions
from engine.sides import Side
from pbem.errors import UsageError
from pbem.mail.draft import compose_email
from pbem.play.config import CHOICES
from pbem.play.home import Home
from pbem.text.history.email_text import MAX_WORD, read_word
from pbem.text.rules.topic import topics
from pbem.web import games_page
from tests.mail.parts import body_of
from tests.sample import sample
from tests.web.inline import Visitor
from tests.web.tables import Pair

CRYPTOGRAPHY = re.compile(
    r"\b(keys?|hash\w*|nonce|seed|signature|proofs?|lists? per shuffle)\b", re.I
)
PROFILE = {"name": "Zoé", "email": "", "passphrase": "", "again": ""}


@pytest.fixture
def newcomer(tmp_path: Path) -> Visitor:
    """A browser of a player who has just begun."""
    visitor = Visitor(tmp_path / "home")
    assert visitor.post("/welcome", **PROFILE).data["go"] == "/"
    return visitor


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """A game of some turns, which the British player has in the library."""
    pair = Pair(tmp_path / "pair").begin()
    pair.play(lambda pair: len(pair.written.match.records) >= 6)  # type: ignore[union-attr]
    pair.note(Side.BRITISH)
    return pair


def text_of(visitor: Visitor, path: str) -> str:
    """Return the words of a page, without its markup."""
    answer = visitor.get(path, accept="text/html")
    assert answer.status == 200
    return re.sub(
        r"<[^>]*>", " ", re.sub(r"<(style|svg|head).*?</\1>", "", answer.body.decode(), flags=re.S)
    )


def test_language_is_changed_in_all_pages_and_in_the_settings(pair: Pair) -> None:
    home = pair.homes[Side.BRITISH]
    visitor, game = Visitor(home), f"/games/{pair.game}"
    assert "Your hand" in text_of(visitor, game)
    assert visitor.post("/language", language="fr").data["go"] == "/settings"
    assert "Votre main" in text_of(visitor, game)
    assert "Réglages" in text_of(visitor, "/settings")
    assert tomllib.loads((home / "config.toml").read_text())["lang"] == "fr"


def test_newcomer_begins_in_another_language(tmp_path: Path) -> None:
    visitor = Visitor(tmp_path / "home")
    assert visitor.post("/language", language="it").data["go"] == "/welcome"
    assert "Il tuo nome" in text_of(visitor, "/welcome")
    assert visitor.post("/welcome", **PROFILE).data["go"] == "/"
    assert "Le tue partite" in text_of(visitor, "/")


@pytest.mark.parametrize("name", CHOICES)
def test_choice_is_kept_for_the_next_run(newcomer: Visitor, tmp_path: Path, name: str) -> None:
    first, last = CHOICES[name]
    assert f"data-{name}" not in newcomer.get("/", accept="text/html").body.decode()
    for value in (first, last):
        assert newcomer.post(f"/{name}", **{name: value}).status == 200
        assert f'data-{name}="{value}"' in newcomer.get("/", accept="text/html").body.decode()
    later = Visitor(tmp_path / "home")
    assert f'data-{name}="{last}"' in later.get("/", accept="text/html").body.decode()
    assert later.post(f"/{name}", **{name: ""}).status == 200
    assert f"data-{name}" not in later.get("/", accept="text/html").body.decode()


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/language", {"language": "de"}),
        ("/language", {"language": ["fr"]}),
        ("/theme", {"theme": "pink"}),
        ("/legend", {"legend": "dark"}),
        ("/sound", {"theme": "on"}),
        ("/settings", {"name": "", "email": ""}),
        ("/settings", {"name": "Anna", "email": "nowhere"}),
        ("/settings", {"name": "a\nb", "email": ""}),
    ],
)
def test_wrong_setting_changes_nothing(
    newcomer: Visitor, tmp_path: Path, path: str, data: dict[str, object]
) -> None:
    home = tmp_path / "home"
    before = {file: file.read_bytes() for file in home.iterdir() if file.is_file()}
    assert newcomer.post(path, **data).status == 409
    assert {file: file.read_bytes() for file in home.iterdir() if file.is_file()} == before


def test_profile_is_written_at_once(
    newcomer: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, written = tmp_path / "home" / "identity.toml", list[Path]()

    def write(path: Path, data: bytes) -> None:
        written.append(path)
        path.write_bytes(data)

    monkeypatch.setattr("pbem.play.config.replace_private", write)
    assert newcomer.post("/settings", name="Zoë", email="zoe@example.org").status == 200
    assert written == [key]
    values = tomllib.loads(key.read_text())
    assert (values["name"], values["email"]) == ("Zoë", "zoe@example.org")


def test_new_name_and_address_are_in_later_invitations(newcomer: Visitor, tmp_path: Path) -> None:
    assert newcomer.post("/settings", name=" Zoë ", email="zoe@example.org").status == 200
    options = {"side": "british", "edition": "second", "lists": "1"}
    assert newcomer.post("/new/friend", **options).status == 200
    (file,) = (tmp_path / "home" / "games").glob("*.toml")
    assert "Zo\\u00eb" in file.read_text() and "zoe@example.org" in file.read_text()
    assert 'value="Zoë"' in newcomer.get("/settings", accept="text/html").body.decode()


@pytest.mark.parametrize("edition", sample(editions(), first=1))
def test_every_topic_and_card_is_in_the_rules(newcomer: Visitor, edition: str) -> None:
    page = newcomer.get(f"/rules?edition={edition}", accept="text/html").body.decode()
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {*topics()} <= {*ids}
    assert {*re.findall(r'href="#([^"]+)"', page)} <= {*ids}
    assert f'<a href="/rules?edition={edition}" aria-current="true">' in page
    assert page.count('<li id="about-') > 60


def test_pages_use_no_words_of_cryptography(newcomer: Visitor, tmp_path: Path) -> None:
    visitors = {"/welcome": Visitor(tmp_path / "nobody")}
    for path in ("/welcome", "/", "/settings", "/new/friend"):
        words = text_of(visitors.get(path, newcomer), path)
        # The command that prints a copy of the identity has such a word.
        assert CRYPTOGRAPHY.findall(words.replace("acres key backup", "")) == [], path
    assert "acres turn" not in text_of(newcomer, "/rules")


def test_list_reads_no_file_and_keeps_each_board(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = Visitor(pair.homes[Side.BRITISH])
    marker = f'data-small="{pair.game}"'
    with monkeypatch.context() as patch:
        patch.setattr(games_page, "read_file", None)
        assert marker in visitor.get("/list").data["parts"]["games"]
    drawn = visitor.get(f"/list/{pair.game}").data["parts"][f"small-{pair.game}"]
    assert pair.written is not None
    state = pair.written.match.state
    assert re.findall(r"<b>(\d+)</b>", drawn) == [str(score(state, side).total) for side in Side]
    assert drawn.count('class="piece"') == len(state.board) + len(Side)
    monkeypatch.setattr(games_page, "read_file", None)
    games = visitor.get("/list").data["parts"]["games"]
    assert marker not in games and drawn.strip() in games
    monkeypatch.undo()
    pair.answer()
    pair.note(Side.BRITISH)
    visitor.pages.service.invalidate_games()
    assert marker in visitor.get("/list").data["parts"]["games"]


@pytest.mark.parametrize("is_older", [True, False])
def test_game_without_its_last_file_has_the_empty_board(pair: Pair, *, is_older: bool) -> None:
    pair.file.unlink()
    for file in () if is_older else pair.folder.glob("*.toml"):
        file.unlink()
    visitor = Visitor(pair.homes[Side.BRITISH])
    drawn = visitor.get(f"/list/{pair.game}").data["parts"][f"small-{pair.game}"]
    assert "#small-map" in drawn and "<b>" not in drawn


# --- messages


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_message_has_the_word_first_and_names_the_board_before_the_terminal(
    pair: Pair, language: str
) -> None:
    assert pair.written is not None
    match, data = pair.written.match, pair.written.data
    email = compose_email(match, data, "game-005.toml", language=language, word="Bien joué!\n\nA.")
    text = body_of(email)
    assert text.startswith("Bien joué!\n\nA.\n")
    assert text.count("Bien joué!") == 1
    times = 1 if language == "en" else 2
    places = [match.start() for match in re.finditer("acres (?:board|turn apply)", text)]
    found = [text[place:].split()[1] for place in places]
    assert found == ["board", "turn"] * times
    (attached,) = email.iter_attachments()
    assert "Bien jou" not in attached.get_content()


def test_word_has_a_limit() -> None:
    assert read_word("  a \r\nb  \n") == "a\nb"
    assert len(read_word("x" * MAX_WORD)) == MAX_WORD
    with pytest.raises(UsageError):
        read_word("x" * (MAX_WORD + 1))


def test_home_of_settings_is_private(newcomer: Visitor, tmp_path: Path) -> None:
    newcomer.post("/theme", theme="dark")
    assert Home(tmp_path / "home").config_path.stat().st_mode & 0o077 == 0

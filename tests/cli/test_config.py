"""`acres config` shows and changes the name, the address and the settings."""

from pathlib import Path

import pytest

from pbem.play import keyfile
from tests.cli.commands import acres, do

MAIL = (
    '# mine\n[mail]\naddress = "anna@example.org"  # work\n\n[mail.smtp]\nhost = "h.example.org"\n'
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    do("init", "--name", "Anna", home=tmp_path)
    (tmp_path / "config.toml").write_text(MAIL)
    return tmp_path


@pytest.mark.parametrize(
    ("key", "value", "unset"),
    [
        ("name", "Anna Vega", "Your name"),
        ("email", "anna@example.org", ""),
        ("lang", "it", ""),
        ("mail.address", "a@example.org", "address is missing"),
        ("mail.timeout", "30", ""),
        ("mail.copies", "30", ""),
        ("mail.smtp.host", "i.example.org", ""),
        ("mail.smtp.port", "587", ""),
        ("mail.imap.folder", "Games", None),
    ],
)
def test_a_setting_is_changed_shown_and_removed(
    key: str, value: str, unset: str | None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if unset is None:
        assert "host is missing" in acres("config", key, value, home=home).fails().err
        return
    do("config", key, *value.split(), home=home)
    assert acres("config", key, home=home).out == f"{value}\n"
    assert f"{key}: {value}\n" in acres("config", home=home).out
    assert "# mine" in (home / "config.toml").read_text()
    refused = acres("config", "--unset", key, home=home)
    assert unset in refused.fails().err if unset else refused.status == 0
    assert acres("config", key, home=home).out == (f"{value}\n" if unset else "\n")


def test_stored_path_is_printed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    changed = do("config", "mail.folder", "~/x", home=home).out
    assert changed == f"mail.folder: {home / 'x'}\n"
    assert do("config", "mail.folder", home=home).out == f"{home / 'x'}\n"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["emial", "a@example.org"], "Did you mean email?"),
        (["Email"], "Did you mean email?"),
        (["mail.adress"], "Did you mean mail.address?"),
        (["flummery", "1"], "See: acres"),
        (["email", "anna"], "must contain an @"),
        (["name", " "], "Your name must be"),
        (["lang", "xx"], "does not speak “xx”"),
        (["mail.timeout", "soon"], "timeout must be a whole number"),
        (["mail.smtp.security", "no"], "security must be"),
        (["games.folders", "/tmp"], "games folders add"),
    ],
)
def test_wrong_settings_are_refused(words: list[str], answer: str, home: Path) -> None:
    before = [path.read_bytes() for path in sorted(home.glob("*.toml"))]
    assert answer in acres("config", *words, home=home).fails().err
    assert [path.read_bytes() for path in sorted(home.glob("*.toml"))] == before


def test_a_sealed_key_stays_sealed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACRES_NEW_PASSPHRASE", "correct horse")
    do("key", "passphrase", home=home)
    monkeypatch.delenv("ACRES_NEW_PASSPHRASE")
    do("config", "email", "anna@example.org", home=home)
    file = keyfile.read(home / "identity.toml")
    assert file.is_sealed and file.open(lambda: "correct horse").email == "anna@example.org"


def test_players_without_a_key_or_an_account_are_told_how_to_begin(tmp_path: Path) -> None:
    assert " init" in acres("config", home=tmp_path).fails().err
    assert " init" in acres("config", "email", "a@b.org", home=tmp_path).fails().err
    assert "mail setup" in acres("config", "mail.timeout", "3", home=tmp_path).fails().err


def test_begun_games_are_named_after_a_change(game: Path) -> None:
    answer = do("config", "name", "Anne", home=game / "british").out
    assert "Games already begun keep" in answer
    assert "Anna" in do("turn", "show", game / "game-017.toml", home=game / "british").out

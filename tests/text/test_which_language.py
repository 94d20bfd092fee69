"""The language of a command: by its option, the environment, the settings, or the system."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from engine.message import Message
from pbem.cli.console import translate, use_language
from pbem.text.language import NAMES, SOURCE, language_of_locale
from tests.cli.commands import acres, acres_process, do, is_one_sentence

HELP = {"en": "To begin", "fr": "Pour commencer", "it": "Per cominciare", "ru": "Чтобы начать"}
"""A heading of the help in each language."""


def languages_in(output: str) -> list[str]:
    return [language for language, heading in HELP.items() if heading in output]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.mark.parametrize("language", NAMES)
def test_option_chooses_the_language(language: str, home: Path) -> None:
    for option in (["--lang", language], [f"--lang={language}"]):
        assert languages_in(acres(*option, "--help", home=home).out) == [language]


def test_option_then_variable_then_settings_choose_the_language(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert acres("lang", "it", home=home).status == 0
    monkeypatch.delenv("ACRES_LANG")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert languages_in(acres("--help", home=home).out) == ["it"]
    monkeypatch.setenv("ACRES_LANG", "ru")
    assert languages_in(acres("--help", home=home).out) == ["ru"]
    assert languages_in(acres("--lang", "en", "--help", home=home).out) == ["en"]
    monkeypatch.delenv("ACRES_LANG")
    assert acres("lang", "system", home=home).status == 0
    assert languages_in(acres("--help", home=home).out) == ["fr"]


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "it"}, "it"),
        ({"LANG": "ru_RU.KOI8-R"}, "ru"),
        ({"LANG": "fr_CH.UTF-8", "LC_MESSAGES": "it_CH.UTF-8"}, "it"),
        ({"LANG": "fr_CH.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "de:fr:it"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "fr_FR@euro"}, "fr"),
        ({"LC_ALL": "C", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "it_IT", "LANGUAGE": ":"}, "it"),
    ],
)
def test_locale_is_read_as_by_gettext(variables: Mapping[str, str], language: str) -> None:
    assert language_of_locale(variables) == language


@pytest.mark.parametrize("written", ["FR", "fr_FR", "fr-CA", "fr_FR.UTF-8", " fr "])
def test_language_is_accepted_as_a_locale_name(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    assert languages_in(acres("--lang", written, "--help", home=home).out) == ["fr"]
    monkeypatch.setenv("ACRES_LANG", written)
    assert languages_in(acres("--help", home=home).out) == ["fr"]
    monkeypatch.delenv("ACRES_LANG")
    assert acres("lang", written, home=home).status == 0
    assert (home / "config.toml").read_text() == 'lang = "fr"\n'
    (home / "config.toml").write_text(f'lang = "{written}"\n')
    output = acres("--help", home=home)
    assert (languages_in(output.out), output.err) == (["fr"], "")


def test_last_of_two_language_options_is_used(home: Path) -> None:
    assert languages_in(acres("--lang", "ru", "--lang=it", "--help", home=home).out) == ["it"]


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("turn show --lang fr f.toml", "--lang LANGUAGE turn show"),
        ("lang --lang=fr", "--lang LANGUAGE lang"),
        ("mail --home x fetch", "--home DIR mail"),
        ("turn show f.toml --plain", "--plain turn show"),
    ],
)
def test_misplaced_option_error_names_its_place(line: str, output: str, home: Path) -> None:
    refused = acres(*line.split(), home=home).fails()
    assert refused.err.endswith(f"It goes before the command: acres --home {home} {output}\n")
    assert "It stands" not in acres("turn", "show", "--lnag", "fr", home=home).err


def test_variable_that_overrides_the_choice_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_LANG", "fr")
    assert "ACRES_LANG" in acres("lang", "it", home=home).err
    assert acres("lang", "fr", home=home).err == ""
    monkeypatch.delenv("ACRES_LANG")
    assert acres("lang", "it", home=home).err == ""


def test_pipe_instead_of_settings_is_not_read(home: Path) -> None:
    home.mkdir()
    os.mkfifo(home / "config.toml")
    assert acres_process("--help", home=home).status == 0


def test_cyclic_settings_links_are_reported(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").symlink_to("config.toml")
    output = acres("lang", "fr", home=home).fails()
    assert f"{home}/config.toml cannot be written: " in output.err


def test_unknown_key_in_the_settings_is_refused(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text('langue = "fr"\n')
    output = acres("lang", "fr", home=home).fails()
    allowed = "lang, site, theme, legend, sound, [mail] or [games]"
    assert f"has 'langue', where only {allowed} are allowed" in output.err


def test_command_to_choose_a_language_names_the_home(home: Path) -> None:
    assert f"--home {home} lang fr" in acres("lang", home=home).out


def test_terminal_without_the_letters_gets_english(home: Path) -> None:
    latin = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "iso-8859-15", "ACRES_LANG": ""}
    assert languages_in(acres_process("--help", home=home, LC_ALL="ru_RU", **latin).out) == ["en"]
    assert languages_in(acres_process("--help", home=home, LC_ALL="fr_FR", **latin).out) == ["fr"]


def test_unknown_language_in_the_settings_is_reported(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACRES_LANG")
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    home.mkdir()
    (home / "config.toml").write_text('lang = "klingon"\n')
    output = do("--help", home=home)
    assert "klingon" in output.err
    assert output.err.startswith("Nota – ")
    assert languages_in(output.out) == ["it"]


def test_choosing_keeps_the_other_settings(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    (home / "config.toml").write_text('[mail]\naddress = "anna@example.org"\n')
    assert acres("lang", "ru", home=home).status == 0
    written = (home / "config.toml").read_text()
    assert 'lang = "ru"' in written
    assert 'address = "anna@example.org"' in written
    assert "русский" in acres("lang", home=home).out


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize(
    ("line", "command"),
    [
        (["turn", "frobnicate"], " turn"),
        (["turn", "show", "--mpa"], " turn show"),
        (["turn", "show", "a", "b"], " turn show"),
        (["turn", "show", "--at"], " turn show"),
        (["frobnicate"], ""),
        (["new"], " new"),
        (["new", "--side", "purple"], " new"),
    ],
)
def test_usage_errors_point_to_the_help(
    language: str, line: Sequence[str], command: str, home: Path
) -> None:
    """The parser reports every usage error in one English sentence, with exit status 2."""
    help = f"acres --home {home}{command} --help"
    refused = acres("--lang", language, *line, home=home).fails()
    english = acres(*line, home=home).err.removesuffix(f"See: {help}\n")
    with use_language(language):
        see = translate(Message("See: {command}", command=help))
    assert refused.err == f"{english}{see}\n"


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("line", [["join"], ["serve-robot"], ["turn", "show", "--at", "x", "f"]])
def test_usage_errors_are_translated(language: str, line: Sequence[str], home: Path) -> None:
    english = acres(*line, home=home)
    other = acres("--lang", language, *line, home=home)
    assert other.status == english.status == 2
    assert is_one_sentence(other.err)
    assert (other.err == english.err) == (language == SOURCE)
    assert "See:" not in other.err or language == SOURCE

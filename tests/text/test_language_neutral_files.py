"""Files, databases and JSON are the same in every language."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from freezegun import freeze_time

from engine.message import message_of
from pbem.cli import console
from pbem.errors import InputError
from pbem.play import keyfile, recovery
from pbem.play.game_file import GameFile
from pbem.protocol.fork import compare
from pbem.savefile.document import FileKind
from pbem.savefile.save_file import EvidenceFile
from pbem.text.compiling import catalogues
from pbem.text.language import SOURCE
from tests.cli.commands import ROOT, acres, do, play_practice_files
from tests.play.matches import identities
from tests.sample import sample
from tests.text.throwaway import CODE, OPEN, throwaway

OTHERS = [*(path.parts[-3] for path in catalogues()), CODE]
"""The last is made up: in it every message shows."""
ANSWERS = 24
SAVES = ROOT / "saves" / "practice"
JSON_COMMANDS = [
    ["turn", "show"], ["turn", "legal"], ["log"], ["audit"], ["rules"], ["rules", "raid"],
    ["rules", "sieges"], ["games"],
]  # fmt: skip
OF_A_FILE = ("turn", "log", "audit")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    with throwaway() if language == CODE else console.use_language(language):
        yield


def rows(path: Path) -> list[str]:
    """Return all rows of a database."""
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


@pytest.mark.parametrize("language", sample(OTHERS, first=1))
def test_files_and_library_are_the_same_in_every_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both answers to one file, the library and the evidence are the same, byte for byte."""

    def answer_twice() -> tuple[dict[str, bytes], list[str]]:
        folder = tmp_path / "game"
        shutil.rmtree(folder, ignore_errors=True)
        written = play_practice_files(folder, 6)[-1]
        side = written.match.next_side
        assert side is not None
        monkeypatch.chdir(folder)
        for name, hour in (("one", 12), ("two", 13)):
            home = folder / name
            shutil.copytree(folder / side.value, home)
            with freeze_time(f"2026-11-21 {hour}:00:00"):
                run = ["turn", "apply", written.path, "pass", "pass", "--newest"]
                do(*run, "--output", f"{name}.toml", home=home)
        one, two = (GameFile.read((folder / f"{n}.toml").read_bytes()) for n in ("one", "two"))
        evidence = compare(one.match.records, two.match.records).evidence
        assert evidence is not None
        files = {path.name: path.read_bytes() for path in folder.glob("*.toml")}
        return files | {"evidence": EvidenceFile(evidence).write()}, rows(
            folder / "one" / "library.sqlite3"
        )

    usual = answer_twice()
    with speaking(language):
        monkeypatch.setenv("ACRES_LANG", language)
        assert answer_twice() == usual


@pytest.mark.parametrize("language", OTHERS)
def test_identity_file_is_the_same_in_every_language(language: str, tmp_path: Path) -> None:
    (anna, _), usual, other = identities(), tmp_path / "usual.toml", tmp_path / "other.toml"
    keyfile.save(anna, usual)
    with speaking(language):
        keyfile.save(anna, other)
    assert other.read_bytes() == usual.read_bytes()


@pytest.mark.parametrize("language", OTHERS)
def test_recovery_text_in_one_language_is_read_in_another(language: str) -> None:
    (anna, _), date = identities(), str(datetime(2026, 11, 21, tzinfo=UTC).date())
    texts = [recovery.write(anna, date)]
    with speaking(language):
        texts.append(recovery.write(anna, date, speaker=console.language()))
        read = [recovery.read(text) for text in texts]
    read += [recovery.read(text) for text in texts]
    assert texts[0] != texts[1]
    assert max(map(len, texts[1].splitlines())) <= recovery.MAX_WIDTH
    facts = {(text.name, text.email, text.fingerprint, text.seed(lambda: "")) for text in read}
    assert facts == {(anna.name, anna.email, anna.public_key[:8].hex(" ", 2), anna.seed)}


@pytest.mark.parametrize("command", JSON_COMMANDS, ids=" ".join)
def test_json_output_is_the_same_in_every_language(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = [SAVES / "game-041.toml"] if command[0] in OF_A_FILE else []
    run = [*command, *file, "--json"]
    usual = do(*run, home=SAVES / "british")
    json.loads(usual.out)
    # One real language, and the made-up one, in which every message differs from English.
    for language in OTHERS[-2:]:
        with speaking(language):
            monkeypatch.setenv("ACRES_LANG", language)
            assert acres(*run, home=SAVES / "british") == usual


@pytest.mark.parametrize("language", OTHERS)
def test_fault_of_a_file_is_reported_in_the_current_language(language: str) -> None:
    """A document is parsed once, and its fault is printed in the current language."""
    kind = FileKind("acres-save", 1, "a save file", frozenset())
    deep = b"a = " + b"[" * 4000
    phrase = []
    for spoken_now in (SOURCE, language, SOURCE):
        with speaking(spoken_now), pytest.raises(Exception, match=r"\w") as caught:
            kind.read(deep)
        with speaking(spoken_now):
            phrase.append(console.translate(message_of(caught.value)))
    assert phrase[0] == phrase[2] != phrase[1]


def test_place_of_damage_is_reported_in_every_language() -> None:
    """A sentence of the TOML reader stands in ours, and in English stays as it is."""
    kind = FileKind("acres-save", 1, "a save file", frozenset())
    for damaged, place in ((b"a = 1\nb\n", "2, column 2"), (b"a", "end of document")):
        phrase = []
        for language in (SOURCE, CODE):
            with speaking(language), pytest.raises(InputError) as caught:
                kind.read(damaged)
            with speaking(language):
                phrase.append(console.translate(caught.value.message))
        try:
            tomllib.loads(damaged.decode())
        except ValueError as error:
            assert phrase[0] == f"This is not a save file, or it is damaged: {error}."
        assert phrase[1].count(OPEN) > 2
        assert place in phrase[0]

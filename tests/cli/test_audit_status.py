"""The exit status of `acres audit` for every kind of input, as in the manual."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.savefile.save_file import EvidenceFile, SaveFile
from tests.cli.commands import ROOT, acres, do

GOOD, BAD, UNREADABLE = 0, 1, 2


class Files(NamedTuple):
    """A folder with a copied game, two answers to its last file, and evidence of the fork."""

    folder: Path
    game: Path
    fork: Path
    proof: Path

    def write(self, name: str, data: bytes) -> Path:
        """Write a file, and return its path."""
        (self.folder / name).write_bytes(data)
        return self.folder / name

    def write_changed(self, name: str = "changed.toml") -> Path:
        """Write the game with an invalid signature of the last record."""
        save = SaveFile.read(self.game.read_bytes())
        *before, last = save.records
        unsigned = SaveFile((*before, last._replace(signature=bytes(64))), save.boxes)
        return self.write(name, unsigned.write())

    def write_unproved(self) -> Path:
        """Write evidence with a wrong signature."""
        evidence = EvidenceFile.read(self.proof.read_bytes()).evidence
        first, second = evidence.records
        other = replace(evidence, records=(first, second._replace(signature=bytes(64))))
        return self.write("no-proof.toml", EvidenceFile(other).write())

    def write_mail(self, name: str, *datas: bytes) -> Path:
        """Write a mailbox with a message for each of these files, and return its path."""
        head = b"From bela@example.org Sat Nov 21 10:00:00 2026\nFrom: Bela <b@example.org>\n\n"
        return self.write(name, b"".join(head + data + b"\n" for data in datas))


@pytest.fixture(scope="module")
def forked_game(quiet_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the quiet game, two answers to its last file, and evidence of the fork."""
    game = shutil.copytree(quiet_game, tmp_path_factory.mktemp("forked") / "game")
    first, second = game / "one.toml", game / "two.toml"
    for path, orders, options in (
        (first, ["pass", "pass"], []),
        (second, ["draft Rangers", "pass"], ["--replace"]),
    ):
        to = ["--output", path, *options]
        do("turn", "apply", game / "game-017.toml", *orders, *to, home=game / "british")
    audit = acres("audit", first, second, "--output", game / "proof.toml", home=game / "nobody")
    assert audit.status == BAD
    return game


@pytest.fixture
def files(forked_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    game = shutil.copytree(forked_game, tmp_path / "game")
    monkeypatch.chdir(game)
    return Files(game, game / "one.toml", game / "two.toml", game / "proof.toml")


PRACTICE = ROOT / "saves" / "practice"
CASES: dict[str, tuple[Callable[[Files], Path | tuple[Path, Path]], int]] = {
    "a game": (lambda f: f.game, GOOD),
    "an invitation": (lambda f: f.folder / "game-000.toml", GOOD),
    "a message with a game": (lambda f: f.write_mail("mail", f.game.read_bytes()), GOOD),
    "a message with evidence": (lambda f: f.write_mail("mail", f.proof.read_bytes()), GOOD),
    "a game in UTF-16": (lambda f: f.write("wide.toml", f.game.read_text().encode("utf-16")), GOOD),
    "a record that nobody signed": (lambda f: f.write_changed(), BAD),
    "such a record in a message": (
        lambda f: f.write_mail("mail", f.write_changed().read_bytes()),
        BAD,
    ),
    "evidence that does not hold": (lambda f: f.write_unproved(), BAD),
    "a mailbox with a fork": (
        lambda f: f.write_mail("mail", f.game.read_bytes(), f.fork.read_bytes()),
        BAD,
    ),
    "no such file": (lambda f: f.folder / "nowhere.toml", UNREADABLE),
    "a folder": (lambda f: f.folder, UNREADABLE),
    "a message that breaks off": (
        lambda f: f.write_mail("mail", f.game.read_bytes()[:9000]),
        UNREADABLE,
    ),
    "damaged evidence": (
        lambda f: f.write("bad.toml", f.proof.read_bytes().replace(b"index = ", b"index =x")),
        UNREADABLE,
    ),
    "a game and one that goes on": (lambda f: (f.folder / "game-010.toml", f.game), GOOD),
    "a game and one that does not hold": (lambda f: (f.game, f.write_changed()), BAD),
    "two games": (lambda f: (f.game, PRACTICE / "game-041.toml"), UNREADABLE),
    "a game and no such file": (lambda f: (f.game, f.folder / "nowhere.toml"), UNREADABLE),
    "a game and one that breaks off": (
        lambda f: (f.game, f.write("cut.toml", f.game.read_bytes()[:9000])),
        UNREADABLE,
    ),
    "a game and evidence": (lambda f: (f.game, f.proof), UNREADABLE),
}


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("name", CASES)
def test_audit_status_tells_valid_from_forked_files(
    files: Files, name: str, options: list[str]
) -> None:
    make, status = CASES[name]
    paths = make(files)
    result = acres("audit", *(paths if isinstance(paths, tuple) else [paths]), *options)
    assert result.status == status, result
    if status != UNREADABLE:
        assert result.out
        return
    result.fails()
    assert options or not result.out
    # For one unreadable file the data names the broken rule.
    if result.out and not isinstance(paths, tuple):
        assert set(json.loads(result.out)) == {"clean", "finding", "unreadable", "number"}

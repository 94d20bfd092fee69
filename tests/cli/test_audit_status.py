"""The exit status of `acres audit`, as the manual says it, for whatever is given."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.savefile.save_file import EvidenceFile, SaveFile
from tests.cli.using import ROOT, acres, do, is_one_sentence

GOOD, BAD, UNREADABLE = 0, 1, 2


class Files(NamedTuple):
    """A game in a folder of one's own, the two answers to its last file, and a fork's evidence."""

    folder: Path
    game: Path
    fork: Path
    proof: Path

    def made(self, name: str, data: bytes) -> Path:
        """A file of that content."""
        (self.folder / name).write_bytes(data)
        return self.folder / name

    def changed(self, name: str = "changed.toml") -> Path:
        """The game with a last record that nobody signed."""
        save = SaveFile.read(self.game.read_bytes())
        *before, last = save.records
        unsigned = SaveFile((*before, last._replace(signature=bytes(64))), save.boxes)
        return self.made(name, unsigned.write())

    def no_proof(self) -> Path:
        """Evidence of which a signature does not fit."""
        evidence = EvidenceFile.read(self.proof.read_bytes()).evidence
        one, two = evidence.records
        other = replace(evidence, records=(one, two._replace(signature=bytes(64))))
        return self.made("no-proof.toml", EvidenceFile(other).write())

    def mail(self, name: str, *datas: bytes) -> Path:
        """A mailbox with a message for each of these files."""
        head = b"From bela@example.org Sat Nov 21 10:00:00 2026\nFrom: Bela <b@example.org>\n\n"
        return self.made(name, b"".join(head + data + b"\n" for data in datas))


@pytest.fixture(scope="module")
def forked(quiet_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the quiet game, two answers to its last file, and the evidence of that."""
    game = shutil.copytree(quiet_game, tmp_path_factory.mktemp("forked") / "game")
    one, two = game / "one.toml", game / "two.toml"
    for path, orders, options in (
        (one, ["pass", "pass"], []),
        (two, ["draft Rangers", "pass"], ["--replace"]),
    ):
        to = ["--output", path, *options]
        do("turn", "apply", game / "game-017.toml", *orders, *to, home=game / "british")
    audit = acres("audit", one, two, "--output", game / "proof.toml", home=game / "nobody")
    assert audit.status == BAD
    return game


@pytest.fixture
def files(forked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    game = shutil.copytree(forked, tmp_path / "game")
    monkeypatch.chdir(game)
    return Files(game, game / "one.toml", game / "two.toml", game / "proof.toml")


PRACTICE = ROOT / "saves" / "practice"
ONE: dict[str, tuple[Callable[[Files], Path], int]] = {
    "a game": (lambda f: f.game, GOOD),
    "an invitation": (lambda f: f.folder / "game-000.toml", GOOD),
    "a message with a game": (lambda f: f.mail("mail", f.game.read_bytes()), GOOD),
    "a message with evidence": (lambda f: f.mail("mail", f.proof.read_bytes()), GOOD),
    "a game in UTF-16": (lambda f: f.made("wide.toml", f.game.read_text().encode("utf-16")), GOOD),
    "a record that nobody signed": (lambda f: f.changed(), BAD),
    "the same in a message": (lambda f: f.mail("mail", f.changed().read_bytes()), BAD),
    "evidence that does not hold": (lambda f: f.no_proof(), BAD),
    "a mailbox with a fork": (
        lambda f: f.mail("mail", f.game.read_bytes(), f.fork.read_bytes()),
        BAD,
    ),
    "no such file": (lambda f: f.folder / "nowhere.toml", UNREADABLE),
    "a folder": (lambda f: f.folder, UNREADABLE),
    "a message that breaks off": (lambda f: f.mail("mail", f.game.read_bytes()[:9000]), UNREADABLE),
    "damaged evidence": (
        lambda f: f.made("bad.toml", f.proof.read_bytes().replace(b"index = ", b"index =x")),
        UNREADABLE,
    ),
}
TWO: dict[str, tuple[Callable[[Files], tuple[Path, Path]], int]] = {
    "one that goes on": (lambda f: (f.folder / "game-010.toml", f.game), GOOD),
    "one that does not hold": (lambda f: (f.game, f.changed()), BAD),
    "one of another game": (lambda f: (f.game, PRACTICE / "game-041.toml"), UNREADABLE),
    "one that is not there": (lambda f: (f.game, f.folder / "nowhere.toml"), UNREADABLE),
    "one that breaks off": (
        lambda f: (f.game, f.made("cut.toml", f.game.read_bytes()[:9000])),
        UNREADABLE,
    ),
    "evidence": (lambda f: (f.game, f.proof), UNREADABLE),
}


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["told", "json"])
@pytest.mark.parametrize("name", ONE)
def test_of_one_file(files: Files, name: str, options: list[str]) -> None:
    make, status = ONE[name]
    done = acres("audit", make(files), *options)
    assert done.status == status, done
    # Of a file that is there and cannot be read, other programs are told the rule that it breaks.
    tells = options and status == UNREADABLE and done.out
    assert not tells or set(json.loads(done.out)) == {"clean", "finding", "unreadable", "number"}
    assert tells or (done.out == "") == (status == UNREADABLE)
    assert status != UNREADABLE or is_one_sentence(done.err)


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["told", "json"])
@pytest.mark.parametrize("name", TWO)
def test_of_two_files(files: Files, name: str, options: list[str]) -> None:
    make, status = TWO[name]
    done = acres("audit", *make(files), *options)
    assert done.status == status, done
    assert status != UNREADABLE or is_one_sentence(done.err)


def test_the_manual_says_so() -> None:
    """What is 1 and what is 2, where a script has to know."""
    manual = " ".join((ROOT / "docs" / "acres.1").read_text().split())
    for said in (
        "The exit status is 0 if everything is valid, evidence too; 1 if a file is not valid, or "
        "the two show a fork; 2 if one cannot be read.",
        ".B 0 Done; of acres audit: all that was given is valid, evidence of a fork too.",
        ".B 1 A file can be read but is not valid",
        ".B 2 Wrong use, or input that cannot be read: missing, not a save file, damaged",
    ):
        assert said in manual

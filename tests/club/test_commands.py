"""The commands of a club's organiser, on games that robots have played."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from engine.sides import Side
from pbem.cli import club_commands
from pbem.cli.main import main
from pbem.club.club_file import Club
from pbem.play import keyfile
from pbem.play.signing import sign_document
from pbem.protocol.schema import encode_bytes
from tests.club.league import (
    ORGANISER,
    club_text,
    fork,
    identity,
    key,
    make_club,
    play,
    rounds,
    write,
)


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a club, which is the current one; the organiser's home is in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACRES_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    keyfile.save(ORGANISER, tmp_path / "home" / "identity.toml", None)
    make_club(tmp_path, "Anna", "Béla", "Chloé", "Dan", pairing='"swiss"')
    return tmp_path


def run(*words: str, status: int = 0) -> None:
    assert main(["club", *words]) == status


def test_a_round_is_paired_played_and_adjudicated(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("pair", "--dry-run")
    assert not Club.read(club / "club.toml").round
    run("pair")
    (first,) = Club.read(club / "club.toml").round
    (anna, chloe), (bela, dan) = first.pairs
    said = capsys.readouterr().out
    assert "acres new --side british --edition second" in said
    assert f"{anna} and {chloe}, you play in round 1" in " ".join(said.split())
    write(club, "one", play(anna, chloe, winner=Side.FRENCH))
    write(club, "two", play(bela, dan, until=5))
    run("pair", status=2)
    assert f"{bela} (British) – {dan} (French)" in " ".join(capsys.readouterr().err.split())
    run("check", status=1)
    assert "has been to move for" in " ".join(capsys.readouterr().out.split())
    line = f'[[adjudication]]\nround = 1\nbritish = "{bela}"\nfrench = "{dan}"\n'
    line += 'winner = "french"\nday = 2026-05-01\nreason = "no answer"\n'
    text = (club / "club.toml").read_text() + line
    (club / "club.toml").write_text(text)
    run("standings", status=2)
    assert "acres club sign" in " ".join(capsys.readouterr().err.split())
    run("sign", "--yes")
    run("check")
    run("pair")
    assert len(Club.read(club / "club.toml").round) == 2


def test_signed_standings_are_verified_by_anybody(
    club: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_club(club, "Anna", "Béla")
    write(club, "one", play("Anna", "Béla", winner=Side.FRENCH, closers=1))
    run("sign")
    run("standings", "--json")
    printed = capsys.readouterr().out
    assert json.loads((club / "standings.json").read_text()) == json.loads(
        printed[printed.index("{") :]
    )
    monkeypatch.setenv("ACRES_HOME", str(club / "nobody"))
    run("standings")
    assert "they follow from the files here" in " ".join(capsys.readouterr().out.split())
    signature = (club / "standings.json.sig").read_text()
    for other in ("x", encode_bytes(sign_document(b"other", ORGANISER)), "\xe9"):
        (club / "standings.json.sig").write_text(other)
        run("standings", status=1)
        assert "does not fit these standings" in " ".join(capsys.readouterr().out.split())
    (club / "standings.json.sig").write_text(signature)
    write(club, "two", play("Béla", "Anna", winner=Side.BRITISH))
    run("standings", status=1)
    assert "does not fit" in capsys.readouterr().out
    (club / "standings.json.sig").unlink()
    run("standings")
    assert "sign" not in capsys.readouterr().out


def test_lines_are_signed_after_a_question(
    club: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f'[[replacement]]\nold = "{key("Dan")}"\nnew = "{key("Dan again")}"\n'
    with (club / "club.toml").open("a", encoding="utf-8") as file:
        file.write(line)
    answers = iter([False, True])
    monkeypatch.setattr(club_commands, "ask_yes", lambda *_: next(answers))
    run("sign")
    assert not (club / "standings.json.sig").exists()
    assert not Club.read(club / "club.toml").is_signed
    run("sign")
    assert f"old = {key('Dan')}, new = {key('Dan again')}" in " ".join(
        capsys.readouterr().out.split()
    )
    assert Club.read(club / "club.toml").is_signed
    # Nothing is asked again.
    run("sign")
    run("standings")


def test_an_invitation_has_the_options_of_house_rules(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = ["paid-reshuffle", "short-raids"]
    make_club(club, "Anna", "Béla", pairing='"swiss"', house_rules=json.dumps(rules))
    run("pair", "--dry-run")
    options = ", ".join(f"--house-rule {rule}" for rule in rules)
    assert options in " ".join(capsys.readouterr().out.split())


def test_a_round_needs_two_members(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (club / "club.toml").read_text(encoding="utf-8")
    for pairing in ("swiss", "round robin"):
        for left in (0, 1):
            parts = text.replace('"swiss"', f'"{pairing}"').split("[[member]]\n")
            withdrawn = [f"withdrawn = 2026-05-01\n{part}" for part in parts[1 + left :]]
            parts = [*parts[: 1 + left], *withdrawn]
            (club / "club.toml").write_text("[[member]]\n".join(parts), encoding="utf-8")
            run("pair", status=2)
            assert "at least two members" in " ".join(capsys.readouterr().err.split())
            assert not Club.read(club / "club.toml").round


def test_an_archive_of_the_same_files_gives_the_same_bytes(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_club(club, "Anna", "Béla")
    for number, winner in enumerate(Side):
        write(club, str(number), play("Anna", "Béla", winner=winner, closers=1))
    run("standings", "--json")
    printed = capsys.readouterr().out
    with ZipFile(club / "season.zip", "w") as archive:
        for number, path in enumerate(sorted((club / "games").iterdir(), reverse=True)):
            archive.write(path, f"mail/{number}.toml")
    for path in (club / "games").iterdir():
        path.unlink()
    run("standings", "season.zip", "--json")
    assert capsys.readouterr().out == printed
    assert json.loads(printed)["ratings"]


def test_nobody_else_signs_for_the_organiser(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (club / "home" / "identity.toml").unlink()
    keyfile.save(identity("Anna"), club / "home" / "identity.toml", None)
    run("sign", status=2)
    assert "names another organiser" in capsys.readouterr().err
    assert not (club / "standings.json").exists()


def test_a_mistake_in_the_file_is_one_sentence(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (club / "club.toml").write_text(club_text("Anna", "Anna"))
    for command in ("standings", "check", "pair", "sign"):
        run(command, status=2)
        error = " ".join(capsys.readouterr().err.split())
        assert error == "acres: club.toml has a mistake in it: two members have Anna."


def test_what_is_not_there_is_named_with_the_next_step(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (club / "games").rmdir()
    run("pair", status=2)
    run("audit", status=2)
    errors = " ".join(capsys.readouterr().err.split())
    assert errors.count("There is no folder games. Make it") == 2
    (club / "club.toml").unlink()
    for command in ("standings", "sign"):
        run(command, status=2)
        assert "or name its file with --club" in " ".join(capsys.readouterr().err.split())


def test_markup_and_control_characters_in_names_stay_text(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("<b>[red]Zoé[/red]</b>", "=1+1")
    make_club(club, *names)
    write(club, "one", play(*names, winner=Side.BRITISH))
    run("standings")
    assert "“<b>[red]Zoé[/red]</b>”" in capsys.readouterr().out


def test_a_ladder_has_no_rounds(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_club(club, "Anna", "Béla")
    run("pair", status=2)
    assert "choose their opponents" in " ".join(capsys.readouterr().err.split())
    make_club(club, "Anna", "Béla", pairing='"round robin"', more=rounds(("Anna", "Béla")))
    run("pair", status=2)
    assert "complete" in capsys.readouterr().err


def test_without_the_libraries_only_what_needs_them_is_refused(
    club: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("trueskillthroughtime", "networkx"):
        monkeypatch.setitem(sys.modules, library, None)
    run("pair", status=2)
    assert "pip install 'acres-pbem[club]'" in " ".join(capsys.readouterr().err.split())
    make_club(club, "Anna", "Béla", pairing='"round robin"')
    write(club, "one", play("Anna", "Béla", winner=Side.FRENCH))
    run("pair", "--dry-run")
    make_club(club, "Anna", "Béla")
    run("check")
    run("standings", status=2)
    assert "pip install 'acres-pbem[club]'" in " ".join(capsys.readouterr().err.split())


def test_a_swiss_round_waits_for_a_game_with_a_cheat(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_club(club, "Anna", "Béla", pairing='"swiss"', more=rounds(("Anna", "Béla")))
    for number, game in enumerate(fork("Anna", "Béla")):
        write(club, str(number), game)
    run("pair", "--dry-run", status=2)
    assert "Anna (British) – Béla (French)" in " ".join(capsys.readouterr().err.split())


def test_a_round_is_not_added_to_a_list_in_brackets(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (club / "club.toml").read_text().replace("pace_days", "round = []\npace_days")
    (club / "club.toml").write_text(text)
    run("pair", status=2)
    assert "has a mistake in it" in capsys.readouterr().err
    assert (club / "club.toml").read_text() == text


def test_a_cheat_in_a_game_of_another_club_is_no_problem(club: Path) -> None:
    for number, game in enumerate(fork("Xenia", "Yves")):
        write(club, str(number), game)
    run("check")


def test_a_signature_that_does_not_fit_any_more_leaves_the_site(club: Path) -> None:
    run("sign")
    run("site", "public")
    assert (club / "public" / "standings.json.sig").exists()
    text = (club / "club.toml").read_text()
    (club / "club.toml").write_text(text.replace("Chloé", "Chloe"))
    run("standings", "--json", status=1)
    run("site", "public")
    assert not (club / "public" / "standings.json.sig").exists()

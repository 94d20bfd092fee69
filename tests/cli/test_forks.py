"""`acres audit A B` names a player who signed two different turns, with evidence."""

import re
import shutil
from pathlib import Path

import pytest

from pbem.play.game_file import GameFile
from pbem.protocol.fork import Evidence
from pbem.savefile.save_file import EvidenceFile, SaveFile
from tests.cli.commands import acres, do, is_one_sentence, public_key_in, snapshot

APPLY = ["turn", "apply"]


pytestmark = pytest.mark.usefixtures("in_game_folder")


def apply(folder: Path, number: int, *words: object, home: str) -> Path:
    """Return the file of a new answer; a path among the words is its output."""
    answer = folder / f"game-{number + 1:03}.toml"
    do(*APPLY, folder / f"game-{number:03}.toml", *words, home=folder / home)
    return next((word for word in words if isinstance(word, Path)), answer)


@pytest.fixture
def first_answer(game: Path) -> Path:
    """The honest answer to the last file of the quiet game."""
    return apply(game, 17, "pass", "pass", home="british")


@pytest.fixture
def second_answer(game: Path, first_answer: Path) -> Path:
    """The second answer to the same file, which Anna signed after the first."""
    to = ("--replace", "--output", game / "two.toml")
    return apply(game, 17, "draft Rangers", "pass", *to, home="british")


def evidence_path(game: Path) -> Path:
    (path,) = game.glob("fork-*.toml")
    return path


def test_fork_names_the_player_and_leaves_evidence(
    game: Path, first_answer: Path, second_answer: Path
) -> None:
    before = snapshot(game)
    audit = acres("audit", first_answer, second_answer)
    assert audit.status == 1
    path = evidence_path(game)
    identifier = GameFile.read(first_answer.read_bytes()).match.id.hex()[:8]
    assert path.name == f"fork-{identifier}-18.toml"
    assert set(snapshot(game)) - set(before) == {path}
    evidence = EvidenceFile.read(path.read_bytes()).evidence
    evidence.check()
    assert evidence.key == public_key_in(game / "british")
    lasts = {SaveFile.read(file.read_bytes()).records[-1] for file in (first_answer, second_answer)}
    assert set(evidence.records) == lasts


def test_evidence_is_written_once_and_overwrites_no_file(
    game: Path, first_answer: Path, second_answer: Path
) -> None:
    acres("audit", first_answer, second_answer)
    path, before = evidence_path(game), snapshot(game)
    again = acres("audit", second_answer, first_answer)
    assert again.status == 1
    assert snapshot(game) == before
    path.write_bytes(b"my letter")
    before = snapshot(game)
    acres("audit", first_answer, second_answer, "--output", first_answer).fails()
    assert snapshot(game) == before
    for options in ([], ["--json"]):
        assert acres("audit", first_answer, second_answer, *options).status == 1
    assert path.read_bytes() == b"my letter"
    named = acres("audit", first_answer, second_answer, "--output", "new/proof.toml")
    assert named.status == 1
    assert acres("audit", "new/proof.toml").status == 0
    acres("audit", first_answer, second_answer, "--output", "/proc/proof.toml").fails()


def test_evidence_of_a_game_with_a_similar_number_stays(
    game: Path, first_answer: Path, second_answer: Path
) -> None:
    acres("audit", first_answer, second_answer)
    path = evidence_path(game)
    evidence = EvidenceFile.read(path.read_bytes()).evidence
    other = EvidenceFile(Evidence(bytes(32), evidence.records)).write()
    path.write_bytes(other)
    for _ in range(2):
        assert acres("audit", first_answer, second_answer).status == 1
        (longer,) = {*game.glob("fork-*.toml")} - {path}
        assert longer.name.startswith(path.name[:13]) and len(longer.name) == len(path.name) + 8
    assert path.read_bytes() == other


def test_fork_is_found_in_the_middle_of_two_games(
    game: Path, first_answer: Path, second_answer: Path, tmp_path: Path
) -> None:
    # Émile continues each answer on another computer; Anna signed twice.
    shutil.copytree(game / "french", game / "elsewhere")
    longer = apply(game, 18, "pass", "pass", home="french")
    second_answer.rename(game / "other-018.toml")
    do(*APPLY, game / "other-018.toml", "pass", "pass", home=game / "elsewhere")
    audit = acres("audit", longer, game / "other-019.toml")
    assert audit.status == 1
    assert EvidenceFile.read(evidence_path(game).read_bytes()).evidence.records[0].index == 18
    # One of the two answers to Anna's file is enough.
    assert acres("audit", longer, game / "other-018.toml").status == 1


def test_fork_is_found_despite_a_broken_end_of_one_file(
    game: Path, first_answer: Path, second_answer: Path
) -> None:
    """An invalid record at the end of a file does not hide the fork."""
    apply(game, 18, "pass", "pass", home="french")
    save = SaveFile.read((game / "game-019.toml").read_bytes())
    broken = game / "broken.toml"
    damaged = save.records[-1]._replace(signature=bytes(64))
    broken.write_bytes(SaveFile((*save.records[:-1], damaged)).write())
    audit = acres("audit", broken, second_answer)
    assert audit.status == 1
    assert "what fails: signature" in audit.out
    assert acres("audit", evidence_path(game)).status == 0


@pytest.mark.parametrize(
    "field", [b'key = "', b'signature = """\\\n  ', b'previous = "', b'side = "', b'order = "']
)
def test_tampered_evidence_is_refused(
    game: Path, first_answer: Path, second_answer: Path, field: bytes
) -> None:
    acres("audit", first_answer, second_answer)
    data = evidence_path(game).read_bytes()
    for place in re.finditer(re.escape(field), data):
        letter = b"B" if data[place.end() : place.end() + 1] == b"A" else b"A"
        (game / "tampered.toml").write_bytes(data[: place.end()] + letter + data[place.end() + 1 :])
        refused = acres("audit", "tampered.toml")
        assert refused.status in (1, 2)
        assert (refused.status == 1) or is_one_sentence(refused.err)
    assert acres("audit", "--json", "tampered.toml").status == refused.status


def test_evidence_is_audited_alone_and_refused_as_a_game(
    game: Path, first_answer: Path, second_answer: Path
) -> None:
    acres("audit", first_answer, second_answer)
    path = evidence_path(game)
    for words in (["turn", "show"], ["turn", "legal"], ["turn", "apply"], ["join"]):
        acres(*words, path, home=game / "british").fails()
    for pair in ((path, first_answer), (first_answer, path), (path, path)):
        acres("audit", *pair).fails()
    acres("audit", first_answer, "--output", "x.toml").fails()

"""Strangers in a friend's name, whom the program recognises by the remembered key.

docs/protocol.md, Duties of a player's program: Know who is who.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.play import keyfile
from pbem.protocol.identity import Identity
from pbem.text.phrases import fingerprint
from tests.cli.commands import Result, acres
from tests.cli.table import Table
from tests.play.matches import begin
from tests.play.store.old_library import downgrade

NAME, ADDRESS = "Béla", "bela@example.org"
CHANGED = "Not the same key as before"
OTHERS = [
    pytest.param(NAME, ADDRESS, id="the same"),
    pytest.param("BÉLA", "Bela@Example.ORG", id="in capitals"),
    pytest.param("Bé la.", ADDRESS, id="with a space and a dot"),
    pytest.param("Bel\u0430", "", id="with a Cyrillic letter"),
    pytest.param("\u0412\u0415L\u0391", "", id="in three alphabets"),
    pytest.param("Be\u0301la", "", id="with a loose accent"),
    pytest.param("\uff22\uff45\uff4c\uff41", "", id="in wide letters"),
    pytest.param("BeIa", "", id="with a capital i"),
    pytest.param("Somebody", "beIa@examp1e.org", id="with an address that looks alike"),
    pytest.param(NAME, "", id="without an address"),
]


class Circle:
    """Anna, Béla and other players, each with a home; all files are in one folder."""

    def __init__(self, folder: Path, files: int = 0) -> None:
        self.folder = folder
        self.files = files
        if not files:
            self.make("anna", "Anna", "anna@example.org")
            self.make("bela", NAME, ADDRESS)

    def make(self, home: str, name: str, email: str) -> None:
        """Create the identity of a player."""
        result = acres("init", "--name", name, "--email", email, home=self.folder / home)
        assert result.status == 0, result.err

    def run(self, home: str, *words: object) -> Result:
        """Run a command of a player."""
        return acres(*words, home=self.folder / home)

    def do(self, home: str, *words: object) -> str:
        """Return the output of a successful command, on one line."""
        result = self.run(home, *words)
        assert result.status == 0, result.err
        return join_output(result)

    def rename(self, home: str, name: str, email: str) -> None:
        """Change the name and address of a player, but not the key."""
        path = self.folder / home / "identity.toml"
        seed = keyfile.load(path, lambda: "").seed
        path.unlink()
        keyfile.save(Identity(name, email, seed), path)

    def key(self, home: str) -> str:
        """Return the printed fingerprint of a player's key."""
        path = self.folder / home / "identity.toml"
        return str(fingerprint(keyfile.load(path, lambda: "").public_key))

    def invitation(self, home: str) -> Path:
        """Return the file of a new invitation by a player."""
        self.files += 1
        file = self.folder / f"game{self.files}-000.toml"
        self.do(home, "new", "--side", "british", "--lists", 2, "--output", file)
        return file

    def write_acceptance(self, home: str) -> Path:
        """Return the file with which a player accepts an invitation by Anna."""
        file = self.invitation("anna")
        self.do(home, "join", file)
        return file.with_stem(file.stem.replace("000", "001"))

    def play_with(self, home: str) -> Path:
        """Return the file in which Anna has answered a player's acceptance."""
        file = self.write_acceptance(home)
        self.do("anna", "turn", "apply", file, "pass")
        return file.with_stem(file.stem.replace("001", "002"))


def join_output(result: Result) -> str:
    return " ".join(f"{result.out} {result.err}".split())


def later_files(file: Path) -> list[Path]:
    """Return the later files of the same game."""
    return sorted(path for path in file.parent.glob(f"{file.stem[:-4]}-*") if path > file)


@pytest.fixture(scope="module")
def base_circle(tmp_path_factory: pytest.TempPathFactory) -> Circle:
    """A folder in which Anna has played with Béla; do not write into it."""
    circle = Circle(tmp_path_factory.mktemp("circle"))
    circle.play_with("bela")
    return circle


@pytest.fixture
def circle(base_circle: Circle, tmp_path: Path) -> Circle:
    """A copy of the folder in which Anna has played with Béla."""
    return Circle(shutil.copytree(base_circle.folder, tmp_path / "circle"), base_circle.files)


@pytest.fixture
def terminal_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Lines that are typed at a terminal, before the end of the input."""
    typed: list[str] = []
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt: typed.pop(0) if typed else end_input())
    yield typed
    assert not typed


def end_input() -> str:
    raise EOFError


# --- in a friend's name


@pytest.mark.slow
@pytest.mark.parametrize(("name", "address"), OTHERS)
def test_acceptance_in_a_friends_name_causes_a_warning(
    circle: Circle, name: str, address: str
) -> None:
    circle.make("stranger", name, address)
    file = circle.write_acceptance("stranger")
    old, new = circle.key("bela"), circle.key("stranger")
    for words in (("show", file), ("show", "--json", file), ("apply", file, "pass", "--dry-run")):
        output = circle.do("anna", "turn", *words)
        assert f"you know {NAME} <{ADDRESS}> by {old}, and in this file" in output
        assert f"has {new}. It is a new key of theirs, or somebody else using their name." in output
    result = circle.run("anna", "turn", "apply", file, "pass")
    assert result.status == 0
    assert old in result.err
    assert new in result.err


def test_invitation_in_a_friends_name_causes_a_warning(circle: Circle) -> None:
    circle.make("stranger", NAME, ADDRESS)
    file = circle.invitation("stranger")
    old, new = circle.key("bela"), circle.key("stranger")
    for words in (["turn", "show", file], ["join", file]):
        output = circle.do("anna", *words)
        assert f"you know {NAME} <{ADDRESS}> by {old}, and in this file" in output
        assert f"has {new}. It is a new key of theirs, or somebody else using their name." in output


@pytest.mark.parametrize("command", ["turn apply", "turn resign", "join"])
def test_changed_key_is_confirmed_at_a_terminal(
    circle: Circle, terminal_lines: list[str], command: str
) -> None:
    """The question comes before the orders; after a refusal nothing is written."""
    circle.make("stranger", NAME, ADDRESS)
    is_joining = command == "join"
    file = circle.invitation("stranger") if is_joining else circle.write_acceptance("stranger")
    for answer in (["n"], ["maybe", "n"], []):
        terminal_lines[:] = answer
        result = circle.run("anna", *command.split(), file)
        assert (result.status, later_files(file)) == (0, [])
        assert join_output(result).endswith("Nothing was written.")
        assert CHANGED in result.out
    terminal_lines[:] = ["y"]
    orders = {"turn apply": ["pass"], "turn resign": ["--yes"], "join": []}[command]
    circle.do("anna", *command.split(), file, *orders)
    assert len(later_files(file)) == 1
    # After consent neither key causes a warning.
    output = circle.do("anna", "turn", "show", circle.invitation("stranger"))
    assert CHANGED not in output
    output = circle.do("anna", "turn", "show", circle.invitation("bela"))
    assert CHANGED not in output


def test_script_is_warned_of_a_changed_key_until_it_is_named(circle: Circle) -> None:
    circle.make("stranger", NAME, ADDRESS)
    circle.play_with("stranger")
    for _ in range(2):
        file = circle.play_with("stranger")
        assert CHANGED in circle.do("anna", "turn", "show", file)
    digits = circle.key("stranger").split(maxsplit=1)[1]
    assert f"players name {digits[:9].replace(' ', '')} NAME" in circle.do("anna", "players")
    assert "somebody else using their name" in circle.do("anna", "players")
    circle.do("anna", "players", "name", digits, "Béla's new computer")
    assert CHANGED not in circle.do("anna", "turn", "show", circle.write_acceptance("stranger"))
    assert CHANGED not in circle.do("anna", "turn", "show", circle.write_acceptance("bela"))
    assert "somebody else" not in circle.do("anna", "players")


def test_stranger_known_by_another_name_causes_a_warning(circle: Circle) -> None:
    """A key that is known for one name is still a stranger's under another name."""
    for home, first in (("other", "Carla"), ("namesake", NAME)):
        circle.make(home, first, "")
        circle.play_with(home)
    digits = circle.key("namesake").split()[1]
    circle.do("anna", "players", "name", digits, "Little Béla")
    assert CHANGED not in circle.do("anna", "turn", "show", circle.write_acceptance("namesake"))
    for home in ("other", "namesake"):
        circle.rename(home, NAME, ADDRESS)
        output = circle.do("anna", "turn", "show", circle.write_acceptance(home))
        assert f"you know {NAME} <{ADDRESS}> by {circle.key('bela')}, and" in output


def test_stranger_with_a_nickname_of_a_friend_causes_a_warning(circle: Circle) -> None:
    circle.do("anna", "players", "name", "Béla", "Uncle Bob")
    circle.make("stranger", "uncle bob", "")
    output = circle.do("anna", "turn", "show", circle.write_acceptance("stranger"))
    assert f"you know Uncle Bob <{ADDRESS}> by {circle.key('bela')}, and" in output


def test_showing_a_file_makes_no_key_known(circle: Circle) -> None:
    """Otherwise a stranger could be known first, or fill the list."""
    circle.make("carla", "Carla", "carla@example.org")
    circle.make("stranger", "Carla", "carla@example.org")
    for _ in range(2):
        output = circle.do("anna", "turn", "show", circle.write_acceptance("stranger"))
        key = circle.key("stranger")
        assert (
            f"You play with Carla <carla@example.org> by this key for the first time: {key}."
            in output
        )
    circle.do("anna", "turn", "apply", circle.write_acceptance("stranger"), "pass", "--dry-run")
    assert "Carla" not in circle.do("anna", "players")
    assert "for the first time" in circle.do(
        "anna", "turn", "show", circle.write_acceptance("carla")
    )


@pytest.mark.parametrize("columns", [40, 57, 66, 73, 80])
def test_key_is_never_wrapped(
    circle: Circle, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    circle.make("stranger", NAME, ADDRESS)
    screen = circle.run("anna", "turn", "show", circle.write_acceptance("stranger")).out
    for home in ("bela", "stranger"):
        assert circle.key(home) in screen


# --- no warning


def test_new_address_with_the_same_key_causes_no_warning(circle: Circle) -> None:
    for name, address in ((NAME, "bela@elsewhere.example"), ("Béla Kovács", ""), (NAME, ADDRESS)):
        circle.rename("bela", name, address)
        for output in (
            circle.do("anna", "turn", "show", circle.write_acceptance("bela")),
            circle.do("anna", "join", circle.invitation("bela")),
        ):
            assert CHANGED not in output
            assert "for the first time" not in output
    output = circle.do("anna", "players")
    for words in (f"{NAME} <{ADDRESS}>", f"{NAME} <bela@elsewhere.example>", "Béla Kovács"):
        assert words in output
    # A stranger cannot take over a former address.
    circle.make("stranger", "Stranger", "bela@elsewhere.example")
    assert CHANGED in circle.do("anna", "turn", "show", circle.write_acceptance("stranger"))


def test_second_person_of_the_same_name_is_reported(
    circle: Circle, terminal_lines: list[str]
) -> None:
    """Both keys are shown without a question, because names are not unique."""
    circle.make("namesake", NAME, "another@example.org")
    output = circle.do("anna", "turn", "apply", circle.write_acceptance("namesake"), "pass")
    assert f"This is {NAME} <another@example.org>, {circle.key('namesake')}." in output
    known = f"{NAME} <{ADDRESS}>, {circle.key('bela')}"
    assert f"You know somebody else of that name: {known}." in output
    output = circle.do("anna", "turn", "show", circle.write_acceptance("namesake"))
    assert "somebody else" not in output


def test_first_key_is_shown_once(tmp_path: Path) -> None:
    circle = Circle(tmp_path)
    first = "by this key for the first time"
    invitation = circle.invitation("anna")
    output = circle.do("bela", "join", invitation)
    assert f"You play with Anna <anna@example.org> {first}: {circle.key('anna')}." in output
    file = invitation.with_stem("game1-001")
    for words in (("show", file), ("apply", file, "pass")):
        output = circle.do("anna", "turn", *words)
        assert f"You play with {NAME} <{ADDRESS}> {first}: {circle.key('bela')}." in output
    after = file.with_stem("game1-002")
    for home, command, *orders in (("anna", "show"), ("bela", "show"), ("bela", "apply", "pass")):
        assert first not in circle.do(home, "turn", command, after, *orders)
    assert first not in circle.do("anna", "turn", "show", circle.invitation("bela"))


@pytest.mark.parametrize("is_joining", [False, True])
def test_failed_write_makes_no_key_known(
    circle: Circle, monkeypatch: pytest.MonkeyPatch, is_joining: bool
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    circle.make("carla", "Carla", "carla@example.org")
    if is_joining:
        words: tuple[object, ...] = ("join", circle.invitation("carla"))
    else:
        words = ("turn", "apply", circle.write_acceptance("carla"), "pass")
    with monkeypatch.context() as full:
        full.setattr("os.fsync", fail)
        failed = circle.run("anna", *words)
    assert failed.status == 2
    assert "No space left" in failed.err
    assert "Carla" not in circle.do("anna", "players")
    assert "for the first time" in circle.do("anna", *words)
    assert "Carla" in circle.do("anna", "players")


def test_older_library_learns_its_opponents_quietly(circle: Circle) -> None:
    file = circle.play_with("bela")
    downgrade(circle.folder / "anna" / "library.sqlite3", "met", "vouched")
    assert circle.key("bela") not in circle.do("anna", "players")
    output = circle.do("anna", "turn", "show", file)
    assert (
        f"{NAME} <{ADDRESS}> is known here from now on, by this key: {circle.key('bela')}."
        in output
    )
    assert "first time" not in output
    assert "known here" not in circle.do("anna", "turn", "show", file)
    circle.make("stranger", NAME, ADDRESS)
    assert CHANGED in circle.do("anna", "turn", "show", circle.write_acceptance("stranger"))


def test_forgotten_key_is_a_stranger_again(circle: Circle) -> None:
    circle.make("stranger", NAME, ADDRESS)
    digits = circle.key("bela").split(maxsplit=1)[1]
    output = circle.do("anna", "players", "forget", *digits.split())
    assert output == f"The key of {NAME} <{ADDRESS}> is forgotten: {circle.key('bela')}."
    output = circle.do("anna", "turn", "show", circle.write_acceptance("stranger"))
    assert "for the first time" in output
    assert circle.key("bela") not in output


# --- the robot


def test_robot_reports_a_changed_key_once_and_plays(tmp_path: Path) -> None:
    circle = Circle(tmp_path)
    circle.make("stranger", NAME, ADDRESS)
    inbox, outbox = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()

    def serve(file: Path) -> str:
        file.rename(inbox / file.name)
        words = ("serve-robot", "--once", "--lists", 2, "--inbox", inbox, "--outbox", outbox)
        return circle.do("robot", *words)

    assert CHANGED not in serve(circle.invitation("bela"))
    first = circle.invitation("stranger")
    output = serve(first)
    assert f"you know {NAME} <{ADDRESS}> by {circle.key('bela')}, and" in output
    assert f"has {circle.key('stranger')}." in output
    circle.do("stranger", "turn", "apply", outbox / "game2-001.toml", "pass")
    (outbox / "game2-002.toml").rename(tmp_path / "game2-002.toml")
    assert CHANGED not in serve(tmp_path / "game2-002.toml")
    assert (outbox / "game2-003.toml").exists()


# --- owed openings


def test_owed_opening_may_never_have_been_requested(tmp_path: Path) -> None:
    """A player may look like a cheat if the file that grants a list never arrived."""
    match = begin(0)
    table = Table(tmp_path / "game", match, 0)
    audited = join_output(acres("audit", table.file))
    assert "Anna (British), whose next file has to open a shuffle" in audited
    assert "They may never have got the file that asks for it" in audited
    home = tmp_path / "game" / "french"
    acres("games", "add", table.file, home=home)
    games_output = join_output(acres("games", home=home))
    assert "opponent's move" in games_output and "shuffle" not in games_output

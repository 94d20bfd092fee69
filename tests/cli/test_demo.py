"""The demo, with few lists to save time."""

import shlex
from functools import partial
from hashlib import sha512
from itertools import islice
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play import keyfile
from pbem.play.audit import audit
from pbem.play.robot import PracticeGame
from pbem.protocol.steps import Accept, Invite
from tests.cli.commands import acres, do, snapshot
from tests.cli.test_output import assert_plain


@pytest.mark.slow
def test_demo_plays_to_the_end_and_prints_working_commands(
    cwd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.robot.PracticeGame", partial(PracticeGame, lists=16))
    (cwd / "acres-demo").mkdir()
    # Seed 5 gives one of the shorter games.
    lines = do("demo", "--seed", "5").out.splitlines()
    # Commands for copying are not wrapped, even with a long name of the folder.
    commands = [line.strip() for line in lines if line.startswith("  acres ")]
    assert_plain("\n".join(line for line in lines if line.strip() not in commands), draws=True)
    # Both have closed the game, and the last command shows the last file.
    closed = audit(Path(shlex.split(lines[-2])[-1]).read_bytes())
    assert closed.is_clean
    assert closed.match.secrets.keys() == set(Side)
    assert closed.match.next_side is None
    before = snapshot(cwd)
    board, *others = commands
    assert board.endswith(f" board {shlex.split(others[0])[-1]}") and len(others) == 4
    for command in others:
        # Without a terminal the last command but one needs orders.
        orders = ["pass", "pass"] if "--dry-run" in command else []
        result = acres(*shlex.split(command)[1:], *orders)
        assert result.status == 0 or "Order" in result.err, (command, result.err)
        assert "Note: " not in result.err
    assert snapshot(cwd) == before
    # The folder existed already. Both homes know the last file.
    for side in Side:
        assert "move since" in acres("games", home=Path("acres-demo-2", side.value)).out


@pytest.mark.parametrize("change", ["", "config name Zoe", "key passphrase"])
def test_key_from_a_seed_plays_only_the_game_of_the_demo(
    cwd: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    game = PracticeGame(cwd, 1, lists=16)
    *_, last = islice(game.play(), 3)
    game.leave_off_at(last.path)
    do("init", "--name", "Clara", home="clara")
    do("new", "--side", "french", "--output", "invitation.toml", home="clara")
    do("new", "--side", "any", "--output", "choice.toml", home="clara")
    if "passphrase" in change:
        monkeypatch.setenv("ACRES_NEW_PASSPHRASE", "secret")
        monkeypatch.setenv("ACRES_PASSPHRASE", "secret")
    if change:
        do(*change.split(), home="french")
    assert "Anybody" in do("key", "show", home="french").out
    before = snapshot(cwd).keys()
    for command in (
        "new --side british",
        "new --side any",
        "join invitation.toml",
        "join choice.toml",
        "key backup --unsealed",
    ):
        assert "acres init" in acres(*command.split(), home="french").fails().err
    assert snapshot(cwd).keys() == before
    do("turn", "resign", last.path, "--yes", home="french")


def test_demo_without_a_seed_takes_all_secrets_from_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: set[bytes] = set()

    def draw(size: int, purpose: str) -> bytes:
        drawn.add(data := sha512(purpose.encode()).digest()[:size])
        return data

    monkeypatch.setattr("pbem.sources._system_bytes", draw)
    *_, last = islice(PracticeGame(tmp_path, None, lists=16).play(), 2)
    for side in Side:
        file = keyfile.read(tmp_path / side.value / "identity.toml")
        assert not file.is_example
        assert file.open(str).seed in drawn
    steps = [step for record in last.match.records for step in record.steps]
    nonces = {step.nonce for step in steps if isinstance(step, Invite | Accept)}
    assert len(nonces) == 2
    assert nonces <= drawn

"""A killed command that makes, seals or unseals a key never loses it."""

import dataclasses
from pathlib import Path

import pytest

from pbem.play import keyfile
from pbem.play.keyfile import Cost
from pbem.protocol.identity import Identity
from tests.crash.stage import Fault, Stage
from tests.crash.state import find_unfinished

KEYS = {
    "init": (["init", "--name", "Zoé"], None),
    "sealed": (["key", "passphrase"], "secret"),
    "unsealed": (["key", "passphrase", "--remove"], None),
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize(
    "step", [pytest.param(1, marks=pytest.mark.long, id="finely"), pytest.param(20, id="coarsely")]
)
def test_killed_key_change_leaves_the_old_or_the_new_key(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, step: int
) -> None:
    words, secret = KEYS[name]
    monkeypatch.setattr("pbem.play.keyfile.DEFAULT_COST", Cost(2**14, 1, 1))
    zoe = Identity.generate("Zoé", "")
    for line in range(1, 10_000, step):
        path = tmp_path / str(line) / "identity.toml"
        path.parent.mkdir()
        if name != "init":
            keyfile.save(zoe, path, "secret" if name == "unsealed" else None)
        before = path.read_bytes() if path.exists() else None
        values = Fault(secret=secret, passphrase=None if name == "init" else "secret")
        fault = dataclasses.replace(values, kill_at=line)
        outcome = stage.run(*words, folder=tmp_path, home=path.parent.name, fault=fault)
        assert outcome.was_killed or outcome.status == 0, outcome
        assert all(file.stat().st_mode & 0o077 == 0 for file in path.parent.iterdir())
        if path.exists() and path.read_bytes() != before:
            stored = keyfile.read(path)
            assert stored.is_sealed == (secret is not None)
            assert stored.open(lambda: "secret").public_key == zoe.public_key or name == "init"
        again = stage.run(*words, folder=tmp_path, home=path.parent.name, fault=values)
        assert keyfile.load(path, lambda: "secret")
        assert again.status in (0, 2), again
        assert not find_unfinished(path.parent)
        if name != "init":
            names = [file.name for file in path.parent.iterdir()]
            assert names == ["identity.toml"] or again.status
        if not outcome.was_killed:
            break
    assert line > 20

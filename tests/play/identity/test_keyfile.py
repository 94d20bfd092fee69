"""The identity file: replaced, damaged or hostile files, whose text no message repeats."""

import os
import stat
from pathlib import Path
from random import Random
from unicodedata import normalize

import pytest

from pbem.errors import AcresError, InputError, UsageError
from pbem.play import keyfile
from pbem.play.keyfile import Cost, WrongPassphraseError
from pbem.protocol.identity import Identity
from pbem.protocol.schema import encode_bytes
from tests.play.identity.passphrases import never

SEED = bytes(range(100, 132))
ZOE = Identity("Zoé", "zoe@example.org", SEED)
WINDOW = 6
"""The number of consecutive characters of a key that cannot be a coincidence."""


@pytest.fixture(params=[None, "old"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An identity file, unsealed and sealed."""
    path = tmp_path / "identity.toml"
    keyfile.save(ZOE, path, request.param)
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("passphrase", [None, "new"])
def test_passphrase_is_added_changed_and_removed(path: Path, passphrase: str | None) -> None:
    keyfile.replace(ZOE, path, passphrase)
    key_file = keyfile.read(path)
    assert key_file.is_sealed == (passphrase is not None)
    assert key_file.open(lambda: "new" if passphrase else never()).seed == SEED
    if passphrase:
        with pytest.raises(WrongPassphraseError, match="passphrase of your identity"):
            key_file.open(lambda: "old")
        assert encode_bytes(SEED) not in path.read_text()
    assert [file.name for file in path.parent.iterdir()] == ["identity.toml"]


def test_replaced_file_is_for_its_owner_alone(path: Path) -> None:
    path.chmod(0o644)
    assert keyfile.is_open_to_others(path)
    before = os.umask(0)
    try:
        keyfile.replace(ZOE, path, "new")
    finally:
        os.umask(before)
    assert mode(path) == 0o600
    assert not keyfile.is_open_to_others(path)


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o601])
def test_readable_key_file_is_reported_as_open(path: Path, bits: int) -> None:
    path.chmod(bits)
    assert keyfile.is_open_to_others(path)


def test_link_stays_a_link_and_leaves_no_key_behind(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "identity.toml"
    link.parent.mkdir()
    link.symlink_to(path)
    keyfile.replace(ZOE, link, "new")
    assert link.is_symlink()
    assert keyfile.read(path).is_sealed
    assert encode_bytes(SEED) not in path.read_text()


@pytest.mark.parametrize("failing", ["open", "fsync", "replace"])
def test_failed_replacement_keeps_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    before = path.read_bytes()

    def disk_is_full(*_arguments: Path | int | str) -> None:
        raise OSError(28, "No space left on device")

    place = {"open": (os, "open"), "fsync": (os, "fsync"), "replace": (Path, "replace")}
    monkeypatch.setattr(*place[failing], disk_is_full)
    with pytest.raises(UsageError, match=r"identity\.toml cannot be written: No space left"):
        keyfile.replace(ZOE, path, "new")
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["identity.toml"]
    new = path.with_name("second.toml")
    if failing != "replace":
        with pytest.raises(UsageError, match="cannot be written: No space left"):
            keyfile.save(ZOE, new)
        assert not new.exists()


def test_other_files_in_the_folder_are_kept(path: Path) -> None:
    other = path.with_name(".identity.toml.swp")
    other.write_text("an editor's")
    keyfile.replace(ZOE, path)
    assert other.exists()


def key_parts_in(message: str) -> set[str]:
    text = encode_bytes(SEED)
    windows = {text[at : at + WINDOW] for at in range(len(text) - WINDOW + 1)}
    return {window for window in windows if window in message}


def test_damaged_key_file_never_reveals_its_key(tmp_path: Path) -> None:
    path = tmp_path / "identity.toml"
    keyfile.save(ZOE, path)
    text, seed = path.read_text(), encode_bytes(SEED)
    random = Random(7)
    damaged = [
        text.replace('seed = "', "seed = "),
        text.replace('seed = "', '"'),
        text.replace(f'seed = "{seed}"', f'{seed} = "seed"'),
        text.replace(f'seed = "{seed}"', f"[{seed}]\n[{seed}]"),
        text.replace(f'seed = "{seed}"', f"{seed} = 1\n{seed} = 2"),
        text.replace(f'seed = "{seed}"', f"seed.{seed} = 2"),
        text.replace('"Zoé"', f'"{seed}\u202e"'),
        text.replace("acres-identity", seed),
    ]
    for _ in range(1500):
        at, length = random.randrange(len(text)), random.randrange(4)
        put = "".join(random.choices("\"'=[]\n#\\. x\0é{}", k=random.randrange(3)))
        damaged.append(text[:at] + put + text[at + length :])
    for content in damaged:
        path.write_text(content, "utf-8")
        try:
            keyfile.load(path, never)
        except AcresError as error:
            assert isinstance(error, InputError)
            assert not key_parts_in(str(error)), str(error)
            assert "\n" not in str(error)


WRONG_COSTS = {"n": (2**18, 2**13, 0, 3 * 2**14), "r": (0, 9), "p": (0, 5, 2**40)}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG_COSTS.items() for value in values]
)
def test_key_file_of_another_cost_is_refused(tmp_path: Path, name: str, value: int) -> None:
    path = tmp_path / "identity.toml"
    keyfile.save(ZOE, path, "right")
    usual = {"n": 2**14, "r": 1, "p": 1}[name]
    path.write_text(path.read_text().replace(f"\n{name} = {usual}\n", f"\n{name} = {value}\n"))
    with pytest.raises(InputError, match=f"damaged: {name} must be"):
        keyfile.load(path, lambda: "right")


@pytest.mark.slow
@pytest.mark.parametrize("cost", [Cost(2**17, 8, 1), Cost(2**14, 1, 4)])
def test_costs_at_the_limits_are_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cost: Cost
) -> None:
    monkeypatch.setattr(keyfile, "DEFAULT_COST", cost)
    keyfile.save(ZOE, tmp_path / "identity.toml", "right")
    assert keyfile.load(tmp_path / "identity.toml", lambda: "right").seed == SEED


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_key_file_saved_by_an_editor_is_read(path: Path, encoding: str) -> None:
    text = path.read_text("utf-8").replace("\n", "\r\n")
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    path.write_bytes(f"{mark}{text}".encode(encoding))
    assert keyfile.load(path, lambda: "old").seed == SEED
    assert keyfile.public_key_in(path) == keyfile.read(path).public_key


def test_size_of_a_key_file_is_limited(path: Path) -> None:
    text = path.read_text()
    longest = text + "#" * (keyfile.MAX_SIZE - len(text.encode()))
    path.write_text(longest)
    assert keyfile.load(path, lambda: "old").seed == SEED
    path.write_text(f"{longest}#")
    with pytest.raises(InputError, match="too long"):
        keyfile.load(path, lambda: "old")


def test_file_of_a_newer_program_asks_for_an_update(path: Path) -> None:
    text = path.read_text().replace("version = 1", "version = 2")
    path.write_text(f'{text}vault = "v"\n')
    with pytest.raises(InputError, match="newer acres: update yours"):
        keyfile.load(path, lambda: "old")


def test_passphrase_may_be_any_bytes(tmp_path: Path) -> None:
    path, odd = tmp_path / "identity.toml", b"caf\xe9".decode(errors="surrogateescape")
    keyfile.save(ZOE, path, odd)
    assert keyfile.load(path, lambda: odd).seed == SEED


def test_passphrase_is_the_same_through_every_channel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, typed = tmp_path / "identity.toml", "café au lait"
    latin = typed.encode().decode("latin-1")
    for form in (f"{typed}\r\n", f"\ufeff{typed}", normalize("NFD", typed), latin):
        if form == latin:
            monkeypatch.setattr("os.fsencode", lambda text: text.encode("latin-1"))
        for sealed, opened in ((form, typed), (typed, form)):
            keyfile.replace(ZOE, path, sealed)
            assert keyfile.load(path, opened.__str__).seed == SEED
        # An older program used what it was given.
        with monkeypatch.context() as context:
            context.setattr(keyfile, "passphrase_forms", lambda text: [normalize("NFC", text)])
            keyfile.replace(ZOE, path, form)
        assert keyfile.load(path, form.__str__).seed == SEED


def test_reprs_show_no_key(path: Path) -> None:
    key_file = keyfile.read(path)
    text = repr(key_file) + repr(key_file.open(lambda: "old"))
    assert "Zoé" in text
    assert not key_parts_in(text)
    assert "seed" not in text
    assert repr(SEED)[2:-1] not in text

"""The exported home: key, settings, library and games as one sealed file, for another device.

If a home moves, the device that it leaves asks before it signs, like the one to which it comes: the
player has to make sure that the file is the newest of its game. See docs/save-format.md, The
exported home.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pbem.errors import InputError, UsageError, exists
from pbem.play import keyfile, recovery
from pbem.play.game_list import newest_files
from pbem.play.home import LIBRARY, Home
from pbem.play.inbox import Inbox, write_copy
from pbem.play.keyfile import KeyFile, WrongPassphraseError
from pbem.play.robot import home_of_robot
from pbem.play.store import Store
from pbem.protocol.primitives import Tag
from pbem.savefile.disk import read_file, write_new

MAGIC = b"acres home 1\n"
MAX_SIZE = 64 * 2**20
"""The maximum size of all files in an exported home, in bytes."""
_IDENTITY, _CONFIG, _GAMES, _ROBOT = "identity.toml", "config.toml", "games", "robot"


def export_home(home: Home, passphrase: str, *, moves: bool) -> bytes:
    """Return a home as a file that opens with the passphrase, and note that the home is saved.

    If the home `moves` to another device, this one asks before it signs from now on. Raises
    UsageError for a key that anybody can have, InputError for unreadable files, and StoreError.
    """
    keyfile.check_secret(keyfile.read(home.identity_path))
    robot = Home(home_of_robot(home.folder))
    with _open_store(home) as store:
        files = dict(_own_files(home)) | dict(_games(home, store))
        files |= {f"{_ROBOT}/{name}": data for name, data in _own_files(robot)}
        if sum(map(len, files.values())) > MAX_SIZE:
            raise UsageError("Your games are larger than {size} MiB.", size=MAX_SIZE // 2**20)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        sealed = recovery.seal(packed.getvalue(), passphrase, Tag.HOME, "the exported home")
        # Noted before the file exists, because two devices can play from then on.
        store.note_saved(moves=moves)
    return MAGIC + sealed


def import_home(home: Home, data: bytes, passphrase: str) -> KeyFile:
    """Add an exported home to this one, which may be empty, and return its key file.

    The player is asked once in each running game before a signature. Raises WrongPassphraseError,
    UsageError if there is another key, InputError if `data` are no exported home, and StoreError.
    """
    files = _unpack(data, passphrase)
    key_file = keyfile.parse(home.identity_path, files.get(_IDENTITY, b""))
    if exists(home.identity_path) and home.own_key != key_file.public_key:
        raise UsageError(
            "There is another identity in {file}, which is not replaced: use another folder.",
            file=home.identity_path,
        )
    robot = Home(home_of_robot(home.folder))
    with Store(home.library_path, key_file.public_key, home.clock) as store:
        store.merge(files.get(LIBRARY, b""))
        for name in files:
            if name.startswith(f"{_GAMES}/"):
                Inbox(store, home.games).add(write_copy(home.folder / name, files[name]))
        store.note_saved(moves=False)
    if not exists(robot.identity_path) and f"{_ROBOT}/{_IDENTITY}" in files:
        _import_robot(robot, files)
    # The identity comes last, so that an interrupted import can be repeated.
    for name in (_CONFIG, _IDENTITY):
        if name in files and not exists(home.folder / name):
            write_new(home.folder / name, files[name], private=True)
    return key_file


def is_exported_home(path: Path) -> bool:
    """Return True if the file at `path` begins like an exported home."""
    return read_file(path, len(MAGIC) - 1) == MAGIC


def _import_robot(robot: Home, files: dict[str, bytes]) -> None:
    """Add the robot, which does not ask: nobody but the player of the home plays against it."""
    identity = files[f"{_ROBOT}/{_IDENTITY}"]
    key = keyfile.parse(robot.identity_path, identity).public_key
    with Store(robot.library_path, key, robot.clock) as store:
        store.merge(files.get(f"{_ROBOT}/{LIBRARY}", b""))
        store.mark_complete(with_games=True)
    write_new(robot.identity_path, identity, private=True)


def _open_store(home: Home) -> Store:
    return Store(home.library_path, home.own_key or b"", home.clock)


def _own_files(home: Home) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files of a home besides those of games."""
    for path in (home.identity_path, home.config_path):
        if exists(path):
            yield path.name, read_file(path)
    with _open_store(home) as store:
        yield LIBRARY, store.snapshot()


def _games(home: Home, store: Store) -> Iterator[tuple[str, bytes]]:
    """Yield the newest file of each game, and its path within the home."""
    folder = home.games.absolute()
    for entry in Inbox(store, home.games).games(home.games.glob("*.toml")):
        for path in newest_files(entry)[:1]:
            place = path.absolute()
            if not place.is_relative_to(folder):
                # Files elsewhere may have equal names.
                place = folder / f"{entry.id.hex()[:8]}-{path.name}"
            yield f"{_GAMES}/{place.relative_to(folder).as_posix()}", read_file(path)


def _unpack(data: bytes, passphrase: str) -> dict[str, bytes]:
    """Return the files in an exported home by their paths."""
    foreign = InputError("This is not a sealed file of key and games, or a newer acres made it.")
    if not data.startswith(MAGIC):
        raise foreign
    try:
        packed = recovery.unseal(data.removeprefix(MAGIC), passphrase, Tag.HOME)
        if packed is None:
            raise WrongPassphraseError("The passphrase is wrong, or the file is damaged.")
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            names = archive.namelist()
            if sum(info.file_size for info in archive.infolist()) > MAX_SIZE or any(
                PurePosixPath(name).is_absolute()
                or {"..", "\\", ":"} & {*PurePosixPath(name).parts, *name}
                for name in names
            ):
                raise foreign
            return {name: archive.read(name) for name in names}
    except (InputError, zipfile.BadZipFile, RuntimeError, ValueError):
        # The last two are raised for places and methods that `zipfile` does not know.
        raise foreign from None

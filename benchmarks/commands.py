"""Whole commands compared with a process that only imports the same libraries."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from subprocess import Popen
from tempfile import TemporaryDirectory

from benchmarks.shuffles import CARDS, bare_hashing
from benchmarks.timing import Claim, Ratio, compare, run
from engine.sides import Side
from engine.state import Decision
from pbem.play import keyfile
from pbem.play.audit import audit
from pbem.play.game_file import GameFile, pack
from pbem.play.home import Home
from pbem.play.store import Store
from pbem.protocol.match import Match
from pbem.protocol.steps import DEFAULT_LISTS, OpenLists
from pbem.savefile.save_file import SaveFile
from tests.play.playing import TIME, answer, any_order, begin, identities, seat_to_write
from tests.seats import NextRecord
from tests.signing import end

IMPORTS = (
    "import typer, rich.console, rich.table, tomllib, tomli_w, json, "
    "cryptography.hazmat.primitives.asymmetric.ed25519, "
    "cryptography.hazmat.primitives.ciphers.aead, "
    "cryptography.hazmat.primitives.kdf.hkdf"
)
PROMPT = ", prompt_toolkit"
"""An additional import of a command with a prompt for orders."""
ACRES = ["-m", "pbem.cli"]
SEED = 4
"""The seed of a game of random legal orders that lasts beyond turn 150."""

TURNS: dict[int, float | None] = {2: None, 10: 2.5, 150: 12.0}
"""The turns at which `turn apply` is measured, with the bounds of the ratio."""
KNOWN_TURNS = (10, 150)
KNOWN_BOUND, KNOWN_SLOWDOWN = 1.6, 1.15
"""The bound for a known game, and that of the ratio between a late and an early turn."""
PLAY, PLAY_BOUND = 10, 1.6
"""The turn at which `play` is measured up to its prompt, and the bound of the ratio."""
SIDE_BY_SIDE = 21
"""The number of runs of two things that should take nearly equal time."""
AUDITED = 120
DEMO = 62.0
"""A quarter of the time of the demo without a library."""


@dataclass(frozen=True)
class Waiting:
    """A file with an ordinary turn to play, and the home of its reader."""

    home: Path
    file: Path

    @property
    def library(self) -> Path:
        """The library of the reader."""
        return self.home / "library.sqlite3"

    def put(self, library: bytes | None) -> None:
        """Replace the library, or remove it if `library` is None."""
        if library is None:
            self.library.unlink(missing_ok=True)
            return
        self.library.write_bytes(library)
        # A library that others could write would be refused.
        self.library.chmod(0o600)


def play_long_game(folder: Path) -> dict[int, Waiting]:
    """Play any legal orders with the full K; return the file at each turn to be measured."""
    homes = {}
    for identity in identities():
        homes[identity.public_key] = folder / identity.email
        homes[identity.public_key].mkdir()
        keyfile.save(identity, homes[identity.public_key] / "identity.toml")
    turns = sorted([*TURNS, AUDITED])
    waiting: dict[int, Waiting] = {}
    # The game measured since the first version; another would have other shuffles.
    match, choose = begin(lists=1024, include_parts=False), any_order(Random(SEED))
    while turns:
        turn = _turn_to_play(match)
        # A turn that begins with a siege or a reply is skipped.
        if turn is not None and turn >= turns[0]:
            file = folder / f"turn-{turn}.toml"
            file.write_bytes(pack(match, None, {}, "").write())
            waiting[turns.pop(0)] = Waiting(homes[seat_to_write(match).identity.public_key], file)
        match = answer(match, choose)
    return waiting


def _turn_to_play(match: Match) -> int | None:
    """Return the turn that the next writer begins, if no other decision comes before it."""
    state = NextRecord(seat_to_write(match), TIME).match.state
    begins = state.awaiting.decision is Decision.TURN and state.actions_left == 2
    return state.turn if begins else None


def playing(game: dict[int, Waiting]) -> Iterator[Claim]:
    """Yield `turn apply` early and late against importing, with an empty library.

    Then, with `turn show`, the same with a library that knows the game up to the previous file, as
    usual.
    """
    for turn, bound in TURNS.items():
        new = partial(_apply, game[turn], None)
        yield compare(new, import_only).claim(f"turn apply at turn {turn} / importing", bound)
    libraries = {turn: _known_before(game[turn]) for turn in TURNS}
    for command, play in (("turn apply", _apply), ("turn show", _show)):
        at = {turn: partial(play, game[turn], libraries[turn]) for turn in TURNS}
        for turn in TURNS:
            name = f"{command} at turn {turn}, known / importing"
            bound = KNOWN_BOUND * (KNOWN_SLOWDOWN if turn == KNOWN_TURNS[-1] else 1)
            yield compare(at[turn], import_only).claim(name, bound)
        early, late = KNOWN_TURNS
        both = compare(at[late], at[early], runs=SIDE_BY_SIDE)
        yield both.claim(f"{command} at turn {late} / at turn {early}, known", KNOWN_SLOWDOWN)
    startup = compare(_play_command(game[PLAY]), lambda: run(["-c", IMPORTS + PROMPT]))
    yield startup.claim(f"play at turn {PLAY}, as far as the prompt / importing", PLAY_BOUND)


def _apply(waiting: Waiting, library: bytes | None) -> None:
    """Answer a file for the first time, with the given library."""
    answered = waiting.file.with_suffix(".answer")
    answered.unlink(missing_ok=True)
    waiting.put(library)
    turn = ["turn", "apply", str(waiting.file), "pass", "pass", "--newest"]
    run([*ACRES, "--home", str(waiting.home), *turn, "--output", str(answered)])


def _show(waiting: Waiting, library: bytes | None) -> None:
    """Show a file for the first time, with the given library."""
    waiting.put(library)
    run([*ACRES, "--home", str(waiting.home), "turn", "show", str(waiting.file)])


def _known_before(waiting: Waiting) -> bytes:
    """Return the library of the reader of a file who wrote the previous one."""
    before = waiting.file.with_suffix(".before")
    before.write_bytes(SaveFile(SaveFile.read(waiting.file.read_bytes()).records[:-1]).write())
    waiting.library.unlink(missing_ok=True)
    run([*ACRES, "--home", str(waiting.home), "games", "add", str(before)])
    return waiting.library.read_bytes()


def _play_command(waiting: Waiting) -> Callable[[], None]:
    """Return a run of `play` on a file just received, up to the prompt for orders."""
    folder = waiting.home / "games"
    folder.mkdir()
    before = folder / "before.toml"
    records = SaveFile.read(waiting.file.read_bytes()).records
    before.write_bytes(SaveFile(records[:-1]).write())
    waiting.library.unlink(missing_ok=True)
    run([*ACRES, "--home", str(waiting.home), "games", "add", str(before)])
    key = Home(waiting.home).own_key
    assert key is not None
    # Otherwise the program would ask if that file is the newest one.
    Store(waiting.library, key).mark_complete(with_games=True)
    library = waiting.library.read_bytes()
    (folder / "new.toml").write_bytes(waiting.file.read_bytes())

    def lead() -> None:
        waiting.put(library)
        command = [sys.executable, *ACRES, "--home", str(waiting.home), "play"]
        screen, far_end = os.openpty()
        variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        variables |= {"TERM": "xterm", "LANG": "C.UTF-8"}
        output = b""
        with Popen(command, stdin=far_end, stdout=far_end, stderr=far_end, env=variables) as led:
            os.close(far_end)
            while not re.search(rb"Turn \d+: .*>", output, re.DOTALL):
                output += os.read(screen, 1 << 16)
            led.kill()
        os.close(screen)

    return lead


def auditing(game: dict[int, Waiting]) -> Iterator[Claim]:
    """Yield the audit of a long game, per record and shuffle too, and of the same game closed."""
    file = game[AUDITED].file
    data = file.read_bytes()
    yield from _whole_audit(f"audit of {AUDITED} turns", file, 2.0)
    yield from _whole_audit(f"audit of {AUDITED} turns, closed", _close_game(file), 3.0)
    records = SaveFile.read(data).records
    shuffles = sum(isinstance(step, OpenLists) for record in records for step in record.steps)
    inside = compare(lambda: audit(data), bare_hashing(len(CARDS), DEFAULT_LISTS), runs=5)
    for part, number in (("record", len(records)), ("shuffle", shuffles)):
        ratio = Ratio(inside.ours / number, inside.base, inside.ratio / number)
        detail = f"{number} {part}s in {len(data) // 1000} kB"
        claim = ratio.claim(f"audit for each {part} / bare 30-card shuffle")
        yield replace(claim, detail=f"{claim.detail}; {detail}")


def _whole_audit(name: str, file: Path, seconds: float) -> Iterator[Claim]:
    command = [*ACRES, "audit", str(file)]
    memory = run(command)
    whole = compare(lambda: run(command), import_only, runs=5)
    yield whole.claim(f"{name} / importing")
    yield Claim(name, whole.ours, " s", seconds)
    yield Claim(f"{name}, memory", memory, " MB", 150.0)


def _close_game(file: Path) -> Path:
    """Return the game of a file after both players resigned or closed it, with all secrets."""
    ending = NextRecord(seat_to_write(GameFile.read(file.read_bytes()).match), TIME, resigns=True)
    end(ending)
    closing = NextRecord(seat_to_write(ending.match), TIME)
    end(closing)
    assert len(closing.match.secrets) == len(Side)
    closed = file.with_suffix(".closed")
    closed.write_bytes(pack(closing.match, None, {}, "").write())
    return closed


def demo() -> Iterator[Claim]:
    """Yield a whole game between two practice players, against importing."""

    def play() -> None:
        with TemporaryDirectory() as folder:
            run([*ACRES, "demo", "--seed", "1759", "--out", folder])

    yield compare(play, import_only, runs=3).claim("demo / importing", DEMO)


def import_only() -> None:
    """Run the process that all commands are compared with."""
    run(["-c", IMPORTS])

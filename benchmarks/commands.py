"""Whole commands, compared with a process that only imports the same libraries."""

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
from tests.play.matches import TIME, answer, any_order, begin, identities, seat_to_write
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
"""The seed of a game of random legal orders with more than 150 turns."""

TURNS: dict[int, float | None] = {2: None, 10: 2.5, 150: 12.0}
"""The turns at which `turn apply` is measured, with the bounds of the ratio."""
KNOWN_TURNS = (10, 150)
KNOWN_BOUND, KNOWN_SLOWDOWN = 1.6, 1.15
"""The bounds for a known game, and for the ratio of a late and an early turn."""
PLAY_TURN, PLAY_BOUND = 10, 1.6
"""The turn at which `play` is measured up to its prompt, and the bound of its ratio."""
SIDE_BY_SIDE = 21
"""The number of runs of two commands that should take nearly equal time."""
AUDIT_TURNS = 120
DEMO_BOUND = 62.0
"""The bound for the demo, a quarter of its time without a library."""


@dataclass(frozen=True)
class ReceivedFile:
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
        # The program refuses a library that others can write.
        self.library.chmod(0o600)


def play_long_game(folder: Path) -> dict[int, ReceivedFile]:
    """Play random legal orders with the full K. Return the file at each measured turn."""
    homes = {}
    for identity in identities():
        homes[identity.public_key] = folder / identity.email
        homes[identity.public_key].mkdir()
        keyfile.save(identity, homes[identity.public_key] / "identity.toml")
    turns = sorted([*TURNS, AUDIT_TURNS])
    received: dict[int, ReceivedFile] = {}
    # This game has been measured since the first version; another would have other shuffles.
    match, choose = begin(lists=1024, include_parts=False), any_order(Random(SEED))
    while turns:
        turn = _turn_to_play(match)
        # Skip turns that begin with a siege or a reply.
        if turn is not None and turn >= turns[0]:
            file = folder / f"turn-{turn}.toml"
            file.write_bytes(pack(match, None, {}, "").write())
            received[turns.pop(0)] = ReceivedFile(
                homes[seat_to_write(match).identity.public_key], file
            )
        match = answer(match, choose)
    return received


def _turn_to_play(match: Match) -> int | None:
    """Return the turn that the next writer begins, or None if another decision comes first."""
    state = NextRecord(seat_to_write(match), TIME).match.state
    is_plain_turn = state.awaiting.decision is Decision.TURN and state.actions_left == 2
    return state.turn if is_plain_turn else None


def measure_turns(game: dict[int, ReceivedFile]) -> Iterator[Claim]:
    """Yield `turn apply` early and late in a game against importing, with an empty library.

    Then yield `turn apply` and `turn show` with a library that has the game up to the previous
    file, as usual.
    """
    for turn, bound in TURNS.items():
        run_new = partial(_apply, game[turn], None)
        yield compare(run_new, import_only).claim(f"turn apply at turn {turn} / importing", bound)
    libraries = {turn: _known_before(game[turn]) for turn in TURNS}
    for command, play in (("turn apply", _apply), ("turn show", _show)):
        runs = {turn: partial(play, game[turn], libraries[turn]) for turn in TURNS}
        for turn in TURNS:
            name = f"{command} at turn {turn}, known / importing"
            bound = KNOWN_BOUND * (KNOWN_SLOWDOWN if turn == KNOWN_TURNS[-1] else 1)
            yield compare(runs[turn], import_only).claim(name, bound)
        early_turn, late_turn = KNOWN_TURNS
        late_by_early = compare(runs[late_turn], runs[early_turn], runs=SIDE_BY_SIDE)
        yield late_by_early.claim(
            f"{command} at turn {late_turn} / at turn {early_turn}, known", KNOWN_SLOWDOWN
        )
    startup = compare(_play_command(game[PLAY_TURN]), lambda: run(["-c", IMPORTS + PROMPT]))
    yield startup.claim(f"play at turn {PLAY_TURN}, as far as the prompt / importing", PLAY_BOUND)


def _apply(received: ReceivedFile, library: bytes | None) -> None:
    """Answer a file for the first time, with the given library."""
    answer_file = received.file.with_suffix(".answer")
    answer_file.unlink(missing_ok=True)
    received.put(library)
    turn = ["turn", "apply", str(received.file), "pass", "pass", "--newest"]
    run([*ACRES, "--home", str(received.home), *turn, "--output", str(answer_file)])


def _show(received: ReceivedFile, library: bytes | None) -> None:
    """Show a file for the first time, with the given library."""
    received.put(library)
    run([*ACRES, "--home", str(received.home), "turn", "show", str(received.file)])


def _known_before(received: ReceivedFile) -> bytes:
    """Return the library of a file's reader, which has the game up to the previous file."""
    previous_file = received.file.with_suffix(".before")
    previous_file.write_bytes(
        SaveFile(SaveFile.read(received.file.read_bytes()).records[:-1]).write()
    )
    received.library.unlink(missing_ok=True)
    run([*ACRES, "--home", str(received.home), "games", "add", str(previous_file)])
    return received.library.read_bytes()


def _play_command(received: ReceivedFile) -> Callable[[], None]:
    """Return a function that runs `play` on a new file up to the prompt for orders."""
    folder = received.home / "games"
    folder.mkdir()
    previous_file = folder / "before.toml"
    records = SaveFile.read(received.file.read_bytes()).records
    previous_file.write_bytes(SaveFile(records[:-1]).write())
    received.library.unlink(missing_ok=True)
    run([*ACRES, "--home", str(received.home), "games", "add", str(previous_file)])
    key = Home(received.home).own_key
    assert key is not None
    # Without this the program would ask whether the file is the newest one.
    Store(received.library, key).mark_complete(with_games=True)
    library = received.library.read_bytes()
    (folder / "new.toml").write_bytes(received.file.read_bytes())

    def run_to_prompt() -> None:
        received.put(library)
        command = [sys.executable, *ACRES, "--home", str(received.home), "play"]
        screen, far_end = os.openpty()
        variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        variables |= {"TERM": "xterm", "LANG": "C.UTF-8"}
        output = b""
        with Popen(
            command, stdin=far_end, stdout=far_end, stderr=far_end, env=variables
        ) as process:
            os.close(far_end)
            while not re.search(rb"Turn \d+: .*>", output, re.DOTALL):
                output += os.read(screen, 1 << 16)
            process.kill()
        os.close(screen)

    return run_to_prompt


def measure_audits(game: dict[int, ReceivedFile]) -> Iterator[Claim]:
    """Yield the audit of a long game, in all and per record and shuffle, and after its close."""
    file = game[AUDIT_TURNS].file
    data = file.read_bytes()
    yield from _whole_audit(f"audit of {AUDIT_TURNS} turns", file, 2.0)
    yield from _whole_audit(f"audit of {AUDIT_TURNS} turns, closed", _close_game(file), 3.0)
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
    ratio = compare(lambda: run(command), import_only, runs=5)
    yield ratio.claim(f"{name} / importing")
    yield Claim(name, ratio.ours, " s", seconds)
    yield Claim(f"{name}, memory", memory, " MB", 150.0)


def _close_game(file: Path) -> Path:
    """Return the game of a file after a resignation and the close, with all secrets."""
    ending = NextRecord(seat_to_write(GameFile.read(file.read_bytes()).match), TIME, resigns=True)
    end(ending)
    closing = NextRecord(seat_to_write(ending.match), TIME)
    end(closing)
    assert len(closing.match.secrets) == len(Side)
    closed = file.with_suffix(".closed")
    closed.write_bytes(pack(closing.match, None, {}, "").write())
    return closed


def measure_demo() -> Iterator[Claim]:
    """Yield a whole game between two practice players, against importing."""

    def play() -> None:
        with TemporaryDirectory() as folder:
            run([*ACRES, "demo", "--seed", "1759", "--out", folder])

    yield compare(play, import_only, runs=3).claim("demo / importing", DEMO_BOUND)


def import_only() -> None:
    """Run the process with which all commands are compared."""
    run(["-c", IMPORTS])

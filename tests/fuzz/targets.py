"""The readers of foreign bytes, each as a function of any bytes that returns or raises Wrong.

A reader refuses bytes with one sentence, or accepts them with their one meaning.
"""

from __future__ import annotations

import atexit
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from engine.order import Order, UnreadableOrder
from engine.orders import from_notation
from engine.state import State
from pbem.errors import AcresError, NotProved
from pbem.play import keyfile, recovery
from pbem.play.incoming import IncomingFile
from pbem.play.message import extract_files
from pbem.protocol import steps
from pbem.protocol.fork import Evidence
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record, check_link, check_signature
from pbem.protocol.schema import lay_out
from pbem.savefile.save_file import EvidenceFile, SaveFile
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.fuzz.games import STRANGER, Game, game_named, games
from tests.fuzz.judging import Wrong, check_sentence
from tests.mail.programs import PROGRAMS
from tests.play.playing import TIME, signed_by
from tests.seats import NextRecord, Seat

ENGLISH = Language("en")

PASSPHRASE = "correct horse"


@dataclass(frozen=True)
class Target:
    """A reader: `run` returns True if it accepts the bytes, as it does all `seeds`."""

    run: Callable[[bytes], bool]
    seeds: Callable[[], list[bytes]]


def read_save(data: bytes) -> bool:
    """Read a save file: an accepted one is written and read again unchanged."""
    try:
        save = SaveFile.read(data)
    except AcresError as error:
        check_sentence(str(error))
        return False
    if SaveFile.read(save.write()) != save:
        raise Wrong("it is not read as it is written")
    return True


def verify(data: bytes) -> bool:
    """Verify a chain: every record of an accepted file is signed by an entrant."""
    try:
        records = SaveFile.read(data).records
        match = Match.replay(records)
    except AcresError as error:
        check_sentence(str(error))
        return False
    keys = [entrant.key for entrant in match.entrants.values()] or [match.invite.key]
    if not all(any(record.verify(key) for key in keys) for record in records):
        raise Wrong("a record that nobody signed")
    return True


def verify_signed(data: bytes) -> bool:
    """Verify a record that its author signs: the bytes are the steps of the last record, as TOML.

    A fuzzer cannot sign.
    """
    number, _, text = data.partition(b"\n")
    game = games()[(ord(number[:1] or b"A") - ord("A")) % len(games())]
    before = game.save.records[:-1]
    try:
        table = tomllib.loads(text.decode())
        plain = game.save.records[-1].to_plain() | table
        record = Record.from_plain(plain)
        signed = signed_by(game.authors[len(before) % 2], record)
        match = Match.replay([*before, signed], game.known)
    except (ValueError, RecursionError):
        return False
    except NotProved as error:
        check_sentence(str(error))
        return False
    if match.records[: len(before)] != list(before):
        raise Wrong("what went before was changed")
    return True


def read_order(data: bytes) -> bool:
    """Read an order: it is written in one way, and read again unchanged."""
    text, is_taken = data.decode(errors="surrogateescape"), False
    for reader in (from_notation, *_typed()):
        try:
            order = reader(text)
        except UnreadableOrder:
            continue
        is_taken = True
        if from_notation(order.notation()) != order:
            raise Wrong(f"it is not read as it is written: {order!r}")
        if reader is from_notation and order.notation() != text:
            raise Wrong(f"an order is written in two ways: {text!r}")
    return is_taken


def read_evidence(data: bytes) -> bool:
    """Read evidence: accepted evidence proves a fork by the signer of both records."""
    try:
        evidence = EvidenceFile.read(data).evidence
        evidence.check()
    except AcresError as error:
        check_sentence(str(error))
        return False
    one, two = evidence.records
    is_fork = one.hash != two.hash and one.index == two.index > 0 and one.previous == two.previous
    if not (is_fork and one.verify(evidence.key) and two.verify(evidence.key)):
        raise Wrong("evidence of nothing")
    return True


def read_identity(data: bytes) -> bool:
    """Read an identity file: the two keys fit, and no message quotes the file."""
    path = _folder() / "identity.toml"
    path.write_bytes(data)
    try:
        keys = keyfile.read(path)
        # A passphrase takes a third of a second by design; its bounds are tested elsewhere.
        identity = None if keys.is_sealed else keys.open(lambda: PASSPHRASE)
    except AcresError as error:
        sentence = str(error).removeprefix(str(path))
        check_sentence(sentence)
        if any(long.decode() in sentence for long in re.findall(rb"[\w-]{20,}", data)):
            raise Wrong(f"it tells what is in the file: {sentence}") from None
        return False
    if identity and identity.public_key != keys.public_key:
        raise Wrong("two keys that do not belong together")
    return True


def read_recovery(data: bytes) -> bool:
    """Read a recovery text: an accepted one is the text written for that key."""
    text = data.decode(errors="replace")
    try:
        recovery_text = recovery.read(text)
        if recovery_text.is_sealed:
            return True
        seed = recovery_text.seed(lambda: PASSPHRASE)
    except AcresError as error:
        check_sentence(str(error))
        return False
    again = recovery.write(Identity("Anna", "", seed), "2026-11-21")
    if recovery.read(again).seed(lambda: PASSPHRASE) != seed:
        raise Wrong("it is not read as it is written")
    return True


def read_mail(data: bytes) -> bool:
    """Read a message: each file in it has a plain name.

    A file whose records hold was signed and sent by somebody.
    """
    try:
        files = [file for file in extract_files(data) if not file.is_evidence]
    except AcresError as error:
        check_sentence(str(error))
        return False
    for file in files:
        check_found(file)
    return bool(files)


def check_found(file: IncomingFile) -> None:
    """Raise Wrong if an attachment cannot be one."""
    _check_file(file.data)
    if file.name and (Path(file.name).name != file.name or not file.name.isprintable()):
        raise Wrong(f"a name that is none: {file.name!r}")


@lru_cache(maxsize=64)
def _check_file(data: bytes) -> None:
    records = SaveFile.read(data).records
    if _holds(records) and not any(_is_begun(records, game) for game in games()):
        raise Wrong("a file that nobody sent")


def _holds(records: Sequence[Record]) -> bool:
    """Return True if each record follows the one before it and is signed by its author."""
    try:
        for index, record in enumerate(records):
            check_link(record, records[:index])
            check_signature(record, records[:index])
    except NotProved:
        return False
    return True


def _is_begun(records: Sequence[Record], game: Game) -> bool:
    """Return True if these are the first records of a game."""
    true = game.save.records[: len(records)]
    return [record.hash for record in records] == [record.hash for record in true]


# --- what is read by them


@cache
def _folder() -> Path:
    """Return a folder of this process, for the one reader that takes a path."""
    folder = mkdtemp(prefix="acres-fuzz-")
    atexit.register(rmtree, folder)
    return Path(folder)


@cache
def _typed() -> tuple[Callable[[str], Order], ...]:
    """Return readers of typed orders, each in a position with a decision to make."""
    readers = []
    for game in games():
        match = Match.replay(game.save.records, game.known)
        if not match.is_joined or match.is_over:
            continue
        draft = NextRecord(Seat(match, game.authors[len(match.records) % 2]), TIME)
        if not draft.is_complete:
            readers.append(partial(_read_in, draft.view()))
    return tuple(readers[:3])


def _read_in(state: State, text: str) -> Order:
    return read(ENGLISH, text, state)


def _files(longest: int) -> list[bytes]:
    return [game.data for game in games() if len(game.data) < longest]


def _last_steps() -> list[bytes]:
    """Return the steps of the last record of each game, as TOML, after a letter for the game."""
    result = []
    for number, game in enumerate(games()):
        plain = game.save.records[-1].to_plain()
        result.append(
            bytes([ord("A") + number]) + b"\n" + lay_out({"steps": plain["steps"]}).encode()
        )
    return result


def _orders() -> list[bytes]:
    texts = {
        step.order
        for game in games()
        for record in game.save.records
        for step in record.steps
        if isinstance(step, steps.OrderStep)
    }
    return [order.encode() for order in sorted(texts)]


def _evidence() -> list[bytes]:
    files = []
    for game in games():
        last = game.save.records[-1]
        if last.index:
            author = game.authors[last.index % 2]
            other = signed_by(author, last, time="2026-11-21T11:00:00Z")
            files.append(EvidenceFile(Evidence(author.public_key, (last, other))).write())
    return files


@cache
def _identities() -> list[bytes]:
    files = []
    for number, passphrase in enumerate((None, PASSPHRASE)):
        path = _folder() / f"seed-{number}.toml"
        keyfile.save(STRANGER, path, passphrase)
        files.append(path.read_bytes())
    return files


def _recovery_texts() -> list[bytes]:
    written = (recovery.write(STRANGER, "2026-11-21", word) for word in (None, PASSPHRASE))
    return [text.encode() for text in written]


def _messages() -> list[bytes]:
    """Return a short game in a message of each known mail program."""
    data = game_named("joined").data
    return [program(data) for program in PROGRAMS.values()]


TARGETS = {
    "save": Target(read_save, partial(_files, 2**12)),
    "records": Target(verify, partial(_files, 2**14)),
    "signed": Target(verify_signed, _last_steps),
    "order": Target(read_order, _orders),
    "evidence": Target(read_evidence, _evidence),
    "identity": Target(read_identity, _identities),
    "recovery": Target(read_recovery, _recovery_texts),
    "mail": Target(read_mail, _messages),
}

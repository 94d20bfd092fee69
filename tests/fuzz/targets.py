"""The readers of foreign bytes, each with a check of the accepted values.

A reader refuses bytes with one sentence, or accepts them with one meaning.
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
from typing import Any, Generic, TypeVar

from engine.order import Order, UnreadableOrderError
from engine.orders import from_notation
from engine.state import State
from pbem.errors import AcresError, VerificationError
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
from tests.fuzz.games import STRANGER, Game, find_game, games
from tests.fuzz.judging import ReaderError, check_sentence
from tests.mail.programs import PROGRAMS
from tests.play.matches import TIME, sign_as
from tests.seats import NextRecord, Seat

T = TypeVar("T")
ENGLISH = Language("en")
PASSPHRASE = "correct horse"


@dataclass(frozen=True)
class Target(Generic[T]):
    """A reader of bytes, a check of the accepted values, and examples that it accepts."""

    read: Callable[[bytes], T | None]
    check: Callable[[T], None]
    seeds: Callable[[], list[bytes]]

    def run(self, data: bytes) -> bool:
        """Read bytes and return whether they are accepted; raises ReaderError."""
        try:
            value = self.read(data)
        except AcresError as error:
            check_sentence(str(error))
            return False
        if value is None:
            return False
        self.check(value)
        return True


def _check_save(save: SaveFile) -> None:
    """Raise ReaderError if a save file does not round-trip."""
    if SaveFile.read(save.write()) != save:
        raise ReaderError("it is not read as it is written")


def _read_match(data: bytes) -> Match:
    return Match.replay(SaveFile.read(data).records)


def _check_match(match: Match) -> None:
    """Raise ReaderError unless every record of a chain is signed by an entrant."""
    keys = [entrant.key for entrant in match.entrants.values()] or [match.invite.key]
    if not all(any(record.verify(key) for key in keys) for record in match.records):
        raise ReaderError("a record that nobody signed")


def _read_signed(data: bytes) -> tuple[Sequence[Record], Match] | None:
    """Sign and verify a last record whose steps are the bytes, as TOML; a fuzzer cannot sign.

    Returns the match and the earlier records.
    """
    number, _, text = data.partition(b"\n")
    game = games()[(ord(number[:1] or b"A") - ord("A")) % len(games())]
    before = game.save.records[:-1]
    try:
        table = tomllib.loads(text.decode())
        record = Record.from_plain(game.save.records[-1].to_plain() | table)
        signed = sign_as(game.authors[len(before) % 2], record)
        return before, Match.replay([*before, signed], game.known)
    except (ValueError, RecursionError):
        return None


def _check_beginning(result: tuple[Sequence[Record], Match]) -> None:
    """Raise ReaderError unless a match begins with the earlier records."""
    before, match = result
    if match.records[: len(before)] != list(before):
        raise ReaderError("the earlier records were changed")


def _read_order(data: bytes) -> list[tuple[str, Order]] | None:
    """Read an order in notation and as typed; a typed order has no text to compare."""
    text, orders = data.decode(errors="surrogateescape"), []
    for reader in (from_notation, *_typed_readers()):
        try:
            order = reader(text)
        except UnreadableOrderError:
            continue
        orders.append((text if reader is from_notation else order.notation(), order))
    return orders or None


def _check_orders(orders: list[tuple[str, Order]]) -> None:
    """Raise ReaderError unless orders have one form and round-trip."""
    for text, order in orders:
        if from_notation(order.notation()) != order:
            raise ReaderError(f"it is not read as it is written: {order!r}")
        if order.notation() != text:
            raise ReaderError(f"an order is written in two ways: {text!r}")


def _read_evidence(data: bytes) -> Evidence:
    evidence = EvidenceFile.read(data).evidence
    evidence.check()
    return evidence


def _check_evidence(evidence: Evidence) -> None:
    """Raise ReaderError unless evidence proves a fork by the signer of both records."""
    one, two = evidence.records
    is_fork = one.hash != two.hash and one.index == two.index > 0 and one.previous == two.previous
    if not (is_fork and one.verify(evidence.key) and two.verify(evidence.key)):
        raise ReaderError("evidence of nothing")


def _read_identity(data: bytes) -> tuple[bytes, Identity | None] | None:
    """Return the public key of an identity file, and the identity if it is not sealed.

    Raises ReaderError if the refusal quotes the file.
    """
    path = _folder() / "identity.toml"
    path.write_bytes(data)
    try:
        keys = keyfile.read(path)
        # Opening a sealed key is slow by design; other tests cover its bounds.
        return keys.public_key, None if keys.is_sealed else keys.open(lambda: PASSPHRASE)
    except AcresError as error:
        sentence = str(error).removeprefix(str(path))
        check_sentence(sentence)
        if any(long.decode() in sentence for long in re.findall(rb"[\w-]{20,}", data)):
            raise ReaderError(f"it tells the contents of the file: {sentence}") from None
        return None


def _check_identity(keys: tuple[bytes, Identity | None]) -> None:
    public_key, identity = keys
    if identity and identity.public_key != public_key:
        raise ReaderError("two keys that do not belong together")


def _read_seed(data: bytes) -> bytes:
    """Return the seed of a recovery text, or nothing if it is sealed."""
    text = recovery.read(data.decode(errors="replace"))
    return b"" if text.is_sealed else text.seed(lambda: PASSPHRASE)


def _check_seed(seed: bytes) -> None:
    """Raise ReaderError unless the recovery text written for a seed has that seed."""
    if not seed:
        return
    again = recovery.write(Identity("Anna", "", seed), "2026-11-21")
    if recovery.read(again).seed(lambda: PASSPHRASE) != seed:
        raise ReaderError("it is not read as it is written")


def _read_mail(data: bytes) -> list[IncomingFile] | None:
    return [file for file in extract_files(data) if not file.is_evidence] or None


def _check_mail(files: list[IncomingFile]) -> None:
    for file in files:
        check_found(file)


def check_found(file: IncomingFile) -> None:
    """Raise ReaderError if an attachment cannot be one."""
    _check_file(file.data)
    if file.name and (Path(file.name).name != file.name or not file.name.isprintable()):
        raise ReaderError(f"a name that is none: {file.name!r}")


@lru_cache(maxsize=64)
def _check_file(data: bytes) -> None:
    records = SaveFile.read(data).records
    if _is_signed_chain(records) and not any(_is_beginning(records, game) for game in games()):
        raise ReaderError("a file that nobody sent")


def _is_signed_chain(records: Sequence[Record]) -> bool:
    """Return whether each record follows the previous one and is signed by its author."""
    try:
        for index, record in enumerate(records):
            check_link(record, records[:index])
            check_signature(record, records[:index])
    except VerificationError:
        return False
    return True


def _is_beginning(records: Sequence[Record], game: Game) -> bool:
    """Return whether these are the first records of a game."""
    true = game.save.records[: len(records)]
    return [record.hash for record in records] == [record.hash for record in true]


# --- seeds


@cache
def _folder() -> Path:
    """Return a temporary folder for the reader that takes a path."""
    folder = mkdtemp(prefix="acres-fuzz-")
    atexit.register(rmtree, folder)
    return Path(folder)


@cache
def _typed_readers() -> tuple[Callable[[str], Order], ...]:
    """Return readers of typed orders for several positions."""
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
        table = {"steps": game.save.records[-1].to_plain()["steps"]}
        result.append(f"{chr(ord('A') + number)}\n{lay_out(table)}".encode())
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
            other = sign_as(author, last, time="2026-11-21T11:00:00Z")
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
    texts = (recovery.write(STRANGER, "2026-11-21", word) for word in (None, PASSPHRASE))
    return [text.encode() for text in texts]


def _messages() -> list[bytes]:
    """Return a short game in a message of each known mail program."""
    data = find_game("joined").data
    return [program(data) for program in PROGRAMS.values()]


TARGETS: dict[str, Target[Any]] = {
    "save": Target(SaveFile.read, _check_save, partial(_files, 2**12)),
    "records": Target(_read_match, _check_match, partial(_files, 2**14)),
    "signed": Target(_read_signed, _check_beginning, _last_steps),
    "order": Target(_read_order, _check_orders, _orders),
    "evidence": Target(_read_evidence, _check_evidence, _evidence),
    "identity": Target(_read_identity, _check_identity, _identities),
    "recovery": Target(_read_seed, _check_seed, _recovery_texts),
    "mail": Target(_read_mail, _check_mail, _messages),
}

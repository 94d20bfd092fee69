"""Signing in tests, with consent to every question."""

from __future__ import annotations

from hashlib import sha512
from pathlib import Path
from typing import Any

from pbem.play import invitation
from pbem.play.invitation import Invitation
from pbem.play.session import Session
from pbem.play.signing import Signable, SignedFile, questions, sign, sign_record
from pbem.play.turn import Turn
from pbem.protocol import steps
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.primitives import Tag
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile
from tests.protocol import curve
from tests.seats import NextRecord


def make_record(identity: Identity, **facts: Any) -> Record:
    """Return a new signed record; `facts` as for `Record.unsigned`."""
    return sign_record(Record.unsigned(**facts), identity)


def sign_otherwise(record: Record, identity: Identity) -> Record:
    """Return a record under another valid signature, with a chosen nonce (RFC 8032, 5.1.6)."""
    digest = bytearray(sha512(identity.seed).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 63 | 64
    private = int.from_bytes(digest, "little")
    message = Tag.SIGNATURE.value + record.hash
    signature = curve.signature(private, identity.public_key, message, nonce=12345)
    other = record._replace(signature=signature)
    assert other.signature != record.signature and other.verify(identity.public_key)
    return other


def sign_last(match: Match, identity: Identity) -> Match:
    """Sign the last record of a match, and return the match."""
    match.records[-1] = sign_record(match.records[-1], identity)
    return match


def end(draft: NextRecord) -> Record:
    """End a record, close a game that is over, and return the signed record."""
    if draft.match.is_over and draft.side not in draft.match.secrets:
        draft.take(steps.Close(draft.secrets.secret))
    draft.end()
    return sign_last(draft.match, draft.identity).last


def invite(identity: Identity, **options: Any) -> Match:
    """Return a match with a signed invitation; `options` as for `Invitation`."""
    return sign_last(Invitation(identity, **options).match, identity)


def accept(match: Match, identity: Identity, **options: Any) -> Match:
    """Return a match with a signed acceptance; `options` as for `invitation.accept`."""
    return sign_last(invitation.accept(match, identity, **options).match, identity)


def finish(turn: Turn, identity: Identity) -> tuple[Match, SaveFile]:
    """Finish and sign a turn, and return its match and file."""
    save = turn.file()
    sign_last(turn.match, identity)
    return turn.match, save._replace(records=tuple(turn.match.records))


def sign_agreed(
    session: Session, draft: Signable, path: Path | None = None, **options: Any
) -> SignedFile:
    """Sign a draft at home, with consent to every question; `options` as for `sign`."""
    agreed = questions(draft, session.store)
    return sign(draft, session.identity, session.store, agreed, path, **options)

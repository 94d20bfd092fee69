"""Signing in tests: as it is done once everything has been agreed to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.play import entry
from pbem.play.answer import Answer
from pbem.play.next_record import Writer
from pbem.play.session import Session
from pbem.play.signing import Signable, Written, questions, sign, sign_record
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile


def signed(identity: Identity, **facts: Any) -> Record:
    """Return a new record, signed; `facts` as for `Record.unsigned`."""
    return sign_record(Record.unsigned(**facts), identity)


def sign_last(match: Match, identity: Identity) -> Match:
    """Sign the last record of a match, and return the match."""
    match.records[-1] = sign_record(match.records[-1], identity)
    return match


def end(writer: Writer) -> Record:
    """End a record, and return it signed, as it is in its match."""
    writer.end()
    return sign_last(writer.match, writer.identity).last


def invite(identity: Identity, **options: Any) -> Match:
    """Return a match with an invitation, signed; `options` as for `entry.invite`."""
    return sign_last(entry.invite(identity, **options), identity)


def accept(match: Match, identity: Identity, **options: Any) -> Match:
    """Return a match that is joined, signed; `options` as for `entry.accept`."""
    return sign_last(entry.accept(match, identity, **options), identity)


def finish(answer: Answer) -> tuple[Match, SaveFile]:
    """Finish an answer, and return the match that ends with its record, signed, and its file."""
    match, save = answer.finish()
    sign_last(match, answer.identity)
    return match, save._replace(records=tuple(match.records))


def sign_agreed(
    session: Session, draft: Signable, path: Path | None = None, **options: Any
) -> Written:
    """Sign a draft at home, agreeing to whatever may be agreed to; `options` as for `sign`."""
    agreed = questions(draft, session.store)
    return sign(draft, session.store, agreed, path, **options)

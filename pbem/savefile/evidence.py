"""Evidence of a fork as a file.

docs/save-format.md, Evidence of a fork.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.message import Message, mark, message_of
from pbem.errors import Unreadable
from pbem.errors.rule import Rule
from pbem.protocol.fork import Evidence
from pbem.protocol.record import Record
from pbem.protocol.schema import Bytes, Plain, encode_bytes, lay_out
from pbem.savefile.document import FileKind
from pbem.savefile.save_file import read_records

FORMAT = "acres-fork"

_KIND = FileKind(
    FORMAT, 1, mark("an evidence file"), frozenset({"format", "version", "key", "record"})
)
_KEY = Bytes(32)


@dataclass(frozen=True)
class EvidenceFile:
    """A file of evidence, which has the right form and is not checked."""

    evidence: Evidence

    @classmethod
    def read(cls, data: bytes) -> EvidenceFile:
        """Read a file. Raises Unreadable, which says what is wrong, for anything else."""
        document = _KIND.read(data)
        plain = document.get("record")
        if not isinstance(plain, list) or len(plain) != 2:
            raise Unreadable(
                "Evidence of a fork has two records; this file does not.", Rule.FORK_FORM
            )
        one, two = read_records(plain)
        try:
            key = _KEY.read(document.get("key"))
        except ValueError as error:
            # Translators: {problem} is such as “must be 32 bytes in base64url”.
            told = Message(
                "The key of the evidence cannot be read: it {problem}.", problem=message_of(error)
            )
            raise Unreadable(told, Rule.FORK_FORM) from None
        return cls(Evidence(key, (one, two)))

    @property
    def records(self) -> tuple[Record, Record]:
        """Both records."""
        return self.evidence.records

    def write(self) -> bytes:
        """The one way in which this program lays evidence out, whichever record came first."""
        document: dict[str, Plain] = {
            "format": FORMAT,
            "version": _KIND.version,
            "key": encode_bytes(self.evidence.key),
            "record": [r.to_plain() for r in sorted(self.records, key=lambda r: r.hash)],
        }
        return lay_out(document).encode("ascii")

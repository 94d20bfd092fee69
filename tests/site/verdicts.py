"""Verdicts on files by the program alone, natively or in Pyodide, which has no pytest."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping

from pbem.errors import InputError
from pbem.play.audit import audit
from pbem.protocol.fork import NoForkError
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import FORMAT, EvidenceFile

Verdict = list[str | int | None]
"""The number of the broken rule or "accepted", the index of the record at fault, the sentence."""


def verdict(data: bytes) -> Verdict:
    """Return the verdict on a file of a game, or on evidence."""
    try:
        try:
            finding = audit(data).finding
        except WrongFormatError as error:
            if error.format != FORMAT:
                raise
            EvidenceFile.read(data).evidence.check()
            finding = None
    except (InputError, NoForkError) as error:
        return [error.rule.number if error.rule else "refused", None, str(error)]
    if finding is None:
        return ["accepted", None, ""]
    return [finding.rule.number, finding.record, str(finding.sentence)]


def verdicts(table: Mapping[str, str]) -> dict[str, Verdict]:
    """Return the verdict on each file of a table, which has its content in base64 by its name."""
    return {name: verdict(b64decode(text)) for name, text in table.items()}

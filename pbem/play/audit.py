"""The audit: all that a file proves about a game without other data.

docs/protocol.md lists the kinds of cheating that it detects.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from engine.message import Message, message_of, sentences
from engine.sides import Side
from engine.value import Value
from pbem.errors import Finding, InputError, VerificationError, exists
from pbem.errors.rule import Rule
from pbem.play.look import Look
from pbem.play.signing import has_content
from pbem.protocol.cache import ALL_VERIFIED
from pbem.protocol.fork import Comparison, Evidence, compare
from pbem.protocol.hand import PublicHand, public_hands
from pbem.protocol.match import Match, ProgressCallback
from pbem.protocol.record import author_key, is_truncated
from pbem.savefile.disk import within, write_new
from pbem.savefile.document import decode_within_limits, parse
from pbem.savefile.save_file import EvidenceFile, SaveFile

DAMAGE_TOPICS = ("signature", "chain")
"""The topics of the rules that a record breaks if it was damaged in transit."""
_FIRST_LINE = 'format = "acres-save"'


class Recomputed(NamedTuple):
    """The numbers of shuffles, grants and hands recomputed from a closed side's game secret."""

    shuffles: int
    grants: int
    hands: int


class AuditReport(Value):
    """The findings of an audit.

    `match` has the valid records; `finding` is the first failure, or None; `counts` is the number
    of checked steps by kind; `public_hands` are the public contents of both hands after each
    record. `accused` is the key that signed the failing record, or None if no player is accused.
    """

    match: Match
    total_records: int
    counts: dict[str, int]
    finding: Finding | None
    public_hands: tuple[dict[Side, PublicHand], ...] = ()
    accused: bytes | None = None

    @property
    def is_clean(self) -> bool:
        """True if everything in the file is proved."""
        return self.finding is None

    @cached_property
    def hands(self) -> list[dict[Side, list[str] | None]]:
        """The hands after each record, sorted; None for a side that has not closed the game."""
        known = Look(self.match).visible_cards
        return [
            {
                side: sorted([*hand.known_cards, *known[side].names(hand.hidden_slots)])
                if side in known
                else None
                for side, hand in hands.items()
            }
            for hands in self.public_hands
        ]

    @property
    def closed(self) -> dict[Side, Recomputed]:
        """The sides that have closed the game, with the numbers of recomputed parts."""
        return {
            side: Recomputed(
                len(self.match.table.shuffles[side]),
                len(self.match.table.grants[side]),
                sum(hands.get(side) is not None for hands in self.hands),
            )
            for side in Side
            if side in self.match.secrets
        }


def audit(data: bytes, progress: ProgressCallback = iter) -> AuditReport:
    """Check everything in a file.

    Raises InputError if it is not a save file. The records pass through `progress` one by one, each
    as soon as those before it are checked.

    >>> report = audit(game.save.write())  # Nobody has signed its records.
    >>> report.is_clean, report.total_records, str(report.finding.sentence)[:26]
    (False, 2, 'the signature is not valid')
    """
    save = SaveFile.read(data)
    match, finding, accused = Match(), None, None
    counts: Counter[str] = Counter()
    hands: list[dict[Side, PublicHand]] = []
    for record in progress(save.records):
        try:
            match.add(record)
        except VerificationError as error:
            finding = error.finding
            # A record that fails may be carried out in part.
            match = Match.replay(save.records[: len(match.records)], ALL_VERIFIED)
            if finding.accuses:
                accused = author_key(record, match.records)
            break
        counts.update(step.kind for step in record.steps)
        hands.append(public_hands(match))
    total = len(save.records)
    return AuditReport(match, total, dict(sorted(counts.items())), finding, tuple(hands), accused)


def may_be_damage(finding: Finding, data: bytes) -> bool:
    """Return True if the failure may be damage, because the layout is not this program's."""
    return finding.rule.topic in DAMAGE_TOPICS and not SaveFile.is_canonical(data)


def is_cut_short(data: bytes) -> bool:
    r"""Return True for a save file that is valid but lacks its end.

    >>> is_cut_short(b'format = "acres-save"\nversion = 1\n[[rec'), is_cut_short(b"Hello")
    (True, False)
    """
    # After a power cut the end of a file may be zeros.
    whole, zero, _ = data.partition(b"\0")
    try:
        # The file may end in the middle of a character.
        text = decode_within_limits(whole, "a save file", errors="replace")
    except InputError:
        return False
    if zero or not text.startswith(_FIRST_LINE):
        return text.startswith(_FIRST_LINE)
    try:
        document = parse(text)
    except ValueError as error:
        last = text.rstrip("\n").count("\n") + 1
        return "at end of document" in str(error) or f"(at line {last}," in str(error)
    return is_truncated(document)


def explain_damage(error: InputError, data: bytes) -> InputError:
    """Return an error that has the remedy for a save file that cannot be read."""
    if re.search(rb"^<{7} ", data, re.MULTILINE):
        return InputError(
            "git has left two versions in this file: take one of them whole, with git checkout "
            "--ours or --theirs."
        )
    if is_cut_short(data):
        return InputError("This file is damaged: it breaks off. Ask for it again.")
    if b"acres-save" in data and error.rule in (Rule.TOML, Rule.LINE_LENGTH):
        wrapped = Message(
            "If it was pasted as text, a program may have wrapped it: ask for the file itself, "
            "or for the block of text that --armor prints."
        )
        return InputError(sentences(message_of(error), wrapped), error.rule)
    return error


# --- comparing two files


@dataclass(frozen=True)
class TwoFiles:
    """The audits of two files of a game, compared."""

    reports: tuple[AuditReport, AuditReport]

    @property
    def is_clean(self) -> bool:
        """True if everything in both is proved."""
        return all(report.is_clean for report in self.reports)

    @cached_property
    def comparison(self) -> Comparison | None:
        """The comparison of both chains of valid records; None if a chain is empty.

        Records after a fork may be invalid; the fork is proved in any case.
        """
        one, two = (report.match.records for report in self.reports)
        return compare(one, two) if one and two else None

    @property
    def evidence(self) -> Evidence | None:
        """The evidence that a player signed twice, or None."""
        return self.comparison.evidence if self.comparison else None


def evidence_path(game: bytes, evidence: Evidence, output: Path | None = None) -> Path:
    """Return the path of the evidence: `output`, or a name there that no other evidence has."""
    data, path, digits = EvidenceFile(evidence).write(), Path(), 0
    # A player may sign any number of forks after one record.
    name = b"".join((game, *(record.hash for record in evidence.records))).hex()
    while not digits or (digits < len(name) and exists(path) and not has_content(path, data)):
        digits += 8
        path = within(output, Path(f"fork-{name[:digits]}-{evidence.index}.toml"))
    return path


def write_evidence(evidence: Evidence, path: Path) -> bool:
    """Write the evidence; return False if the file exists with the same content.

    Raises TargetExistsError if it exists with other content.
    """
    data = EvidenceFile(evidence).write()
    if has_content(path, data):
        return False
    write_new(path, data)
    return True

"""Invalid files and lost keys or libraries: the fault, and the remedy.

docs/protocol.md describes the faults that a program finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from engine.message import Message, Phrase, mark, sentences
from engine.sides import Side
from pbem.errors import AcresError, Finding, InputError, VerificationError
from pbem.errors.rule import Rule
from pbem.foreign import display_name
from pbem.play.audit import AuditReport, audit, explain_damage, may_be_damage
from pbem.play.store import StoreError
from pbem.protocol.match import Match, ProgressCallback
from pbem.text.phrases import fingerprint, player

# --- files that are not valid


_INVALID_OWN = mark("Record {number}, in your name, is not valid: {reason}")
_INVALID_SIGNED = mark("Record {number}, signed by {player}, is not valid: {reason}")
_INVALID_UNSIGNED = mark("Record {number}, in the name of {player}, is not valid: {reason}")
_FORGED = mark(
    "Record {number}, in the name of {player}, was changed after it was signed, or somebody "
    "else wrote it: ask {sender} to send the file again."
)
_FORGED_OWN = mark(
    "Record {number}, in your name, was changed after it was signed, or somebody else "
    "wrote it: ask {sender} to send the file again."
)


class InvalidFileError(AcresError):
    """Raised if a file is invalid; the message names the record and the remedy."""

    exit_status = 1


def explain_failure(
    error: VerificationError | InputError,
    data: bytes,
    own_key: bytes | None = None,
    progress: ProgressCallback = iter,
) -> AcresError:
    """Return an error that explains an invalid file to the player with `own_key`.

    `progress` is passed to `audit`.
    """
    if isinstance(error, InputError):
        return explain_damage(error, data)
    finding = error.finding
    is_damaged, report = may_be_damage(finding, data), audit(data, progress)
    return InvalidFileError(_failure_text(report, finding, own_key, is_damaged=is_damaged))


@contextmanager
def explain_failures(
    data: bytes,
    own_key: bytes | None = None,
    show_progress: Callable[[], AbstractContextManager[ProgressCallback]] = lambda: nullcontext(
        iter
    ),
) -> Iterator[None]:
    """Replace errors about the file content `data` by explanations for the holder of `own_key`.

    `show_progress` returns the context manager of a check that may take long, whose callback
    receives the records one by one. Raises InvalidFileError or InputError.
    """
    try:
        yield
    except (VerificationError, InputError) as error:
        with show_progress() as progress:
            explanation = explain_failure(error, data, own_key, progress)
        if explanation is error:
            raise
        raise explanation from None


def _failure_text(
    report: AuditReport, finding: Finding, own_key: bytes | None, *, is_damaged: bool
) -> Message:
    """Return the fault of a file with this audit, and the remedy."""
    match = report.match
    side = _author_side(match, finding)
    is_own = side is not None and match.entrants[side].key == own_key
    sender = _sender_name(match, side.opponent if side and is_own else side)
    author = signer_name(author_name(match, finding), report.accused)
    if finding.rule is Rule.SIGNATURE and not is_damaged:
        forged = _FORGED_OWN if is_own else _FORGED
        return Message(forged, number=finding.record, player=author, sender=sender)
    fault = Message(
        _INVALID_OWN if is_own else _INVALID_SIGNED if finding.accuses else _INVALID_UNSIGNED,
        number=finding.record,
        player=author,
        reason=fault_text(finding, is_damaged=is_damaged),
    )
    if is_damaged:
        again = Message("Ask {player} to send the file again, as an attachment.", player=sender)
        return sentences(fault, damage_hint(), again)
    shown_by: Phrase = ""
    if finding.shown_by is not None:
        shown_by = Message(
            "That came to light with record {number}, which closes the game.",
            number=finding.shown_by,
        )
    if finding.rule is Rule.RULES_DATA:
        return sentences(fault, shown_by, version_hint())
    again = Message("Ask {player} to send the file again.", player=sender)
    if finding.accuses and not is_own:
        again = Message("Ask {player} for the right file.", player=sender)
    return sentences(fault, shown_by, again)


def fault_text(finding: Finding, *, is_damaged: bool) -> Phrase:
    """Return the fault as a sentence, without an accusation if the file may be damaged."""
    if is_damaged and finding.rule is Rule.SIGNATURE:
        return Message("the signature is not valid.")
    return finding.sentence


def damage_hint() -> Message:
    """Return a sentence that a file may have been damaged on its way."""
    return Message(
        "The file is not laid out as acres writes it: it may have been damaged on the way."
    )


def version_hint() -> Message:
    """Return a hint to compare program versions, for a file with unknown rules data."""
    return Message(
        "The program that wrote it may be of another version: compare what acres --version says "
        "on both sides."
    )


def author_name(match: Match, finding: Finding) -> Message:
    """Return the author of a finding's record, as far as earlier records prove it."""
    side = _author_side(match, finding)
    if side is not None:
        return player(match, side)
    side_label = Message.within("author", finding.author)
    if finding.record == 0:
        return Message("the inviter ({side})", side=side_label)
    return Message("the guest ({side})", side=side_label)


def signer_name(author: Message, key: bytes | None) -> Message:
    """Return the author of a record, with the key that signed it if that is proved."""
    if key is None:
        return author
    # Translators: {key} is, for example, “key 0001 0203 0405 0607”.
    return Message("{player} with {key}", player=author, key=fingerprint(key))


def _author_side(match: Match, finding: Finding) -> Side | None:
    return next((side for side in match.entrants if side.value == finding.author), None)


def _sender_name(match: Match, side: Side | None) -> Message:
    if side is None or side not in match.entrants:
        # Translators: used instead of a player's name: ask ... to send the file again.
        return Message("whoever sent it")
    return display_name(match.entrants[side].name)


# --- lost memory


def cheating_warning() -> Message:
    """Return a warning not to give different answers to one file."""
    return Message("Two different answers to one file are proof of cheating.")


def lost_memory_warning() -> Message:
    """Return a warning to a player whose earlier signatures may have been forgotten."""
    care = Message(
        "Before you answer a file, make sure that it is the newest of its game, and that you have "
        "not answered it before."
    )
    return sentences(care, cheating_warning())


def recovered_signatures_notice() -> Message:
    """Return a notice that a file has restored forgotten signatures of the player."""
    learnt = Message(
        "This computer did not remember your part in this game, and has learnt it from this file."
    )
    return sentences(learnt, lost_memory_warning())


def lookup_failure_notice(path: Path, reason: Phrase, *, may_pass: bool) -> Message:
    """Return a notice that earlier signatures cannot be looked up.

    `may_pass`: the failure is temporary.
    """
    text = mark("The library of what you signed, {file}, cannot be used: {reason}.")
    if may_pass:
        text = mark("The library of what you signed, {file}, cannot be used just now: {reason}.")
    return Message(text, file=path, reason=reason)


def library_notice(path: Path, failure: StoreError, command: str) -> Message:
    """Return a notice that the library is unusable, with the remedy.

    `command`: the call of the program.
    """
    text = lookup_failure_notice(path, failure.message, may_pass=bool(failure.remedy))
    return sentences(text, failure.remedy or new_library_hint(command))


def new_library_hint(command: str) -> Message:
    """Return a hint to replace a library that cannot be used."""
    return Message(
        "No game is lost: move the library away, and {command} games add FOLDER makes a new one "
        "from your files.",
        command=command,
    )


def unsaved_notice(path: Path, reason: Phrase) -> Message:
    """Return a notice that a file was written, but this computer will not remember it."""
    return Message(
        "The library of what you signed, {file}, cannot be written: {reason}. Your file is "
        "not affected, but this computer will not remember it: it is up to you not to "
        "answer the same file twice.",
        file=path,
        reason=reason,
    )


# --- missing, foreign and sealed keys


def identity_hint(home: Path, create: str, restore: str, *, has_played: bool) -> Message:
    """Return the remedy for a missing identity in a folder, if no game is known.

    `create` is the command for a new one, `restore` the one for the old one.
    """
    template = mark("You have no identity in {folder} yet. Make one with: {making}")
    if has_played:
        template = mark(
            "Your identity is gone from {folder}, though you have played with it. Bring it back "
            "with: {restoring}. A new one, made with: {making}, cannot go on with those games."
        )
    return Message(template, folder=home, restoring=restore, making=create)


def passphrase_hint(restore_command: str) -> Message:
    """Return the remedy for a forgotten passphrase; `restore_command` is the command for it."""
    return Message(
        "Without it nobody can open your key; if you wrote a recovery text, it brings the key "
        "back: {restoring}",
        restoring=restore_command,
    )

"""Signing: the questions before a signature, the only way to sign, and checks for the new file.

A draft is a turn, an acceptance or an invitation: a record without its signature. `questions`
returns the questions that its player has to answer; `sign` signs it, adds it to the store, and
writes its file.

Nothing is signed without a usable store, except an invitation, which answers nothing. If the
store lacks the player's records in a game, nothing is signed unless the player says that the file
is the newest one. Nothing is signed in a game that the player has closed.

Two questions are equal if they have the same kind and facts, so that a player can agree later,
and in another process, to a question that was shown. An existing file is never replaced, unless it
ends with one of the records named for that.

See docs/protocol.md, Duties of a player's program.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from engine.message import Message, Phrase, message_of
from engine.value import Value
from pbem.errors import NOT_WRITTEN, InputError, UsageError, exists, report_os_errors
from pbem.foreign import display_name, is_for_output, shell_quote
from pbem.play.game_list import has_newest_file, newest_files, read_records
from pbem.play.keyfile import is_published
from pbem.play.store import Destination, GameEntry, KnownFile, NewRecord, Store, StoreError
from pbem.play.store.entries import Recognition, Trust, find_close, records_by
from pbem.protocol.deck import are_all_lists_open
from pbem.protocol.identity import Identity, is_valid_signature
from pbem.protocol.match import Match
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import UNSIGNED, Record, author_key
from pbem.protocol.steps import Accept, OpenLists, ShuffleStep, Step
from pbem.savefile.disk import check_can_create, is_file, read_file, remove_unfinished, reserve_file
from pbem.savefile.save_file import SaveFile

# --- questions


class _Question(Value):
    """A question; its short `id` is the same in every process that asks about the same facts."""

    @property
    def id(self) -> str:
        """The id by which a page refers to it.

        >>> NotRemembered(is_invitation=False).id
        '59887cf434fbb5a0'
        """
        facts = repr(self).encode(errors="backslashreplace")
        return tagged_hash(Tag.QUESTION, facts)[:8].hex()


class NoStore(_Question):
    """The store at `path` cannot be read, or cannot be written, for a `reason`.

    If it `is_readable`, the signed records are known, but no more can be stored. If the failure
    `may_pass`, the store can soon be used again, after the `remedy`; nothing is signed until
    then.
    """

    path: Path
    reason: Phrase
    is_readable: bool = False
    may_pass: bool = False
    remedy: Phrase = ""

    @property
    def may_be_agreed(self) -> bool:
        """True if the player may continue without the store."""
        return not self.may_pass


class SignedBefore(_Question):
    """A record was signed that is not in the file: signing another one may prove cheating.

    `when` is the time of the signature, by this computer's clock. `file` is the path for the file
    with the record, None if it is unknown; `is_written` is true if it is there. `newest` is the
    newest file of the game, None if it is not found.
    """

    conflict: Conflict
    when: str
    file: Path | None
    is_written: bool
    newest: Path | None = None
    may_be_agreed = True

    @property
    def kind(self) -> ConflictKind:
        """The kind of conflict between the file and the record that was signed."""
        return self.conflict.kind


class NotRemembered(_Question):
    """More may have been signed than the store knows: the file may not be the newest one.

    An invitation (`is_invitation`) may have been accepted before. A shuffle that the record opens
    (`is_opening`) may have been opened before for another list: both would show the whole pile.
    `has_moved` is true if the store comes from another computer; `moved_time` is the time when the
    home was moved from here to another one, or empty.
    """

    is_invitation: bool
    is_opening: bool = False
    has_moved: bool = False
    moved_time: str = ""
    may_be_agreed = True


class Closed(_Question):
    """The player has closed the game: another record besides `record` would expose the hand."""

    record: Record
    may_be_agreed = False


class OpensTwice(_Question):
    """An earlier `record` opened the shuffle for another list: both would show the whole pile."""

    record: Record
    may_be_agreed = False


class NewKey(_Question):
    """The player has not yet signed a record in a game with the key of this opponent."""

    recognised: Recognition
    may_be_agreed = True


class OtherKey(_Question):
    """A player with the name or address of this opponent is known, but with another key."""

    recognised: Recognition
    may_be_agreed = True


Question: TypeAlias = (
    NoStore | SignedBefore | NotRemembered | Closed | OpensTwice | NewKey | OtherKey
)


class PriorConsent(Enum):
    """Permissions that a player can give in advance; front ends have their own names for them."""

    ANOTHER = "another"
    """Another record may be signed in place of an earlier one."""
    NEWEST = "newest"
    """The file is the newest one of its game, even if the store does not prove that."""
    WAIT = "wait"
    """The turn continues after the other player's answer."""


class OpenQuestionsError(UsageError):
    """Raised if `questions` to which the player has not agreed keep a record from being signed."""

    def __init__(self, questions: Sequence[Question]) -> None:
        super().__init__(Message("Nothing was signed: answer the open question first."))
        self.questions = tuple(questions)


class ForbiddenConsentError(UsageError):
    """Raised if a player agrees to a `question` to which no player may agree."""

    def __init__(self, question: Question) -> None:
        super().__init__(Message("This cannot be agreed to, so nothing is signed."))
        self.question = question


# --- conflicts with earlier signatures


class ConflictKind(Enum):
    """Kinds of conflict between a file to be answered and the records signed before."""

    ANSWERED = "answered"
    """The file was answered before."""
    OLDER = "older"
    """The file is older than a file that was answered."""
    OTHER_BEFORE = "other before"
    """The file ends with a different record from the one that was answered."""
    OTHER_OWN = "other own"
    """The file has a different record by the player from the one that was signed."""


class Conflict(NamedTuple):
    """An earlier signed record that conflicts with answering a file.

    `record` is the record that shows the conflict; `not_in_file` are the indexes of all records of
    the player that are missing from the file, or differ there.
    """

    kind: ConflictKind
    record: Record
    not_in_file: tuple[int, ...]


def find_conflict(store: Store, records: Sequence[Record]) -> Conflict | None:
    """Return the conflict with answering the file with `records`, which a match accepted.

    Return None if the file has all records that were signed in the game. Raises StoreError.
    """
    hashes = [record.hash for record in records]
    game, number = hashes[0], len(hashes)
    missing = tuple(
        index
        for index, hash_ in store.signed_hashes(game).items()
        if index >= number or hashes[index] != hash_
    )
    if not missing:
        return None
    first, last = (store.signed_record(game, index) for index in (missing[0], missing[-1]))
    if first is None or last is None:
        # Another process has replaced it just now.
        return None
    if first.index < number:
        is_own = records[first.index].verify(store.key)
        return Conflict(ConflictKind.OTHER_OWN, first, missing) if is_own else None
    if first.index == number and first.previous != records[-1].hash:
        return Conflict(ConflictKind.OTHER_BEFORE, first, missing)
    if last.index == number:
        return Conflict(ConflictKind.ANSWERED, first, missing)
    return Conflict(ConflictKind.OLDER, last, missing)


# --- records that would expose a whole pile


def find_exposing_record(
    store: Store, game: bytes, previous: bytes, steps: Sequence[Step]
) -> Record | None:
    """Return an earlier record that, together with `steps`, shows every list of a shuffle.

    The steps are in a record that follows `previous`. If a shuffle is repeated after the same
    record, its lists are the same, but another list would be granted and opened. Raises StoreError.
    """
    opened = {step.epoch: step.siblings for step in steps if isinstance(step, OpenLists)}
    again = {step.epoch for step in steps if isinstance(step, ShuffleStep)}
    if not opened and not again:
        return None
    before = store.shuffle_records(game)
    same = [step for record in before if record.previous == previous for step in record.steps]
    again &= {step.epoch for step in same if isinstance(step, ShuffleStep)}
    for record in before:
        for step in record.steps:
            if not isinstance(step, OpenLists) or not step.siblings:
                continue
            if step.epoch in again or are_all_lists_open(opened.get(step.epoch, ()), step.siblings):
                return record
    return None


# --- room for new files


def check_new(path: Path) -> None:
    """Raise UsageError if a new file cannot be written; call it before any question is asked."""
    remove_unfinished(path.parent)
    if exists(path):
        raise UsageError(
            "There is already a file {file}; it was not touched. Name another one.", file=path
        )
    _check_room(path)


def check_writable(path: Path, *, instead_of: Collection[bytes] = ()) -> None:
    """Raise UsageError if a file that answers another cannot be written.

    An existing file is kept unless the hash of its last record is in `instead_of`.
    """
    remove_unfinished(path.parent)
    if exists(path) and _end_of(path, instead_of) is None:
        raise UsageError(
            "There is already a file {file}, which may be your answer: send that one. Two "
            "different answers to one file look like cheating; if that one never left your "
            "computer, remove it first.",
            file=path,
        )
    _check_room(path)


def _check_room(path: Path) -> None:
    with report_os_errors(path, NOT_WRITTEN):
        check_can_create(path)


def ends_with(path: Path, record: bytes) -> bool:
    """Return True if the last record of the file at `path` has this hash."""
    return _end_of(path, (record,)) is not None


def has_content(path: Path, data: bytes) -> bool:
    """Return True if the file at `path` has exactly this content; pipes are not read."""
    try:
        return is_file(path) and read_file(path, len(data)) == data
    except InputError:
        return False


def _end_of(path: Path, hashes: Collection[bytes]) -> bytes | None:
    """Return the hash of the last record in a file, or None if it is not one of `hashes`."""
    last = read_records(path)[-1:] if hashes else ()
    return last[0].hash if last and last[0].hash in hashes else None


# --- files that the player may send


def unsent_files(store: Store) -> Iterator[tuple[GameEntry, Path]]:
    """Yield each game with a file by the player that was not sent yet. Raises StoreError."""
    for entry in store.games():
        file, last = entry.file_out, entry.game.last
        if file is not None and not store.dispatch(entry.id, last) and ends_with(file, last):
            yield entry, file


def check_own(match: Match, store: Store, file: Path, command: str) -> None:
    """Raise UsageError unless the player may send the file with `match`.

    A file must not be sent if this computer signed another record in its place: both records
    together would prove cheating. If the store fails, `store.failure` is set.
    """
    if author_key(match.last, match.records[:-1]) != store.key:
        raise UsageError(_not_own_message(match, file, command))
    if store.failure is not None:
        return
    try:
        conflict = find_conflict(store, match.records)
    except StoreError as error:
        store.failure = error
        return
    if conflict is not None and conflict.kind is ConflictKind.OTHER_OWN:
        raise UsageError(
            "This file holds a record {record} in your name that differs from the one this "
            "computer signed: send the file with that one. Two different answers to one file are "
            "proof of cheating.",
            record=conflict.record.index,
        )


def _not_own_message(match: Match, file: Path, command: str) -> Message:
    """Return the reason not to send a file of the other player, and the command to use instead."""
    if not match.is_joined:
        return Message(
            "{player} wrote this invitation. To accept it: {command}",
            player=display_name(match.invite.name),
            command=f"{command} join {shell_quote(file)}",
        )
    other = display_name(next(e.name for s, e in match.entrants.items() if s == match.last.side))
    if match.next_side is None:
        return Message(
            "{player} wrote this file, and it closes the game: there is nothing left to send.",
            player=other,
        )
    return Message(
        "{player} wrote this file, and it is yours to answer. To answer: {command}",
        player=other,
        command=f"{command} turn apply {shell_quote(file)}",
    )


# --- drafts


class Signable(Protocol):
    """A draft that can be signed: a turn, an acceptance or an invitation.

    `history` has the facts in the store about the file that it answers.
    """

    history: SigningHistory
    match: Match
    """The match, which ends with the record as soon as that is finished."""
    steps: list[Step]
    """The steps of the record so far."""

    @property
    def path(self) -> Path:
        """The default path of its file."""

    @property
    def is_complete(self) -> bool:
        """True if nothing is left to decide."""
        return True

    @property
    def signed(self) -> Record | None:
        """The record that answered the file before, or None if it was not answered."""
        return self.history.signed

    @property
    def is_repeat(self) -> bool:
        """True if the draft is complete and equals the record that was signed before."""
        signed = self.signed
        return signed is not None and self.is_complete and self.finish().hash == signed.hash

    def finish(self) -> Record:
        """Return the record, unsigned. Raises UsageError if something is left to decide."""
        return self.match.last

    def file(self) -> SaveFile:
        """Return the file that holds it.

        Raises UsageError as `finish` does, and if the file is too large.
        """


class SignedFile(NamedTuple):
    """A signed file: its path, its content and the `match` in it.

    `is_repeat` is true if its last record had been signed before; `unremembered` is the reason why
    the record is not in the store, or None if it is.
    """

    path: Path
    data: bytes
    match: Match
    is_repeat: bool
    unremembered: NoStore | None = None


# --- the signing history of a game


@dataclass(frozen=True, slots=True)
class SigningHistory:
    """The facts in the store about the game of a file with `records`.

    An invitation by the player has no records. `hashes` are the hashes of the signed records, by
    index. `conflict` is the conflict with answering the file, or None; `when` is the time at which
    its record was signed, and `destination` the path for its file. `failure` is the reason why the
    store cannot be used, or None. `questions` caches the questions by the facts that raise them.
    """

    records: Sequence[Record] = ()
    hashes: Mapping[int, bytes] = field(default_factory=dict)
    closed: Record | None = None
    is_in_doubt: bool = False
    has_moved: bool = False
    moved_time: str = ""
    conflict: Conflict | None = None
    when: str = ""
    destination: Destination | None = None
    recognised: Recognition | None = None
    failure: NoStore | None = None
    questions: dict[tuple[object, ...], list[Question]] = field(default_factory=dict)

    @property
    def signed(self) -> Record | None:
        """The record that answered the file before, or None if it was not answered."""
        conflict = self.conflict
        return conflict.record if conflict and conflict.kind is ConflictKind.ANSWERED else None

    @property
    def is_invitation(self) -> bool:
        """True for the file of an invitation that is to be accepted."""
        return len(self.records) == 1

    @property
    def is_readable(self) -> bool:
        """True if the store could be read, even if it cannot be written."""
        return self.failure is None or self.failure.is_readable

    @property
    def written(self) -> Path | None:
        """The existing file with the record that was signed before, or None."""
        conflict, to = self.conflict, self.destination
        return to.file if conflict and to and ends_with(to.file, conflict.record.hash) else None

    def check_room(self, path: Path, *, replace: bool, may_exist: bool = False) -> None:
        """Raise UsageError if the file cannot be written; see `sign` for the options."""
        spared = self.may_overwrite(path, replace=replace)
        if may_exist and self.conflict is not None:
            spared.add(self.conflict.record.hash)
        check_writable(path, instead_of=spared)

    def may_overwrite(self, path: Path, *, replace: bool) -> set[bytes]:
        """Return the hashes of the records with which a file may end that is replaced.

        These are the earlier answer, if `replace` is set, and the answer that this one was about
        to replace at the same path when the program was stopped.
        """
        if self.signed is None:
            return set()
        hashes, to = {self.signed.hash} if replace else set(), self.destination
        if to and to.instead_of and to.file == path.absolute():
            hashes.add(to.instead_of)
        return hashes


def look_up_history(store: Store, records: Sequence[Record] = ()) -> SigningHistory:
    """Look up the signing history of the game with `records`, which a match has accepted."""
    if not records:
        return SigningHistory()
    closed = find_close(records_by(records, store.key))
    history = SigningHistory(records, closed=closed, recognised=store.recognise(records))
    game, is_readable = history.records[0].hash, False
    try:
        # Looked up first, so that a record that is signed meanwhile is noticed.
        history = replace(history, hashes=store.signed_hashes(game))
        conflict = find_conflict(store, records)
        history = replace(
            history,
            closed=history.closed or store.close_record(game),
            is_in_doubt=_is_in_doubt(store, history),
            has_moved=store.has_moved(),
            moved_time=store.moved_time(),
            conflict=conflict,
        )
        if conflict:
            # The signed time may be that of the record before it, if the clock was behind.
            signed = conflict.record.time
            when = min(signed, store.arrival_time(game, conflict.record.hash) or signed)
            place = store.destination(game, conflict.record)
            history = replace(history, when=when, destination=place)
        is_readable = True
        store.check_writable()
    except StoreError as error:
        if not is_readable:
            store.failure = store.failure or error
        return replace(history, failure=_no_store(store, error, is_readable=is_readable))
    return history


def _is_in_doubt(store: Store, history: SigningHistory) -> bool:
    """Return True if more may have been signed in the game than the store knows.

    Signatures with a published key do not count, because everybody has that key.
    """
    if is_published(store.key):
        return False
    records = history.records
    may_have_joined = history.is_invitation and not store.would_know_acceptance(records[0])
    return may_have_joined or store.is_in_doubt(records)


def _no_store(store: Store, error: StoreError, *, is_readable: bool = False) -> NoStore:
    reason, remedy = message_of(error), error.remedy
    return NoStore(store.path, reason, is_readable, error.may_pass, remedy)


# --- the questions about a draft


def questions(draft: Signable, store: Store, *, is_different: bool | None = None) -> list[Question]:
    """Return the questions that the player must accept before a draft is signed, in display order.

    If the file was answered before, the questions depend on the orders that are still to be given:
    `is_different` says whether they will differ. Without it, an unfinished draft is taken to repeat
    the earlier answer.
    """
    history = draft.history
    if is_different is None:
        is_different = not draft.is_repeat and (history.signed is None or draft.is_complete)
    facts, cache = (*draft.steps, is_different), history.questions
    if facts in cache:
        return [*cache[facts]]
    open_questions = [*_open_questions(history, store, draft.steps, is_different=is_different)]
    # A store that could not be read may be read the next time.
    if not any(isinstance(question, NoStore) for question in open_questions):
        cache[facts] = open_questions
    return [*open_questions]


def questions_of_file(history: SigningHistory, store: Store) -> list[Question]:
    """Return the questions that are known before a file is answered."""
    return [*_open_questions(history, store, (), is_different=history.signed is None)]


def _open_questions(
    history: SigningHistory, store: Store, steps: Sequence[Step], *, is_different: bool
) -> Iterator[Question]:
    signed, conflict, recognised = history.signed, history.conflict, history.recognised
    is_new = is_different or signed is None
    if history.failure is not None:
        yield history.failure
    if conflict is not None and is_new:
        yield _signed_before(history, store, conflict)
    if recognised is not None:
        if recognised.other is not None:
            yield OtherKey(recognised)
        elif recognised.trust in (Trust.FIRST, Trust.LEARNT):
            yield NewKey(recognised)
    yield from _opening(history, store, steps, is_new=is_new)
    # The close follows another answer.
    if history.closed is not None and (is_new or history.closed != signed):
        yield Closed(history.closed)
    if history.is_in_doubt and is_new:
        has_moved, moved_time = history.has_moved, history.moved_time
        yield NotRemembered(history.is_invitation, has_moved=has_moved, moved_time=moved_time)


def _signed_before(history: SigningHistory, store: Store, conflict: Conflict) -> SignedBefore:
    to = history.destination
    entry = store.games_by_id().get(history.records[0].hash)
    # If the game was listed again from an older file, no newer file is known.
    continues = entry is not None and entry.game.records > conflict.record.index
    newest = newest_files(entry)[0] if entry and continues and has_newest_file(entry) else None
    is_written = history.written is not None
    return SignedBefore(conflict, history.when, to.file if to else None, is_written, newest)


def _opening(
    history: SigningHistory, store: Store, steps: Sequence[Step], *, is_new: bool
) -> Iterator[Question]:
    records = history.records
    if not steps or isinstance(steps[0], Accept) or not records:
        return
    epochs = set()
    for step in steps:
        if isinstance(step, OpenLists) and step.siblings:
            epochs.add(step.epoch)
    is_in_doubt = history.is_in_doubt or not history.is_readable
    try:
        if history.is_readable:
            if record := find_exposing_record(store, records[0].hash, records[-1].hash, steps):
                yield OpensTwice(record)
            if epochs and not is_published(store.key):
                is_in_doubt = is_in_doubt or store.is_in_doubt(records, epochs)
    except StoreError as error:
        yield _no_store(store, error)
    if epochs and is_new and is_in_doubt:
        yield NotRemembered(is_invitation=False, is_opening=True)


# --- signing


def sign(
    draft: Signable,
    identity: Identity,
    store: Store,
    agreed: Collection[Question] = (),
    path: Path | None = None,
    *,
    replace: bool = False,
    may_exist: bool = False,
    write_file: bool = True,
    note: Callable[[Path], None] = lambda path: None,
) -> SignedFile:
    """Sign a draft, add it to the store, and write its file, by default at the draft's `path`.

    The record is signed within a transaction, so that only one of several processes signs. If the
    program is stopped before the file exists, the same record gives the same file later; if the
    file cannot be written, the record is removed from the store. A record that was signed before
    is not signed again.

    - `replace`: the file may replace the file of the earlier answer.
    - `may_exist`: the file of the earlier answer may exist, because the draft message is missing.
    - `write_file`: False if the caller writes the file.
    - `note`: called with the path as soon as the file may exist, even if signing fails afterwards.

    Raises OpenQuestionsError with the questions to which the player has not `agreed`, UsageError if
    something is left to decide or the file cannot be written, ConcurrentSigningError, and
    GameClosedError. In these cases nothing is signed.
    """
    history = draft.history
    open_questions = questions(draft, store)
    with suppress(StoreError):
        # The home may have moved since the turn was begun.
        if history.records and (moved := store.moved_time()) != history.moved_time:
            open_questions.append(NotRemembered(history.is_invitation, moved_time=moved))
    if left := [q for q in open_questions if not (q.may_be_agreed and q in agreed)]:
        raise OpenQuestionsError(left)
    save, match, is_repeat = draft.file(), draft.match, draft.is_repeat
    if is_repeat and history.signed is not None:
        match.records[-1] = history.signed
        save = save._replace(records=tuple(match.records))
    place, remembered, data = path or draft.path, None, save.write()
    if not write_file:
        remembered = _remember(draft, identity, store, agreed, None)
        data = save._replace(records=tuple(match.records)).write()
    elif not (is_repeat and may_exist and has_content(place, data)):
        if history.is_in_doubt and history.is_invitation and not is_repeat:
            # The player is asked about older invitations only.
            with suppress(StoreError):
                store.mark_complete_from_now_on()
        end = _end_of(place, history.may_overwrite(place, replace=replace))
        with reserve_file(place, len(data), replace=end is not None) as file:
            to = None if is_for_output(place) else Destination(place.absolute(), end)
            remembered = _remember(draft, identity, store, agreed, to)
            data = save._replace(records=tuple(match.records)).write()
            try:
                file.commit(data)
            finally:
                # Whatever happened, the record stays if the file may exist.
                if file.may_exist:
                    note(place)
                elif isinstance(remembered, NewRecord):
                    # A record that cannot be removed does no harm: it gives the same file.
                    with suppress(StoreError):
                        remembered.take_back()
    failure = remembered if isinstance(remembered, NoStore) else None
    if isinstance(remembered, NewRecord):
        # `remember` has noted the file that was read.
        store.last_read = None
    return SignedFile(place, data, match, is_repeat, failure)


def _remember(
    draft: Signable,
    identity: Identity,
    store: Store,
    agreed: Collection[Question],
    to: Destination | None,
) -> NewRecord | NoStore:
    """Sign the last record of a draft's match, and store it.

    Return the reason why it is not stored, if the player has agreed to sign without a store.
    """
    match, history, conflict = draft.match, draft.history, draft.history.conflict

    def sign_last(record: Record) -> Record:
        if record.signature == UNSIGNED:
            match.records[-1] = record = sign_record(record, identity)
        return record

    known_files = (store.last_read, KnownFile.of(match, store.key, to.file if to else None))
    remembered: NewRecord | NoStore
    try:
        remembered = store.remember(
            match.id,
            match.last,
            sign=sign_last,
            known_hashes=history.hashes,
            replaced_indexes=() if draft.is_repeat or conflict is None else conflict.not_in_file,
            destination=to,
            files=[file for file in known_files if file],
        )
    except StoreError as error:
        remembered = _no_store(store, error, is_readable=history.is_readable)
        if remembered.may_pass or not (remembered in agreed or not match.last.index):
            raise OpenQuestionsError([remembered]) from None
        sign_last(match.last)
    return remembered


def sign_record(record: Record, identity: Identity) -> Record:
    """Return a record with its signature; each kind of signed document has its own tag."""
    return record._replace(signature=identity.sign(Tag.SIGNATURE, record.hash))


def sign_document(document: bytes, identity: Identity) -> bytes:
    """Return the signature over a document outside of games, 64 bytes.

    >>> anna = Identity("Anna", "", bytes(32))
    >>> is_signed(b"standings", sign_document(b"standings", anna), anna.public_key)
    True
    """
    return identity.sign(Tag.DOCUMENT, document)


def is_signed(document: bytes, signature: bytes, key: bytes) -> bool:
    """Return True if the holder of `key` signed the document by `sign_document`."""
    return is_valid_signature(key, Tag.DOCUMENT, document, signature)

"""A folder in which a robot answers incoming files, without removing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine.house_rules import InvalidRulesError
from engine.message import NOTHING, Concat, Message, Phrase, message_of, sentences
from engine.sides import Side
from pbem.errors import AcresError, InputError, UsageError, bug_message, report_os_errors
from pbem.foreign import display_name, display_path
from pbem.play.game_file import next_name, whose_move
from pbem.play.helper import HelperEndedError
from pbem.play.incoming import FORMAT, MAX_MESSAGE, ZIP, is_called_save, is_save_file, scan_folder
from pbem.play.signing import ConflictKind, NoStore, OpenQuestionsError, SignedBefore, ends_with
from pbem.play.store import Stamp
from pbem.protocol.match import Match
from pbem.savefile.disk import TargetExistsError, as_utf8, read_file, write_new
from pbem.savefile.save_file import SaveFile


@dataclass(frozen=True, slots=True)
class AnsweredFile:
    """A file that was answered with a file at `path`; `label` is its name in sentences."""

    label: Phrase
    path: Path
    data: bytes

    @property
    def game(self) -> bytes:
        """The id of the game."""
        return SaveFile.read(self.data).records[0].hash

    def summary(self, match: Match) -> Message:
        """Return a sentence or two about the answer, which is the last record of a match."""
        facts = {"file": self.label, "answer": display_path(self.path)}
        if len(match.records) > 2:
            text = Message("{file} is answered with {answer}.", **facts)
        else:
            text = Message(
                "{file} is an invitation from {player}, accepted as the {side} with {answer}.",
                player=display_name(match.invite.name),
                side=Side(match.last.side).label,
                **facts,
            )
        return sentences(text, whose_move(match))


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file at `path` that is not answered; it is tried again if the error `may_pass`."""

    path: Path
    label: Phrase
    error: AcresError | InvalidRulesError
    may_pass: bool = False

    @property
    def reason(self) -> Phrase:
        """The reason in a sentence."""
        return message_of(self.error)


@dataclass(eq=False)
class RobotFolder:
    """A folder in which files arrive, and an outbox for the answers.

    New or changed save files and messages are answered. In a Maildir all files are messages.
    `answer` is called with each save file, and `refused` turns its open questions into an error of
    the front end. With `is_last` there are no further polls, so that a file that is still being
    written is reported, too.
    """

    folder: Path
    outbox: Path
    answer: Callable[[bytes], bytes | None]
    refused: Callable[[OpenQuestionsError], AcresError]
    is_last: bool = field(default=False, kw_only=True)
    skipped: dict[Phrase, SkippedFile] = field(default_factory=dict, init=False)
    _before: dict[Path, Stamp] = field(default_factory=dict, init=False)
    _done: dict[Path, Stamp] = field(default_factory=dict, init=False)

    def poll(self) -> Iterator[AnsweredFile | SkippedFile]:
        """Answer new files, and yield the outcomes, each skipped file once for each reason.

        Raises UsageError if the folder cannot be read.
        """
        self.skipped = {label: file for label, file in self.skipped.items() if file.path.exists()}
        for path, is_settled in self._find_new_files():
            is_done, file = True, display_path(Path(path.name))
            try:
                for data, name, where in _read_files(path):
                    label = Concat((file, ", ", where)) if where else file
                    outcome = self._answer_file(path, label, data, name)
                    is_done &= not (isinstance(outcome, SkippedFile) and outcome.may_pass)
                    yield from self._report_once(label, outcome)
            except InputError as error:
                # The file may still be being written.
                is_done = is_settled or self.is_last
                if is_done:
                    yield from self._report_once(file, SkippedFile(path, file, error))
            if is_done:
                self._done[path] = self._before[path]

    def _answer_file(
        self, path: Path, label: Phrase, received: bytes, name: str
    ) -> AnsweredFile | SkippedFile | None:
        """Return the outcome for a file, or None if no answer is due.

        Raises InputError, or HelperEndedError if the search of a robot was ended.
        """
        try:
            data = self.answer(received)
        except (InputError, HelperEndedError):
            raise
        except OpenQuestionsError as error:
            question = error.questions[0]
            if isinstance(question, SignedBefore) and question.kind is ConflictKind.OLDER:
                return None
            may_pass = isinstance(question, NoStore) and question.may_pass
            return SkippedFile(path, label, self.refused(error), may_pass)
        except (AcresError, InvalidRulesError) as error:
            return SkippedFile(path, label, error)
        except Exception as error:
            # A bug that one game causes must not keep the others waiting.
            return SkippedFile(path, label, AcresError(bug_message(error)))
        if data is None:
            return None
        try:
            written, is_new = write_answer(data, self.outbox / (name or "acres.toml"))
        except UsageError as error:
            return SkippedFile(path, label, error, may_pass=True)
        return AnsweredFile(label, written, data) if is_new else None

    def _report_once(
        self, label: Phrase, outcome: AnsweredFile | SkippedFile | None
    ) -> Iterator[AnsweredFile | SkippedFile]:
        """Yield the outcome of a file unless the file was skipped for the same reason before."""
        before = self.skipped.pop(label, None)
        if isinstance(outcome, SkippedFile):
            self.skipped[label] = outcome
            if before and before.reason == outcome.reason:
                return
        if outcome:
            yield outcome

    def _find_new_files(self) -> list[tuple[Path, bool]]:
        """Return the paths of new files, and whether each is unchanged since the last poll.

        The longest file comes first, because it also answers shorter files of its game.
        """
        with report_os_errors(self.folder):
            stamps = dict(self._files())
        before, self._before = self._before, stamps
        self._done = {p: stamp for p, stamp in self._done.items() if stamps.get(p) == stamp}
        new = sorted((-stamp.size, p) for p, stamp in stamps.items() if p not in self._done)
        return [(path, before.get(path) == stamps[path]) for _, path in new]

    def _files(self) -> Iterator[tuple[Path, Stamp]]:
        maildir = [self.folder / name for name in ("new", "cur")]
        is_maildir = all(folder.is_dir() for folder in maildir)
        for folder in maildir if is_maildir else [self.folder]:
            for name, stamp in scan_folder(folder, of_any_name=is_maildir).items():
                yield folder / name, stamp


def _read_files(path: Path) -> list[tuple[bytes, str, Phrase]]:
    """Return the save files at a path or in the message there: content, name and place."""
    data = as_utf8(read_file(path, MAX_MESSAGE))
    is_called = is_called_save(path) and not data.startswith(ZIP)
    if is_called or (FORMAT in data and is_save_file(data)):
        return [(data, path.name, NOTHING)]
    # Imported lazily: most files are not messages.
    from pbem.play.message import extract_files

    files = extract_files(data)
    return [(file.data, file.name, file.location) for file in files if not file.is_evidence]


def write_answer(data: bytes, source: Path) -> tuple[Path, bool]:
    """Write an answer next to a file; return its path, and False if it existed before.

    Raises UsageError if the file cannot be written.
    """
    records = SaveFile.read(data).records
    path = next_name(source, records[0].hash, records[-1].index)
    try:
        write_new(path, data)
    except TargetExistsError:
        if not ends_with(path, records[-1].hash):
            raise
        return path, False
    return path, True

"""Save files in a message: attached under any name and type, or pasted into its text.

What is found is given as it was sent, byte for byte, where its sender's program laid it out; a file
that another program laid out in its own way has to be attached to arrive so. docs/mail.md.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.message import NOTHING, Message, Said
from pbem.errors import NotProved, Unreadable, WrongUse
from pbem.mail.damage import Damage, damage_of, damaged_lines
from pbem.mail.found import Envelope, Found
from pbem.mail.mend import Mend
from pbem.mail.parts import Budget, LetterUnreadable, Part, TooDear, is_message, let_in, parts_of
from pbem.mail.repair import RECORD, Mended, Stretch, files_in
from pbem.mail.text import Text, texts_of
from pbem.protocol.fork import NoFork
from pbem.protocol.layout import lay_out
from pbem.protocol.record import Record, check_link, check_signature
from pbem.savefile.document import MAX_SIZE
from pbem.savefile.evidence import FORMAT, EvidenceFile
from pbem.savefile.save_file import SaveFile

MAX_FILES = 20
MAX_PASTED = 1024 * 1024
"""Of the texts of a message so much is taken for save files, in characters; attached, each may be
as long as any."""
_MOST_RESTORED = MAX_SIZE // 4
"""Some times as much as the longest games: where it cannot be restored, that took long in vain."""
MOST_BRACKETS = 40_000
MOST_TOKENS = 150_000
"""How many brackets, and values and items of lists, all attachments may have together that are read
as files: as many as 2 MiB of records have, or twice as many. Each takes time and memory.
"""
_DEEPEST = 3
"""How many messages are opened within each other that came as attachments."""
_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)
"""How a text begins that Windows saved as Unicode."""


class FileDamaged(Unreadable):
    """A save file in a message is damaged or too long, and there is none as new that is not."""


def save_files(message: bytes) -> list[Found]:
    """All save files in a message, or in a text that was copied out of one, each once.

    Raises FileDamaged, with the line where the damage begins, where the newest one is damaged; and
    Unreadable for a message that is too large, or has one perhaps where it is not looked for.
    """
    return [found for found in files_of(message) if not found.is_evidence]


def files_of(message: bytes) -> list[Found]:
    """The same, and evidence of forks too."""
    return let_in(_files_of, message)


def _files_of(message: bytes, budget: Budget) -> list[Found]:
    search = _Search(budget)
    try:
        search.look_into(message)
    except TooDear:
        # The newest was looked for first.
        if not search.found:
            raise
    # What is damaged here may be whole there: as text and as HTML, attached and quoted.
    longest = max((len(found.records) for found in search.found), default=0)
    newer = [damage for damage in search.damages if damage.records > longest]
    if newer or (search.damages and not search.found):
        raise FileDamaged(max(search.damages, key=lambda damage: damage.records).sentence())
    if search.failure and not search.found:
        raise search.failure
    if search.hint and not search.found:
        raise Unreadable(search.hint)
    return _sound(search) if len(search.found) > 1 else search.found


def restored_file(data: bytes) -> Found | None:
    """The file of which these bytes are all that mail has left, and nothing but that.

    None where it is not to be restored, because its signatures would not fit, or it is too long.
    """
    if len(data) > _MOST_RESTORED:
        return None
    return let_in(_restored, data)


def _restored(data: bytes, budget: Budget) -> Found | None:
    part, search = Part(Message("the text"), "", data), _Search(budget)
    stretches = [(text, each) for text in texts_of(part, budget) for each in files_in(text.text)]
    if len(stretches) != 1:
        return None
    found = search.taken(part, *stretches[0], whole=True)
    return found if isinstance(found, Found) and search.fits(found) else None


def _sound(search: _Search) -> list[Found]:
    """Of several files those that hold; the newest alone, where it does not: it has to be told.

    So too where that would take too long: who takes it looks at it again.
    """
    try:
        sound = [found for found in search.found if search.holds(found)]
    except TooDear:
        sound = []
    newest = max(search.found, key=lambda found: (len(found.records), found in sound))
    return sound if newest in sound else [newest]


def holds(records: Sequence[Record], budget: Budget | None = None) -> bool:
    """Whether each record follows the one before it, and is signed by whoever has to write it.

    Raises TooDear where that would be over the budget.
    """
    try:
        for index, record in enumerate(records):
            if budget:
                budget.check()
            check_link(record, records[:index])
            check_signature(record, records[:index])
    except NotProved:
        return False
    return True


class _Search:
    """What was found so far: files, damage; and a hint, or a failure, where there is neither."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.found: list[Found] = []
        self.damages: list[Damage] = []
        self.hint: Said = ""
        self.failure: LetterUnreadable | None = None
        self._holding: dict[bytes, bool] = {}
        self._left = MAX_PASTED
        self._left_attached = MAX_SIZE
        self._left_tokens = MOST_TOKENS
        self._left_brackets = MOST_BRACKETS
        self._left_unfolded = _MOST_RESTORED
        self._tries = 0
        self._envelope = Envelope()

    def look_into(self, data: bytes, depth: int = 0) -> None:
        """Look for files in a message, or in a text that is none."""
        if is_message(data):
            envelope, parts = parts_of(data, self._budget)
            if depth == 0:
                self._envelope = envelope
            # The newest first: there may be more than are read.
            for part in sorted(parts, key=lambda part: -part.data.count(RECORD.encode())):
                if part.is_message and depth < _DEEPEST:
                    self._look_within(part, depth + 1)
                else:
                    self._look_at(part)
        if depth == 0 and not (self.found or self.damages):
            # It may have looked like a message, and be none.
            whole = Part(Message("the text"), "", data)
            if b"\0" not in data or data.startswith(_WIDE):
                self._look_at(whole)
            else:
                self.hint = self.hint or hint_at(whole)

    def _look_within(self, part: Part, depth: int) -> None:
        """Look into a message that is attached; that it cannot be read counts if nothing else is.

        One that takes too long ends the search.
        """
        try:
            self.look_into(part.data, depth)
        except TooDear:
            raise
        except LetterUnreadable as error:
            self.failure = error

    def _look_at(self, part: Part) -> None:
        self.hint = hint_at(part) or self.hint
        if self._take_as_it_is(part):
            return
        damages: list[Damage] = []
        for text in texts_of(part, self._budget):
            taken = [self.taken(part, text, stretch) for stretch in files_in(text.text)]
            found = [each for each in taken if isinstance(each, Found)]
            self._keep(found)
            here = [each for each in taken if isinstance(each, Damage)]
            sound = max((len(each.records) for each in found if self.holds(each)), default=0)
            if sound and all(damage.records <= sound for damage in here):
                return
            damages = damages or here
        self.damages += damages

    def fits(self, found: Found) -> bool:
        """Whether all signatures in that file fit, as far as it can be known."""
        if not found.is_evidence:
            return self.holds(found)
        try:
            EvidenceFile.read(found.data).evidence.check()
        except NoFork:
            return False
        return True

    def holds(self, found: Found) -> bool:
        """Whether that file was not damaged, as far as links and signatures tell."""
        if found.data not in self._holding:
            sound = found.is_evidence or holds(found.records, self._budget)
            self._holding[found.data] = sound
        return self._holding[found.data]

    def _take_as_it_is(self, part: Part) -> bool:
        """Take a part that is a file from its first byte to its last; whether it is a sound one."""
        self._budget.check()
        data = part.data.removeprefix(BOM_UTF8)
        if data.lstrip()[:1] not in (b"f", b"#", b"[") or not self._may_read(data):
            return False
        for kind in (SaveFile, EvidenceFile):
            try:
                read = kind.read(data)
                written = read.write()
            except (Unreadable, WrongUse):
                continue
            sent = data.replace(b"\r\n", b"\n")
            # Whoever laid it out otherwise, sent it otherwise.
            data = written if sent.split() == written.split() else sent
            lines = data.decode().split("\n")
            begins = [number for number, line in enumerate(lines, 1) if line.strip() == RECORD]
            found = self._as_found(part, data, read, begins)
            self._keep([found._replace(is_as_sent=data.strip() == sent.strip())])
            return self.holds(found)
        # Nobody sends several large files that are none.
        self._left_brackets -= 2 * _brackets(data)
        return False

    def _may_read(self, data: bytes) -> bool:
        """Whether an attachment may be read too; all together they are bounded as one file is."""
        brackets, tokens = _brackets(data), data.count(b"=") + data.count(b",")
        if (
            len(data) > self._left_attached
            or brackets > self._left_brackets
            or tokens > self._left_tokens
        ):
            return False
        self._left_attached -= len(data)
        self._left_brackets -= brackets
        self._left_tokens -= tokens
        return True

    def taken(
        self, part: Part, text: Text, stretch: Stretch, *, whole: bool = False
    ) -> Found | Damage | None:
        """The file in a stretch of text, or its damage; None where enough was read before.

        If it has to be the `whole` text, None where there is something else in it.
        """
        if self._tries == MAX_FILES:
            return None
        self._tries += 1
        self._budget.check()
        mended = stretch.mended(self._left)
        is_cut = mended.size >= self._left < len(stretch.text)
        self._left -= mended.size
        if is_cut:
            records = stretch.text.count(RECORD)
            return Damage(part.where, stretch.line, None, records, is_too_long=True)
        found = self._read(part, mended)
        if not isinstance(found, Found) or not self.fits(found):
            unfolded = self._unfolded(part, stretch, whole=whole)
            mended, found = unfolded or (mended, found)
        if whole and not mended.is_all:
            return None
        if isinstance(found, Found):
            mends = mended.mends | text.mends(stretch.source(mended))
            is_as_sent = not mends and found.data.decode().rstrip() in stretch.text
            return found._replace(mends=mends, is_as_sent=is_as_sent)
        return found

    def _unfolded(
        self, part: Part, stretch: Stretch, *, whole: bool
    ) -> tuple[Mended, Found] | None:
        """The file whose lines were all cut at one width, if its signatures show that it was so."""
        if len(stretch.text) > self._left_unfolded:
            return None
        for mended in stretch.unfolded(self._left_unfolded):
            self._budget.check()
            self._left_unfolded -= len(stretch.text)
            found = self._read(part, mended)
            if isinstance(found, Found) and self.fits(found):
                return replace(mended, mends=mended.mends | {Mend.LINES}), found._replace(lines=())
        return None

    def _read(self, part: Part, mended: Mended) -> Found | Damage:
        """The file that was mended, or its damage."""
        if mended.damage:
            return damage_of(mended, part.where)
        try:
            laid_out = lay_out(mended.document())
            is_evidence = laid_out.startswith(f'format = "{FORMAT}"')
            kind = EvidenceFile if is_evidence else SaveFile
            read = kind.read(laid_out.encode("ascii"))
            data = read.write()
        except (ValueError, Unreadable, WrongUse):
            return damage_of(mended, part.where)
        lines = damaged_lines(mended, laid_out)
        return self._as_found(part, data, read, lines)

    def _as_found(
        self, part: Part, data: bytes, read: SaveFile | EvidenceFile, lines: Sequence[int]
    ) -> Found:
        return Found(
            data,
            tuple(read.records),
            part.name,
            part.where,
            self._envelope,
            tuple(lines),
            isinstance(read, EvidenceFile),
        )

    def _keep(self, found: Iterable[Found]) -> None:
        """Keep what was found, each file once: many messages hold one as text and as HTML."""
        for each in found:
            if all(each.data != other.data for other in self.found):
                self.found.append(each)


def _brackets(data: bytes) -> int:
    """How many tables and lists there may be in a file at most."""
    return data.count(b"[") + data.count(b"{")


# --- what is not opened here, and how a player gets a file out of it

_ARCHIVES = (".zip", ".gz", ".tgz", ".7z", ".rar", ".bz2", ".xz")
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")
"""How files begin with these names."""
_OUTLOOK = b"\xd0\xcf\x11\xe0"
"""How a message begins that Outlook saved in its own way."""
_TNEF = b"\x78\x9f\x3e\x22"
"""How winmail.dat begins."""
_PGP = re.compile(rb"^[> ]{0,64}-----BEGIN PGP MESSAGE-----", re.MULTILINE)
_OPENPGP = re.compile(rb"(?:[\x84\xc1].|\x85..|\xc1[\xc0-\xdf].)\x03|(?:\x8c|\xc3).\x04", re.DOTALL)
"""How what is sealed by PGP begins, without armour: a key or a passphrase is asked for first (RFC
4880, 5.1 and 5.3)."""
_SEALED = (".p7m", ".gpg", ".pgp")
_NOT_SHOWN = re.compile(rb"^ *\[ Unable to print this part\. \]", re.MULTILINE)
"""What Alpine pipes and exports in the place of an attachment."""


def hint_at(part: Part) -> Message:
    """What to do where there is no save file but perhaps in this; empty if there is nothing."""
    name = part.name.lower()
    if name.endswith(_ARCHIVES):
        # Translators: {where} is as “the attachment game.zip”; it may also stand in brackets.
        return Message(
            "There is no save file in this message, but perhaps in {where}, which is an archive: "
            "unpack it, and give the file that is in it.",
            where=part.where,
        )
    if part.data.startswith(_PACKED):
        return Message("This is an archive: unpack it, and give the file that is in it.")
    if part.data.startswith(_OUTLOOK):
        return Message(
            "This is a message in Outlook's own format, which acres does not read: save the file "
            "that is attached to it, and give that."
        )
    if part.data.startswith(_TNEF):
        return Message(
            "No save file can be seen in this message, which Outlook has packed into winmail.dat: "
            "ask for it to be sent again as plain text, with the file attached."
        )
    if name.endswith(_SEALED) or _PGP.search(part.data) or _OPENPGP.match(part.data):
        return Message(
            "No save file can be seen in this message, which is sealed: open it in your mail "
            "program, save the file that is attached to it, and give that."
        )
    if _NOT_SHOWN.search(part.data):
        return Message(
            "Alpine gave only what it shows of this message, without the file: press {key} where "
            "it asks for the command to pipe it to, or save the file that is attached, and give "
            "that.",
            key="^W",
        )
    return NOTHING

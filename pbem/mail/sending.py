"""Which files a player has to send, and sending them from an account: each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import NamedTuple

from engine.message import Message
from pbem.errors import AcresError, WrongUse
from pbem.foreign import mailbox, named, quoted
from pbem.library import DispatchedAlready, LibraryFailed, Listed
from pbem.mail.account import Account
from pbem.mail.address import is_within
from pbem.mail.drafting import drafted
from pbem.mail.login import Login, login_at_hand
from pbem.mail.mailbox import keep_copy
from pbem.mail.outbox import outgoing
from pbem.mail.parcel import Parcel
from pbem.mail.providers import is_of_one_provider
from pbem.mail.ways_out import WayOut, WaysOut
from pbem.mail.wire import MailFailed
from pbem.play.game_file import GameFile
from pbem.play.memory import holds
from pbem.play.own_library import OwnLibrary, letter_time
from pbem.play.questions import Standing, earlier
from pbem.protocol.match import Match
from pbem.protocol.record import author_key

SOON = 5
"""In seconds: so long the server of the mailbox is waited for, to keep a copy."""


class Sent(NamedTuple):
    """What became of a file: it was sent, or there is a failure.

    Where it was sent, and that could not be noted, `not_noted` says why; `not_kept` so of the copy
    in the player's mailbox.
    """

    parcel: Parcel
    failure: MailFailed | None = None
    not_noted: LibraryFailed | None = None
    not_kept: AcresError | None = None

    @property
    def sentence(self) -> Message:
        """That it was sent, and where to."""
        address = mailbox(self.parcel.to)
        return Message("Sent to {address}: {file}.", address=address, file=self.parcel.called)

    @property
    def warning(self) -> Message | None:
        """That it could not be noted, or that there is no copy of it."""
        if self.not_noted is not None:
            return Message(
                "It could not be noted that {file} was sent: {reason}. You will be told that it "
                "may have been sent.",
                file=self.parcel.called,
                reason=self.not_noted,
            )
        if self.not_kept is not None:
            # Translators: {reason} is a whole sentence.
            return Message(
                "It was sent, but there is no copy of it in your mailbox. {reason}",
                reason=self.not_kept,
            )
        return None


class Sender(NamedTuple):
    """A player who writes letters in the language of that code, and sends them from an account.

    `own` is what was signed and sent before; the player sends in these `ways`. What `draw`
    makes of a match, a PNG of what everybody may see, goes with each letter. Whoever `keeps` what
    was sent finds a copy in the mailbox; `has_left` is told of each letter before that.
    """

    own: OwnLibrary
    language: str
    ways: WaysOut
    account: Account | None = None
    draw: Callable[[Match], bytes] | None = None
    keeps: bool = True
    has_left: Callable[[Parcel], None] = lambda parcel: None

    def letter(
        self, match: Match, data: bytes, file: Path, name: str, to: str = ""
    ) -> EmailMessage:
        """The letter with the player's file of that content, which is called by that name in it.

        It is for that address, else for the one in the game. Raises WrongUse as `check_own`,
        and what `draw` does.
        """
        check_own(match, self.own, file, self.ways.command)
        # Mail servers take letters from the address of the account alone.
        sent_from = self.account.address if self.account else ""
        time = letter_time(self.own, match, self.own.clock())
        picture = self.draw(match) if self.draw else None
        return drafted(match, data, name, to, sent_from, time, self.language, picture)

    def parcel(self, game: GameFile, file: Path, name: str, to: str = "") -> Parcel:
        """The same, to be sent; raises WrongUse where it goes nowhere, too."""
        match = game.match
        letter = self.letter(match, game.save.write(), file, name, to)
        if "To" not in letter:
            raise WrongUse(
                "The game gives no address to which {file} can be mailed. To send it to one: "
                "{command} {option} ADDRESS",
                file=file,
                command=self.ways.send(file),
                option=self.ways.options[WayOut.OTHER_ADDRESS],
            )
        return Parcel(file, match, letter, to)

    def send_one(
        self,
        parcel: Parcel,
        login: Callable[[], Login | None],
        may_have_left: Callable[[Parcel, bool], None],
        *,
        again: bool = False,
    ) -> Sent:
        """Send this one; where it was sent, or may have been, only `again`.

        Raises WrongUse for that, which says how to send it again, before the `login` is asked for;
        all else as `send`.
        """
        if not again:
            parcel.check_unsent(self.own.post(), self.ways)
        (sent,) = self.send(login(), [parcel], may_have_left, again=again)
        return sent

    def send(
        self,
        login: Login | None,
        parcels: Iterable[Parcel],
        may_have_left: Callable[[Parcel, bool], None],
        *,
        again: bool = False,
    ) -> Iterator[Sent]:
        """Send these, each when it is asked for.

        `may_have_left` is told as soon as one may have left, and if it has not after all. Raises
        MailFailed where there is no connection to send by.
        """
        assert self.account is not None
        not_kept: AcresError | None = None
        with outgoing(self.account, login) as connection:
            for parcel in parcels:
                try:
                    not_noted = parcel.send(
                        connection,
                        self.own.post(),
                        self.own.clock(),
                        partial(may_have_left, parcel),
                        again=again,
                    )
                except (MailFailed, DispatchedAlready) as error:
                    failure = (
                        MailFailed(parcel.sent_already(error.dispatch))
                        if isinstance(error, DispatchedAlready)
                        else error
                    )
                    yield Sent(parcel, parcel.failed(failure, self.ways))
                else:
                    self.has_left(parcel)
                    # Where that failed once, no other letter waits for it.
                    not_kept = not_kept or self._not_kept(parcel, login)
                    yield Sent(parcel, not_noted=not_noted, not_kept=not_kept)

    def _not_kept(self, parcel: Parcel, login: Login | None) -> AcresError | None:
        """Keep a copy of what was sent; why that failed, if it did."""
        account = self.account
        if not self.keeps or account is None or account.imap is None:
            return None
        at_hand = login_at_hand(account.imap, self.ways.command) or (
            login if _has_one_login(account) else None
        )
        if at_hand is None:
            return None
        name = str(parcel.letter["Message-ID"])
        account = replace(account, timeout=min(account.timeout, SOON))
        try:
            keep_copy(account, at_hand, parcel.letter.as_bytes(), name)
        except AcresError as error:
            # Whatever it is, the other letters are to leave.
            return error
        return None


def _has_one_login(account: Account) -> bool:
    """Whether what proves to its SMTP server whose account it is may be shown to the other, too.

    That is so where both are one provider's, or whoever has the domain of the address has both.
    """
    smtp, imap = account.smtp, account.imap
    if smtp is None or imap is None or smtp.user != imap.user:
        return False
    hosts = {smtp.host.lower(), imap.host.lower()}
    return (
        len(hosts) == 1
        or is_of_one_provider(hosts)
        or all(is_within(host, account.address) for host in hosts)
    )


def unsent_files(own: OwnLibrary) -> Iterator[tuple[Listed, Path]]:
    """The last files of all games, where these are own and not sent; raises LibraryFailed."""
    for listed in own.open().games():
        file, last = listed.file_out, listed.game.last
        if file is not None and not own.post().dispatch(listed.id, last) and holds(file, last):
            yield listed, file


def check_own(match: Match, own: OwnLibrary, file: Path, command: str) -> None:
    """Raise WrongUse unless the file with this match is one that the player has to send.

    A file with a record of the player's other than the one this computer remembers must not leave
    it: both together would prove cheating. Where that cannot be looked up, `own` has failed.
    """
    if author_key(match.last, match.records[:-1]) != own.key:
        raise WrongUse(_whose(match, file, command))
    if not own.is_usable:
        return
    try:
        before = earlier(own.open(), match.records)
    except LibraryFailed as error:
        own.failure = error
        return
    if before is not None and before.standing is Standing.OTHER_OWN:
        raise WrongUse(
            "This file holds a record {record} in your name that differs from the one this "
            "computer signed: send the file with that one. Two different answers to one file are "
            "proof of cheating.",
            record=before.record.index,
        )


def _whose(match: Match, file: Path, command: str) -> Message:
    """Why a file of the other player is not to be sent, and what to do, in sentences."""
    if not match.is_joined:
        return Message(
            "{player} wrote this invitation. To accept it: {command}",
            player=named(match.invite.name),
            command=f"{command} join {quoted(file)}",
        )
    other = named(next(e.name for s, e in match.entrants.items() if s == match.last.side))
    if match.next_side is None:
        return Message(
            "{player} wrote this file, and it closes the game: there is nothing left to send.",
            player=other,
        )
    return Message(
        "{player} wrote this file, and it is yours to answer. To answer: {command}",
        player=other,
        command=f"{command} turn apply {quoted(file)}",
    )

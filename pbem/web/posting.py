"""What becomes of a file that was written: saved, drafted as a letter, or sent, each once.

Below `/games/{id}/`: `file` and `letter` are downloads, `text` is shown, `send` and `by-hand` are
done. A game page shows `posting_part` in the element `posting`, and has `posting.js` among its
scripts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message, Said, sentences
from pbem.board.letter_picture import picture_of
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.mail.account import Account, can_send, check_address
from pbem.mail.draft import SUFFIX, as_marked
from pbem.mail.password import login_for
from pbem.mail.sending import Parcel, Sender, WaysOut, file_called, note_by_hand, sent_already
from pbem.play.files import holds
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.store import LibraryFailed, Store
from pbem.protocol.match import Match
from pbem.savefile.armour import armour
from pbem.savefile.disk import read_file
from pbem.text.language import Language
from pbem.text.proof.library_warnings import no_games
from pbem.web.answers import answer, sent
from pbem.web.desk import Desk
from pbem.web.pages import Pages

LABELS = {
    "heading": Message("Your file is written"),
    "robot": Message("The robot is thinking, and will answer on its own."),
    "lies": Message("It is here:"),
    "file": Message("Save the file"),
    "text": Message("Show it as text, to be copied"),
    "letter": Message("Save a message with it"),
    "picture": Message("With a picture of the board"),
    "send": Message("Send it"),
    "again": Message("Send it again"),
    "to": Message("Another address"),
    "by_hand": Message("I have sent it"),
    "sending": Message("It is being sent."),
    "password": Message("Password"),
}

Draw: TypeAlias = Callable[[Match], bytes]


class Posted(NamedTuple):
    """The player's last file in a game, and what can become of it.

    `was_sent` says that it was sent, or may have been; empty where it was not. `to` is where it
    goes, empty where the game has no address.
    """

    id: str
    path: Said
    is_for_robot: bool
    to: str
    can_send: bool
    was_sent: Said


class PasswordNeeded(Exception):
    """A server wants a password that is kept nowhere; `what` says which."""

    def __init__(self, what: Said) -> None:
        super().__init__()
        self.what = what


@dataclass(frozen=True, slots=True)
class _Buttons(WaysOut):
    """The buttons of a page, whose labels stand in the place of commands."""

    first: str
    letter: str

    @classmethod
    def of(cls, command: str, language: Language) -> _Buttons:
        """Return those of the page in that language."""
        labels = (f"“{language.say(LABELS[name])}”" for name in ("to", "again", "send", "letter"))
        return cls(command, *labels)

    def send(self, file: Path, to: str = "", *, again: bool = False) -> str:
        """Return the button that sends the file."""
        return self.again if again else self.first

    def draft(self, file: Path, to: str = "") -> str:
        """Return the button that gives the letter."""
        return self.letter


def routes(pages: Pages) -> list[BaseRoute]:
    """The downloads of a game, and what is done with its file."""
    desk, language = pages.desk, pages.language

    async def file(request: Request) -> Response:
        own = await desk.run(_own_file, desk, request.path_params["id"])
        return _download(own.save.write(), _name_of(own), "application/toml")

    async def text(request: Request) -> Response:
        own = await desk.run(_own_file, desk, request.path_params["id"])
        return Response(armour(own.save.write()), media_type="text/plain")

    async def letter(request: Request) -> Response:
        own = await desk.run(_own_file, desk, request.path_params["id"])
        draw = await _drawn(pages, own, request.query_params.get("picture") == "1")
        return _download(*await desk.run(_letter, pages, own, draw), "message/rfc822")

    async def send(request: Request) -> Response:
        game, given = request.path_params["id"], await sent(request)
        to, again = str(given.get("to", "")).strip(), given.get("again") is True
        if to:
            check_address(to)
        own = await desk.run(_own_file, desk, game)
        draw = await _drawn(pages, own, given.get("picture") is True)
        packed = await desk.run(_packed, pages, own, to, draw)
        try:
            told = await pages.post.run(_send, *packed, str(given.get("password", "")), again)
        except PasswordNeeded as needed:
            return answer(language, asks=language.say(needed.what))
        return answer(language, await desk.run(_parts, pages, game), told)

    async def by_hand(request: Request) -> Response:
        game = request.path_params["id"]
        return answer(language, await desk.run(_sent_by_hand, pages, game))

    return [
        Route("/games/{id}/file", file),
        Route("/games/{id}/text", text),
        Route("/games/{id}/letter", letter),
        Route("/games/{id}/send", send, methods=["POST"]),
        Route("/games/{id}/by-hand", by_hand, methods=["POST"]),
    ]


def posting_part(pages: Pages, game: str) -> Markup:
    """What stands in `posting` on the page of a game; nothing where the opponent wrote last.

    To be called at the desk; raises WrongUse where no such game is listed.
    """
    listed = pages.desk.listed(game)
    path, last = listed.file_out, listed.game.last
    if path is None or not holds(path, last):
        return Markup()
    own = pages.desk.own()
    try:
        before = own.dispatch(listed.id, last)
    except LibraryFailed as error:
        raise no_games(own.path, error, pages.desk.command) from None
    file = file_called(path, listed.id, listed.game.records - 1)
    posted = Posted(
        id=game,
        path=shown(path),
        is_for_robot=pages.robots.plays(path),
        to=listed.game.email,
        can_send=can_send(pages.desk.home.config_path),
        was_sent=NOTHING if before is None else sent_already(file, before),
    )
    return pages.fill("posting.html", labels=LABELS, posted=posted)


def _parts(pages: Pages, game: str) -> dict[str, Markup]:
    return {"posting": posting_part(pages, game)}


async def _drawn(pages: Pages, own: GameFile, is_wanted: bool) -> Draw | None:
    """The picture for the letter with a file that was read for it; None where none is wanted.

    Nothing of it touches what lies on the desk, and nobody's order waits for it.
    """
    if not is_wanted:
        return None
    picture = await asyncio.to_thread(picture_of, own.match, pages.language)
    return lambda match: picture


# --- at the desk


def _own_file(desk: Desk, game: str) -> GameFile:
    """The player's last file in a game; raises WrongUse where there is none."""
    path = desk.listed(game).file_out
    if path is None:
        raise WrongUse("You have written no file in this game so far.")
    return read_and_note(desk.own(), read_file(path), path)


def _name_of(own: GameFile) -> str:
    return own.path.name if own.path else own.next_path.name


def _letter(pages: Pages, own: GameFile, draw: Draw | None) -> tuple[bytes, str]:
    """The letter with a file as mail programs open it, and what it is called."""
    writer, name = _sender(pages, pages.desk.own(), None, draw), _name_of(own)
    letter = writer.letter(own.match, own.save.write(), Path(name), name)
    return as_marked(letter), f"{name.removesuffix('.toml')}{SUFFIX}"


def _packed(pages: Pages, own: GameFile, to: str, draw: Draw | None) -> tuple[Sender, Parcel]:
    """What is to be sent, and who sends it; raises WrongUse where no account is set up."""
    account = Account.own(pages.desk.home.config_path, pages.desk.command, "smtp")
    sender = _sender(pages, pages.desk.own(), account, draw)
    parcel = sender.parcel(own, own.path or Path(_name_of(own)), _name_of(own), to)
    # It is sent beside the desk.
    return replace(sender, own=pages.desk.library()), parcel


def _sender(pages: Pages, store: Store, account: Account | None, draw: Draw | None) -> Sender:
    language = pages.language
    return Sender(store, language.code, _Buttons.of(pages.desk.command, language), account, draw)


def _sent_by_hand(pages: Pages, game: str) -> dict[str, Markup]:
    desk = pages.desk
    own, listed = desk.own(), desk.listed(game)
    # If the game has gone on meanwhile, there is nothing left to be sent.
    if listed.file_out is not None and holds(listed.file_out, listed.game.last):
        try:
            note_by_hand(own, listed.id, listed.game.last, desk.home.clock())
        except LibraryFailed as error:
            raise no_games(own.path, error, desk.command) from None
    return _parts(pages, game)


# --- on its way


def _send(sender: Sender, parcel: Parcel, password: str, again: bool) -> Said:
    """Send it, and say so; raises MailFailed, which says what to do, and PasswordNeeded."""

    def ask(what: Said) -> str:
        if not password:
            raise PasswordNeeded(what)
        return password

    smtp, command = sender.account.smtp if sender.account else None, sender.ways.command
    assert smtp is not None
    try:
        # It was closed at the desk, and is opened anew in this thread.
        with sender.own:
            sent = sender.send_one(parcel, lambda: login_for(smtp, command, ask), again=again)
    except LibraryFailed as error:
        raise no_games(sender.own.path, error, command) from None
    return sentences(sent.sentence, sent.warning or NOTHING)


def _download(data: bytes, name: str, kind: str) -> Response:
    """A file that a browser saves under that name."""
    disposition = f"attachment; filename*=utf-8''{quote(name)}"
    return Response(data, media_type=kind, headers={"Content-Disposition": disposition})

"""Copies of the player's key and games: the recovery text, and a sealed file to save or to move.

The routes are `/recovery`, `/export` and `/import`. On a host that can lose its storage, no file
leaves before a copy is saved.
"""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import Message, mark, sentences
from pbem.errors import UsageError
from pbem.foreign import display_path
from pbem.play import keyfile, recovery, transfer
from pbem.play.keyfile import WrongPassphraseError
from pbem.play.store import Store
from pbem.protocol.identity import Identity
from pbem.savefile.disk import remove_unfinished
from pbem.text.phrases import moment, texts
from pbem.web.game_service import GameService
from pbem.web.pages import Pages, make_response, read_texts

LABELS = texts("backup")
MIN_PASSPHRASE = 8
"""The minimum length of the passphrase of a sealed file, in characters."""
_TOO_SHORT = mark("Choose a passphrase of at least {count} characters.")


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the recovery text, and of sealed files that leave and arrive."""
    service = pages.service

    async def show(request: Request) -> Response:
        identity = await pages.run(service.identity)
        text = recovery.write(identity, service.home.clock()[:10], speaker=pages.language)
        return pages.page(
            "recovery.html",
            title=LABELS["paper"],
            labels=LABELS,
            text=text,
            script="forms.js",
            styles=("forms.css",),
        )

    async def confirm(request: Request) -> Response:
        await pages.run(lambda: service.store().note_saved(moves=False))
        return make_response(pages.language, go="/settings")

    async def export(request: Request) -> Response:
        secret, again, moves = await read_texts(request, "passphrase", "again", "moves")
        if secret != again:
            raise UsageError("The two passphrases differ. Please try again.")
        if len(secret.strip()) < MIN_PASSPHRASE:
            raise UsageError(_TOO_SHORT, count=MIN_PASSPHRASE)
        data = await pages.run(transfer.export_home, service.home, secret, moves=bool(moves))
        message = LABELS["moved" if moves else "kept"]
        file = ["acres-home.sealed", b64encode(data).decode()]
        return make_response(pages.language, message=message, file=file)

    async def bring(request: Request) -> Response:
        await pages.run(_restore, service, await request.body())
        return make_response(pages.language, go="/")

    return [
        Route("/recovery", show),
        Route("/recovery", confirm, methods=["POST"]),
        Route("/export", export, methods=["POST"]),
        Route("/import", bring, methods=["POST"]),
    ]


def _restore(service: GameService, body: bytes) -> None:
    """Restore a sealed file or a recovery text, which follow a line with the passphrase.

    Raises InputError, WrongPassphraseError, and UsageError if there is another key.
    """
    line, _, data = body.partition(b"\n")
    home, secret = service.home, line.decode(errors="replace")
    remove_unfinished(home.folder)
    if data.startswith(transfer.MAGIC):
        transfer.import_home(home, data, secret)
    else:
        text = recovery.read(data.decode(errors="replace"))
        if not text.name:
            raise UsageError("Copy the line with your name, too.")
        identity = Identity(text.name, text.email, text.seed(lambda: secret))
        home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        keyfile.save(identity, home.identity_path, secret or None)
    # The key may have another passphrase.
    with suppress(WrongPassphraseError):
        service.unlock(secret)


def must_save(pages: Pages, store: Store) -> bool:
    """Return True if the host may lose the key, and no copy of it is saved elsewhere."""
    return pages.host.can_lose_storage and not store.saved_time()


def key_notice(pages: Pages) -> Message:
    """Return advice to keep a copy of the key, or the time of the last one."""
    service = pages.service
    if saved := service.store().saved_time():
        message = Message(
            "Your identity and your games were last saved on {date}.", date=moment(saved)
        )
        return sentences(message, pages.host.storage_warning)
    if pages.host.can_lose_storage:
        return sentences(LABELS["unsaved"], pages.host.storage_warning)
    backup = Message(
        "Your identity is the file {file}. Keep a copy of it in a safe place: whoever has it can "
        "play as you and see your cards, and without it your games cannot go on.",
        file=display_path(service.home.identity_path),
    )
    paper = Message("To have it on paper: {command}", command=f"{service.command} key backup")
    return sentences(backup, paper)

"""The page `/audit`, on which anybody can check a file of a game, as with `acres audit`.

It needs no identity, and stores nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message
from pbem.play.audit import audit, may_be_damage
from pbem.play.inbox import find_file
from pbem.play.incoming import FileQuery
from pbem.protocol.fork import NoForkError
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import FORMAT, EvidenceFile
from pbem.text.language import Line
from pbem.text.phrases import texts
from pbem.text.proof import verdict
from pbem.text.proof.finding import explain_failures
from pbem.web import uploads
from pbem.web.host import Tell, track
from pbem.web.pages import Pages, make_response

LABELS = texts("audit")


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the page, and of a file, which is the request body."""

    async def page(request: Request) -> Response:
        return pages.page(
            "audit.html",
            title=LABELS["title"],
            labels=LABELS,
            files=uploads.LABELS,
            prompt=uploads.LABELS["hint"],
            styles=("forms.css",),
        )

    async def check(request: Request) -> Response:
        facts = await request.body(), pages.service.command, pages.service.home.clock()
        tell = partial(pages.events.send, "progress")
        lines = await pages.host.run_with_progress("audit", partial(_check, *facts), tell)
        return make_response(pages.language, {"verdict": pages.fill("lines.html", lines=lines)})

    return [Route("/audit", page), Route("/audit", check, methods=["POST"])]


def _check(data: bytes, command: str, now: str, tell: Tell) -> list[Line]:
    """Return the verdict on a file, or on evidence, or a message with one; in any thread.

    Raises the errors of `find_file`, and InputError for a file that cannot be read.
    """
    query = FileQuery(None, lambda note: None, command, to_compare=True)
    file = find_file(data, Message("What you pasted"), query)
    return [*_verdict(file.data, now, tell)]


def _verdict(data: bytes, now: str, tell: Tell) -> Iterator[Line]:
    try:
        with explain_failures(data):
            report = audit(data, partial(track, tell))
    except WrongFormatError as error:
        if error.format != FORMAT:
            raise
        evidence = EvidenceFile.read(data).evidence
        try:
            evidence.check()
        except NoForkError as fault:
            return verdict.evidence_text(evidence, fault.message)
        return verdict.evidence_text(evidence, NOTHING)
    is_damaged = report.finding is not None and may_be_damage(report.finding, data)
    return verdict.audit_text(report, now, is_damaged=is_damaged)

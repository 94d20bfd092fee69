"""What the file of a game proves, as an audit tells it, and how anybody checks that."""

from __future__ import annotations

from markupsafe import Markup

from engine.message import Message
from pbem import VERSION
from pbem.board.templates import Templates
from pbem.play.audit import AuditReport
from pbem.text.dates import instant
from pbem.text.proof.verdict import audited


def proved(templates: Templates, report: AuditReport, made: str) -> Markup:
    """Return what an audit found when the page was `made`."""
    match = report.match
    return templates.fill(
        "proved.html",
        lines=[line for line in audited(report, made) if line.text],
        when=Message(
            "Checked by acres {version} on {time}, when this page was made.",
            version=VERSION,
            time=instant(made),
        ),
        how=Message(
            "The page itself proves nothing: anyone who has the file of the game can check it with"
        ),
        command="acres audit FILE",
        same=Message(
            "It must name the same game, keys and number of records; the full id of the game is"
        ),
        id=match.id.hex(),
    )

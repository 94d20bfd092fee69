"""A file that may be cut although all that is left of it holds."""

from __future__ import annotations

from language import phrase
from pbem.cli import console
from pbem.mail.search import Found


def warn_if_cut(found: Found) -> None:
    """Warn of a file that ends with a record: it may be only the beginning of what was sent."""
    if found.may_be_cut:
        console.warn(
            # Translators: {where} is as “the attachment bela-004.toml” or “the text of the
            # message”; it may also stand in brackets.
            phrase(
                "The save file in {where} ends with record {record}, and nothing is sealed behind "
                "it: if there was more of it, the message was cut, so ask for it to be sent again.",
                where=found.where,
                record=len(found.records) - 1,
            )
        )

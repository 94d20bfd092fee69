"""A file that may be cut although all that is left of it holds."""

from __future__ import annotations

from pbem.cli import console
from pbem.mail.finding import Found


def warn_if_cut(found: Found) -> None:
    """Warn of a file that ends with a record: it may be only the beginning of what was sent."""
    if found.may_be_cut:
        console.warn(
            f"The save file in {found.where} ends with record {len(found.records) - 1}, and "
            "nothing is sealed behind it: if there was more of it, the message was cut, so ask for "
            "it to be sent again."
        )

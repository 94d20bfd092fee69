"""`acres turn`: its commands put together."""

from __future__ import annotations

from pbem.cli.late import Late, app_of
from pbem.cli.pager import Shows

_COMMANDS = {
    "show": Late("show_command", "show", pager=Shows.END),
    "legal": Late("legal", "legal", pager=Shows.BEGINNING),
    "apply": Late("apply_commands", "apply"),
    "resign": Late("apply_commands", "resign"),
}

app = app_of(
    name="turn",
    help="See where a game stands, what you can do, and answer.",
    commands=_COMMANDS,
)

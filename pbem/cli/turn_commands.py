"""The group of commands `acres turn`."""

from __future__ import annotations

from pbem.cli.help import LazyCommand, make_app
from pbem.cli.pager import FROM_BEGINNING, FROM_END

app = make_app(
    name="turn",
    help="See where a game stands, what you can do, and answer.",
    commands={
        "show": LazyCommand("show_command", "show", pager=FROM_END),
        "legal": LazyCommand("legal", "legal", pager=FROM_BEGINNING),
        "apply": LazyCommand("apply_commands", "apply"),
        "resign": LazyCommand("apply_commands", "resign"),
    },
)

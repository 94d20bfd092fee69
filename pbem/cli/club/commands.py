"""The group of commands `acres club`."""

from __future__ import annotations

from pbem.cli.help import LazyCommand, make_app
from pbem.cli.pager import FROM_BEGINNING

app = make_app(
    name="club",
    help="Run a club: audit all games, rate the members, pair rounds, publish the results.",
    commands={
        "audit": LazyCommand("club.audit_command", "audit", pager=FROM_BEGINNING),
        "standings": LazyCommand("club.standings_commands", "standings", pager=FROM_BEGINNING),
        "check": LazyCommand("club.standings_commands", "check", pager=FROM_BEGINNING),
        "pair": LazyCommand("club.standings_commands", "pair"),
        "site": LazyCommand("club.standings_commands", "site"),
        "sign": LazyCommand("club.standings_commands", "sign"),
    },
)

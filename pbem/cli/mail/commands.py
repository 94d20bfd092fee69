"""`acres mail`: its commands put together."""

from __future__ import annotations

from pbem.cli.late import Late, app_of

_COMMANDS = {
    "draft": Late("mail.draft_command", "draft"),
    "send": Late("mail.send_command", "send"),
    "fetch": Late("mail.fetch_command", "fetch"),
    "setup": Late("mail.setup_command", "setup"),
    "check": Late("mail.setup_command", "check"),
}

app = app_of(
    name="mail",
    help="Send your turns by e-mail, and fetch your opponent's.",
    commands=_COMMANDS,
)

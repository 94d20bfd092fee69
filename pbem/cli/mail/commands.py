"""The group of commands `acres mail`."""

from __future__ import annotations

from pbem.cli.help import LazyCommand, make_app

app = make_app(
    name="mail",
    help="Send your turns by e-mail, and fetch your opponent's.",
    commands={
        "draft": LazyCommand("mail.send_command", "draft"),
        "send": LazyCommand("mail.send_command", "send"),
        "fetch": LazyCommand("mail.fetch_command", "fetch"),
        "setup": LazyCommand("mail.setup_command", "setup"),
        "check": LazyCommand("mail.setup_command", "check"),
    },
)

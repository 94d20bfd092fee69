"""`acres key`: its commands put together."""

from __future__ import annotations

from pbem.cli.lazy import LazyCommand, app_of
from pbem.cli.passphrases import TAKES_WORDS

_COMMANDS = {
    "show": LazyCommand("seal_commands", "show", settings=TAKES_WORDS),
    "passphrase": LazyCommand("seal_commands", "passphrase", settings=TAKES_WORDS),
    "backup": LazyCommand("recovery_commands", "backup", settings=TAKES_WORDS),
    "restore": LazyCommand("recovery_commands", "restore", settings=TAKES_WORDS),
}

app = app_of(
    name="key",
    help="Look after your key: seal it, and have a copy on paper.",
    commands=_COMMANDS,
)

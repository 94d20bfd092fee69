"""Notices outside of the terminal: as the system shows them, or by a command of the player's own.

Programs of the system are called, because a library for three systems would bring more with it than
all of this: D-Bus, Objective-C, WinRT.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from shutil import which

from engine.message import Message, Said
from pbem.cli import console
from pbem.cli.own_programs import OWN, named_in, variables_for_others
from pbem.errors import WrongUse, system_says
from pbem.words.games.notice import Notice

VARIABLE = "ACRES_NOTIFY"
"""Where the environment names a command: it gets title and text as its last two arguments."""
PATIENCE = 10
"""In seconds; what takes longer to show a notice is left to do so, and not waited for."""
_TITLE, _TEXT = f"{OWN}NOTICE_TITLE", f"{OWN}NOTICE_TEXT"

_LINUX = ("notify-send", "--app-name=acres", "--")
_MACOS = (
    "osascript",
    "-e",
    "on run argv",
    "-e",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e",
    "end run",
)
# The one that comes with Windows: later ones, called pwsh, do without these classes. What the
# notice says stands in variables, because an argument would be read as part of the script.
_WINDOWS = (
    "powershell.exe",
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    "$ErrorActionPreference = 'Stop';"
    "$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications,"
    " ContentType = WindowsRuntime];"
    "$page = $manager::GetTemplateContent("
    "[Windows.UI.Notifications.ToastTemplateType]::ToastText02);"
    "$texts = $page.GetElementsByTagName('text');"
    f"$null = $texts.Item(0).AppendChild($page.CreateTextNode($env:{_TITLE}));"
    f"$null = $texts.Item(1).AppendChild($page.CreateTextNode($env:{_TEXT}));"
    "$manager::CreateToastNotifier("
    "'{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'"
    ").Show([Windows.UI.Notifications.ToastNotification]::new($page))",
)


class Notices:
    """A way to show notices: a command, which gets them as arguments, or in its environment."""

    def __init__(self, command: Sequence[str], *, by_arguments: bool) -> None:
        self._command = command
        self._by_arguments = by_arguments
        self._has_failed = False
        self._running: list[subprocess.Popen[bytes]] = []

    def show(self, notice: Notice) -> None:
        """Show one, in the player's language; where that fails, warn of it, once."""
        title, text = console.told(notice.title), console.told(notice.text)
        variables = variables_for_others()
        given = (title, text) if self._by_arguments else ()
        if not self._by_arguments:
            variables |= {_TITLE: title, _TEXT: text}
        self._running = [each for each in self._running if each.poll() is None]
        try:
            started = subprocess.Popen(
                [*self._command, *given],
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            self._warn(system_says(error))
            return
        self._running.append(started)
        with suppress(subprocess.TimeoutExpired):
            if status := started.wait(PATIENCE):
                self._warn(Message("it exited with status {number}", number=status))

    def _warn(self, reason: Said) -> None:
        if not self._has_failed:
            console.warn(
                Message(
                    "“{command}” cannot show a notice: {reason}.",
                    command=self._command[0],
                    reason=reason,
                )
            )
        self._has_failed = True


def find_notices(platform: str = sys.platform) -> Notices | None:
    """How notices are shown here: by the player's own command, else by the system; None if neither.

    Raises WrongUse where the variable holds no command.
    """
    if own := named_in(VARIABLE):
        return Notices(own, by_arguments=True)
    known = {"win32": _WINDOWS, "darwin": _MACOS}.get(platform, _LINUX)
    return Notices(known, by_arguments=known is not _WINDOWS) if which(known[0]) else None


def own_notices() -> Notices:
    """How notices are shown here; WrongUse, with what helps, where they are not."""
    found = find_notices()
    if found is None:
        raise WrongUse(
            "There is no program here that shows notices. Install {program} (on Debian: "
            "apt-get install libnotify-bin), or name a command of your own in the variable "
            "{variable}: it gets a title and a text.",
            program=_LINUX[0],
            variable=VARIABLE,
        )
    return found

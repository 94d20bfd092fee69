"""The browser of the user, opened beside it."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Thread

_IN_TERMINAL = ("www-browser", "elinks", "links", "lynx", "w3m")
"""These would take over the terminal, and run no scripts."""


def open_in_browser(address: str) -> None:
    """Open an address, if there is a browser for it; nobody waits until that has happened."""
    Thread(target=_open, args=(address,), name="browser", daemon=True).start()


def _open(address: str) -> None:
    with suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        if Path(getattr(browser, "name", "")).name not in _IN_TERMINAL:
            browser.open(address)

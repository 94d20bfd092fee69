"""Alpine, at a terminal."""

from __future__ import annotations

import mailbox
from pathlib import Path

from tests.mail.tried.bench import ANNA, Bench
from tests.mail.tried.dialogue import Dialogue

_SETTINGS = """
personal-name=Bela
user-domain=example.org
inbox-path={inbox}
postponed-folder={bench.folder}/postponed-msgs
default-fcc=""
sendmail-path={bench.sink}
feature-list=enable-full-header-cmd
last-version-used=6.26
"""
_UP, _ATTACH, _SEND = "\x10", "\x0a", "\x18"


class Alpine:
    """Alpine, with its own editor."""

    def draft(self, bench: Bench) -> Path:
        box = mailbox.mbox(bench.folder / "postponed-msgs")
        box.add(bench.letter().read_bytes())
        box.close()
        return self._sent(bench, ("2970cce2", "c"), ("Continue postponed", "y"))

    def reply(self, bench: Bench) -> Path:
        asked = ("2970cce2", "r"), ("Include original", "y"), ("Reply to all", "n")
        attaching = ("^J Attach", _ATTACH), ("File to attach", f"{bench.file}\r"), ("comment", "\r")
        return self._sent(bench, *asked, ("wrote:", _UP), *attaching)

    def forward(self, bench: Bench) -> Path:
        return self._sent(bench, ("2970cce2", "f"), ("Forwarded message", f"{ANNA}\r"))

    def attached(self, bench: Bench) -> Path:
        asked = ("2970cce2", "H"), ("full headers is now on", "f"), ("as an attachment?", "y")
        return self._sent(bench, *asked, ("[Message]", f"{ANNA}\r"))

    def letter(self, bench: Bench) -> Path:
        kept = bench.folder / "kept"
        with self._opened(bench) as dialogue:
            dialogue.answers(("2970cce2", "s"), ("SAVE Msg", f"{kept}\r"), ("Create?", "y"))
            return bench.sent(kept)

    def file(self, bench: Bench) -> Path:
        kept = bench.folder / "kept.toml"
        with self._opened(bench) as dialogue:
            dialogue.answers(("2970cce2", "\r"), ("ViewAttch", "v"), ("ATTACHMENT INDEX", "nn"))
            dialogue.answers(("Already on last", "s"), ("SAVE", f"\x01\x0b{kept}\r"))
            return bench.sent(kept)

    def _sent(self, bench: Bench, *turns: tuple[str, str]) -> Path:
        with self._opened(bench) as dialogue:
            dialogue.answers(*turns, ("^X Send", _SEND), ("Send message?", "y"))
            return bench.sent()

    def _opened(self, bench: Bench) -> Dialogue:
        # Else it makes one, and takes its time to say so.
        (bench.folder / "mail").mkdir()
        settings = bench.folder / ".pinerc"
        settings.write_text(_SETTINGS.format(bench=bench, inbox=bench.mbox()))
        return Dialogue(bench, "alpine", "-p", settings, "-i")

"""Mutt and NeoMutt, at a terminal."""

from __future__ import annotations

from pathlib import Path

from tests.mail.tried.bench import ANNA, BELA, Bench
from tests.mail.tried.dialogue import Dialogue

_SETTINGS = """
set sendmail="{bench.sink}" from="{bela}" realname="Bela" hostname="example.org"
set folder="{bench.folder}" postponed="{bench.folder}/postponed" record="" copy=no
set editor=true abort_unmodified=no autoedit=yes include=yes
set mime_forward={attached} mime_forward_rest=yes
set quit=yes delete=no move=no confirmappend=no mbox_type=mbox sleep_time=0 use_envelope_from=no
"""
_READY = "Attachments"
"""Stands in what is shown before a letter is sent."""


class Mutt:
    """A program that goes by the keys of Mutt."""

    def __init__(self, name: str) -> None:
        self._name = name

    def draft(self, bench: Bench) -> Path:
        with self._opened(bench, "-H", bench.letter()) as dialogue:
            dialogue.answers(("To:", "enter"), ("Subject:", "enter"), (_READY, "y"))
            return bench.sent()

    def reply(self, bench: Bench) -> Path:
        with self._opened(bench, "-f", bench.mbox()) as dialogue:
            dialogue.answers(("2970cce2", "r"), ("To:", "enter"), ("Subject:", "enter"))
            dialogue.answers((_READY, "a"), ("Attach file", f"{bench.file}\r"))
            dialogue.answers(("=invitation.toml", "y"))
            return bench.sent()

    def forward(self, bench: Bench, *, attached: bool = False) -> Path:
        with self._opened(bench, "-f", bench.mbox(), attached=attached) as dialogue:
            dialogue.answers(("2970cce2", "f"), ("To:", f"{ANNA}\r"), ("Subject:", "enter"))
            dialogue.answers((_READY, "y"))
            return bench.sent()

    def attached(self, bench: Bench) -> Path:
        return self.forward(bench, attached=True)

    def letter(self, bench: Bench) -> Path:
        with self._opened(bench, "-f", bench.mbox()) as dialogue:
            dialogue.answers(("2970cce2", "s"), ("Save to mailbox", f"\x15{bench.folder}/kept\r"))
            dialogue.perhaps("Create", "y")
            return bench.sent(bench.folder / "kept")

    def file(self, bench: Bench) -> Path:
        with self._opened(bench, "-f", bench.mbox()) as dialogue:
            dialogue.answers(("2970cce2", "v"), ("invitation.toml", "j"), ("invitation.toml", "s"))
            dialogue.answers(("Save to file", f"\x15{bench.folder}/kept.toml\r"))
            return bench.sent(bench.folder / "kept.toml")

    def _opened(self, bench: Bench, *words: str | Path, attached: bool = False) -> Dialogue:
        settings = bench.folder / "settings"
        said = "yes" if attached else "no"
        settings.write_text(_SETTINGS.format(bench=bench, bela=BELA, attached=said))
        return Dialogue(bench, self._name, "-n", "-F", settings, *words)

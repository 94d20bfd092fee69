"""Claws Mail, in its windows."""

from __future__ import annotations

from pathlib import Path

from tests.mail.tried.bench import ANNA, BELA, Bench
from tests.mail.tried.desktop import Desktop

_ACCOUNT = """[Account: 1]
account_name=bela
is_default=1
name=Bela
address={bela}
protocol=5
use_mail_command=1
mail_command={bench.sink}
set_domain=1
domain=example.org
"""
_SETTINGS = """[Common]
enable_aspell=0
forward_as_attachment={attached:d}
"""
_KEYS = '(gtk_accel_path "<Actions>/Menu/Message/Reedit" "<Primary><Shift>e")\n'
_FOLDERS = ("inbox", "outbox", "queue", "draft", "trash")


class Claws:
    """Claws Mail, with its folders of MH."""

    def draft(self, bench: Bench) -> Path:
        """The draft lies in the folder of drafts, and is edited again."""
        with self._opened(bench, "draft") as desktop:
            desktop.press("ctrl+shift+e")
            return self._sent(bench, desktop)

    def reply(self, bench: Bench) -> Path:
        with self._opened(bench, "inbox") as desktop:
            desktop.press("ctrl+r")
            desktop.at("Compose")
            desktop.press("ctrl+m")
            desktop.at("Select file")
            desktop.choose(bench.file)
            return self._sent(bench, desktop)

    def forward(self, bench: Bench, *, attached: bool = False) -> Path:
        with self._opened(bench, "inbox", attached=attached) as desktop:
            desktop.press("ctrl+alt+f")
            desktop.at("Compose")
            desktop.type(ANNA)
            return self._sent(bench, desktop)

    def attached(self, bench: Bench) -> Path:
        return self.forward(bench, attached=True)

    def letter(self, bench: Bench) -> Path:
        kept = bench.folder / "kept"
        with self._opened(bench, "inbox") as desktop:
            desktop.press("ctrl+s")
            desktop.at("Save as")
            desktop.press("ctrl+a")
            desktop.choose(kept)
            return bench.sent(kept)

    def folder(self, bench: Bench) -> Path:
        """Where it keeps its letters, a reader may look by itself."""
        with self._opened(bench, "inbox"):
            return bench.folder / "Mail" / "inbox"

    def _sent(self, bench: Bench, desktop: Desktop) -> Path:
        desktop.at("Compose")
        desktop.press("ctrl+Return")
        return bench.sent()

    def _opened(self, bench: Bench, folder: str, *, attached: bool = False) -> Desktop:
        settings, mail = bench.folder / "settings", bench.folder / "Mail"
        settings.mkdir()
        for name in _FOLDERS:
            (mail / name).mkdir(parents=True)
        letters = {"inbox": bench.arrived(), "draft": bench.letter().read_bytes()}
        (mail / folder / "1").write_bytes(letters[folder])
        (settings / "accountrc").write_text(_ACCOUNT.format(bench=bench, bela=BELA))
        (settings / "clawsrc").write_text(_SETTINGS.format(attached=attached))
        (settings / "menurc").write_text(_KEYS)
        items = "".join(f'<folderitem type="{n}" name="{n}" path="{n}"/>' for n in _FOLDERS)
        (settings / "folderlist.xml").write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<folderlist>\n'
            f'<folder type="mh" name="Mailbox" path="{mail}">{items}</folder>\n</folderlist>\n'
        )
        message = f"#mh/Mailbox/{folder}/1"
        options = ("--alternate-config-dir", settings, "--select", message)
        return _AtMessage(bench, "claws-mail", *options)


class _AtMessage(Desktop):
    """Claws, with the message selected."""

    def __enter__(self) -> _AtMessage:
        super().__enter__()
        self.at("Claws Mail")
        return self

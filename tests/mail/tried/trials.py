"""The programs that are tried, each with what it takes and how to ask for its version."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mail.tried import commands
from tests.mail.tried.alpines import Alpine
from tests.mail.tried.bench import HASH, Bench, hashes
from tests.mail.tried.claws import Claws
from tests.mail.tried.mutts import Mutt
from tests.mail.tried.outcomes import Came, Outcome, Step
from tests.mail.tried.thunderbird import Thunderbird

PATH = ":".join(("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/usr/local/sbin"))


class Trial(NamedTuple):
    """A program that is `tried` where its `commands` are; in Debian it is in those `packages`.

    `version` prints its version. A step that `tried` does not have, the program does not have, or
    it is among those `left_out`.
    """

    program: str
    tried: object
    commands: Sequence[str]
    packages: str
    version: Sequence[str]
    left_out: Sequence[Step] = ()

    @property
    def missing(self) -> str:
        """The first command that is not installed; empty where none is missing."""
        return next((name for name in self.commands if not shutil.which(name, path=PATH)), "")

    def has(self, step: Step) -> bool:
        """Whether that can be tried."""
        return hasattr(self.tried, step.name.lower())

    def outcome(self, step: Step, keep: Path | None = None) -> Outcome:
        """Try a step, and see which file comes out; what comes out may be kept as that file."""
        if not self.has(step):
            came = Came.NOT_TRIED if step in self.left_out else Came.NO_SUCH_STEP
            return Outcome(self.program, self.found_version(), step, came)
        # Some of these run as somebody else, who may not look into folders of pytest.
        with tempfile.TemporaryDirectory(prefix="acres-", ignore_cleanup_errors=True) as folder:
            bench = Bench(Path(folder))
            out: Path = getattr(self.tried, step.name.lower())(bench)
            found = set(hashes(out))
            if keep is not None:
                keep.write_bytes(_letter_in(out))
        came = Came.SAME if found == {HASH} else Came.OTHER if found else Came.NO_FILE
        return Outcome(self.program, self.found_version(), step, came)

    def found_version(self) -> str:
        """Which version is installed."""
        done = subprocess.run(self.version, capture_output=True, text=True, check=False)
        found = re.search(r"\d+(?:\.\d+)*", done.stdout + done.stderr)
        return found[0] if found else ""


def _letter_in(out: Path) -> bytes:
    """The letter that came out, by itself: it may lie in a Maildir."""
    if out.is_dir():
        (out,) = [path for name in ("new", "cur") for path in out.glob(f"{name}/*")]
    return out.read_bytes()


TRIALS = (
    Trial("Mutt", Mutt("mutt"), ["mutt"], "mutt", ["mutt", "-v"]),
    Trial("NeoMutt", Mutt("neomutt"), ["neomutt"], "neomutt", ["neomutt", "-v"]),
    Trial("s-nail", commands.SNail(), ["s-nail"], "s-nail", ["s-nail", "-V"]),
    Trial("Alpine", Alpine(), ["alpine"], "alpine", ["alpine", "-v"]),
    Trial(
        "Claws Mail",
        Claws(),
        ["claws-mail", "Xvfb", "xdotool"],
        "claws-mail xvfb xdotool",
        ["claws-mail", "--version"],
        [Step.FILE],
    ),
    Trial(
        "Thunderbird",
        Thunderbird(),
        ["thunderbird", "Xvfb", "xdotool"],
        "thunderbird xvfb xdotool",
        ["thunderbird", "--version"],
    ),
    Trial("msmtp", commands.Msmtp(), ["msmtp"], "msmtp", ["msmtp", "--version"]),
    Trial(
        "sendmail (Exim)",
        commands.Sendmail(),
        ["sendmail", "exim4"],
        "exim4-daemon-light",
        ["/usr/sbin/exim4", "--version"],
    ),
    Trial(
        "getmail6",
        commands.Getmail(),
        ["getmail", "dovecot"],
        "getmail6 dovecot-imapd",
        ["getmail", "--version"],
    ),
    Trial(
        "mbsync",
        commands.Mbsync(),
        ["mbsync", "dovecot"],
        "isync dovecot-imapd",
        ["mbsync", "--version"],
    ),
    Trial("notmuch", commands.Notmuch(), ["notmuch"], "notmuch", ["notmuch", "--version"]),
)

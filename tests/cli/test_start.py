"""The command starts fast: what not every command needs is imported where it is needed."""

import subprocess
import sys

from tests.cli.using import environment

COSTLY = {"engine", "pbem.match", "cryptography", "sqlite3", "prompt_toolkit", "email", "ssl"}
"""Rules, proofs, library, menu, mail: each would be felt at every start."""


def test_nothing_costly_is_imported_before_it_is_known_what_to_do():
    program = "import sys, pbem.cli.main; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "pbem.cli.main" in done.stdout.split(), done.stderr
    assert not COSTLY & set(done.stdout.split())

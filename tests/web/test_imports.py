"""What serves pages is imported by nothing else: the start of all other commands is as it was."""

from __future__ import annotations

import subprocess
import sys

LOOK = """
import sys
from pbem.cli.main import commands
made = commands("en")
for name in made.list_commands(None):
    made.get_command(None, name)
print([name for name in ("starlette", "uvicorn", "anyio", "h11") if name in sys.modules])
"""


def test_no_other_command_imports_what_serves_pages() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

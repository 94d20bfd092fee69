"""`python -m tests.net [NAME…]` replays scripts, all by default; exits with 1 if one differs."""

from __future__ import annotations

import sys

from tests.net.replay import check_names, map_in_processes, replay_script
from tests.net.scripts import scripts


def main(names: list[str]) -> int:
    """Replay scripts, print the differences, and return the exit status."""
    differences = [
        *filter(None, [*check_names(), *map_in_processes(replay_script, names or scripts())])
    ]
    print("\n\n".join(differences) if differences else "Nothing differs.")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

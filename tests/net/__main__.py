"""`python -m tests.net [NAME…]` replays scripts, all if none is named; 1 if anything differs."""

from __future__ import annotations

import sys

from tests.net.replay import all_of, replayed, wrong_names
from tests.net.scripts import scripts


def main(names: list[str]) -> int:
    """Replay scripts, print what differs, and return the exit status."""
    found = [*filter(None, [*wrong_names(), *all_of(replayed, names or scripts())])]
    print("\n\n".join(found) if found else "Nothing differs.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

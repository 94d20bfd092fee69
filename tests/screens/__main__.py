"""`python -m tests.screens [NAME…]` shows how screens differ from their golden texts.

With `--update` it writes the texts instead; check them in the diff of the commit. A name is a
screen, a language, or a screen in a language, for example `legal`, `fr` and `fr/legal`. Without
names it compares all screens.
"""

from __future__ import annotations

import sys

from tests.net.replay import map_in_processes
from tests.screens.screens import difference, screens, strays, update


def main(arguments: list[str]) -> int:
    """Compare or write screens, and return the exit status."""
    patterns = [one for one in arguments if one != "--update"]
    names = [name for name in screens() if not patterns or {name, *name.split("/")} & {*patterns}]
    if not names:
        print(f"There is no screen called {patterns[0]}.")
        return 1
    if "--update" in arguments:
        for path in strays():
            path.unlink()
        return len([*map_in_processes(update, names)]) == 0
    matches = [*filter(None, map_in_processes(difference, names)), *map(str, strays())]
    print("\n\n".join(matches) or "Nothing differs.")
    return 1 if matches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

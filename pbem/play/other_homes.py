"""Homes of players in a folder, for somebody who forgot to name the home, or mistyped it.

They are only hints: what a key in an identity file is worth, only a signature shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from pbem.errors import check_exists
from pbem.play.home import Home
from pbem.protocol.match import Match

MOST_SEEN = 500
"""How many entries of a folder are looked at."""


def homes_in(folder: Path) -> Iterator[Home]:
    """The homes with an identity right below a folder, by name; none where it cannot be read."""
    try:
        for each in sorted(islice(folder.iterdir(), MOST_SEEN)):
            home = Home(each)
            if home.identity_path.is_file():
                yield home
    except OSError:
        return


def home_of_player(match: Match, folders: Iterable[Path]) -> Home | None:
    """A home below these folders whose player plays that match; None where there is none."""
    keys = {entrant.key for entrant in match.entrants.values()}
    homes = (home for folder in folders for home in homes_in(folder))
    return next((home for home in homes if home.own_key in keys), None)


def meant_by_name(folder: Path) -> Home | None:
    """The home whose name is most like that of a missing folder beside it; None for none."""
    # Imported here because only a mistyped name needs it.
    from difflib import get_close_matches

    if check_exists(folder):
        return None
    homes = {home.folder.name: home for home in homes_in(folder.parent)}
    near = get_close_matches(folder.name, homes, n=1)
    return homes[near[0]] if near else None

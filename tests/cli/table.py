"""A game for two players, each with a home, who play by the command line alone."""

from __future__ import annotations

from pathlib import Path

from pbem.play import keyfile
from pbem.play.game_file import GameFile, pack
from pbem.protocol.match import Match
from tests.cli.commands import Result, acres, remember
from tests.play.matches import identities


class Table:
    """A game in a folder: the homes of its players, by side, and its last file.

    Commands are run for the next player, unless `side` names another.
    """

    def __init__(self, folder: Path, match: Match, seed: int) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        for identity in identities(seed):
            side = next(side for side, e in match.entrants.items() if e.key == identity.public_key)
            (folder / side.value).mkdir()
            keyfile.save(identity, folder / side.value / "identity.toml")
        self.file = folder / f"game-{match.last.index:03}.toml"
        self.file.write_bytes(pack(match, None, {}, "").write())
        for side in match.entrants:
            remember(folder / side.value, self.file)

    @property
    def match(self) -> Match:
        """The match that the last file proves."""
        return GameFile.read(self.file.read_bytes()).match

    def turn(self, command: str, *arguments: object, side: str | None = None) -> Result:
        """Run `acres turn` on the last file. A file that is written becomes the last."""
        match = self.match
        writer = side or match.next_side or "british"
        result = acres("turn", command, self.file, *arguments, home=self.folder / writer)
        after = self.folder / f"game-{match.last.index + 1:03}.toml"
        if after.exists():
            self.file = after
        return result

    def apply(self, *arguments: object) -> str:
        """Return the output of a successful `acres turn apply`, unwrapped."""
        return unwrap(self.turn("apply", *arguments).succeeds().out)

    def show(self, side: str, *arguments: object) -> str:
        """Return the output of `acres turn show` for a player, unwrapped."""
        return unwrap(self.turn("show", *arguments, side=side).succeeds().out)


def unwrap(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())

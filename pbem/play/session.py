"""A session: a player at home, with the key at hand, who reads, begins, joins and answers games.

docs/play.md.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from engine.sides import Side
from pbem.errors import NOT_WRITTEN, reaching
from pbem.play.entry import Acceptance, Invitation
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.home import Home
from pbem.play.identity import keyfile
from pbem.play.look import Look, Spectator
from pbem.play.signing import Background, look_up
from pbem.play.store import LibraryFailed, Store
from pbem.play.turn import Turn, look_now
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match, Passing
from pbem.savefile.disk import read_file
from pbem.sources import random_bytes


class Session:
    """The player with that identity at home; `store` is theirs, unless another is named.

    At its end, if it is used as a context, what was read last is noted.
    """

    def __init__(self, home: Home, identity: Identity, store: Store | None = None) -> None:
        self.home = home
        self.identity = identity
        self.store = store or Store(home.library_path, identity.public_key, home.clock)

    @classmethod
    def open(cls, home: Home, passphrase: str | Callable[[], str] = "") -> Self:
        """Return the session of whoever has the home; a passphrase is asked for if there is one.

        Raises Unreadable if there is no identity, WrongPassphrase if it stays sealed.
        """
        given = passphrase if callable(passphrase) else lambda: passphrase
        with reaching(home.identity_path):
            return cls(home, keyfile.load(home.identity_path, given))

    @classmethod
    def create(cls, home: Home, identity: Identity, passphrase: str | None = None) -> Self:
        """Make the home of a new identity; raises WrongUse if there is one already."""
        session = cls(home, identity)
        with reaching(home.identity_path, NOT_WRITTEN):
            home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # First: a key without a library is one that has lost it.
            try:
                with session.store as store:
                    store.complete()
            except LibraryFailed as error:
                session.store.failure = error
            keyfile.save(identity, home.identity_path, passphrase)
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.end()
        self.store.close()

    # --- reading

    def read(self, source: Path | bytes, passing: Passing = iter) -> GameFile:
        """Return the game in a file, or in its bytes, verified; raises Unreadable or NotProved.

        What was verified before is not verified again; `passing` as for `GameFile.read`.
        """
        if isinstance(source, bytes):
            return read_and_note(self.store, source, None, passing)
        return read_and_note(self.store, read_file(source), source, passing)

    def look(self, game: GameFile) -> Look:
        """Return a game that was joined, as the player may see it; begun, if it is their turn."""
        return look_now(game, Look.of(game.match, self.identity), self.home.clock())

    # --- what is going to be signed

    def invite(
        self, side: Side | None = None, *, nonce: bytes | None = None, **options: Any
    ) -> Invitation:
        """Return an invitation; the `options` are those of `Invitation`."""
        key = self.identity.public_key.hex()
        nonce = nonce or random_bytes(32, f"nonce of an invitation by {key}")
        time = self.home.clock()
        return Invitation(self.identity, side=side, nonce=nonce, time=time, **options)

    def join(
        self, game: GameFile, nonce: bytes | None = None, background: Background | None = None
    ) -> Acceptance:
        """Return the acceptance of an invitation, as `Acceptance.choose` makes it.

        Its `background` is looked up unless it was before.
        """
        background = background or look_up(self.store, game.match.records)
        return Acceptance(game, self.identity, background, self.home.clock, nonce)

    def answer(
        self, game: GameFile, background: Background | None = None, *, resigns: bool = False
    ) -> Turn:
        """Return the answer to a file; raises WrongUse if it is not the player's turn to write.

        One that `resigns` gives the game up; if it is over, the answer closes it. Its `background`
        is looked up unless it was before.
        """
        background = background or look_up(self.store, game.match.records)
        time = self.home.clock()
        return Turn.of(game, self.identity, time, background, resigns=resigns)


def only_looks(home: Home, match: Match) -> Spectator | None:
    """Return why the player at that home only looks on at a game that was joined.

    None if they may play. That can be said while the identity is still sealed.
    """
    if not home.has_identity:
        return Spectator.KEY_GONE if home.has_played else Spectator.NO_KEY
    key = home.own_key
    is_other = key is not None and all(each.key != key for each in match.entrants.values())
    return Spectator.OTHER_KEY if is_other else None

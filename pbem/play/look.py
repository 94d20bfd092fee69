"""Looking at a game: what a player or a spectator may see of it, now or as it was."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from engine.sides import Side
from engine.state import State
from engine.value import Value
from pbem.play.answer import Answer, Notes, notes_of
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.seat import Seat
from pbem.protocol.hand import HiddenCards, Hindsight
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.sources import now


class Spectator(Enum):
    """Why somebody sees only what everybody may see."""

    NOT_BEGUN = "nobody has joined yet"
    KEY_GONE = "the identity is gone, though games were played with it"
    NO_KEY = "there is no identity"
    OTHER_KEY = "the key is not one of the players'"
    SEALED = "the identity is sealed"
    FOR_ALL = "it is meant for everybody"


class Look(Value):
    """A game that was joined, as somebody sees it.

    `match` is the game as it is looked at, with what the viewer's answer does of itself where it is
    due, and `state` the viewer's view of it; in it the hands of the sides `also` are open, too.
    `who` is a player's seat or a spectator, `own` the cards of the player, `ahead` those of the
    draw pile that the player can see. `answer` and `notes` are None when looking back.
    """

    game: GameFile
    match: Match
    state: State
    who: Seat | Spectator
    also: tuple[Side, ...]
    own: HiddenCards | None = None
    ahead: tuple[str, ...] = ()
    answer: Answer | None = None
    notes: Notes | None = None

    @property
    def viewer(self) -> Side | None:
        """The viewer's side; None for a spectator."""
        return None if isinstance(self.who, Spectator) else self.who.side


def only_looks(home: Home, match: Match) -> Spectator | None:
    """Why the player at that home only looks on at a game that was joined.

    None if they may play. That can be said while the identity is still sealed.
    """
    if not home.has_identity:
        return Spectator.KEY_GONE if home.has_played else Spectator.NO_KEY
    key = home.own_key
    is_other = key is not None and all(each.key != key for each in match.entrants.values())
    return Spectator.OTHER_KEY if is_other else None


def preview(game: GameFile, identity: Identity, clock: Callable[[], str] = now) -> Answer:
    """An answer of this player that is never signed: it shows what can be ordered.

    Raises WrongUse where it is not the player's turn to write.
    """
    return Answer(game, identity, clock())


def begun(game: GameFile, seat: Seat | None, clock: Callable[[], str] = now) -> Answer | None:
    """The answer of this player as far as nothing is to be decided; None if it is not due."""
    if seat is None or not seat.is_to_write:
        return None
    return preview(game, seat.identity, clock)


def look_now(game: GameFile, who: Seat | Spectator) -> Look:
    """The game of a file as it stands."""
    if isinstance(who, Spectator):
        state = game.match.state.copy()
        return Look(game, game.match, state, who, _open(game.match, state, None))
    answer = begun(game, who)
    if answer is not None:
        return look_of(answer)
    state = who.view()
    return Look(
        game,
        game.match,
        state,
        who,
        _open(game.match, state, who.side),
        HiddenCards(game.match, who.side, who.secret),
        tuple(who.cards_ahead()),
        notes=notes_of(game, who),
    )


def look_of(answer: Answer) -> Look:
    """A game as its player sees it who is answering a file, with all that is ordered so far."""
    match, who, state = answer.match, answer.seat, answer.view()
    return Look(
        answer.game,
        match,
        state,
        who,
        _open(match, state, who.side),
        HiddenCards(match, who.side, who.secret),
        tuple(answer.cards_ahead),
        answer,
        answer.notes,
    )


def _open(match: Match, state: State, viewer: Side | None) -> tuple[Side, ...]:
    """Reveal in `state` the hands of those who have closed the game, and say whose they are."""
    sides = tuple(side for side in match.secrets if side is not viewer)
    for side in sides:
        HiddenCards(match, side, match.secrets[side]).reveal(state)
    return sides


def look_at(game: GameFile, then: Match, who: Seat | Spectator) -> Look:
    """The game of a file as it was `then`, with every hand that may be seen by now."""
    match, secrets = game.match, dict(game.match.secrets)
    if isinstance(who, Spectator):
        return Look(game, then, Hindsight(match, secrets).view(then), who, tuple(secrets))
    secrets[who.side] = who.secret
    state = Hindsight(match, secrets).view(then)
    also = tuple(side for side in secrets if side is not who.side)
    return Look(game, then, state, who, also, HiddenCards(then, who.side, who.secret))

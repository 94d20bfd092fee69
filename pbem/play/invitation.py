"""Invitations and acceptances. See docs/protocol.md, The exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from engine.game import legal_orders
from engine.orders import Start, from_notation
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from engine.state import Decision, new_game
from pbem.errors import UsageError
from pbem.play.game_file import GameFile, pack
from pbem.play.keyfile import check_secret
from pbem.play.look import Secrets
from pbem.play.signing import Signable, SigningHistory
from pbem.play.turn import Draft
from pbem.protocol import steps
from pbem.protocol.identity import Identity, secret_hash
from pbem.protocol.match import Match
from pbem.protocol.steps import DEFAULT_LISTS, Accept
from pbem.protocol.table import rules_digest, rules_parts, ruleset_of
from pbem.savefile.save_file import SaveFile
from pbem.sources import random_bytes


class Invitation(Draft, Signable):
    """An invitation to a new game.

    - `side`: the inviter's side, or None to let the guest choose.
    - `nonce`: 32 random bytes, by default fresh.
    - `lists`: K, a power of two.
    - `home_support`: "asked" or "ahead".
    - `start_card`: the card that the French add to their deck, if the inviter plays the French and
      the rules give that choice.
    - `include_parts`: True to let a program with other rules data find the difference.

    Raises InvalidRulesError for unknown rules, UsageError for a start card that may not be chosen
    and, without a `nonce`, for a key that anybody can have.

    >>> invitation = Invitation(anna, side=Side.BRITISH, time=time, lists=1)
    >>> invitation.match.is_joined, [step.kind for step in invitation.steps]
    (False, ['invite', 'shuffle', 'draw'])
    >>> accept(invitation.match, bela, nonce=bytes(32), time=time).match.is_joined
    True
    """

    def __init__(
        self,
        identity: Identity,
        *,
        side: Side | None,
        time: str,
        nonce: bytes | None = None,
        edition: str = DEFAULT_EDITION,
        house_rules: Iterable[str] = (),
        lists: int = DEFAULT_LISTS,
        home_support: str = "asked",
        start_card: str | None = None,
        include_parts: bool = True,
    ) -> None:
        purpose = f"nonce of an invitation by {identity.public_key.hex()}"
        nonce = nonce or _fresh_nonce(identity, purpose)
        secret = identity.game_secret(nonce)
        super().__init__(Match(), side.value if side else "any", secret, time)
        self.history = SigningHistory()
        ruleset = Ruleset.of(edition, house_rules)
        self.take(
            steps.Invite(
                protocol=steps.PROTOCOL,
                edition=ruleset.edition,
                house_rules=ruleset.house_rules,
                rules_digest=rules_digest(ruleset),
                rules_parts=rules_parts(ruleset) if include_parts else None,
                lists=lists,
                home_support=home_support,
                side=self.author,
                **_of_player(identity, nonce),
            )
        )
        _start(self, start_card)
        if side:
            self.shuffle_and_draw()
        self.end()
        self._secrets = Secrets.of(self.match, identity) if side else None

    @property
    def path(self) -> Path:
        """The default name of its file."""
        return Path(f"acres-{self.match.id.hex()[:8]}-000.toml")

    def file(self) -> SaveFile:
        """Return the file that holds it."""
        return pack(self.match, self._secrets, {}, "")


@dataclass(eq=False)
class Acceptance(Signable):
    """The acceptance of an invitation; `history` has the facts in the store about it.

    If it was accepted before, the same choices give exactly the same record.
    """

    game: GameFile
    identity: Identity
    history: SigningHistory
    clock: Callable[[], str]
    nonce: bytes | None = None
    is_complete: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.match, self.steps = self.game.match, []

    @property
    def path(self) -> Path:
        """The default path of its file, next to the invitation."""
        return self.game.next_path

    @property
    def start_card_before(self) -> str | None:
        """The start card of an earlier acceptance; None if there is none."""
        before = self.signed.steps if self.signed else ()
        orders = (from_notation(s.order) for s in before if isinstance(s, steps.OrderStep))
        return next((order.card for order in orders if isinstance(order, Start)), None)

    def choose(self, side: Side | None = None, start_card: str | None = None) -> Match:
        """Return the match after the choice. Raises the same errors as `accept`."""
        match, signed = self.game.match, self.signed
        accepted = partial(accept, match, self.identity, side=side, start_card=start_card)
        before = signed.steps[0] if signed else None
        if signed and isinstance(before, Accept):
            self.match = accepted(nonce=before.nonce, time=signed.time).match
            self.is_complete = True
            if self.is_repeat:
                return self.match
        purpose = f"nonce of {self.identity.public_key.hex()} in game {match.id.hex()}"
        nonce = self.nonce or _fresh_nonce(self.identity, purpose)
        self.match = accepted(nonce=nonce, time=self.clock()).match
        self.is_complete = True
        return self.match

    def file(self) -> SaveFile:
        """Return the file that holds it; calls `choose` if necessary."""
        if not self.is_complete:
            self.choose()
        return self.game.next_file(self.match, self.identity).save


def accept(
    match: Match,
    identity: Identity,
    *,
    nonce: bytes,
    time: str,
    side: Side | None = None,
    start_card: str | None = None,
) -> Draft:
    """Return the record with which `identity` joins the game in `match`, an invitation.

    `side` is required if the invitation leaves the choice, and must not be the inviter's side;
    see `Invitation` for `start_card`. Raises UsageError if the game cannot be joined with these
    choices.
    """
    if match.is_joined:
        raise UsageError("Somebody has already joined this game.")
    if match.invite.key == identity.public_key:
        raise UsageError("This is your own invitation: send it to the player you want to play.")
    left = side_of_guest(match.invite, side)
    if left is None:
        raise UsageError("The choice of side is yours: say which one you take.")
    check_side(match.invite, side)
    secret = identity.game_secret(nonce)
    draft = Draft(match, left.value, secret, time)
    draft.take(steps.Accept(side=left.value, **_of_player(identity, nonce)))
    draft.open_and_grant()
    _start(draft, start_card)
    draft.shuffle_and_draw()
    draft.end()
    return draft


def _fresh_nonce(identity: Identity, purpose: str) -> bytes:
    """Return the nonce for a new game. Raises UsageError for a key that anybody can have."""
    check_secret(identity)
    return random_bytes(32, purpose)


def _of_player(identity: Identity, nonce: bytes) -> dict[str, Any]:
    """Return the fields with which a player enters a game."""
    return {
        "name": identity.name,
        "email": identity.email,
        "key": identity.public_key,
        "nonce": nonce,
        "secret_hash": secret_hash(identity.game_secret(nonce)),
    }


def check_side(invitation: steps.Invite, side: Side | None) -> None:
    """Raise UsageError for the side that the inviter plays."""
    if side is not None and side.value == invitation.side:
        raise UsageError(
            "The inviter plays the {side}: you can only join as the {other}.",
            side=side.label,
            other=side.opponent.label,
        )


def side_of_guest(invitation: steps.Invite, chosen: Side | None = None) -> Side | None:
    """Return the guest's side in an invitation, or `chosen` if it leaves the choice."""
    return chosen if invitation.side == "any" else Side(invitation.side).opponent


def start_cards(invitation: steps.Invite, side: Side | None) -> tuple[str, ...]:
    """Return the cards from which `side` chooses one on joining; none if it has no choice."""
    ruleset = ruleset_of(invitation)
    if not ruleset.has_start_choice(side):
        return ()
    return tuple(sorted(order.cards[0] for order in legal_orders(new_game(ruleset))))


def _start(draft: Draft, card: str | None) -> None:
    """Choose the start card if the author of the record has to."""
    match = draft.match
    awaiting = match.state.awaiting if match.has_table else None
    due = awaiting is not None and awaiting[:2] == (Decision.START_CARD, draft.author)
    if due and card is None:
        raise UsageError("The French choose a card to begin with in this game: name it.")
    if not due and card is not None:
        raise UsageError("You have no card to choose before this game.")
    if card is not None:
        draft.take(steps.OrderStep(Start(cards=(card,)).notation()))

"""Entering a game by other rules: the first card of the French, and differing rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.orders import Start
from engine.ruleset import Ruleset
from engine.sides import Side
from pbem.errors import UsageError, VerificationError
from pbem.protocol import steps, table
from pbem.protocol.match import Match
from tests.play.matches import TIME, identities
from tests.play.rule_games import next_proved_draft, pass_turn
from tests.play.turns import begin_record, legal_orders_of
from tests.signing import accept, invite, make_record

RULES = ("french-start-choice",)
CARD = "regular-infantry"


def invite_guest(side: Side | None, start_card: str | None = None) -> Match:
    anna, _ = identities()
    return invite(
        anna,
        side=side,
        nonce=bytes(32),
        time=TIME,
        house_rules=RULES,
        lists=4,
        start_card=start_card,
    )


def join(match: Match, side: Side | None = None, start_card: str | None = None) -> Match:
    _, bela = identities()
    return accept(match, bela, nonce=bytes([1] * 32), time=TIME, side=side, start_card=start_card)


@pytest.mark.parametrize(
    "match",
    [
        pytest.param(lambda: join(invite_guest(Side.FRENCH, CARD)), id="the French invite"),
        pytest.param(lambda: join(invite_guest(Side.BRITISH), None, CARD), id="the French join"),
        pytest.param(
            lambda: join(invite_guest(None), Side.FRENCH, CARD), id="the guest takes them"
        ),
        pytest.param(lambda: join(invite_guest(None), Side.BRITISH), id="the guest leaves them"),
    ],
)
def test_french_choose_their_start_card(match: Callable[[], Match]) -> None:
    draft = begin_record(match(), 0)
    while draft.match.state.turn < 2:
        if legal_orders_of(draft, Start):
            draft.order(Start(cards=(CARD,)))
        draft = next_proved_draft(pass_turn(draft), 0)
    first, second, *_ = (write_answer for write_answer in draft.match.moves if write_answer.order)
    assert (first.side, first.order) == (Side.FRENCH, Start(cards=(CARD,)))
    assert (second.turn, second.side) == (0, Side.BRITISH)
    assert draft.match.decks[Side.FRENCH].cards(0).count(CARD) == 1
    stock = draft.match.state.players[Side.FRENCH].empire[CARD]
    assert Ruleset.of().catalogue.cards[Side.FRENCH][CARD].count - 1 == stock


def test_start_card_is_required_exactly_if_there_is_a_choice() -> None:
    with pytest.raises(UsageError, match="name it"):
        invite_guest(Side.FRENCH)
    with pytest.raises(UsageError, match="no card to choose"):
        invite_guest(Side.BRITISH, CARD)
    with pytest.raises(UsageError, match="name it"):
        join(invite_guest(Side.BRITISH))


def test_differing_rules_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with other cards or another board refuses the game, and names the difference."""
    match = invite_guest(None)
    dearer = Ruleset.of("second", RULES)
    cards = {side: dict(dearer.catalogue.cards[side]) for side in Side}
    cards[Side.FRENCH]["trader"] = cards[Side.FRENCH]["trader"]._replace(cost=9)
    other = dearer._replace(catalogue=dearer.catalogue._replace(cards=cards), raid_bonus=0)
    monkeypatch.setattr(Ruleset, "of", lambda *_: other)
    with pytest.raises(VerificationError, match="in its flags and French cards: one of the two"):
        Match.replay(match.records)


def test_digest_covers_the_cards() -> None:
    """The cache distinguishes rulesets of the same name."""
    plain = Ruleset.of("second")
    cards = {side: dict(plain.catalogue.cards[side]) for side in Side}
    cards[Side.FRENCH]["trader"] = cards[Side.FRENCH]["trader"]._replace(cost=9)
    other = plain._replace(catalogue=plain.catalogue._replace(cards=cards))
    assert (other.edition, other.house_rules) == (plain.edition, plain.house_rules)
    assert table.rules_digest(other) != table.rules_digest(plain)
    assert table.rules_digest(plain) == table.rules_digest(Ruleset.of("second"))


def test_unexplained_digest_names_no_rule() -> None:
    """If only the edition or the house rules differ, the sentence names no part."""
    match = invite_guest(None)
    same = Ruleset.of("second", RULES)
    assert table.differing_parts(match.invite, same) == []
    assert table.differing_parts(match.invite, same._replace(edition="other")) == []
    sentence = str(table.differing_rules(match.invite, same))
    assert "than this program has: one of the two was changed" in sentence
    dearer = same._replace(raid_bonus=0)
    assert table.differing_parts(match.invite, dearer) == ["flags"]


def test_invitation_without_part_digests_is_accepted() -> None:
    """The first version wrote no part digests."""
    anna, _ = identities()
    match = invite_guest(None)
    (entry,) = match.last.steps
    assert isinstance(entry, steps.Invite)
    old = make_record(
        anna,
        index=0,
        side="any",
        previous=b"",
        time=TIME,
        steps=(entry._replace(rules_parts=None),),
    )
    assert "rules_parts" not in str(old.to_plain())
    join(Match.replay([old]), Side.FRENCH, CARD)

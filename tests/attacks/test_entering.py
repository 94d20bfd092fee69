"""Entering a game with other rules, a wrong deck, or in another player's place.

docs/protocol.md, Steps and The exchange.
"""

from __future__ import annotations

import pytest

from engine.house_rules import house_rules
from engine.ruleset import Ruleset
from engine.sides import Side
from pbem.protocol import steps
from pbem.protocol.identity import secret_hash
from pbem.protocol.match import Match
from pbem.protocol.table import rules_digest
from tests.attacks.cheats import (
    UNCHECKED,
    add_record,
    change_step,
    check_refused,
    duel,
    forge,
    replace_last,
)
from tests.play.matches import TIME, begin, identities
from tests.signing import accept, invite, make_record
from tests.vectors import naive_chain
from tests.vectors.naive_deck import RuleError


def invitation(side: Side | None = Side.BRITISH) -> Match:
    return invite(identities()[0], side=side, nonce=bytes(32), time=TIME, lists=4)


def test_doctored_rules_data_are_refused() -> None:
    records = forge(invitation(), change_step(steps.Invite, rules_digest=bytes(32)))
    # The opponent may only have another version, so this accuses nobody.
    assert not check_refused(records, "rules data", "different rules data").accuses


@pytest.mark.parametrize("rule", sorted(house_rules()))
def test_digest_of_other_rules_is_refused(rule: str) -> None:
    """A house rule is named but not in the digest, or the other way round."""
    named = forge(invitation(), change_step(steps.Invite, house_rules=(rule,)))
    check_refused(named, "rules data", "different rules data")
    hidden = rules_digest(Ruleset.of("second", [rule]))
    played = forge(invitation(), change_step(steps.Invite, rules_digest=hidden))
    check_refused(played, "rules data", "different rules data")


@pytest.mark.parametrize(
    "named_rules",
    [
        {"edition": "third"},
        {"edition": "x" * 40},
        {"house_rules": ("gaspe-fortified",)},
        {"house_rules": tuple(sorted(f"{'x' * 38}{n:02}" for n in range(40)))},
    ],
)
def test_unknown_edition_is_refused(named_rules: dict[str, object]) -> None:
    """Unknown house rules are refused too, with one sentence for any number of them."""
    finding = check_refused(
        forge(invitation(), change_step(steps.Invite, **named_rules)), "rules data", "not know"
    )
    assert str(finding.sentence).endswith("newer acres.")
    assert not finding.accuses


def test_house_rules_that_exclude_each_other_are_refused() -> None:
    both = ("paid-reshuffle", "reshuffle-last")
    finding = check_refused(
        forge(invitation(), change_step(steps.Invite, house_rules=both)), "rules data", "together"
    )
    assert str(finding.sentence).endswith(".")
    assert "…" not in str(finding.sentence)


def test_deck_other_than_the_printed_one_is_refused() -> None:
    match = invitation()
    step = next(step for step in match.last.steps if isinstance(step, steps.ShuffleStep))
    better = tuple(sorted([*step.cards[1:], "siege-artillery"]))
    records = forge(match, change_step(steps.ShuffleStep, cards=better))
    check_refused(records, "shuffled cards", "not those of the discard pile")


def test_first_hand_of_six_is_refused() -> None:
    check_refused(
        forge(invitation(), change_step(steps.DrawStep, count=6)),
        "order of steps",
        "6 cards where 5",
    )


def test_turn_in_the_invitation_is_refused() -> None:
    records = forge(invitation(), lambda honest: [*honest, steps.OrderStep("pass")])
    check_refused(records, "order of steps", "nothing follows a draw")
    records = forge(invitation(None), lambda honest: [*honest, steps.DrawStep(5)])
    check_refused(records, "order of steps", "more than the invitation or acceptance allows")


@pytest.mark.parametrize("side", [None, *Side])
def test_end_in_the_invitation_is_refused(side: Side | None) -> None:
    """An invitation that ends the game could not be accepted."""
    match = invitation(side)
    secret = identities()[0].game_secret(match.invite.nonce)
    ends: list[list[steps.Step]] = [
        [steps.Resign()],
        [steps.Resign(), steps.Close(secret)],
        [steps.Close(secret)],
    ]
    for end in ends:
        for number in (1, len(match.last.steps)):
            records = forge(match, lambda honest, k=number, e=end: [*honest[:k], *e])  # type: ignore[misc]
            check_refused(records, "order of steps", "accepted|invitation or acceptance")
            with pytest.raises(RuleError, match=r"R-10\.1$"):
                naive_chain.check([record.to_plain() for record in records])


@pytest.mark.parametrize(("side", "guest"), [(Side.BRITISH, None), (None, Side.FRENCH)])
def test_guest_may_resign_in_the_acceptance(side: Side | None, guest: Side | None) -> None:
    """Both players have entered by then; the grant and both closes are valid."""
    match = begin(side=side, guest=guest)
    upto = 2 if side else 1
    secret = identities()[1].game_secret(match.entrants[Side.FRENCH].nonce)
    end = [steps.Resign(), steps.Close(secret)]
    given_up = Match.replay(forge(match, lambda honest: [*honest[:upto], *end]))
    records = duel(given_up, Side.FRENCH, UNCHECKED).records
    assert Match.replay(records).next_side is None
    naive_chain.check([record.to_plain() for record in records])


def test_acceptance_of_the_inviters_side_is_refused() -> None:
    match = begin()
    forgery = replace_last(match, match.last._replace(side="british"))
    check_refused(forgery, "side", "plays the other side", author="french")
    torn = forge(match, change_step(steps.Accept, side="british"))
    check_refused(torn, "acceptance", "two different sides")


@pytest.mark.parametrize("field", ["nonce", "secret_hash"])
def test_copy_of_the_inviters_entry_is_refused(field: str) -> None:
    """With the inviter's secret hash the guest could close with the inviter's secret."""
    match = begin()
    copied = {field: getattr(match.invite, field)}
    check_refused(forge(match, change_step(steps.Accept, **copied)), "acceptance", "repeats")


def test_accepting_an_own_invitation_is_refused() -> None:
    match = begin()
    anna, _ = identities()
    nonce = bytes([7] * 32)
    accept = next(step for step in match.last.steps if isinstance(step, steps.Accept))
    entry = accept._replace(
        key=anna.public_key, nonce=nonce, secret_hash=secret_hash(anna.game_secret(nonce))
    )
    record = make_record(
        anna,
        index=1,
        side=match.last.side,
        previous=match.last.previous,
        time=TIME,
        steps=[entry, *match.last.steps[1:]],
    )
    check_refused([match.records[0], record], "acceptance", "the same player")


def test_second_entry_is_refused() -> None:
    match = begin()
    accept = match.last.steps[0]
    check_refused(add_record(match, [accept]), "acceptance", "accepted once")
    check_refused(add_record(match, [match.invite]), "order of steps", "one invitation")
    twice = forge(match, lambda honest: [accept, *honest])
    check_refused(twice, "acceptance", "accepted once")


@pytest.mark.parametrize("side", [None, Side.BRITISH])
def test_second_invitation_in_the_first_record_is_refused(side: Side | None) -> None:
    """The second invitation could have another K, or other rules."""
    match = invitation(side)
    entry = match.invite._replace(lists=1)
    records = forge(match, lambda honest: [*honest[:1], entry, *honest[1:]])
    check_refused(records, "order of steps", "one invitation")


@pytest.mark.parametrize(("side", "other"), [(None, "british"), (Side.BRITISH, "french")])
def test_invitation_for_two_sides_is_refused(side: Side | None, other: str) -> None:
    match = invitation(side)
    forgery = replace_last(match, match.last._replace(side=other))
    check_refused(forgery, "invitation", "two different sides")


def test_inviter_cannot_take_the_side_that_the_guest_chose() -> None:
    match = begin(side=None, guest=Side.FRENCH)
    records = add_record(match, [steps.DrawStep(5)], side=Side.FRENCH)
    check_refused(records, "side", "plays the other side", author="british")


def test_guest_can_try_nonces_until_the_grant_is_good() -> None:
    """Not even the close shows that the guest tried nonces until list 0 of 16 was granted."""
    match = invite(identities()[0], side=Side.BRITISH, nonce=bytes(32), time=TIME, lists=16)
    for nonce in (bytes([i] * 32) for i in range(1, 256)):
        joined = accept(match, identities()[1], nonce=nonce, time=TIME)
        if joined.decks[Side.BRITISH].list_number(0) == 0:
            break
    else:
        raise AssertionError("no such nonce")
    assert duel(joined, Side.FRENCH, UNCHECKED, turns=4).next_side is None

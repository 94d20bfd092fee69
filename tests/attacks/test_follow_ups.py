"""Follow-ups for the other side, in the wrong turn, and with cards that are not in hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from engine.order import Order
from engine.orders import Ambush, Convert, End, Pass, Raid
from engine.sides import Side, Slot
from pbem.protocol import steps
from pbem.protocol.fork import compare
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Step
from pbem.savefile.document import MAX_SIZE
from pbem.savefile.save_file import EvidenceFile, SaveFile
from tests.attacks.cheats import UNCHECKED, add_record, check_refused, duel, expect_finding, forge
from tests.attacks.positions import begin_attack, find_attacked, find_double_grant
from tests.attacks.programs import FreshStreams, program_with_grants
from tests.play.matches import TIME, answer, any_order, resign, seat_to_write
from tests.play.turns import can_order, find_draft, legal_orders_of
from tests.sample import sample
from tests.seats import NextRecord

ATTACKS = [Raid, Ambush, Convert]
PASS, END = steps.OrderStep("pass"), steps.OrderStep("end")
NEUTRAL = "neutral-settlers"
"""A card of which each side can own two copies."""


def with_follow_ups(kind: type[Order], *extra_steps: Step) -> tuple[list[Record], int]:
    """Return the records of a match in which an attack is followed by these steps."""
    match, seed = find_attacked(kind)
    return forge(match, lambda honest_steps: [*honest_steps, *extra_steps], seed), seed


def open_hidden(draft: NextRecord, is_right_card: Callable[[str], bool]) -> steps.Open:
    """Return the step that shows one hidden card of the author's hand."""
    slot, known = next(
        item for item in draft.seat.hidden_cards().items() if is_right_card(item[1][0])
    )
    return steps.Open(slot, *known)


def check_answer(records: Sequence[Record], seed: int) -> Match:
    """Return the match with an honest answer, after checking that every reader accepts it."""
    match = Match.replay(records)
    match = answer(match, any_order(Random(seed)), seed)
    return Match.replay(match.records)


# --- refused by the next reader


TOO_EARLY = ("order of steps", "before the other player has answered")
UNKNOWN = ("rules of the game", "no location “|no card called")
NO_PILE = ("shuffled cards", "that its side cannot have")
NEVER: list[tuple[list[Step], tuple[str, str]]] = [
    # The attacker answers their own attack, or plays on after the end of the turn.
    ([steps.OrderStep("allow"), PASS], TOO_EARLY),
    ([steps.OrderStep("show-hand"), PASS], TOO_EARLY),
    ([steps.OrderStep("block militia"), PASS], TOO_EARLY),
    ([steps.OrderStep("lose quebec: ships")], TOO_EARLY),
    ([PASS, END, PASS, PASS, END], TOO_EARLY),
    # It could only be dropped, but no program could print its name.
    ([steps.OrderStep("draft gold")], UNKNOWN),
    ([steps.OrderStep("settle nowhere: boston, boston")], UNKNOWN),
    ([steps.OrderStep("withdraw nowhere")], UNKNOWN),
    ([steps.OrderStep("reserve " + "x" * 64)], UNKNOWN),
    # The game has only two of these cards, so no pile can consist of them.
    ([PASS, END, steps.ShuffleStep(0, ("z" * 64,), bytes(32))], NO_PILE),
    ([PASS, END, steps.ShuffleStep(0, (NEUTRAL,) * 3, bytes(32))], NO_PILE),
    ([PASS, END, steps.ShuffleStep(0, (NEUTRAL, "x"), bytes(32))], NO_PILE),
    ([PASS, END, steps.ShuffleStep(0, (NEUTRAL,) * 255, bytes(32))], NO_PILE),
]


@pytest.mark.parametrize(("extra_steps", "reason"), NEVER)
@pytest.mark.parametrize("kind", ATTACKS)
def test_impossible_follow_ups_are_refused(
    kind: type[Order], extra_steps: list[Step], reason: tuple[str, str]
) -> None:
    records, _ = with_follow_ups(kind, *extra_steps)
    check_refused(records, *reason)


@pytest.mark.parametrize("list_granted", [None, 0])
@pytest.mark.parametrize("kind", ATTACKS)
def test_grant_of_an_own_draw_is_refused(kind: type[Order], list_granted: int | None) -> None:
    grant = steps.Grant((Slot(0, 0),), list_granted)
    records, _ = with_follow_ups(kind, PASS, END, steps.DrawStep(1), grant)
    check_refused(records, "blind deck", "the other player has to answer first")


@pytest.mark.parametrize("kind", ATTACKS)
def test_shuffle_of_the_opponents_cards_is_refused(kind: type[Order]) -> None:
    match, _ = find_attacked(kind)
    author = Side(match.last.side)
    cards = match.state.ruleset.catalogue.cards
    opponents_card = min(cards[author.opponent].keys() - cards[author].keys())
    records, _ = with_follow_ups(kind, steps.ShuffleStep(0, (opponents_card,), bytes(32)))
    check_refused(records, *NO_PILE)


@pytest.mark.parametrize("kind", ATTACKS)
def test_shown_card_that_no_follow_up_plays_is_refused(kind: type[Order]) -> None:
    draft, _ = begin_attack(kind)
    opens = open_hidden(draft, lambda card: True)
    records, _ = with_follow_ups(kind, opens, PASS)
    check_refused(records, "shown cards", "does not need")
    records, _ = with_follow_ups(kind, opens)
    check_refused(records, "shown cards", "no order plays")
    records, _ = with_follow_ups(kind, END, opens, steps.DrawStep(1))
    check_refused(records, "shown cards", "no order plays")


def test_second_showing_of_a_reserved_card_is_refused() -> None:
    draft, _ = begin_attack(Convert)
    opens = open_hidden(draft, lambda card: True)
    discard = steps.OrderStep(f"discard {opens.card}")
    records, _ = with_follow_ups(Convert, opens, discard, opens, discard)
    check_refused(records, "blind deck", "not a hidden card")


def test_follow_up_with_a_card_of_the_draw_pile_is_refused() -> None:
    """The owner knows the list, and plays one of its cards before drawing it."""

    def with_a_pile(draft: NextRecord) -> bool:
        return can_order(*ATTACKS)(draft) and bool(draft.match.decks[draft.seat.side].undrawn)

    draft, seed = find_draft(with_a_pile)
    before = Match.replay(draft.match.records)
    slot = draft.match.decks[draft.seat.side].undrawn[0]
    look = steps.Open(slot, *draft.seat.cards.lookup(slot))
    draft.order(legal_orders_of(draft, *ATTACKS)[0])
    forgery = [*draft.steps, look, steps.OrderStep(f"discard {look.card}")]
    check_refused(add_record(before, forgery, seed=seed), "blind deck", "not a hidden card")


def test_follow_up_with_a_false_card_is_refused() -> None:
    draft, _ = begin_attack(Convert)
    opens = open_hidden(draft, lambda card: card != "boston")
    false = steps.Open(opens.slot, "boston", opens.nonce)
    records, _ = with_follow_ups(Convert, false, steps.OrderStep("discard boston"))
    check_refused(records, "blind deck", "not the one that was committed to")


def test_close_as_a_follow_up_is_refused() -> None:
    draft, _ = begin_attack(Raid)
    records, _ = with_follow_ups(Raid, PASS, END, steps.Close(draft.seat.secret))
    check_refused(records, "order of steps", "when the game is over, and not before")


# --- in the wrong turn


@pytest.mark.parametrize("kind", ATTACKS)
def test_defender_cannot_play_the_attackers_turn(kind: type[Order]) -> None:
    """The attacker announced nothing, and the defender plays the rest of the attacker's turn."""
    match, seed = find_attacked(kind)
    draft = NextRecord(seat_to_write(match, seed), TIME)
    draft.order(any_order(Random(1))(draft.view()))
    reply = list(draft.steps)
    for extra_steps in (PASS, END):
        check_refused(
            add_record(match, [*reply, extra_steps], seed=seed),
            "order of steps",
            "not its author's",
        )


@pytest.mark.parametrize("kind", ATTACKS)
def test_follow_up_added_after_the_answer_is_refused(kind: type[Order]) -> None:
    """The attacker signs another record instead of the answered one.

    The answer does not follow it, and both records together prove who signed twice.
    """
    match, seed = find_attacked(kind)
    honest = match.last
    answered_honestly = answer(match, any_order(Random(2)), seed)
    smuggled, _ = with_follow_ups(kind, PASS, END)
    records = [*smuggled, answered_honestly.last]
    finding = check_refused(records, "chain", "changed or replaced afterwards")
    assert not finding.accuses
    author = match.entrants[Side(honest.side)].key
    assert honest.index == smuggled[-1].index
    assert honest.hash != smuggled[-1].hash
    assert honest.verify(author)
    assert smuggled[-1].verify(author)


@pytest.mark.parametrize("kind", ATTACKS)
def test_withheld_cards_for_follow_ups_are_refused(kind: type[Order]) -> None:
    """The defender carries out the announced turn, but does not grant its refill."""
    records, seed = with_follow_ups(kind, PASS, END, *_refill(kind))
    match = Match.replay(records)
    draft = NextRecord(seat_to_write(match, seed), TIME)
    draft.order(any_order(Random(3))(draft.view()))
    forgery = [s for s in draft.steps if not (isinstance(s, steps.Grant) and len(s.slots))]
    assert len(forgery) < len(draft.steps)
    check_refused(add_record(match, forgery, seed=seed), "order of steps", "granted first")


def _refill(kind: type[Order]) -> list[Step]:
    """Return the steps that end the announced turn in an honest record."""
    draft, _ = begin_attack(kind)
    draft.order(Pass())
    draft.order(End())
    at = draft.steps.index(END)
    return list(draft.steps[at + 1 :])


# --- dropped, and harmless


@pytest.mark.parametrize(
    "extra_steps",
    [
        [steps.OrderStep("govern neutral-native-americans")],
        [steps.OrderStep("settle quebec: regular-infantry, regular-infantry")],
        [steps.OrderStep("draft siege-artillery")] * 3,
        [PASS, END, steps.DrawStep(4), steps.DrawStep(4)],
        [steps.DrawStep(3)],
        [steps.ShuffleStep(1, (NEUTRAL, NEUTRAL), bytes(32))],
        [PASS, END, steps.ShuffleStep(0, (NEUTRAL,), bytes(32))],
        [steps.ShuffleStep(9999, (NEUTRAL,), bytes(32)), steps.DrawStep(255)],
        [PASS, END, steps.OrderStep("lose quebec: ships"), steps.DrawStep(1)],
    ],
    ids=lambda extra_steps: " ".join(
        s.order.split()[0] if s.kind == "order" else s.kind for s in extra_steps
    ),
)
@pytest.mark.parametrize("kind", ATTACKS)
def test_impossible_announcement_is_dropped(kind: type[Order], extra_steps: list[Step]) -> None:
    """No player is accused, and the game continues."""
    records, seed = with_follow_ups(kind, *extra_steps)
    author = Side(records[-1].side)
    match = check_answer(records, seed)
    assert [dropped.side for dropped in match.dropped] == [author]
    again = answer(match, any_order(Random(seed)), seed)
    Match.replay(again.records)


def test_card_in_two_follow_ups_is_played_once() -> None:
    """Two follow-ups discard the same card, and the second is dropped."""
    draft, _ = begin_attack(Convert)
    hand = [card for card, _ in draft.seat.hidden_cards().values()]
    opens = open_hidden(draft, lambda card: hand.count(card) == 1)
    discard = steps.OrderStep(f"discard {opens.card}")
    records, seed = with_follow_ups(Convert, opens, discard, discard, PASS)
    match = check_answer(records, seed)
    (dropped,) = match.dropped
    assert [order.notation() for order in dropped.orders][-1] == "pass"
    assert "not in your hand" in str(dropped.reason) or "no actions left" in str(dropped.reason)
    side = dropped.side
    assert match.state.players[side].discard.count(opens.card) <= 1


def test_follow_up_with_an_unshown_card_is_dropped() -> None:
    draft, _ = begin_attack(Convert)
    card = open_hidden(draft, lambda card: True).card
    records, seed = with_follow_ups(Convert, steps.OrderStep(f"discard {card}"), PASS)
    match = check_answer(records, seed)
    (dropped,) = match.dropped
    assert "not in your hand" in str(dropped.reason)


@pytest.mark.parametrize("kind", sample(ATTACKS, first=1))
def test_longest_record_leaves_room_for_an_answer(kind: type[Order]) -> None:
    """A record full of follow-ups fills neither the file nor the evidence of a fork."""
    match, seed = find_attacked(kind)
    discard = steps.OrderStep("discard " + ", ".join([NEUTRAL] * 90))
    shuffle = steps.ShuffleStep(0, (NEUTRAL, NEUTRAL), bytes(32))
    longest = [fill_record(match, seed, discard), fill_record(match, seed, shuffle)]
    for records in longest:
        for match in (check_answer(records, seed), resign(Match.replay(records), seed)):
            assert len(SaveFile(tuple(match.records)).write()) < MAX_SIZE / 10
    evidence = compare(*longest).evidence
    assert evidence is not None
    EvidenceFile.read(EvidenceFile(evidence).write()).evidence.check()


def followed_by(*extra_steps: Step) -> Callable[[Sequence[Step]], list[Step]]:
    return lambda honest_steps: [*honest_steps, *extra_steps]


def fill_record(match: Match, seed: int, junk: Step) -> Sequence[Record]:
    """Return the records of a match whose last has as many follow-ups as it can hold."""
    records: Sequence[Record] = match.records
    added: list[Step] = []
    for step in (junk, PASS):
        while len(added) < 10000:
            try:
                records = forge(match, followed_by(*added, step), seed)
            except ValueError:
                break
            added.append(step)
    return records


# --- draws for follow-ups


@pytest.mark.slow
def test_restarted_stream_for_a_second_grant_is_detected_at_the_close() -> None:
    """Home Support and the end of the turn draw twice in one record, from one stream.

    The close of the granter shows it and names the record.
    """
    match, seed = find_double_grant()
    granter = Side(match.last.side).opponent
    with expect_finding(granter, "grant", "they were chosen") as findings:
        duel(match, granter, program_with_grants(FreshStreams), turns=0, seed=seed)
    assert findings[0].record == match.last.index + 1
    assert findings[0].shown_by is not None
    assert duel(match, granter, UNCHECKED, turns=0, seed=seed).next_side is None

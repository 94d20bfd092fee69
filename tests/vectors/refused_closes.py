"""Chains that break a rule of the close, R-10; and R-12, for who knows the rules of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.vectors import naive, naive_chain
from tests.vectors.naive import Read
from tests.vectors.refused_chains import (
    RESIGN,
    Base,
    Player,
    Vector,
    add,
    changed,
    cut,
    draw,
    drop,
    first,
    follow,
    followed,
    instead,
    laid_out,
    opening,
    order,
    put,
    shuffle,
    sign,
)
from tests.vectors.refused_decks import DECK, LISTS, ascending, left_by, position
from tests.vectors.refused_steps import AHEAD, END, FIXED, OPEN, PASS, RAID, to_raid


def of_closes() -> Iterator[Vector]:
    """R-10.5 to R-10.8."""
    inviter, guest = Player(FIXED, 0), Player(FIXED, 1)
    accept, grant, dealt, _ = FIXED.records[1]["steps"]
    opened, granted = FIXED.records[2]["steps"][:2]
    for what, more in [
        ("an order behind the own close", PASS),
        ("a second close", inviter.close),
        ("a resignation behind the own close", RESIGN),
        ("a draw behind the own close", draw(1)),
    ]:
        steps = instead(opened, granted, RESIGN, inviter.close, more)
        yield changed("R-10.5", what, FIXED, 3, steps)
    records = cut(FIXED, 2)
    follow(records, FIXED.seeds, opened, granted, RESIGN, inviter.close)
    follow(records, FIXED.seeds, FIXED.records[3]["steps"][0], guest.close)
    closed = Base(records, FIXED.seeds)
    yield followed("R-10.5", "a record after both have closed", closed, 4, inviter.close)
    yield followed("R-10.5", "an order after both have closed", closed, 4, PASS)
    secrets = [
        ("a secret of zeros", bytes(32)),
        ("the private key for the secret", inviter.seed),
        ("the secret of the other player", guest.secret),
        ("the hash of the secret", naive.sha(b"secret hash", inviter.secret)),
    ]
    for what, secret in secrets:
        close = {"kind": "close", "secret": naive.b64(secret)}
        yield changed("R-10.6", what, FIXED, 3, instead(opened, granted, RESIGN, close))
    for what, seed in [
        ("a shuffle from a seed of zeros", bytes(32)),
        ("a shuffle from the seed of epoch 1", naive.root_seed(inviter.secret, 1, bytes(32))),
        ("a shuffle from the secret itself", inviter.secret),
    ]:
        yield _stacked(what, seed)
    yield _doctored()
    yield _stacked_before()
    before = naive.record_hash(FIXED.records[0])
    for what, seed in [
        ("a shuffle that was never opened", bytes(32)),
        ("a shuffle as if in record 0", naive.root_seed(guest.secret, 0, bytes(32))),
        ("a shuffle from the seed of another epoch", naive.root_seed(guest.secret, 1, before)),
    ]:
        stacked = shuffle(seed, dealt["cards"], LISTS)
        steps = instead(accept, grant, stacked, draw(5), RESIGN, guest.close)
        yield changed("R-10.7", what, FIXED, 2, steps)
    other = (grant["list"] + 1) % LISTS
    lowest = [f"0:{n}" for n in range(5)]
    for what, chosen in [
        ("a list that was chosen", grant | {"list": other}),
        ("slots that were chosen", grant | {"slots": lowest}),
        ("a grant from a stream begun at its second word", _shifted(guest, FIXED.records[0])),
        ("a grant from the secret alone", _from_nothing(guest)),
    ]:
        yield changed("R-10.8", what, FIXED, 2, instead(accept, chosen, RESIGN, guest.close))
    yield _stream_begun_anew()
    yield _chosen_ahead()


def _stacked(what: str, seed: bytes) -> Vector:
    """The inviter's first shuffle, opened as it should be and found out by the close."""
    records = _dealt(shuffle(seed, DECK, LISTS))
    opened = opening(seed, DECK, LISTS, _granted(records))
    follow(records, FIXED.seeds, opened, _dealt_back(records), RESIGN, Player(FIXED, 0).close)
    return Vector("R-10.7", what, laid_out(records), 2)


def _dealt(made: Read) -> list[Read]:
    """The first two records, where the inviter's shuffle is this one."""
    records, guest = cut(FIXED, 1), Player(FIXED, 1)
    records[0]["steps"][1] = made
    sign(records[0], FIXED.seeds[0])
    cards = first("shuffle", FIXED.records[1])["cards"]
    grant = guest.grant(records[0], LISTS, len(DECK))
    root = naive.root_seed(guest.secret, 0, naive.record_hash(records[0]))
    accept = FIXED.records[1]["steps"][0]
    follow(records, FIXED.seeds, accept, grant, shuffle(root, cards, LISTS), draw(5))
    return records


def _granted(records: list[Read]) -> int:
    """The list that the guest grants."""
    return int(first("grant", records[1])["list"])


def _dealt_back(records: list[Read]) -> Read:
    """The inviter's grant of the guest's first cards."""
    cards = first("shuffle", records[1])["cards"]
    return Player(FIXED, 0).grant(records[1], LISTS, len(cards))


def _doctored() -> Vector:
    """One list was made up, and just that is granted: all siblings are those of the secret."""
    inviter = Player(FIXED, 0)
    root, depth = naive.root_seed(inviter.secret, 0, bytes(32)), LISTS.bit_length() - 1
    leaves = [naive.leaf(root, naive.path(number, depth)) for number in range(LISTS)]
    honest = [[naive.slot(*one) for one in naive.the_list(leaf, DECK)] for leaf in leaves]
    nonces = [bytes([position]) * 32 for position in range(len(DECK))]
    doctored = [naive.slot(*one) for one in zip(DECK, nonces, strict=True)]
    for chosen in range(LISTS):
        lists = [doctored if n == chosen else one for n, one in enumerate(honest)]
        whole = naive.of_lists([naive.list_hash(one) for one in lists], len(DECK))
        made = shuffle(root, DECK, LISTS) | {"commitment": naive.b64(whole)}
        if _granted(records := _dealt(made)) == chosen:
            break
    else:
        raise AssertionError("another list is granted")
    opened = opening(root, DECK, LISTS, chosen)
    opened["commitments"] = list(map(naive.b64, doctored))
    follow(records, FIXED.seeds, opened, _dealt_back(records), RESIGN, inviter.close)
    return Vector("R-10.7", "a list made up beside siblings that are right", laid_out(records), 2)


def _stacked_before() -> Vector:
    """The first of two shuffles was stacked, the second is honest."""
    guest, inviter = Player(FIXED, 1), Player(FIXED, 0)
    records = _dealt(shuffle(seed := bytes(32), DECK, LISTS))
    chosen = _granted(records)
    way = naive.path(chosen, LISTS.bit_length() - 1)
    listed = naive.the_list(naive.leaf(seed, way), DECK)
    slots = first("grant", records[1])["slots"][:3]
    shown = [(slot, *listed[position(slot)]) for slot in slots]
    opens = [
        {"kind": "open", "slot": slot, "card": card, "nonce": naive.b64(nonce)}
        for slot, card, nonce in shown
    ]
    cards = sorted(card for _, card, _ in shown)
    again = naive.root_seed(inviter.secret, 1, naive.record_hash(records[1]))
    follow(
        records,
        FIXED.seeds,
        opening(seed, DECK, LISTS, chosen),
        dealt := _dealt_back(records),
        *opens,
        order(f"discard {', '.join(cards)}"),
        END,
        draw(2),
        shuffle(again, cards, LISTS, 1),
        draw(1),
    )
    answer = guest.grant(records[2], LISTS, len(cards), 1)
    answer["slots"] = [f"1:{position(slot)}" for slot in answer["slots"]]
    theirs = naive.root_seed(guest.secret, 0, naive.record_hash(records[0]))
    deck = first("shuffle", records[1])["cards"]
    follow(records, FIXED.seeds, opening(theirs, deck, LISTS, dealt["list"]), answer, RESIGN)
    opened = opening(again, cards, LISTS, answer["list"], 1)
    follow(records, FIXED.seeds, opened, inviter.close)
    return Vector("R-10.7", "the first of two shuffles stacked", laid_out(records), 4)


def _shifted(player: Player, asked: Read) -> Read:
    stream = naive.numbers(player.secret, naive.record_hash(asked))
    next(stream)
    chosen, slots, _ = naive.answer(stream, LISTS, [], list(range(len(DECK))), 5, 0)
    return {"kind": "grant", "list": chosen, "slots": [f"0:{slot}" for slot in slots]}


def _from_nothing(player: Player) -> Read:
    stream = naive.numbers(player.secret, bytes(32))
    chosen, slots, _ = naive.answer(stream, LISTS, [], list(range(len(DECK))), 5, 0)
    return {"kind": "grant", "list": chosen, "slots": [f"0:{slot}" for slot in slots]}


def _stream_begun_anew() -> Vector:
    """The second grant of a record begins the stream again."""
    index = 10
    player = Player(OPEN, 0)
    world, *_ = _asked(index)
    _, (_, asked_then, _) = world
    stream = naive.numbers(player.secret, naive.record_hash(OPEN.records[index - 1]))
    chosen, slots, _ = naive.answer(stream, *asked_then)
    grants = [step for step in OPEN.records[index]["steps"] if step["kind"] == "grant"]
    epoch = grants[1]["slots"][0].partition(":")[0]
    anew = grants[1] | {"slots": [f"{epoch}:{slot}" for slot in slots]}
    if chosen is not None:
        anew["list"] = chosen
    assert anew != grants[1]
    steps = instead(grants[0], anew, RESIGN, player.close)
    return changed("R-10.8", "a stream begun anew for the second grant", OPEN, index + 1, steps)


def _asked(index: int) -> list[list[tuple[int, Any, Any]]]:
    """What was asked of the two grants in a record, and what they say."""
    side = OPEN.records[index]["side"]
    worlds = naive_chain.check(OPEN.records[: index + 1])
    return [[made for made in world["grants"][side] if made[0] == index] for world in worlds]


def _chosen_ahead() -> Vector:
    """Only what is named ahead was chosen."""
    index = 6
    grant = first("grant", AHEAD.records[index])
    free = [slot for slot in left_by(AHEAD, index) if slot not in grant["ahead"]]
    other = ascending([*grant["ahead"][1:], free[0]])
    steps = instead(grant | {"ahead": other}, RESIGN, Player(AHEAD, 0).close)
    return changed("R-10.8", "slots ahead that were chosen", AHEAD, index + 1, steps)


# --- what takes the rules of the game


def with_rules() -> Iterator[Vector]:
    """What breaks a rule that only who knows the rules of the game can find broken."""
    raid = to_raid()
    shown = OPEN.records[RAID]["steps"][len(raid)]
    neutral = {"kind": "shuffle", "epoch": 2, "cards": ["neutral-settlers"] * 3}
    for rule, what, base, length, change in [
        ("R-12.1", "rules data of nobody", FIXED, 1, put("invite", rules_digest="A" * 43)),
        ("R-12.1", "an edition of nobody", FIXED, 1, put("invite", edition="ninth")),
        ("R-12.1", "a house rule of nobody", FIXED, 1, put("invite", house_rules=["no-snow"])),
        ("R-12.2", "a card drafted that is not there", FIXED, 3, put("order", order="draft gold")),
        (
            "R-12.2",
            "a card played that is not in hand",
            FIXED,
            3,
            put("order", order="take quebec"),
        ),
        ("R-12.3", "an order behind the end of the turn", FIXED, 3, add(PASS)),
        ("R-12.4", "a turn that does not end", FIXED, 3, drop(3)),
        ("R-12.4", "a turn without its draw", FIXED, 4, drop(len(FIXED.records[3]["steps"]) - 1)),
        ("R-12.5", "a shuffle in the middle of a turn", AHEAD, 6, _shuffled_early),
        ("R-12.6", "another deck", FIXED, 1, _other_deck),
        ("R-12.7", "a card too few drawn", FIXED, 4, put("draw", count=1)),
        ("R-12.7", "a card drawn that is not due", FIXED, 3, add(draw(1))),
        (
            "R-12.8",
            "a card opened that the order does not need",
            FIXED,
            4,
            put("order", order="pass"),
        ),
        ("R-12.8", "the same in a follow up", OPEN, RAID + 1, instead(*raid, shown, PASS)),
        ("R-12.9", "an order with a word too many", FIXED, 3, put("order", 1, order="end now")),
        ("R-12.9", "an order without its card", FIXED, 3, put("order", order="draft")),
        (
            "R-12.9",
            "cards that descend in an order",
            FIXED,
            3,
            put("order", order="discard quebec, boston"),
        ),
        (
            "R-12.10",
            "a card of nobody in a follow up",
            OPEN,
            14,
            instead(*raid, order("draft gold")),
        ),
        (
            "R-12.10",
            "a place of nobody in a follow up",
            OPEN,
            14,
            instead(*raid, order("withdraw nowhere")),
        ),
        (
            "R-12.11",
            "three cards of two",
            OPEN,
            14,
            instead(*raid, neutral | {"commitment": "A" * 43}),
        ),
        ("R-5.4", "no second grant for the follow ups", OPEN, 11, drop(1)),
        ("R-9.5", "slots named ahead that need not be", AHEAD, 2, _ahead_too_early),
        ("R-10.4", "a close in the own turn", FIXED, 4, _closing_early),
    ]:
        yield changed(rule, what, base, length, change)


def _other_deck(record: Read) -> None:
    step = first("shuffle", record)
    step["cards"] = sorted([step["cards"][0], *step["cards"][:-1]])


def _shuffled_early(record: Read) -> None:
    """The pile has run out, and nothing is to be drawn: the discard pile of that moment."""
    cards = ["fort-beausejour", "new-haven", "pemaquid"]
    step = {"kind": "shuffle", "epoch": 1, "cards": cards, "commitment": "A" * 43}
    record["steps"] = [first("grant", record), step]


def _ahead_too_early(record: Read) -> None:
    grant = first("grant", record)
    grant["ahead"] = [f"0:{n}" for n in range(20) if f"0:{n}" not in grant["slots"]][:3]
    grant["ahead"] = [slot for slot in grant["ahead"] if position(slot) < len(_first_deck())]


def _first_deck() -> list[str]:
    return list(first("shuffle", AHEAD.records[0])["cards"])


def _closing_early(record: Read) -> None:
    record["steps"] = [record["steps"][0], Player(FIXED, 1).close]

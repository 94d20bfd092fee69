"""The chain once more, as plainly as it can be put: for checking, not for use.

Written from docs/protocol.md alone, *Checking a game without its rules*: nothing is shared with the
program. What only the rules would tell is tried in every way: how many follow-ups were carried out,
and whether a withdrawal interrupted the turn. Each way is a world; those that do not fit die out.
The form of the values and the signatures are not looked at.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from tests.vectors import naive
from tests.vectors.naive import Read
from tests.vectors.naive_deck import (
    Refused,
    carry_out,
    draws_in_turn,
    hide,
    need,
    new_deck,
    open_lists,
    open_slot,
    owes_opening,
    positions,
)

World = Read
"""What may be the case, as far as nothing speaks against it."""
Given = TypeVar("Given")

SIDES = ("british", "french")
ANSWERED = ("raid", "ambush", "convert")


def check(records: Sequence[Read], hashes: Sequence[bytes] | None = None) -> list[World]:
    """The worlds in which these records hold; raises Refused where there is none.

    `history` in a world tells what everybody knows of the slots after each record. `hashes` are
    taken for those of the records, where something was changed to see what else would tell it.
    """
    hashes = hashes or [naive.record_hash(record) for record in records]
    check_beginning(records)
    invite = records[0]["steps"][0]
    world = {
        "lists": invite["lists"],
        "may_name": invite["home_support"] == "ahead",
        "hashes": [],
        "time": "",
        "entered": {},
        "decks": {side: new_deck() for side in SIDES},
        "grants": {side: [] for side in SIDES},
        "waiting": [],
        "over": False,
        "closed": {},
        "history": [],
        "at": None,
    }
    worlds = [world]
    for record, digest in zip(records, hashes, strict=True):
        worlds = every(worlds, begin, record)
        for step in record["steps"]:
            worlds = every(worlds, take, step)
        worlds = every(worlds, end, digest)
    return worlds


def fork(world: World) -> World:
    """A copy that goes its own way; lists of positions are only ever replaced."""
    decks = {
        side: deck | {"epochs": [epoch.copy() for epoch in deck["epochs"]]}
        for side, deck in world["decks"].items()
    }
    grants = {side: made.copy() for side, made in world["grants"].items()}
    at = world["at"] and {
        key: value.copy() if isinstance(value, list) else value
        for key, value in world["at"].items()
    }
    return world | {"decks": decks, "grants": grants, "closed": world["closed"].copy(), "at": at}


def every(
    worlds: list[World], option: Callable[[World, Given], list[World]], given: Given
) -> list[World]:
    """What a step makes of each world; different ones once."""
    found: list[World] = []
    refusal = Refused("no world")
    for world in worlds:
        try:
            found += option(world, given)
        except Refused as error:
            refusal = error
    if not found:
        raise refusal
    different: list[World] = []
    for one in found:
        if one not in different:
            different.append(one)
    return different


def check_beginning(records: Sequence[Read]) -> None:
    """The tables of *The exchange*; a row may be cut short by who resigns in it."""
    rows = rows_of(records)
    if records[len(rows) - 1 :] and records[len(rows) - 1]["side"] == "british":
        rows.pop()
    for record, row in zip(records, rows, strict=False):
        kinds = [step["kind"] for step in record["steps"]]
        verbs = [step["order"].split(" ")[0] for step in record["steps"] if "order" in step]
        need(kinds == row or kinds[-1] in ("resign", "close"), "beginning")
        need(all(verb == "start" for verb in verbs), "beginning")
        draws = [step["count"] for step in record["steps"] if step["kind"] == "draw"]
        need(all(count == 5 for count in draws), "beginning")


def rows_of(records: Sequence[Read]) -> list[list[str]]:
    """The kinds of step in the first records, up to the one that ends the dealing."""
    deal, dealt = ["shuffle", "draw"], ["open-lists", "grant"]
    invite, side = records[0]["steps"][0], records[0]["side"]
    if "french-start-choice" not in invite["house_rules"]:
        if side == "any":
            return [["invite"], ["accept", *deal], ["grant", *deal], dealt]
        return [["invite", *deal], ["accept", "grant", *deal], dealt]
    start = ["order", *deal]
    if side == "french":
        return [["invite", *start], ["accept", "grant", *deal], dealt]
    if records[1:] and records[1]["side"] == "british":
        return [["invite"], ["accept"], start, ["grant", *deal], dealt]
    return [["invite"], ["accept", *start], ["grant", *deal], dealt]


# --- a record


def begin(world: World, record: Read) -> list[World]:
    world = fork(world)
    index, hashes = len(world["hashes"]), world["hashes"]
    need(record["index"] == index, "chain")
    need(record["previous"] == (naive.b64(hashes[-1]) if hashes else ""), "chain")
    need(record["time"] >= world["time"], "time")
    need(index == 0 or record["side"] in SIDES, "side")
    if index > 1:
        need(record["side"] == world["order"][index % 2], "turn")
    need(record["side"] not in world["closed"], "closed")
    world["time"] = record["time"]
    world["at"] = {
        "side": record["side"],
        "index": index,
        "previous": hashes[-1] if hashes else bytes(32),
        "over": world["over"],
        "mode": "owed",
        "opens": [],
        "after": [],
    }
    return [world]


def end(world: World, digest: bytes) -> list[World]:
    at, side = world["at"], world["at"]["side"]
    need(not at["opens"], "shown cards")
    need(not at["over"] or side in world["closed"], "close")
    if side in SIDES:
        need(not owes_opening(world["decks"][side]), "owed lists")
        need(world["over"] or not world["decks"][other(side)]["wanted"], "owed grant")
    worlds = [world, *carried_further(world)] if side in SIDES else [world]
    for one in worlds:
        one["waiting"] = [] if one["over"] else at["after"]
        one["hashes"] = [*one["hashes"], digest]
        one["history"] = [*one["history"], snapshot(one)]
        one["at"] = None
    return worlds


def carried_further(world: World) -> list[World]:
    """The worlds in which more of the follow-ups were carried out that ask for no grant."""
    side, worlds = other(world["at"]["side"]), []
    world = fork(world)
    while world["waiting"]:
        try:
            carry_out_next(world, side)
        except Refused:
            break
        if world["decks"][side]["wanted"]:
            break
        worlds.append(fork(world))
    return worlds


def snapshot(world: World) -> dict[str, dict[str, list[str]]]:
    """The slots of both sides, as everybody knows them."""
    return {
        side: {
            "hidden": [slot for slots in each(deck, "hidden") for slot in slots],
            "draw_pile": [slot for slots in each(deck, "undrawn") for slot in slots],
            "ahead": [slot for slots in each(deck, "ahead") for slot in slots],
        }
        for side, deck in world["decks"].items()
    }


def each(deck: Read, key: str) -> Iterator[list[str]]:
    for number, epoch in enumerate(deck["epochs"]):
        yield [f"{number}:{position}" for position in epoch[key]]


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


# --- a step


def take(world: World, step: Read) -> list[World]:
    world = fork(world)
    kind, at = step["kind"], world["at"]
    if kind in ("invite", "accept"):
        enter(world, step)
        return [world]
    side = at["side"]
    need(side in world["entered"], "entering")
    need(side not in world["closed"], "closed")
    own, others = world["decks"][side], world["decks"][other(side)]
    if kind == "open-lists":
        need(at["mode"] == "owed", "order of steps")
        open_lists(own, step, world["lists"])
        at["mode"] = "opened lists"
        return [world]
    need(not owes_opening(own), "owed lists")
    if kind == "grant":
        need(at["mode"] in ("owed", "opened lists", "play") and not at["opens"], "order of steps")
        grant(world, step, other(side))
        at["mode"] = "play"
        return [world]
    need(world["over"] or not others["wanted"], "owed grant")
    need(kind not in ("resign", "close") or len(world["entered"]) == 2, "entering")
    if kind == "resign":
        need(not at["opens"] and not world["over"], "end")
        world["over"], at["after"], world["waiting"] = True, [], []
        return [world]
    if kind == "close":
        need(not at["opens"], "end")
        close(world, side, naive.unb64(step["secret"]))
        return [world]
    need(not world["over"], "end")
    if kind == "open":
        return [shown(world, own, step)]
    if at["mode"] == "after" or (at["mode"] == "asked" and draws_in_turn(own)):
        return [follow_up(world, step)]
    return played(world, own, step)


def enter(world: World, step: Read) -> None:
    at = world["at"]
    need(at["index"] == (0 if step["kind"] == "invite" else 1), "entering")
    need(at["mode"] == "owed" and step["side"] == at["side"], "entering")
    side = step["side"]
    if step["kind"] == "accept":
        inviter = world["invited"]["side"]
        need(side != inviter, "entering")
        for key in ("key", "nonce", "secret_hash"):
            need(step[key] != world["invited"][key], "entering")
        world["entered"] = {side: step, other(side): world["invited"]}
        world["order"] = [other(side), side]
    else:
        world["invited"] = step
        if side != "any":
            world["entered"] = {side: step}
    at["mode"] = "opened lists"


def shown(world: World, deck: Read, step: Read) -> World:
    at = world["at"]
    need(at["mode"] != "asked" or draws_in_turn(deck), "asking")
    if at["mode"] == "asked":
        at["mode"] = "after"
    number, position = map(int, step["slot"].split(":"))
    slot = (number, position)
    need(not at["opens"] or at["opens"][-1] < slot, "shown cards")
    open_slot(deck, slot, step)
    at["opens"].append(slot)
    return world


def follow_up(world: World, step: Read) -> World:
    at = world["at"]
    need(step["kind"] == "order" or not at["opens"], "shown cards")
    at["mode"], at["opens"] = "after", []
    at["after"].append((step, at["previous"]))
    return world


def played(
    world: World,
    deck: Read,
    step: Read,
) -> list[World]:
    at = world["at"]
    need(step["kind"] == "order" or not at["opens"], "shown cards")
    need(at["mode"] != "asked", "asking")
    carry_out(deck, step, at["previous"])
    at["mode"], at["opens"] = "play", []
    if deck["wanted"]:
        at["mode"] = "asked"
    if step["kind"] != "order":
        return [world]
    verb = step["order"].split(" ")[0]
    if verb == "show-hand":
        need(not any(epoch["hidden"] for epoch in deck["epochs"]), "shown hand")
    interrupted = fork(world)
    interrupted["at"]["mode"] = "after"
    if verb == "withdraw":
        return [world, interrupted]
    return [interrupted if verb in ANSWERED else world]


# --- what the other side waits for


def carry_out_next(world: World, side: str) -> None:
    step, previous = world["waiting"][0]
    world["waiting"] = world["waiting"][1:]
    carry_out(world["decks"][side], step, previous)


def grant(world: World, step: Read, owner: str) -> None:
    """A grant by the other side, of the next draw that waits for one."""
    deck = world["decks"][owner]
    while not deck["wanted"]:
        need(world["waiting"], "grant")
        carry_out_next(world, owner)
    epoch, number = deck["epochs"][-1], len(deck["epochs"]) - 1
    lists = world["lists"] if epoch["list"] is None else None
    slots, ahead = (positions(step.get(key, []), number) for key in ("slots", "ahead"))
    left = [position for position in epoch["undrawn"] if position not in epoch["ahead"]]
    need(("list" in step) == (lists is not None), "grant")
    need(lists is None or step["list"] < lists, "grant")
    need(len(slots) == deck["wanted"] and set(slots) <= set(epoch["undrawn"]), "grant")
    need(set(epoch["ahead"][: len(slots)]) <= set(slots), "named ahead")
    need(set(ahead) <= set(left) - set(slots), "named ahead")
    kept = len(set(epoch["ahead"]) - set(slots))
    rest = len(epoch["undrawn"]) - len(slots)
    if "ahead" in step:
        need(world["may_name"] and ahead and kept + len(ahead) == min(3, rest), "named ahead")
    asked = (lists, list(epoch["ahead"]), left, len(slots), len(ahead))
    world["grants"][other(owner)].append(
        (world["at"]["index"], asked, (step.get("list"), slots, ahead))
    )
    if lists is not None:
        epoch["list"], epoch["owes"] = step["list"], True
    hide(deck, slots)
    epoch["ahead"] = sorted([*epoch["ahead"], *ahead])


# --- the close


def close(world: World, side: str, secret: bytes) -> None:
    """Everything that has to follow from a game secret."""
    published = naive.unb64(world["entered"][side]["secret_hash"])
    need(naive.sha(b"secret hash", secret) == published, "game secret")
    depth = world["lists"].bit_length() - 1
    for number, epoch in enumerate(world["decks"][side]["epochs"]):
        seed = naive.root_seed(secret, number, epoch["previous"])
        commitment = naive.commit(seed, epoch["cards"], depth)
        need(naive.b64(commitment) == epoch["commitment"], "stacked shuffle")
    streams: dict[int, Iterator[int]] = {}
    for index, asked, granted in world["grants"][side]:
        if index not in streams:
            streams[index] = naive.numbers(secret, world["hashes"][index - 1])
        need(naive.answer(streams[index], *asked) == granted, "chosen grant")
    world["closed"][side], world["over"] = secret, True


def card_at(world: World, side: str, slot: str) -> str:
    """The card in a slot of a side that has closed, in a world to which `check` led."""
    number, position = map(int, slot.split(":"))
    epoch = world["decks"][side]["epochs"][number]
    seed = naive.root_seed(world["closed"][side], number, epoch["previous"])
    path = naive.path(epoch["list"], world["lists"].bit_length() - 1)
    return naive.the_list(naive.leaf(seed, path), epoch["cards"])[position][0]

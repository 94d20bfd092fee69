"""A second, plain implementation of checking a chain, for comparison only.

It is written from docs/protocol.md, *Checking a game without its rules*, and shares no code with
the program. Facts that only the rules of the game decide (the number of executed follow-ups, and an
interruption by a withdrawal) are tried in every way. Each way is a world, and worlds in which a
record breaks a rule are dropped. `naive_form` checks the form of values and the signatures.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from tests.vectors import naive, naive_form
from tests.vectors.naive import Read
from tests.vectors.naive_deck import (
    RuleError,
    carry_out,
    hide,
    need,
    new_deck,
    open_lists,
    open_slot,
    owes_opening,
    positions,
)
from tests.vectors.naive_tables import (
    ANSWERED,
    DRAWING,
    FOLLOWING,
    FRENCH,
    VERBS,
    check_beginning,
    kind_of,
    row_of,
    verb_of,
)

World = Read
"""A possible state of the game that no record contradicts."""
Given = TypeVar("Given")

SIDES = ("british", "french")


def check(records: Sequence[Read], hashes: Sequence[bytes] | None = None) -> list[World]:
    """Return the worlds in which these records are valid; raises RuleError if there is none."""
    worlds = [new_world()]
    hashes = hashes or [naive.record_hash(record) for record in records]
    for record, digest in zip(records, hashes, strict=True):
        worlds = every(worlds, begin, record)
        for step in record["steps"]:
            worlds = every(worlds, take, step)
        worlds = every(worlds, end, digest)
    return worlds


def verify(data: bytes) -> list[World]:
    """Return the worlds in which a save file is valid; raises RuleError if there is none."""
    worlds, records, keys = [new_world()], naive_form.records_in(data), list[str]()
    for index, record in enumerate(records):
        before = records[index - 1] if index else None
        previous = naive.b64(naive.record_hash(before)) if before else ""
        need(record["index"] == index, "R-3.1")
        need(record["previous"] == previous, "R-3.2")
        entry = record["steps"][0]
        need(index != 0 or entry["kind"] == "invite", "R-3.3")
        need(index != 1 or entry["kind"] == "accept", "R-3.4")
        keys += [entry["key"]] if index < 2 else []
        need(naive_form.is_signed(record, keys[index % 2]), "R-3.5")
        worlds = every(worlds, begin, record)
        for step in record["steps"]:
            worlds = every(worlds, take, step)
        worlds = every(worlds, end, naive.record_hash(record))
    return worlds


def new_world() -> World:
    """Return the world before the first record."""
    return {
        "hashes": [],
        "sides": [],
        "kinds": [],
        "time": "",
        "invited": {},
        "entered": {},
        "decks": {side: new_deck() for side in SIDES},
        "grants": {side: [] for side in SIDES},
        "waiting": [],
        "over": False,
        "closed": {},
        "history": [],
        "at": None,
    }


def fork(world: World) -> World:
    """Return an independent copy; lists of positions are replaced, never changed."""
    decks = {
        side: deck | {"epochs": [epoch.copy() for epoch in deck["epochs"]]}
        for side, deck in world["decks"].items()
    }
    grants = {side: grants_made.copy() for side, grants_made in world["grants"].items()}
    at = world["at"] and {
        key: value.copy() if isinstance(value, list) else value
        for key, value in world["at"].items()
    }
    return world | {"decks": decks, "grants": grants, "closed": world["closed"].copy(), "at": at}


def every(
    worlds: list[World], option: Callable[[World, Given], list[World]], argument: Given
) -> list[World]:
    """Return the worlds that follow from each world by a step, without duplicates."""
    result: list[World] = []
    refusals: list[RuleError] = []
    for world in worlds:
        try:
            result += option(world, argument)
        except RuleError as error:
            refusals.append(error)
    if not result:
        raise refusals[0]
    different: list[World] = []
    for one in result:
        if one not in different:
            different.append(one)
    return different


# --- records


def begin(world: World, record: Read) -> list[World]:
    world = fork(world)
    index, hashes = len(world["hashes"]), world["hashes"]
    need(record["index"] == index, "R-3.1")
    need(record["previous"] == (naive.b64(hashes[-1]) if hashes else ""), "R-3.2")
    need(not index or record["side"] != world["sides"][-1], "R-3.6")
    need(record["time"] >= world["time"], "R-3.7")
    need(record["side"] not in world["closed"], "R-10.5")
    world["time"] = record["time"]
    world["sides"] = [*world["sides"], record["side"]]
    world["at"] = {
        "side": record["side"],
        "index": index,
        "previous": hashes[-1] if hashes else bytes(32),
        "over": world["over"],
        "mode": "play",
        "kinds": [],
        "opens": [],
        "answered": False,
        "ended": False,
        "after": [],
    }
    return [world]


def end(world: World, digest: bytes) -> list[World]:
    at, side = world["at"], world["at"]["side"]
    need(not at["opens"], "R-7.1")
    if side in SIDES:
        need(world["over"] or not world["decks"][other(side)]["wanted"], "R-5.4")
    need(not at["over"] or side in world["closed"], "R-10.3")
    check_beginning(world)
    worlds = [world, *carried_further(world)] if side in SIDES else [world]
    for one in worlds:
        one["waiting"] = [] if one["over"] else at["after"]
        one["hashes"] = [*one["hashes"], digest]
        one["history"] = [*one["history"], snapshot(one)]
        one["at"] = None
    return worlds


def carried_further(world: World) -> list[World]:
    """Return the worlds in which further follow-ups without a grant were carried out."""
    side, worlds = other(world["at"]["side"]), list[World]()
    world = fork(world)
    while world["waiting"] and world["at"]["answered"]:
        try:
            carry_out_next(world, side)
        except RuleError:
            break
        if world["decks"][side]["wanted"]:
            break
        worlds.append(fork(world))
    return worlds


def snapshot(world: World) -> dict[str, dict[str, list[str]]]:
    """Return the public slots of both sides."""
    return {
        side: {
            "hidden": [slot for slots in members(deck, "hidden") for slot in slots],
            "draw_pile": [slot for slots in members(deck, "undrawn") for slot in slots],
            "ahead": [slot for slots in members(deck, "ahead") for slot in slots],
        }
        for side, deck in world["decks"].items()
    }


def members(deck: Read, key: str) -> Iterator[list[str]]:
    for number, epoch in enumerate(deck["epochs"]):
        yield [f"{number}:{position}" for position in epoch[key]]


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


# --- steps


def take(world: World, step: Read) -> list[World]:
    world = fork(world)
    kind, at = step["kind"], world["at"]
    first = not at["kinds"]
    at["kinds"] = [*at["kinds"], kind_of(step)]
    if kind in ("invite", "accept"):
        enter(world, step, first=first)
        return [world]
    need(kind not in ("resign", "close") or len(world["entered"]) == 2, "R-10.1")
    side = at["side"]
    need(side in world["entered"], "R-5.1")
    need(side not in world["closed"], "R-10.5")
    own, others = world["decks"][side], world["decks"][other(side)]
    if kind == "open-lists":
        open_lists(own, step, world["invited"]["lists"])
        return [world]
    need(not owes_opening(own), "R-5.2")
    need(kind == "grant" or world["over"] or not others["wanted"], "R-5.4")
    need(kind == "close" or not world["over"], "R-10.2")
    need(kind in ("open", "order") or not at["opens"], "R-7.1")
    if kind == "grant":
        need(at["mode"] == "play", "R-5.5")
        grant(world, step, other(side))
        at["answered"] = True
        return [world]
    if kind == "resign":
        world["over"], at["after"], world["waiting"] = True, [], []
        return [world]
    if kind == "close":
        need(world["over"] or (at["mode"] == "play" and row_of(world) is None), "R-10.4")
        close(world, side, naive.unb64(step["secret"]))
        return [world]
    may_follow = at["mode"] == "after" or (at["mode"] == "asked" and own["last"] in DRAWING)
    need(at["mode"] != "asked" or may_follow, "R-5.6")
    if kind == "open":
        return [show_card(world, own, step)]
    if kind == "order":
        need(verb_of(step) in VERBS, "R-7.4")
        need(verb_of(step) not in FRENCH or side == "french", "R-7.5")
    return [follow_up(world, step)] if may_follow else play_order(world, own, step)


def enter(world: World, step: Read, *, first: bool) -> None:
    at, side = world["at"], step["side"]
    if step["kind"] == "invite":
        need(first and at["index"] == 0, "R-4.1")
        need(side == at["side"], "R-4.3")
        world["invited"] = step
        world["entered"] = {side: step} if side != "any" else {}
        return
    need(first and at["index"] == 1, "R-4.2")
    need(side == at["side"], "R-4.4")
    for key in ("key", "nonce", "secret_hash"):
        need(step[key] != world["invited"][key], "R-4.5")
    world["entered"] = {side: step, other(side): world["invited"]}


def show_card(world: World, deck: Read, step: Read) -> World:
    at = world["at"]
    at["mode"] = "after" if at["mode"] == "asked" else at["mode"]
    number, position = map(int, step["slot"].split(":"))
    slot = (number, position)
    need(not at["opens"] or at["opens"][-1] <= slot, "R-7.2")
    open_slot(deck, slot, step)
    at["opens"].append(slot)
    return world


def follow_up(world: World, step: Read) -> World:
    at = world["at"]
    if step["kind"] == "order":
        verb = verb_of(step)
        need(verb in FOLLOWING or verb == "lose", "R-8.1")
        need((verb == "lose") == at["ended"], "R-8.2")
        at["ended"] = at["ended"] or verb == "end"
    at["mode"], at["opens"] = "after", []
    at["after"].append((step, at["previous"]))
    return world


def play_order(world: World, deck: Read, step: Read) -> list[World]:
    at = world["at"]
    if step["kind"] == "order" and verb_of(step) == "show-hand":
        need(not any(epoch["hidden"] for epoch in deck["epochs"]), "R-7.3")
    carry_out(deck, step, at["previous"])
    at["mode"], at["opens"] = "asked" if deck["wanted"] else "play", []
    if step["kind"] != "order":
        return [world]
    at["answered"] = True
    interrupted = fork(world)
    interrupted["at"]["mode"] = "after"
    if verb_of(step) == "withdraw":
        return [world, interrupted]
    return [interrupted if verb_of(step) in ANSWERED else world]


# --- grants


def carry_out_next(world: World, side: str) -> None:
    step, previous = world["waiting"][0]
    need(step["kind"] != "shuffle" or not owes_opening(world["decks"][side]), "R-5.2")
    world["waiting"] = world["waiting"][1:]
    carry_out(world["decks"][side], step, previous)


def grant(world: World, step: Read, owner: str) -> None:
    """Check a grant by the other side, and complete the draw that requested it."""
    deck = world["decks"][owner]
    while not deck["wanted"]:
        need(world["waiting"] and world["at"]["answered"], "R-5.5")
        try:
            carry_out_next(world, owner)
        except RuleError:
            raise RuleError("R-5.5") from None
    epoch, number = deck["epochs"][-1], len(deck["epochs"]) - 1
    lists = world["invited"]["lists"] if epoch["list"] is None else None
    others = [position for position in epoch["undrawn"] if position not in epoch["ahead"]]
    need(("list" in step) == (lists is not None), "R-6.4")
    need(lists is None or step["list"] < lists, "R-6.5")
    need(len(step["slots"]) == deck["wanted"], "R-6.6")
    slots = positions(step["slots"], number, "R-6.7")
    need(set(slots) <= set(epoch["undrawn"]), "R-6.7")
    need(world["invited"]["home_support"] == "ahead" or "ahead" not in step, "R-9.1")
    need(set(epoch["ahead"][: len(slots)]) <= set(slots), "R-9.2")
    ahead = positions(step.get("ahead", []), number, "R-9.3")
    need(set(ahead) <= set(others) - set(slots), "R-9.3")
    if world["invited"]["home_support"] == "ahead":
        check_count_ahead(step, deck, set(slots))
    demand = (lists, list(epoch["ahead"]), others, len(slots), len(ahead))
    world["grants"][other(owner)].append(
        (world["at"]["index"], demand, (step.get("list"), slots, ahead))
    )
    if lists is not None:
        epoch["list"], epoch["owes"] = step["list"], True
    hide(deck, slots)
    epoch["ahead"] = sorted([*epoch["ahead"], *ahead])


def check_count_ahead(step: Read, deck: Read, slots: set[int]) -> None:
    """Check the number of slots named ahead, without the rules that show Home Support in hand."""
    epoch = deck["epochs"][-1]
    due = min(3, len(epoch["undrawn"]) - len(slots)) - len(set(epoch["ahead"]) - slots)
    if "ahead" in step:
        need(len(step["ahead"]) == due, "R-9.4")
    else:
        can_be_in_hand = any(
            "home-support" in one["unseen"] and (one["hidden"] or one is epoch)
            for one in deck["epochs"]
        )
        need(due <= 0 or not can_be_in_hand, "R-9.5")


# --- the close


def close(world: World, side: str, secret: bytes) -> None:
    """Check all shuffles and grants that follow from a game secret."""
    published = naive.unb64(world["entered"][side]["secret_hash"])
    need(naive.sha(b"secret hash", secret) == published, "R-10.6")
    depth = world["invited"]["lists"].bit_length() - 1
    for number, epoch in enumerate(world["decks"][side]["epochs"]):
        seed = naive.root_seed(secret, number, epoch["previous"])
        commitment = naive.commit(seed, epoch["cards"], depth)
        need(naive.b64(commitment) == epoch["commitment"], "R-10.7")
    streams: dict[int, Iterator[int]] = {}
    for index, demand, granted in world["grants"][side]:
        if index not in streams:
            streams[index] = naive.numbers(secret, world["hashes"][index - 1])
        need(naive.answer(streams[index], *demand) == granted, "R-10.8")
    world["closed"][side], world["over"] = secret, True


def card_at(world: World, side: str, slot: str) -> str:
    """Return the card in a slot of a side that has closed, in a world from `check`."""
    number, position = map(int, slot.split(":"))
    epoch = world["decks"][side]["epochs"][number]
    seed = naive.root_seed(world["closed"][side], number, epoch["previous"])
    path = naive.path(epoch["list"], world["invited"]["lists"].bit_length() - 1)
    return naive.the_list(naive.leaf(seed, path), epoch["cards"])[position][0]

"""Games played by whichever engine is on the path, one for each line that is read.

`benchmarks.engine` runs it with two engines in turn. A line says what is played ("random",
"practice" or "drawn"), by which number, and "yes" where a digest is wanted; the answer, in JSON,
has the seconds of processor time, the orders given, and the digest of every order and position.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from time import process_time

from engine import game
from engine.house_rules import UnknownRules, house_rules
from engine.order import Order
from engine.players.practice import PracticePlayer
from engine.ruleset import Ruleset, editions
from engine.simulation import Dealer
from engine.state import Decision, State, new_game

LAST_TURN = 200
SHARE_OF_RULES = 0.5


def rules(number: int) -> Ruleset:
    """The rules of a game: one edition after the other, then one of them with house rules."""
    random, known = Random(number), list(editions())
    chosen: list[str] = []
    edition = known[number % (len(known) + 1)] if number % (len(known) + 1) < len(known) else ""
    if edition:
        return Ruleset.of(edition)
    edition = random.choice(known)
    # By its name, so that an engine with one rule more plays the others all the same.
    draws = {rule: Random(f"{number} {rule}").random() for rule in house_rules()}
    for rule in sorted(draws, key=lambda rule: draws[rule]):
        if draws[rule] > SHARE_OF_RULES:
            break
        try:
            Ruleset.of(edition, [*chosen, rule])
        except UnknownRules:
            continue
        chosen.append(rule)
    return Ruleset.of(edition, chosen)


def chooser(what: str, random: Random) -> Callable[[State], Order]:
    """What gives the orders: one of all that are listed, one drawn by itself, or practice."""
    if what == "random":
        return lambda state: random.choice(game.legal_orders(state))
    if what == "drawn":
        return lambda state: game.random_order(state, random)
    return PracticePlayer(random).choose


def positions(what: str, number: int) -> Iterator[tuple[State, Order]]:
    """A game to its end or `LAST_TURN`: each order, and the position after it."""
    random = Random(number)
    state, dealer, choose = new_game(rules(number)), Dealer(random), chooser(what, random)
    dealer.deal(state)
    while state.awaiting.decision is not Decision.OVER and state.turn < LAST_TURN:
        order = choose(state)
        game.apply(state, order)
        dealer.deal(state)
        yield state, order


def answer(what: str, number: int, *, digested: bool) -> dict[str, object]:
    """Play a game, again for its digest, and tell of it."""
    start = process_time()
    orders = sum(1 for _ in positions(what, number))
    seconds = process_time() - start
    digest = sha256()
    for state, order in positions(what, number) if digested else ():
        # How an outcome is said has changed since; who won, and by what, may not.
        ended = (state.outcome.winner.value, str(state.outcome.by)) if state.outcome else None
        state.outcome = None
        digest.update(f"{order.notation()}\n{state.key()!r}\n{ended}\n".encode())
    return {"seconds": seconds, "orders": orders, "digest": digest.hexdigest()}


if __name__ == "__main__":
    for line in sys.stdin:
        asked, which, wanted = line.split()
        print(json.dumps(answer(asked, int(which), digested=wanted == "yes")), flush=True)

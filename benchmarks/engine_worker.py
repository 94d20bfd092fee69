"""A process that plays games with the engine on its path, one per line of standard input.

`benchmarks.engine` runs it with two engines alternately. A line has the kind of game ("random",
"practice" or "drawn"), its number, and "yes" for a digest. The JSON report has the seconds of
processor time, the number of orders, and the digest of every order and position.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from time import process_time

from engine import game
from engine.house_rules import InvalidRulesError, house_rules
from engine.order import Order
from engine.players.practice import PracticePlayer
from engine.ruleset import Ruleset, editions
from engine.simulation import Dealer
from engine.state import Decision, State, new_game

LAST_TURN = 200
SHARE_OF_RULES = 0.5


def rules(number: int) -> Ruleset:
    """Return the rules of a game: each edition in turn, then one with house rules."""
    random, names = Random(number), list(editions())
    house_rule_ids: list[str] = []
    edition = names[number % (len(names) + 1)] if number % (len(names) + 1) < len(names) else ""
    if edition:
        return Ruleset.of(edition)
    edition = random.choice(names)
    # Draw by name, so that an engine with an additional rule draws the same other rules.
    random_numbers = {rule: Random(f"{number} {rule}").random() for rule in house_rules()}
    for rule in sorted(random_numbers, key=lambda rule: random_numbers[rule]):
        if random_numbers[rule] > SHARE_OF_RULES:
            break
        try:
            Ruleset.of(edition, [*house_rule_ids, rule])
        except InvalidRulesError:
            continue
        house_rule_ids.append(rule)
    return Ruleset.of(edition, house_rule_ids)


def chooser(kind: str, random: Random) -> Callable[[State], Order]:
    """Return the function that chooses the orders of a kind of game."""
    if kind == "random":
        return lambda state: random.choice(game.legal_orders(state))
    if kind == "drawn":
        return lambda state: game.random_order(state, random)
    return PracticePlayer(random).choose


def positions(kind: str, number: int) -> Iterator[tuple[State, Order]]:
    """Yield the orders of a game to its end or `LAST_TURN`, each with the position after it."""
    random = Random(number)
    state, dealer, choose = new_game(rules(number)), Dealer(random), chooser(kind, random)
    dealer.deal(state)
    while state.awaiting.decision is not Decision.OVER and state.turn < LAST_TURN:
        order = choose(state)
        game.apply(state, order)
        dealer.deal(state)
        yield state, order


def report(kind: str, number: int, *, with_digest: bool) -> dict[str, object]:
    """Play a game, and again for its digest. Return the report."""
    start = process_time()
    orders = sum(1 for _ in positions(kind, number))
    seconds = process_time() - start
    digest = sha256()
    for state, order in positions(kind, number) if with_digest else ():
        # The wording of outcomes may change, but not the winner and the kind of end.
        outcome = (state.outcome.winner.value, str(state.outcome.by)) if state.outcome else None
        state.outcome = None
        digest.update(f"{order.notation()}\n{state.key()!r}\n{outcome}\n".encode())
    return {"seconds": seconds, "orders": orders, "digest": digest.hexdigest()}


if __name__ == "__main__":
    for line in sys.stdin:
        kind, number, digest = line.split()
        print(json.dumps(report(kind, int(number), with_digest=digest == "yes")), flush=True)

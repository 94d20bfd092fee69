"""Chains that break a rule where the short games have no place for it: in games played for that."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vectors import naive
from tests.vectors.honest import kept
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
    insert,
    instead,
    laid_out,
    opening,
    order,
    put,
    shuffle,
)
from tests.vectors.refused_steps import END, OPEN, PASS

WHOLE = kept("a whole pile granted with its list")
WHOLE_IN_TURN = kept("a whole pile granted in the middle of a turn")
"""The fifth record asks for a whole pile, of epoch 1; the sixth grants it."""
TWO_EPOCHS = kept("a hand of two epochs shown")
AMBUSH = kept("follow ups and then an ambush")
"""In the last but two records."""
INTERRUPTED = kept("a withdraw that interrupts")
"""The fourth record withdraws, the fifth answers."""
NOT_INTERRUPTED = kept("a withdraw that does not interrupt")
GIVEN_UP = kept("a home given up")
SHUFFLED = kept("a shuffle as a follow up")
"""The tenth record has it, the eleventh answers."""


def of_played() -> Iterator[Vector]:
    """What every reader finds."""
    yield from _turns_too_early()
    yield changed(
        "R-6.4", "a grant of the whole deck without a list", WHOLE, 6, put("grant", list=None)
    )
    again = first("shuffle", TWO_EPOCHS.records[0]) | {"epoch": 3}
    yield changed(
        "R-6.2", "a shuffle of a third pile that is left", TWO_EPOCHS, 9, insert(1, again)
    )
    yield changed("R-7.3", "a card of an earlier epoch not shown", TWO_EPOCHS, 10, drop(0))
    records = cut(WHOLE_IN_TURN, 4)
    steps = WHOLE_IN_TURN.records[4]["steps"]
    asked = steps[: max(n for n, step in enumerate(steps) if step["kind"] == "draw") + 1]
    owed = first("shuffle", {"steps": asked}) | {"epoch": 2}
    follow(records, WHOLE_IN_TURN.seeds, *asked, owed, draw(1))
    grant = first("grant", WHOLE_IN_TURN.records[5])
    yield followed(
        "R-5.5",
        "a grant for a follow up shuffle although an opening is owed",
        Base(records, WHOLE_IN_TURN.seeds),
        5,
        grant,
        grant | {"slots": ["2:0"]},
    )
    records = cut(AMBUSH, 15)
    follow(records, AMBUSH.seeds, *AMBUSH.records[15]["steps"], draw(1))
    steps = AMBUSH.records[16]["steps"]
    ambush = next(n for n, s in enumerate(steps) if s.get("order", "").startswith("ambush"))
    yield followed(
        "R-5.5",
        "a grant behind an own ambush for a draw that was dropped",
        Base(records, AMBUSH.seeds),
        16,
        *steps[: ambush + 1],
        {"kind": "grant", "slots": ["1:0"]},
    )


def _turns_too_early() -> Iterator[Vector]:
    """R-5.1: the French begin, where the British have the first turn."""
    for table, what, length in [
        ("C", "beginning C", 3),
        ("D", "beginning D", 4),
        ("E", "beginning E", 5),
    ]:
        yield changed("R-5.1", f"{table}: a turn before the British", kept(what), length, add(PASS))
    records, inviter, guest = cut(OPEN, 1), Player(OPEN, 0), Player(OPEN, 1)
    lists = first("invite", records[0])["lists"]
    british, french = (first("shuffle", OPEN.records[index])["cards"] for index in (1, 2))
    accept = OPEN.records[1]["steps"][0] | {"side": "french"}
    root = naive.root_seed(guest.secret, 0, naive.record_hash(records[0]))
    dealt = shuffle(root, french, lists)
    follow(records, OPEN.seeds, accept, dealt, draw(5), side="french")
    answer = inviter.grant(records[1], lists, len(french))
    own = naive.root_seed(inviter.secret, 0, naive.record_hash(records[1]))
    follow(records, OPEN.seeds, answer, shuffle(own, british, lists), draw(5))
    opened = opening(root, french, lists, answer["list"])
    granted = guest.grant(records[2], lists, len(british))
    begun = Base(records, OPEN.seeds)
    yield followed("R-5.1", "B: a turn before the British", begun, 3, opened, granted, PASS)


# --- what takes the rules of the game


def with_rules() -> Iterator[Vector]:
    """What only a reader finds that knows how far the follow-ups came, or that the game is over."""
    records = cut(INTERRUPTED, 3)
    withdrawn = [*INTERRUPTED.records[3]["steps"][:-1], draw(2)]
    follow(records, INTERRUPTED.seeds, *withdrawn)
    opened, shown, answer, granted = INTERRUPTED.records[4]["steps"][:4]
    yield followed(
        "R-5.5",
        "a grant for a draw that was dropped",
        Base(records, INTERRUPTED.seeds),
        4,
        *(opened, shown, answer),
        granted | {"slots": ["0:4", "0:5"]},
    )
    yield changed("R-5.6", "a second draw behind a withdraw", NOT_INTERRUPTED, 3, add(draw(1)))
    up_to_withdraw = INTERRUPTED.records[3]["steps"][:-2]
    for rule, what, more in [
        ("R-8.1", "an answer behind a withdraw", [order("allow")]),
        ("R-8.2", "an order behind the end behind a withdraw", [END, PASS]),
    ]:
        yield changed(rule, what, INTERRUPTED, 4, instead(*up_to_withdraw, *more))
    lost = cut(GIVEN_UP, 22)
    follow(lost, GIVEN_UP.seeds, *GIVEN_UP.records[22]["steps"][:-1])
    over = Base(lost, GIVEN_UP.seeds)
    yield followed("R-10.2", "an order after a home was given up", over, 23, PASS, END)
    lost = cut(GIVEN_UP, 20)
    granted = first("grant", GIVEN_UP.records[20])
    follow(lost, GIVEN_UP.seeds, granted, order("withdraw boston"))
    over = Base(lost, GIVEN_UP.seeds)
    opened = first("open-lists", GIVEN_UP.records[21])
    yield followed("R-10.3", "no close after a home was given up", over, 21, opened)
    yield _stacked()
    steps = GIVEN_UP.records[19]["steps"]
    supported = steps.index(order("home-support"))
    named = next(s for s in GIVEN_UP.records[21]["steps"] if s.get("slot") == "2:5")
    yield changed(
        "R-12.7",
        "two cards drawn of three that are named ahead",
        GIVEN_UP,
        20,
        instead(*steps[: supported + 1], draw(2), named, PASS),
    )


def _stacked() -> Vector:
    """A follow-up shuffle that was stacked: nothing that everybody knows tells that it was made."""
    records = cut(SHUFFLED, 9)
    *steps, made = SHUFFLED.records[9]["steps"]
    stacked = shuffle(bytes(32), made["cards"], 2, made["epoch"])
    follow(records, SHUFFLED.seeds, *steps, stacked)
    answer = SHUFFLED.records[10]["steps"]
    follow(records, SHUFFLED.seeds, *answer[: answer.index(order("show-hand")) + 1], RESIGN)
    follow(records, SHUFFLED.seeds, Player(SHUFFLED, 1).close)
    return Vector("R-10.7", "a follow up shuffle that was stacked", laid_out(records), 11)

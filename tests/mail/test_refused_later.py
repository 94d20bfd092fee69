"""A login that worked and is refused later: it is tried again, less and less often, and told once.

Providers refuse for an hour whoever comes too often, or while they are repaired; a password that
never worked is another matter, and is not tried again (test_fetching_every.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.mail.players import Looks, Player
from tests.mail.servers import PostOffice

Locked = tuple[Callable[[Player], None], Callable[[], None]]


@pytest.fixture
def locked(office: PostOffice) -> Iterator[Locked]:
    """How to let both servers refuse an account, and let it in again."""
    changed: list[Player] = []

    def change(who: Player, password: str) -> None:
        office.dovecot.add_user(who.address, password)
        office.passwords[who.address] = password

    def lock(who: Player) -> None:
        change(who, "another")
        changed.append(who)

    def unlock() -> None:
        for who in changed:
            change(who, who.password)
        changed.clear()

    yield lock, unlock
    unlock()


def nothing() -> None:
    pass


def test_watching_goes_on_when_the_login_is_taken_again(
    anna: Player, bela: Player, joined: Path, looks: Looks, locked: Locked
) -> None:
    deeds, waited = looks
    lock, unlock = locked
    bela.do("mail", "send", joined)
    deeds += [partial(lock, anna), nothing, nothing, unlock, nothing]
    done = anna.run("mail", "fetch", "--every", "10s")
    assert done.status == 130
    assert done.err.count("refuses the login") == 1
    assert "It will be tried again." in " ".join(done.err.split())
    assert done.out.count("can be reached again") == 1
    assert waited == [10, 20, 40, 80, 10, 10]


def test_a_login_that_never_worked_ends_it(anna: Player, looks: Looks, locked: Locked) -> None:
    locked[0](anna)
    done = anna.run("mail", "fetch", "--every", "5m")
    assert done.status == 2
    assert "refuses the login" in done.err
    assert looks[1] == []

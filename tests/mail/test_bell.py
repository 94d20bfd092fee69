"""What comes into a mailbox is told at once where the server says so, and soon where it fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Timer
from typing import NoReturn

import pytest

from pbem.cli.again import look_again
from pbem.mail import bell as bells
from pbem.mail.account import Account
from pbem.mail.bell import PULSE, Bell
from pbem.mail.login import Login
from pbem.mail.wire import MailFailed
from pbem.play.config import Config
from pbem.play.pauses import MOST_DOUBLED
from tests.mail.players import Player
from tests.mail.servers import PostOffice
from tests.present import present
from tests.sample import sample

pytestmark = pytest.mark.usefixtures("listening")
NOBODY = Account("anna@example.org", None, None)
EVERY = 300


def test_a_turn_is_told_as_it_arrives(
    office: PostOffice,
    anna: Player,
    bela: Player,
    joined: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program looks every 5 minutes; nobody waits for that here."""
    waits: list[float] = []
    wait, begun = Bell.wait, time.monotonic()

    def waited(bell: Bell, seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            # The first was for what had come while nobody listened.
            Timer(0.5, lambda: bela.do("mail", "send", joined)).start()
        if len(waits) == 3:
            raise KeyboardInterrupt
        wait(bell, seconds)

    monkeypatch.setattr(Bell, "wait", waited)
    done = anna.run("mail", "watch")
    assert done.out.count("your move since") == 1
    assert time.monotonic() - begun < PULSE / 2
    assert waits == [EVERY] * 3


def test_the_robot_answers_as_an_invitation_arrives(
    office: PostOffice, anna: Player, robot: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks every 5 minutes; nobody waits for that here."""
    waits: list[float] = []
    wait, begun = Bell.wait, time.monotonic()
    file = anna.folder / "invitation.toml"
    anna.do("new", "--side", "british", "--lists", 256, "--output", file)

    def waited(bell: Bell, seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            sent = partial(anna.do, "mail", "send", file, "--to", robot.address)
            Timer(0.5, sent).start()
        if len(waits) == 3:
            raise KeyboardInterrupt
        wait(bell, seconds)

    monkeypatch.setattr(Bell, "wait", waited)
    assert f"Sent to {anna.address}" in robot.run("serve-robot").out
    assert len(anna.inbox()) == 1
    assert time.monotonic() - begun < PULSE / 2
    assert waits == [EVERY] * 3


def test_what_came_while_nobody_listened_is_looked_at(office: PostOffice, anna: Player) -> None:
    account = present(Account.of(Config.read(anna.home / "config.toml")))
    begun = time.monotonic()
    with Bell(account, Login(anna.password)) as bell:
        bell.wait(EVERY)
        office.deliver(anna.address, b"Subject: Hi\r\n\r\nThere\r\n")
        bell.wait(EVERY)
    assert time.monotonic() - begun < PULSE / 2


# --- a week, simulated


class End(Exception):
    """The week is over."""


class World:
    """A computer and a mail server for a week, in seconds; letters come at these times.

    At each of `breaks` the connections die unnoticed, as when the computer slept or changed its
    address; in each of `outages` the server is down, and ends those that there were.
    """

    def __init__(self, seed: int, *, tells: bool) -> None:
        chance = Random(seed)
        self.tells = tells
        self.now, self.end = 0.0, 7 * 86400.0
        self.arrivals = sorted(chance.uniform(0, self.end - 30_000) for _ in range(200))
        self.breaks = sorted(chance.uniform(0, self.end) for _ in range(40))
        starts = sorted(chance.uniform(0, self.end) for _ in range(30))
        self.outages = [(start, start + chance.choice([5, 90, 4000])) for start in starts]
        self.told: dict[float, float] = {}
        self.logins = 0
        self.open: set[int] = set()

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.now > self.end:
            raise End

    def is_down(self, at: float) -> bool:
        return any(begin <= at < end for begin, end in self.outages)

    def look(self) -> None:
        self.sleep(0.5)
        self.logins += 1
        if self.is_down(self.now):
            raise MailFailed("It is down.", may_pass=True)
        for arrival in self.arrivals:
            if arrival <= self.now:
                self.told.setdefault(arrival, self.now)

    @contextmanager
    def opened(self, account: Account, login: Login) -> Iterator[Connection]:
        self.sleep(0.5)
        self.logins += 1
        if self.is_down(self.now):
            raise MailFailed("It is down.", may_pass=True)
        number = self.logins
        self.open.add(number)
        assert len(self.open) == 1
        try:
            yield Connection(self)
        finally:
            self.open.remove(number)


class Connection:
    """A connection to that server, in the place of a `Mailbox`."""

    def __init__(self, world: World) -> None:
        self._world, self._begun, self._heard = world, world.now, world.now
        self.tells = world.tells

    def _check(self) -> None:
        world = self._world
        if any(self._begun <= each < world.now for each in world.breaks):
            world.sleep(20)
            raise MailFailed("Nobody answers.", may_pass=True)
        if any(self._begun <= begin < world.now for begin, _ in world.outages):
            raise MailFailed("It was closed.", may_pass=True)

    def has_news(self) -> bool:
        self._check()
        before, self._heard = self._heard, self._world.now
        return any(before < each <= self._heard for each in self._world.arrivals)

    def wait(self, seconds: float) -> bool:
        world = self._world
        until = world.now + seconds
        stops = [each for each in world.breaks if world.now < each < until]
        coming = [each for each in world.arrivals if world.now < each < min([until, *stops])]
        world.sleep((coming[0] if coming else until) - world.now)
        self._check()
        self._heard = world.now
        return bool(coming)


@pytest.mark.parametrize("tells", [True, False], ids=["IDLE", "polling"])
@pytest.mark.parametrize("seed", sample(range(3), first=1))
def test_for_a_week_every_letter_is_told_whatever_happens_to_the_connection(
    seed: int, tells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(seed, tells=tells)
    for place in (bells, "pbem.cli.again"):
        name = place if isinstance(place, str) else place.__name__
        monkeypatch.setattr(f"{name}.time", world)
    monkeypatch.setattr(bells, "opened", world.opened)

    def watch() -> NoReturn:
        with Bell(NOBODY, Login("x")) as bell:
            look_again(world.look, EVERY, lambda error: True, wait=bell.wait)

    with pytest.raises(End):
        watch()
    assert world.told.keys() == set(world.arrivals)
    assert not world.open
    longest = EVERY << MOST_DOUBLED
    for arrival, told in world.told.items():
        before = arrival - longest
        up = max([arrival, *(end for _, end in world.outages if arrival <= end <= told)])
        assert told - up <= longest + PULSE
        if not any(before < end and begin < told for begin, end in world.outages):
            assert told - arrival <= EVERY + PULSE
            if tells and not any(before < each < told for each in world.breaks):
                assert told - arrival < 5
    # No server minds so many.
    assert world.logins < 3 * world.end / EVERY

"""Two processes of one robot, with one mailbox, which 500 invitations fill; one of them is killed.

Fifty games go on, and the others wait. Each letter is answered once, whoever is killed in between.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from email import message_from_bytes, policy
from email.utils import parseaddr
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from engine.players import player_of
from engine.sides import Side
from pbem.mail.drafting import drafted
from pbem.mail.fetching import AT_A_TIME
from pbem.mail.search import save_files
from pbem.play.entry import invite
from pbem.play.game_file import GameFile, pack
from pbem.play.robot.player import Robot
from pbem.protocol.identity import Identity
from pbem.sources import now as time_now
from pbem.sources import random_bytes
from tests.cli.processes import COMMAND, environment
from tests.crash.state import signed_twice
from tests.mail.players import Player
from tests.play.correspondents import answer
from tests.present import present

pytestmark = pytest.mark.long
INVITATIONS, GAMES, EACH = 500, 50, 3
GREEDY = 20
"""How many of the invitations, the first ones, are by one player."""
ROUNDS, KILLED_IN = 5, 2
MOST_MEGABYTES = 100
PATIENCE = 600.0


class Guest(NamedTuple):
    """Somebody who invites the robot."""

    identity: Identity
    address: str

    def invites(self, robot: Player) -> bytes:
        """Deliver an invitation; the id of its game."""
        nonce, now = random_bytes(32, "nonce of a guest"), time_now()
        match = invite(self.identity, side=Side.BRITISH, nonce=nonce, time=now, lists=256)
        self._deliver(robot, GameFile(pack(match, None, {}, ""), match))
        return match.id

    def answers(self, robot: Player, data: bytes) -> bool:
        """Deliver the answer to a file, unless its game is over."""
        game = GameFile.read(data)
        if game.match.next_side is None:
            return False
        player = Robot(self.identity, player_of(1, Random(1)).choose)
        self._deliver(robot, answer(player, game, time_now()))
        return True

    def _deliver(self, robot: Player, game: GameFile) -> None:
        data = game.save.write()
        to, name = robot.address, "game.toml"
        letter = drafted(game.match, data, name, to, sent_from=self.address, time=time_now())
        robot.office.deliver(to, letter.as_bytes())


class Sent:
    """What the robot has sent: the newest file of each game, and to whom; places that were told."""

    def __init__(self, robot: Player) -> None:
        self._robot = robot
        self.newest: dict[bytes, tuple[str, bytes]] = {}
        self.files = 0
        self.places: dict[str, list[int]] = {}
        self.names: list[str] = []

    def look(self) -> None:
        """Read what was sent since the last look."""
        for data in self._robot.office.taken[len(self.names) :]:
            letter = message_from_bytes(data, policy=policy.default)
            self.names.append(str(letter["Message-ID"]))
            _, to = parseaddr(str(letter["To"]))
            if not letter["Auto-Submitted"]:
                (found,) = save_files(data)
                self.files += 1
                game = found.records[0].hash
                if len(found.data) > len(self.newest.get(game, ("", b""))[1]):
                    self.newest[game] = to, found.data
            elif place := re.search(r"number (\d+)", " ".join(letter.get_content().split())):
                self.places.setdefault(to, []).append(int(place[1]))

    def wait_for(self, *, letters: int = 0, files: int = 0) -> None:
        """Wait until that many were sent."""
        ends = time.monotonic() + PATIENCE
        while len(self.names) < letters or self.files < files:
            assert time.monotonic() < ends
            time.sleep(0.5)
            self.look()


@contextmanager
def serving(robot: Player, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the robot, until it is killed."""
    options = ("--games", GAMES, "--each", EACH, "--strength", 1, "--every", "2s")
    variables = environment(ACRES_MAIL_PASSWORD=robot.password)
    with log.open("wb") as told:
        process = subprocess.Popen(
            [*COMMAND, "--home", str(robot.home), "serve-robot", *map(str, options)],
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            env=variables,
            cwd=robot.folder,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def megabytes(process: subprocess.Popen[bytes]) -> float:
    """The most memory that a process ever had."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(present(re.search(r"VmHWM:\s+(\d+)", status))[1]) / 1024


def test_two_processes_serve_one_mailbox(robot: Player, tmp_path: Path) -> None:
    addresses = [f"guest{number}@example.org" for number in range(INVITATIONS - GREEDY + 1)]
    guests = [Guest(Identity.generate("Guest", address), address) for address in addresses]
    greedy, *others = guests
    robot.office.passwords.update(dict.fromkeys(addresses, "none of them logs in"))
    robot.do("serve-robot", "--once")
    came = [guest.invites(robot) for guest in [greedy] * GREEDY + others]
    with ExitStack() as stack:
        one, two = (stack.enter_context(serving(robot, tmp_path / name)) for name in "12")
        sent = Sent(robot)
        # To each guest one letter; to the greedy one, files and a refusal.
        sent.wait_for(letters=len(others) + EACH + 1)
        check_places(sent, greedy, came)
        games, places = set(sent.newest), deepcopy(sent.places)
        answered, going_on = 0, set(games)
        for number in range(ROUNDS):
            told = answers_in(tmp_path / "1")
            for game in list(going_on):
                address, data = sent.newest[game]
                if guests[addresses.index(address)].answers(robot, data):
                    answered += 1
                else:
                    going_on.remove(game)
            if number == KILLED_IN:
                # In the middle of it: what it has in hand is no letter that may have left.
                while answers_in(tmp_path / "1") == told:
                    time.sleep(0.1)
                one.kill()
                one = stack.enter_context(serving(robot, tmp_path / "3"))
            sent.wait_for(files=GAMES + answered)
        most = [megabytes(process) for process in (one, two)]
        assert max(most) <= MOST_MEGABYTES, most
    sent.look()
    assert signed_twice(robot.home.parent) == {}
    # Neither a file nor a notice went twice, and nobody else got a place.
    assert Counter(sent.names).most_common(1)[0][1] == 1
    assert (sent.files, set(sent.newest), sent.places) == (GAMES + answered, games, places)
    for name in "123":
        assert "Traceback" not in (tmp_path / name).read_text()


def answers_in(log: Path) -> int:
    """How many files a process has answered, by what it says."""
    return log.read_bytes().count(b" is answered with ")


def check_places(begun: Sent, greedy: Guest, came: list[bytes]) -> None:
    """Fifty have a place, as they came; all others were told theirs in the queue, once."""
    assert begun.files == len(begun.newest) == GAMES
    assert [to for to, _ in begun.newest.values()].count(greedy.address) == EACH
    # Up to the batch in which the last place went; in it, two processes share the letters.
    last = max(came.index(game) for game in begun.newest)
    assert set(came[GREEDY : last // AT_A_TIME * AT_A_TIME]) <= set(begun.newest)
    assert last < (GAMES + GREEDY - EACH + AT_A_TIME)
    assert greedy.address not in begun.places
    told = sorted(number for numbers in begun.places.values() for number in numbers)
    assert told == list(range(1, INVITATIONS - GREEDY - (GAMES - EACH) + 1))
    assert set(map(len, begun.places.values())) == {1}

"""Robots that get letters, and those who write to them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message

from engine.sides import Side
from pbem.keys import keyfile
from pbem.mail.drafting import drafted
from pbem.play.entry import invite
from pbem.play.game_file import pack
from pbem.protocol.identity import Identity
from pbem.sources import random_bytes
from tests.attacks.clocks import at
from tests.cli.using import Result, remember
from tests.mail.players import Player

NOW = datetime.now(UTC).replace(microsecond=0)


def identity(who: Player) -> Identity:
    return keyfile.load(who.home / "identity.toml", lambda: "")


def invited(
    robot: Player,
    by: Identity | Player,
    sender: str,
    *,
    lists: int = 256,
    time: str = "",
    **more: str,
) -> str:
    """Deliver an invitation to the robot as from that sender; the Message-ID of its letter."""
    time = time or f"{NOW:%Y-%m-%dT%H:%M:%SZ}"
    inviter = identity(by) if isinstance(by, Player) else by
    match = invite(
        inviter,
        side=Side.BRITISH,
        nonce=random_bytes(32, "nonce of a guest"),
        time=time,
        lists=lists,
    )
    data = pack(match, None, {}, "").write()
    if isinstance(by, Player):
        (by.home / "invitation.toml").write_bytes(data)
        remember(by.home, by.home / "invitation.toml")
    letter = drafted(match, data, "game-000.toml", robot.address, sent_from=sender)
    for header, value in more.items():
        letter[header.replace("_", "-")] = value
    robot.office.deliver(robot.address, letter.as_bytes())
    return str(letter["Message-ID"])


def serve(robot: Player, *options: object, days: float = 0) -> Result:
    with at(NOW + timedelta(days=days)):
        served = robot.run("serve-robot", "--once", *options)
    assert served.status == 0, served.err
    return served


def inbox(robot: Player, address: str) -> list[Message]:
    return [message_from_bytes(each) for each in robot.office.inbox(address)]


def refusals(robot: Player, address: str) -> list[Message]:
    return [each for each in inbox(robot, address) if each["Auto-Submitted"]]

"""What does not arrive is told with the ways out, by the names that the front end has for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.drafting import drafted
from pbem.mail.outbox import AddressRefused, LetterTooLarge, MayHaveArrived
from pbem.mail.parcel import Parcel
from pbem.mail.ways_out import WayOut, WaysOut
from pbem.mail.wire import MailFailed
from tests.mail.test_letters import FILE
from tests.play.playing import begin

BUTTONS = WaysOut("acres", {each: f"[{each.name}]" for each in WayOut})
TO = "carla@example.org"


def parcel(*, elsewhere: str = "", picture: bytes | None = None) -> Parcel:
    match, file = begin(3), Path("game-001.toml")
    letter = drafted(match, FILE, file.name, elsewhere or "bela@example.org", picture=picture)
    return Parcel(file, match, letter, elsewhere)


@pytest.mark.parametrize(
    ("error", "way_out"),
    [
        (MayHaveArrived("It broke off.", may_pass=True), "acres mail send game-001.toml [AGAIN]"),
        (AddressRefused("No mail for them."), "given with [OTHER_ADDRESS]."),
        (LetterTooLarge("Too large."), "acres mail draft game-001.toml"),
        (MailFailed("Go away."), "Go away."),
    ],
)
def test_a_failure_ends_with_the_way_out(error: MailFailed, way_out: str) -> None:
    told = parcel().failed(error, BUTTONS)
    assert str(told).endswith(way_out)
    assert "--" not in str(told)
    assert (type(told), told.may_pass) == (type(error), error.may_pass)


def test_what_is_too_large_with_a_picture_goes_without() -> None:
    told = parcel(picture=b"png").failed(LetterTooLarge("Too large."), BUTTONS)
    assert str(told).endswith("acres mail send game-001.toml")


@pytest.mark.parametrize("error", [MayHaveArrived, LetterTooLarge])
def test_what_was_to_go_elsewhere_goes_there_again(error: type[MailFailed]) -> None:
    told = parcel(elsewhere=TO).failed(error("It broke off."), BUTTONS)
    assert f"game-001.toml [OTHER_ADDRESS] {TO}" in str(told)

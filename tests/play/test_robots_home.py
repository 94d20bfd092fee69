"""A robot has a home of its own, and plays in nobody else's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.home import Home
from pbem.play.robot.robot_home import OtherHome, check_robot, home_of_robot, is_vacant, make_robot
from pbem.play.session import Session
from pbem.protocol.identity import Identity


def test_a_robot_is_made_once_beside_its_keeper(tmp_path: Path) -> None:
    keeper = Session.create(Home(tmp_path), Identity.generate("Anna", "anna@example.org"))
    home = Home(home_of_robot(tmp_path))
    assert home.folder != tmp_path
    assert not is_vacant(keeper.home)
    assert is_vacant(home)
    with make_robot(home, "robot@example.org") as made:
        check_robot(made.identity, "robot@example.org")
        assert made.identity.public_key != keeper.identity.public_key
    assert not is_vacant(home)


@pytest.mark.parametrize(
    ("name", "address", "by_mail"), [("Anna", "anna@example.org", ""), ("Robot", "", "r@x.org")]
)
def test_a_person_is_no_robot_and_mail_needs_an_address(
    name: str, address: str, by_mail: str
) -> None:
    with pytest.raises(OtherHome) as refused:
        check_robot(Identity.generate(name, address), by_mail)
    assert name in str(refused.value)
    assert "--" not in str(refused.value)
    assert refused.value.such_as

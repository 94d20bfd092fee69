"""Turns that are dated far ahead: told when they are fetched, answered by the clock here."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import parsedate_to_datetime

from tests.attacks.clocks import FAR, at
from tests.mail.players import Player, begun

NOW = datetime.now(UTC).replace(microsecond=0)


def test_what_is_fetched_is_told_and_the_answer_dated_by_this_computers_clock(
    anna: Player, bela: Player
) -> None:
    with at(FAR):
        file = begun(anna.home, bela.home, bela.folder, "far")
    with at(NOW):
        bela.do("mail", "send", file)
        (letter,) = anna.inbox()
        assert parsedate_to_datetime(str(message_from_bytes(letter)["Date"])) == NOW
        fetched = anna.do("mail", "fetch")
        told = " ".join((fetched.out + fetched.err).split())
        assert "Record 0, signed by Anna, is dated 31 Dec 9999, more than 48 hours ahead" in told
        assert told.count("48 hours") == 1
        anna.do("turn", "apply", file, "pass", "--send")
        (answer,) = bela.inbox()
        assert parsedate_to_datetime(str(message_from_bytes(answer)["Date"])) == NOW

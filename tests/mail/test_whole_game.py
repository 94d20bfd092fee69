"""Two players, two mailboxes, one game: carried by mail from the first letter to the last.

Every step is a command that a player types. In the middle all goes wrong that may; at the end both
hold the same game, closed and proved, and every record has left once.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.keys import keyfile
from pbem.mail.thread import message_id
from pbem.play.answer import Answer
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.savefile.save_file import SaveFile
from tests.crash.state import signed_twice
from tests.mail.players import Player
from tests.mail.servers import door, nobody_there, silent

AGAIN = 3
"""How many letters come again before the new one, and as many behind it."""
TIME = "2031-01-01T00:00:00Z"


class Correspondent:
    """A player, with a head for the game."""

    def __init__(self, player: Player, seed: int) -> None:
        self.player = player
        self._head = PracticePlayer(Random(seed))

    @property
    def newest(self) -> Path:
        """The file with most records in their folder."""
        files = self.player.folder.glob("*.toml")
        return max(files, key=lambda path: len(SaveFile.read(path.read_bytes()).records))

    @property
    def game(self) -> GameFile:
        """The game as they know it."""
        return GameFile.read(self.newest.read_bytes())

    def answers(self, *, gives_up: bool = False) -> Path:
        """Answer the newest file, and return where the answer is."""
        if gives_up and not self.game.match.is_over:
            self.player.do("turn", "resign", "--yes", self.newest)
        else:
            self.player.do("turn", "apply", self.newest, *self._orders())
        return self.newest

    def _orders(self) -> list[str]:
        identity = keyfile.load(self.player.home / "identity.toml", lambda: "")
        answer = Answer(self.game, identity, TIME)
        while not answer.is_complete:
            answer.order(self._head.choose(answer.view()))
        return [order.notation() for order in answer.orders]

    def set_up(self, **changed: object) -> None:
        """Have other settings: `smtp` and `imap` are ports."""
        office = self.player.office
        config = office.config(self.player.address, folder=str(self.player.folder))
        for name, value in changed.items():
            port = office.smtps if name == "smtp" else office.imaps
            config = config.replace(f"port = {port}\n", f"port = {value}\n")
        self.player.set_up(config.replace("timeout = 5", "timeout = 1") if changed else config)


class Trouble:
    """What goes wrong on the way of one record from one player to the other.

    Each method is one kind: it ends when the record has arrived, and returns how many letters with
    it were given to the server by a command that was told to send it again.
    """

    def __init__(self, writer: Correspondent, reader: Correspondent, file: Path) -> None:
        self.writer, self.reader, self.file = writer, reader, file
        self.office = writer.player.office

    def goes_well(self) -> int:
        self.writer.player.do("mail", "send")
        self.reader.player.do("mail", "fetch")
        return 0

    def server_down(self) -> int:
        self.writer.set_up(smtp=nobody_there())
        self._fails_to_send("No mail server answers")
        self.reader.set_up(imap=nobody_there())
        self.writer.set_up()
        self.writer.player.do("mail", "send")
        self._fails_to_fetch("No mail server answers")
        self.reader.set_up()
        self.reader.player.do("mail", "fetch")
        return 0

    def login_refused(self) -> int:
        self._fails(self.writer, "send", "refuses the login", password="wrong")
        self.writer.player.do("mail", "send")
        self._fails(self.reader, "fetch", "refuses the login", password="wrong")
        self.reader.player.do("mail", "fetch")
        return 0

    def time_out(self) -> int:
        with door(silent) as port:
            self.writer.set_up(smtp=port)
            self._fails_to_send("did not answer within")
            self.reader.set_up(imap=port)
            self.writer.set_up()
            self.writer.player.do("mail", "send")
            self._fails_to_fetch("did not answer within")
        self.reader.set_up()
        self.reader.player.do("mail", "fetch")
        return 0

    def bad_certificate(self) -> int:
        for who in (self.writer, self.reader):
            # Nobody whom the computer trusts has signed what the servers show.
            config = (who.player.home / "config.toml").read_text().split("\n")
            who.player.set_up("\n".join(line for line in config if not line.startswith("ca = ")))
        self._fails_to_send("not signed by anybody this computer trusts")
        self.writer.set_up()
        self.writer.player.do("mail", "send")
        self._fails_to_fetch("not signed by anybody this computer trusts")
        self.reader.set_up()
        self.reader.player.do("mail", "fetch")
        return 0

    def hung_up(self) -> int:
        """The letter has arrived, but the server could not say so: it is not sent again."""
        self.office.matter.hangs_up = True
        self._fails_to_send("may have arrived or not")
        self.office.matter.hangs_up = False
        assert "nothing to send" in self.writer.player.do("mail", "send").out
        again = self.writer.player.run("mail", "send", self.file)
        assert (again.status, "may already have been sent" in again.err) == (2, True)
        self.reader.player.do("mail", "fetch")
        return 0

    def delivered_twice(self) -> int:
        self.office.matter.twice = True
        self.goes_well()
        self.office.matter.twice = False
        assert "No turn has arrived" in self.reader.player.do("mail", "fetch").out
        return 0

    def out_of_order(self) -> int:
        """What came last comes again, the newest first; the new one in the middle."""
        self.office.matter.held = True
        self.writer.player.do("mail", "send")
        self.office.matter.held = False
        last = self.reader.player.inbox()[-2 * AGAIN :]
        for message in reversed(last[AGAIN:]):
            self.office.deliver(self.reader.player.address, message)
        self.office.release()
        for message in reversed(last[:AGAIN]):
            self.office.deliver(self.reader.player.address, message)
        # One of them may be the one that was cut.
        assert self.reader.player.run("mail", "fetch").status in (0, 1)
        return 0

    def truncated(self) -> int:
        """What was cut is told; the writer, who is asked for it, sends it again."""
        self.office.matter.cuts = self.file.stat().st_size // 2
        self.writer.player.do("mail", "send")
        self.office.matter.cuts = None
        before = self.reader.player.files
        cut = self.reader.player.run("mail", "fetch")
        # Cut just between two records it holds, as an older turn, of which one is warned.
        assert cut.status in (0, 1), cut
        assert re.search(r"\b(sent|send the file) again\b", cut.err), cut
        assert self.reader.player.files == before
        self.writer.player.do("mail", "send", self.file, "--again")
        self.reader.player.do("mail", "fetch")
        return 1

    def stopped(self) -> int:
        """The reader's program is stopped when the turn is filed, and nothing was told."""
        self.writer.player.do("mail", "send")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pbem.cli.mail.fetch_command.say_arrivals", _stop)
            assert self.reader.player.run("mail", "fetch").status == 130
        told = self.reader.player.do("mail", "fetch").out
        assert "No turn has arrived" not in told
        return 0

    def _fails_to_send(self, sentence: str) -> None:
        self._fails(self.writer, "send", sentence)

    def _fails_to_fetch(self, sentence: str) -> None:
        self._fails(self.reader, "fetch", sentence)

    def _fails(self, who: Correspondent, verb: str, sentence: str, **changed: Any) -> None:
        before = who.player.files
        failed = replace(who.player, **changed).run("mail", verb)
        assert (failed.status, sentence in failed.err) == (2, True), failed
        assert who.player.files == before


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


TROUBLES = [
    Trouble.server_down, Trouble.login_refused, Trouble.time_out, Trouble.bad_certificate,
    Trouble.hung_up, Trouble.delivered_twice, Trouble.out_of_order, Trouble.truncated,
    Trouble.stopped,
]  # fmt: skip


assert len(TROUBLES) % 2


def play(anna: Player, bela: Player, most: int | None) -> None:
    """Play it by mail; where it has come to `most` records, it is given up."""
    inviter, guest = Correspondent(anna, 1), Correspondent(bela, 2)
    file = anna.folder / "game-000.toml"
    (bela.folder / "game-000.toml").unlink()
    (bela.folder / "game-001.toml").unlink()
    file.unlink()
    anna.do("new", "--side", "british", "--lists", 16, "--output", file)
    anna.do("mail", "send", file, "--to", bela.address)
    bela.do("mail", "fetch")
    bela.do("join", guest.newest)
    again: Counter[str] = Counter()
    writer, reader, number = guest, inviter, 0
    while True:
        match = writer.game.match
        # They are an odd number, so that all of them come to both.
        kind = TROUBLES[number % len(TROUBLES)]
        times = kind(Trouble(writer, reader, writer.newest))
        again[message_id(match.id, match.last)] += times
        assert reader.game.match.last.hash == match.last.hash, kind
        if match.next_side is None:
            break
        writer, reader, number = reader, writer, number + 1
        writer.answers(gives_up=most is not None and len(match.records) >= most)
    check_the_end(inviter, guest, again)


def check_the_end(inviter: Correspondent, guest: Correspondent, again: Counter[str]) -> None:
    one, other = inviter.game.match, guest.game.match
    assert [record.hash for record in one.records] == [record.hash for record in other.records]
    assert one.secrets.keys() == set(Side)
    for who in (inviter, guest):
        assert audit(who.newest.read_bytes()).is_clean
        assert "Everything in this file is proved." in who.player.do("audit", who.newest).out
        assert "nothing to send" in who.player.do("mail", "send").out
        assert "No turn has arrived" in who.player.do("mail", "fetch").out
    sent = Counter(inviter.player.office.message_ids())
    once = Counter(message_id(one.id, record) for record in one.records)
    assert sent == once + again
    assert not signed_twice(inviter.player.home.parent)


def test_a_game_that_is_given_up(anna: Player, bela: Player) -> None:
    """It is so long that each kind of trouble comes once."""
    play(anna, bela, len(TROUBLES))


@pytest.mark.long
def test_a_game_to_the_end_of_the_war(anna: Player, bela: Player) -> None:
    play(anna, bela, None)

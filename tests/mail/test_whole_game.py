"""Two players with mailboxes play a whole game by mail.

Every step is a command that a player types. In the middle, every fault happens once. At the end
both players have the same closed and verified game, and every record was sent once.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play import keyfile
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.play.incoming import message_id
from pbem.play.turn import Turn
from pbem.savefile.save_file import SaveFile
from tests.crash.state import find_double_signatures
from tests.mail.players import Player
from tests.mail.servers import bad_server, free_port, silent

REPEATS = 3
"""The number of messages that arrive again before the new one, and as many after it."""
TIME = "2031-01-01T00:00:00Z"


class Correspondent:
    """A player who chooses orders."""

    def __init__(self, player: Player, seed: int) -> None:
        self.player = player
        self._head = PracticePlayer(Random(seed))

    @property
    def newest(self) -> Path:
        """The file with the most records in the player's folder."""
        files = self.player.folder.glob("*.toml")
        return max(files, key=lambda path: len(SaveFile.read(path.read_bytes()).records))

    @property
    def game(self) -> GameFile:
        """The game in the player's newest file."""
        return GameFile.read(self.newest.read_bytes())

    def answer(self, *, resign: bool = False) -> None:
        """Answer the newest file."""
        if resign and not self.game.match.is_over:
            self.player.do("turn", "resign", "--yes", self.newest)
            return
        identity = keyfile.load(self.player.home / "identity.toml", lambda: "")
        answer = Turn.of(self.game, identity, TIME)
        while not answer.is_complete:
            answer.order(self._head.choose(answer.view()))
        orders = [order.notation() for order in answer.orders]
        self.player.do("turn", "apply", self.newest, *orders)

    def set_up(self, port: int = 0, *, trusted: bool = True) -> None:
        """Replace the settings: with servers at that port, or with an unknown authority."""
        config = self.player.office.config(self.player.address, folder=str(self.player.folder))
        if port:
            config = re.sub(r"port = \d+", f"port = {port}", config).replace("t = 5", "t = 1")
        self.player.set_up(config if trusted else re.sub(r"\nca = .*", "", config))


class Trouble:
    """Faults on the way of one record from one player to the other.

    Each method is one kind of fault. It ends when the record has arrived, and returns the number of
    messages with it that the server received from a command with `--again`.
    """

    def __init__(self, writer: Correspondent, reader: Correspondent) -> None:
        self.writer, self.reader, self.file = writer, reader, writer.newest
        self.office = writer.player.office

    def _succeeds(self) -> None:
        self.writer.player.do("mail", "send")
        self.reader.player.do("mail", "fetch")

    def _fails(self, text: str, *, port: int = 0, trusted: bool = True, password: str = "") -> int:
        """Check that sending and fetching fail, and work again after the fault."""
        for who, verb in ((self.writer, "send"), (self.reader, "fetch")):
            who.set_up(port, trusted=trusted)
            player = replace(who.player, password=password) if password else who.player
            before = player.files
            failed = player.run("mail", verb)
            assert (failed.status, player.files) == (2, before), failed
            assert text in failed.err, failed
            who.set_up()
            who.player.do("mail", verb)
        return 0

    def server_down(self) -> int:
        return self._fails("No mail server answers", port=free_port())

    def login_refused(self) -> int:
        return self._fails("refuses the login", password="wrong")

    def time_out(self) -> int:
        with bad_server(silent) as port:
            return self._fails("did not answer within", port=port)

    def bad_certificate(self) -> int:
        return self._fails("not signed by anybody this computer trusts", trusted=False)

    def hung_up(self) -> int:
        """Hang up after a message has arrived, before the answer: it is not sent again."""
        self.office.faults.hangs_up = True
        assert "may have arrived or not" in self.writer.player.run("mail", "send").err
        self.office.faults.hangs_up = False
        assert "nothing to send" in self.writer.player.do("mail", "send").out
        again = self.writer.player.run("mail", "send", self.file)
        assert again.status == 2
        assert "may already have been sent" in again.err
        self.reader.player.do("mail", "fetch")
        return 0

    def delivered_twice(self) -> int:
        self.office.faults.delivers_twice = True
        self._succeeds()
        self.office.faults.delivers_twice = False
        assert "No turn has arrived" in self.reader.player.do("mail", "fetch").out
        return 0

    def out_of_order(self) -> int:
        """Deliver the last messages again, newest first, with the new message in the middle."""
        self.office.faults.holds_mail = True
        self.writer.player.do("mail", "send")
        self.office.faults.holds_mail = False
        last = self.reader.player.inbox()[-2 * REPEATS :]
        for some in (last[REPEATS:], None, last[:REPEATS]):
            if some is None:
                self.office.release()
            for message in reversed(some or []):
                self.office.deliver(self.reader.player.address, message)
        # One of them may be the one that was cut.
        assert self.reader.player.run("mail", "fetch").status in (0, 1)
        return 0

    def truncated(self) -> int:
        """Cut a message: the fault is reported, and the sender sends it again."""
        self.office.faults.max_delivered = self.file.stat().st_size // 2
        self.writer.player.do("mail", "send")
        self.office.faults.max_delivered = None
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
        """Stop the reader's program after the turn is saved, and before it is reported."""
        self.writer.player.do("mail", "send")

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pbem.cli.mail.fetch_command.say_arrival", stop)
            assert self.reader.player.run("mail", "fetch").status == 130
        assert "No turn has arrived" not in self.reader.player.do("mail", "fetch").out
        return 0


TROUBLES = [
    Trouble.server_down, Trouble.login_refused, Trouble.time_out, Trouble.bad_certificate,
    Trouble.hung_up, Trouble.delivered_twice, Trouble.out_of_order, Trouble.truncated,
    Trouble.stopped,
]  # fmt: skip
"""The kinds of fault; their number is odd, so that both players meet all of them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "most",
    [
        pytest.param(len(TROUBLES), id="given up"),
        pytest.param(None, id="to the end of the war", marks=pytest.mark.long),
    ],
)
def test_whole_game_by_mail_survives_faults(anna: Player, bela: Player, most: int | None) -> None:
    inviter, guest = Correspondent(anna, 1), Correspondent(bela, 2)
    for file in (*anna.folder.iterdir(), *bela.folder.iterdir()):
        file.unlink()
    anna.do("new", "--side", "british", "--lists", 16, "--output", anna.folder / "game-000.toml")
    anna.do("mail", "send", inviter.newest, "--to", bela.address)
    bela.do("mail", "fetch")
    bela.do("join", guest.newest)
    again: Counter[str] = Counter()
    writer, reader, number = guest, inviter, 0
    while True:
        match = writer.game.match
        kind = TROUBLES[number % len(TROUBLES)]
        again[message_id(match.id, match.last)] += kind(Trouble(writer, reader))
        assert reader.game.match.last.hash == match.last.hash, kind
        if match.next_side is None:
            break
        writer, reader, number = reader, writer, number + 1
        writer.answer(resign=most is not None and len(match.records) >= most)
    one, other = inviter.game.match, guest.game.match
    assert [record.hash for record in one.records] == [record.hash for record in other.records]
    assert one.secrets.keys() == set(Side)
    for who in (inviter, guest):
        assert audit(who.newest.read_bytes()).is_clean
        assert "Everything in this file is proved." in who.player.do("audit", who.newest).out
        assert "nothing to send" in who.player.do("mail", "send").out
        assert "No turn has arrived" in who.player.do("mail", "fetch").out
    once = Counter(message_id(one.id, record) for record in one.records)
    assert Counter(anna.office.message_ids()) == once + again
    assert not find_double_signatures(anna.home.parent)

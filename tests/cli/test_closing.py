"""The end of a game by the command line: resigning, closing, looking back, and who is silent.

docs/protocol.md, The close.
"""

import json
import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from engine.position import score
from engine.sides import Side
from pbem.play.game_file import GameFile, pack
from pbem.protocol.deck import GrantAnswer, GrantRequest, GrantStream
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import Due, pending_record
from pbem.savefile.save_file import SaveFile
from pbem.text.phrases import fingerprint
from tests.cli.table import Table, unwrap
from tests.cli.using import acres, do, snapshot
from tests.play.playing import TIME, answer, any_order, begin, play, seat_to_write
from tests.present import present
from tests.seats import NextRecord
from tests.signing import end


def middle(seed: int = 0, turns: int = 8) -> Match:
    """A match in its middle, at a turn, with nothing due but a turn, nor after it."""
    match = play(begin(seed), any_order(Random(seed)), turns=turns, seed=seed)
    while (
        present(pending_record(match)).due is not Due.PLAY
        or match.decks[present(match.next_side).opponent].wants_list
    ):
        match = answer(match, any_order(Random(seed)), seed)
    return match


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "game", middle(), 0)


@pytest.fixture
def closed(table: Table) -> Table:
    """A game that one side resigned, closed by both, and the files in between."""
    assert table.turn("resign", "--yes").status == 0
    table.apply()
    return table


def test_a_turn_is_not_signed_beside_a_resignation(table: Table) -> None:
    assert table.turn("resign", "--yes").status == 0
    resigned = table.file
    before = table.folder / f"game-{table.match.last.index - 1:03}.toml"
    table.file = before
    refused = table.turn("apply", "pass", "pass", "--output", table.folder / "other.toml").fails()
    assert "resigning again writes it again" in refused.err
    table.file = before
    again = table.turn("resign", "--yes", "--output", table.folder / "again.toml").succeeds()
    assert "You already signed this answer" in again.out
    assert (table.folder / "again.toml").read_bytes() == resigned.read_bytes()


def test_orders_after_the_end_are_refused(table: Table) -> None:
    table.turn("resign", "--yes")
    before = snapshot(table.folder)
    refused = table.turn("apply", "pass").fails()
    assert "The game is over: the next file closes it, and takes no orders." in refused.err
    refused = table.turn("resign", "--yes").fails()
    home = table.folder / present(table.match.next_side).value
    assert refused.err.endswith(f"To close it: acres --home {home} turn apply {table.file}\n")
    assert "To close the game: acres" in table.turn("legal").succeeds().out
    assert json.loads(table.turn("legal", "--json").out)["orders"] == []
    assert snapshot(table.folder) == before


def own_hand(shown: str) -> str:
    """The lines about one's own hand in what `turn show` printed."""
    return present(re.search(r"^Your hand \(.*?(?=^\S)", shown, re.M | re.S))[0]


def test_looking_back_shows_the_hands_as_they_were(table: Table, closed: Table) -> None:
    final = closed.match
    count = len(final.records)
    for index in range(2, count, 3):
        then = GameFile.read(
            pack(Match.replay(final.records[: index + 1]), None, {}, "").write()
        ).match
        for side in Side:
            old = acres("audit", closed.file, "--hands", "--json")
            hand = json.loads(old.out)["hands"][index][side.value]["cards"]
            shown = do(
                "turn", "show", closed.file, "--record", index, home=closed.folder / side.value
            )
            said = unwrap(shown.out)
            assert f"Looking back: after record {index} of {count - 1}, signed by" in said
            assert f"{side.opponent.label!s} hand (" in said
            names = then.state.ruleset.catalogue.names
            own = unwrap(own_hand(shown.out))
            assert all(names[card] in own for card in hand)
            players = then.state.players
            points = {s: score(then.state, s).total for s in Side}
            for label in Side:
                counts = f"{label.label!s} {points[label]} {players[label].money} "
                assert f"{counts}{players[label].hand_size} " in said
    public = unwrap(acres("turn", "show", closed.file, "--record", 5).out)
    assert "British hand (" in public
    assert "French hand (" in public
    assert "Your hand" not in public


def test_before_the_close_only_ones_own_hand_is_shown(table: Table, tmp_path: Path) -> None:
    index = table.match.last.index - 2
    file = table.folder / f"game-{index:03}.toml"
    records = table.match.records[: index + 1]
    file.write_bytes(SaveFile(tuple(records)).write())
    for side in Side:
        home = table.folder / side.value
        then = acres("turn", "show", file, home=home).out
        back = acres("turn", "show", table.file, "--record", index, home=home).out
        # The side that answers that record has been granted nothing new by then.
        if GameFile.read(file.read_bytes()).match.next_side is not side:
            assert own_hand(back) == own_hand(then)
        assert f"{side.opponent.label!s} hand (" not in back
        assert "face down" in back
    public = acres("turn", "show", table.file, "--record", index).out
    assert "Your hand" not in public
    assert " hand (" not in public
    first = unwrap(acres("turn", "show", table.file, "--record", 0).out)
    assert "An invitation from Anna; nobody has joined yet." in first


def test_the_audit_lists_hands_as_far_as_they_are_open(table: Table) -> None:
    hands = re.compile(r"^    (British|French): (.*(?:\n {6,}.*)*)", re.M)
    hidden = acres("audit", table.file, "--hands").out
    assert hidden == acres("audit", table.file).out + (
        "\nThe hands can be seen when the game is closed.\n"
    )
    side = present(table.match.next_side)
    table.turn("resign", "--yes")
    half = acres("audit", table.file, "--hands").out
    assert {found[0] for found in hands.findall(half)} == {str(side.label)}
    assert f"({side.opponent.label!s}) closes the game too." in unwrap(half)
    table.apply()
    listed = hands.findall(acres("audit", table.file, "--hands").out)
    then = json.loads(acres("audit", table.file, "--hands", "--json").out)["hands"]
    for side in Side:
        shown = [hand for label, hand in listed if label == str(side.label)]
        held = [hands[side.value]["cards"] for hands in then if hands]
        assert len(shown) == 1 + sum(one != two for one, two in pairwise(held))
        assert all(one != two for one, two in pairwise(shown))
    for words_ in (["--hands", table.file], [table.file, "--hands"]):
        acres("audit", table.file, *words_).fails()


class _ChosenGrants(GrantStream):
    """A granter who takes the last slots instead of those that chance names."""

    def answer(self, wanted: GrantRequest) -> GrantAnswer:
        honest = super().answer(wanted)
        left = [*wanted.remaining][len(wanted.remaining) - (wanted.slots - len(wanted.first)) :]
        slots = tuple(sorted([*wanted.first, *left]))
        return honest._replace(slots=slots)


def test_what_a_close_gives_away_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, false = middle(3), None
    while false is None:
        with monkeypatch.context() as cheating:
            cheating.setattr("pbem.play.turn.GrantStream", _ChosenGrants)
            cheater = present(match.next_side)
            tried = answer(match, any_order(Random(3)), 3)
        granted = next((s for s in tried.last.steps if s.kind == "grant"), None)
        honest = NextRecord(seat_to_write(match, 3), TIME).steps
        if granted and granted not in honest:
            false = tried.last.index
        match = tried
    match = play(match, any_order(Random(3)), turns=match.state.turn + 2, seed=3)
    if match.next_side is not cheater:
        match = answer(match, any_order(Random(3)), 3)
    # The cheat's own program would not sign what it finds false.
    with monkeypatch.context() as cheating:
        cheating.setattr("pbem.protocol.match.check_secret", lambda *_: None)
        draft = NextRecord(seat_to_write(match, 3), TIME, resigns=True)
        end(draft)
    file = tmp_path / "closed.toml"
    file.write_bytes(SaveFile(tuple(draft.match.records)).write())
    found = acres("audit", file)
    assert found.status == 1
    said, last = unwrap(found.out), draft.match.last.index
    name = f"{match.entrants[cheater].name} ({cheater.label!s})"
    key = str(fingerprint(match.entrants[cheater].key))
    assert (
        f"record {false} (the file has 0 to {last}), signed by {name} with {key} what fails: grant"
        in said
    )
    assert f"checked: {last} records (0 to {last - 1})" in said
    assert f"shown by: record {last}, with which {name} closed the game" in said
    assert "could not be seen until the game secret was published" in said
    assert "All records before it are valid" not in said
    assert f"{name} with {key} wrote it that way" in said
    facts = json.loads(acres("audit", file, "--json").out)["finding"]
    assert (facts["record"], facts["shown_by"], facts["accuses"]) == (false, last, True)
    assert facts["key"] == match.entrants[cheater].key.hex()

"""`acres log`: a whole game turn by turn, for a terminal, a forum and other programs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from markdown_it import MarkdownIt

from engine.orders import from_notation
from engine.sides import Side
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import DroppedOrders
from pbem.protocol.steps import DrawStep, OrderStep
from tests.cli.table import Table, unwrap
from tests.cli.test_dropped import END, dropped_after
from tests.cli.using import Result, acres, do, start
from tests.play.playing import answer, any_order, begin, identities, play
from tests.seats import Seat

SAVES = Path(__file__).parents[2] / "saves" / "practice"
HEADING = re.compile(r"^Turn (\d+): .* \((British|French)(?:, you)?\), \d+ \w+ \d{4}$", re.M)


def log(file: Path, *options: object, home: Path | None = None) -> Result:
    return do("log", file, *options, home=home)


def data(file: Path, *options: object, home: Path | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(log(file, "--json", *options, home=home).out)
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game in its middle, played with whatever is legal."""
    match = play(begin(4, lists=2), any_order(Random(4)), turns=12, seed=4)
    return Table(tmp_path_factory.mktemp("log") / "game", match, 4)


# --- in words


def test_each_reader_hears_only_of_their_own_cards(played: Table) -> None:
    match, name = played.match, played.match.state.ruleset.catalogue.names
    seats = {seat.side: seat for seat in (Seat(match, who) for who in identities(4))}
    hidden = {
        side: [d for d in match.deeds if d.side is side and d.drawn] for side in (None, *Side)
    }
    for viewer in (None, *Side):
        told = data(played.file, home=played.folder / viewer.value if viewer else None)
        deeds = [*told["setup"], *(deed for turn in told["turns"] for deed in turn["deeds"])]
        for deed, plain in zip(match.deeds, deeds, strict=True):
            own = deed.side is viewer
            cards = sorted(seats[deed.side].cards.names(deed.drawn)) if own else None
            assert (plain["drawn"], plain["cards_drawn"]) == (len(deed.drawn), cards)
        text = unwrap(log(played.file, home=played.folder / viewer.value if viewer else None).out)
        assert ("You " in text) == (viewer is not None)
        for deed in hidden[viewer]:
            assert all(name[card] in text for card in seats[deed.side].cards.names(deed.drawn))
        drawn = sum(len(d.drawn) for side in Side if side is not viewer for d in hidden[side])
        assert sum(map(int, re.findall(r"(?:drew|hand with) (\d+) card", text))) == drawn


def test_what_came_to_nothing_is_told_in_its_turn(tmp_path: Path) -> None:
    impossible = OrderStep("settle quebec: regular-infantry, regular-infantry")
    match, author = dropped_after(impossible, END)
    match = play_on(match, 3)
    (dropped,) = match.dropped
    table = Table(tmp_path / "game", match, 0)
    told = unwrap(log(table.file).out)
    _, after = told.split("Not carried out: ")
    heading = HEADING.findall(log(table.file).out.split("Not carried out")[0])[-1]
    assert heading[1] == str(author.label)
    assert after.startswith(f"{_text(match, dropped)}. It had become impossible. ")
    assert "next file" not in told
    (plain,) = [d for turn in data(table.file)["turns"] for d in turn["dropped"]]
    assert [from_notation(order) for order in plain["orders"]] == list(dropped.orders)
    assert plain["cause"] == "rules"


def play_on(match: Match, records: int) -> Match:
    for _ in range(records):
        match = answer(match, any_order(Random(0)))
    return match


def _text(match: Match, dropped: DroppedOrders) -> str:
    name = match.state.ruleset.catalogue.names.__getitem__
    return "; ".join(str(order.text(name)) for order in dropped.orders)


def test_a_draw_that_came_to_nothing_names_its_author(tmp_path: Path) -> None:
    match, author = dropped_after(DrawStep(3))
    table = Table(tmp_path / "game", match, 0)
    for viewer, who in ((None, "They"), (author, "You"), (author.opponent, "They")):
        home = table.folder / viewer.value if viewer else None
        assert f" {who} did not draw cards as announced: no cards are " in unwrap(
            log(table.file, home=home).out
        )


def test_a_long_log_goes_through_a_pipe_that_closes_early() -> None:
    process = start("log", SAVES / "game-130.toml", home=SAVES / "nobody")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 128 + 13


# --- for a forum

EVIL = [
    "[free](http://evil.example)",
    "![](http://evil.example/x.png)",
    "<img src=x onerror=alert(1)>",
    "<http://evil.example>",
    "`** @everyone **`",
    "``` @all #1 ```",
    "\\`*x*`",
    "*a* _b_ ~~c~~ **d**",
    "https://evil.example www.evil.example",
    "evil.com",
    "@everyone",
    "&lt;b&gt; &#64;all",
    "# Turn 9: Béla",
    "a | b |--|",
    "[1]: http://evil.example",
    "̀`[x](y)`̀",
]


@pytest.fixture(scope="module")
def two_evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The homes of one inviter, and of guests with names that are more than names."""
    folder = tmp_path_factory.mktemp("evil")
    acres("init", "--name", "Anna", home=folder / "anna")
    for number, name in enumerate(EVIL):
        acres("init", "--name", name, "--email", "@all#1", home=folder / str(number)).succeeds()
    return folder


@pytest.mark.parametrize("number", range(len(EVIL)))
def test_no_name_is_more_than_text_in_a_forum(two_evil: Path, number: int, tmp_path: Path) -> None:
    files = [tmp_path / f"game-00{n}.toml" for n in range(4)]
    anna, evil = two_evil / "anna", two_evil / str(number)
    do("new", "--side", "french", "--lists", 2, "--output", files[0], home=anna)
    do("join", files[0], home=evil)
    do("turn", "apply", files[1], home=anna)
    do("turn", "apply", files[2], "pass", home=evil)
    told = log(files[3], "--markdown").out
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(told)
    kinds, texts = set(), []
    for token in tokens:
        kinds.add(token.type)
        for inner in token.children or ():
            kinds.add(inner.type)
            if inner.type == "text":
                texts.append(inner.content)
    assert kinds <= {
        *("heading_open", "heading_close", "inline", "text", "code_inline", "softbreak"),
        *("paragraph_open", "paragraph_close"),
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    }
    heads = [token for token in tokens if token.type == "heading_open"]
    assert [head.tag for head in heads] == ["h1", *["h2"] * 3]
    # Outside of code, where a forum finds mentions and links, nothing of the name is left.
    plain = " ".join(texts)
    assert not re.search(r"[@#*<>\[\]\\|&`]|evil|http", plain), plain
    assert told.count("`") == 2 * sum(
        i.type == "code_inline" for t in tokens for i in t.children or ()
    )


def test_a_log_for_a_forum_is_the_same_log(played: Table) -> None:
    told = log(played.file).out
    forum = log(played.file, "--markdown").out.replace("`", "")
    assert unwrap(re.sub(r"^(- |#+ )", "", forum, flags=re.M)) == unwrap(told)
    assert all(len(line) < 60 or line.startswith(("- ", "#")) for line in forum.splitlines())

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
from pbem.protocol.steps import OrderStep
from tests.cli.commands import Result, do, start
from tests.cli.table import Table, unwrap
from tests.cli.test_dropped_follow_ups import END, drop_steps
from tests.play.matches import answer, any_order, begin, identities, play
from tests.seats import Seat

SAVES = Path(__file__).parents[2] / "saves" / "practice"
HEADING = re.compile(r"^Turn (\d+): .* \((British|French)(?:, you)?\), \d+ \w+ \d{4}$", re.M)


def log(file: Path, *options: object, home: Path | None = None) -> Result:
    return do("log", file, *options, home=home)


def log_data(file: Path, *options: object, home: Path | None = None) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(log(file, "--json", *options, home=home).out)
    return facts


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game of random legal orders, up to its middle."""
    match = play(begin(4, lists=2), any_order(Random(4)), turns=12, seed=4)
    return Table(tmp_path_factory.mktemp("log") / "game", match, 4)


# --- text


def test_log_shows_the_hidden_cards_of_its_reader_only(table: Table) -> None:
    match, name = table.match, table.match.state.ruleset.catalogue.names
    seats = {seat.side: seat for seat in (Seat(match, who) for who in identities(4))}
    hidden = {
        side: [d for d in match.moves if d.side is side and d.drawn] for side in (None, *Side)
    }
    for viewer in (None, *Side):
        game = log_data(table.file, home=table.folder / viewer.value if viewer else None)
        moves = [*game["setup"], *(move for turn in game["turns"] for move in turn["deeds"])]
        for move, plain in zip(match.moves, moves, strict=True):
            own = move.side is viewer
            cards = sorted(seats[move.side].cards.names(move.drawn)) if own else None
            assert (plain["drawn"], plain["cards_drawn"]) == (len(move.drawn), cards)
        text = unwrap(log(table.file, home=table.folder / viewer.value if viewer else None).out)
        assert ("You " in text) == (viewer is not None)
        for move in hidden[viewer]:
            assert all(name[card] in text for card in seats[move.side].cards.names(move.drawn))
        drawn = sum(len(d.drawn) for side in Side if side is not viewer for d in hidden[side])
        assert sum(map(int, re.findall(r"(?:drew|hand with) (\d+) card", text))) == drawn


def test_dropped_follow_up_is_in_its_turn(tmp_path: Path) -> None:
    impossible = OrderStep("settle quebec: regular-infantry, regular-infantry")
    match, author = drop_steps(impossible, END)
    match = play_records(match, 3)
    (dropped_steps,) = match.dropped
    table = Table(tmp_path / "game", match, 0)
    text = unwrap(log(table.file).out)
    _, after = text.split("Not carried out: ")
    heading = HEADING.findall(log(table.file).out.split("Not carried out")[0])[-1]
    assert heading[1] == str(author.label)
    assert after.startswith(f"{_text(match, dropped_steps)}. ")
    (plain,) = [d for turn in log_data(table.file)["turns"] for d in turn["dropped"]]
    assert [from_notation(order) for order in plain["orders"]] == list(dropped_steps.orders)
    assert plain["cause"] == "rules"


def play_records(match: Match, records: int) -> Match:
    for _ in range(records):
        match = answer(match, any_order(Random(0)))
    return match


def _text(match: Match, dropped_steps: DroppedOrders) -> str:
    name = match.state.ruleset.catalogue.names.__getitem__
    return "; ".join(str(order.text(name)) for order in dropped_steps.orders)


@pytest.mark.slow
def test_long_log_survives_a_pipe_that_closes_early() -> None:
    process = start("log", SAVES / "game-130.toml", home=SAVES / "nobody")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 128 + 13


# --- forum format

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


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, len(EVIL), 2))
def test_hostile_name_is_plain_text_in_a_forum_log(number: int, tmp_path: Path) -> None:
    files = [tmp_path / f"game-00{n}.toml" for n in range(4)]
    first, second = tmp_path / "one", tmp_path / "two"
    for home, name in zip((first, second), EVIL[number : number + 2], strict=True):
        do("init", "--name", name, "--email", "@all#1", home=home)
    do("new", "--side", "french", "--lists", 2, "--output", files[0], home=first)
    do("join", files[0], home=second)
    do("turn", "apply", files[1], home=first)
    do("turn", "apply", files[2], "pass", home=second)
    text = log(files[3], "--markdown").out
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    kinds, texts = set(), []
    for token in tokens:
        kinds.add(token.type)
        for child in token.children or ():
            kinds.add(child.type)
            if child.type == "text":
                texts.append(child.content)
    assert kinds <= {
        *("heading_open", "heading_close", "inline", "text", "code_inline", "softbreak"),
        *("paragraph_open", "paragraph_close"),
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    }
    heads = [token for token in tokens if token.type == "heading_open"]
    assert [head.tag for head in heads] == ["h1", *["h2"] * 3]
    # No part of the name is outside of code, in which a forum ignores mentions and links.
    plain = " ".join(texts)
    assert not re.search(r"[@#*<>\[\]\\|&`]|evil|http", plain), plain
    assert text.count("`") == 2 * sum(
        i.type == "code_inline" for t in tokens for i in t.children or ()
    )


def test_forum_log_has_the_text_of_the_plain_log(table: Table) -> None:
    text = log(table.file).out
    forum = log(table.file, "--markdown").out.replace("`", "")
    assert unwrap(re.sub(r"^(- |#+ )", "", forum, flags=re.M)) == unwrap(text)
    assert all(len(line) < 60 or line.startswith(("- ", "#")) for line in forum.splitlines())

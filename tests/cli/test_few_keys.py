"""A turn in a usual terminal, counted: keys that are pressed, and lines that are no part of it."""

from __future__ import annotations

import re
from pathlib import Path

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Reinforce, Settle, Take
from pbem.play.turn import Turn
from pbem.text.ordering.menu import MOST_LISTED, NUMBERS
from tests.cli.screen import Terminal
from tests.cli.table import Table
from tests.cli.test_leading import FILE, MAIN, SIGN, asked_again, led, ordered
from tests.play.turns import find, in_sequence

KEYS = 12
NOISE = 8
CHOICE = r" *\d+  "
"""How lines begin with what can be chosen; all that is indented besides tells orders."""
HINTS = ("Type a number", "To see more")
"""How hints begin; where a hand takes many rows there is no room for the first."""
HEADINGS = r"Turn \d+: |\w+:$|Your answer:|This file finishes your turn\."


def noise(terminal: Terminal) -> list[str]:
    """The lines from the first hint on that are neither choices nor orders told."""
    lines = [line for line in terminal.everything if line.strip()]
    begins = next(n for n, line in enumerate(lines) if line.startswith(HINTS))
    return [
        line
        for line in lines[begins:]
        if not re.match(CHOICE, line) and not line.startswith("  ") and not re.match(HEADINGS, line)
    ]


def pressed(terminal: Terminal, line: str, prompt: str = MAIN) -> int:
    """Press the keys of a line, wait to be asked again, and return how many they were."""
    terminal.type(line)
    asked_again(terminal, prompt)
    return len(line) + 1


def test_two_actions_by_number_take_twelve_keys_and_eight_lines_of_noise(game: Path) -> None:
    with led(game, columns=80, rows=24) as terminal:
        # All that can be done is on the first screen.
        listed = numbers(terminal.settle())
        assert any(re.search(rf"\b{listed['take']}  take…", line) for line in terminal.lines)
        keys = sum(pressed(terminal, line) for line in (listed["draft"], "1", listed["take"]))
        keys += pressed(terminal, "1", SIGN) + len(["y", "enter"])
        terminal.type("y")
        assert terminal.ended() == 0
        assert keys <= KEYS
        assert len(noise(terminal)) <= NOISE, noise(terminal)
    assert [order.split()[0] for order in ordered(game / "game-018.toml")] == [
        "draft",
        "take",
        "end",
    ]


def test_a_settle_and_another_action_take_twelve_keys_by_number(tmp_path: Path) -> None:
    turn, _ = find(settles_in_many_ways)
    table = Table(tmp_path, turn.match, turn.seed)
    home = turn.answer.side.value
    with led(tmp_path, table.file.name, home=home, columns=80, rows=24) as terminal:
        keys = pressed(terminal, str(NUMBERS[Settle]))
        lists = 0
        while "1 action to take" not in terminal.text:
            # The place with the most ways, then the first of them, which keeps the better cards.
            ways = re.findall(r"^ *(\d+)  settle [^:]*?\((\d+) orders", terminal.text, re.M)
            keys += pressed(
                terminal, max(ways, key=lambda way: int(way[1]))[0] if lists < 1 else "1"
            )
            lists += 1
        assert lists > 1
        keys += pressed(terminal, str(NUMBERS[Take]))
        keys += pressed(terminal, "1", SIGN) + len(["y", "enter"])
        terminal.type("y")
        assert terminal.ended() == 0
        # A number of two digits is one key more.
        assert keys <= KEYS - 2 + len(f"{NUMBERS[Settle]}{NUMBERS[Take]}")
    file = tmp_path / f"game-{len(turn.match.records):03}.toml"
    assert [order.split()[0] for order in ordered(file)] == ["settle", "take", "end"]


def settles_in_many_ways(answer: Turn) -> list[Order] | None:
    """A settle and a take, where there are several places and many ways to settle."""
    if len([o for o in legal_orders(answer.view()) if isinstance(o, Settle)]) <= MOST_LISTED:
        return None
    return in_sequence(Settle, Take)(answer)


def test_the_numbers_of_a_turn_stay_and_those_that_lead_nowhere_say_why(game: Path) -> None:
    with led(game, FILE, columns=80, rows=24) as terminal:
        before = numbers(terminal.settle())
        pressed(terminal, before["pass"])
        after = numbers(terminal.settle())
        assert after
        assert before.items() >= after.items()
        pressed(terminal, str(NUMBERS[Reinforce]))
        assert "No “reinforce” is possible" in terminal.text
        terminal.quit()


def test_a_key_shows_the_map_in_the_middle_of_a_line(game: Path) -> None:
    for key, line in (("\x1bOQ", "draft ran"), ("m\r", "")):
        with led(game, columns=80, rows=50) as terminal:
            terminal.settle()
            before = terminal.text.count("≈ Lake Erie ≈")
            terminal.press(*line)
            terminal.settle()
            terminal.press(key)
            asked_again(terminal, MAIN + line)
            assert terminal.text.count("≈ Lake Erie ≈") > before
            assert terminal.wraps == 0
            terminal.press("ctrl-u")
            terminal.quit()


def numbers(text: str) -> dict[str, str]:
    """The number of each verb in the list of actions that was printed last."""
    listed = text[text.rindex("Turn 17:") :]
    return {verb: number for number, verb in re.findall(r"(?:^|  )(\d+)  (\w+)", listed, re.M)}

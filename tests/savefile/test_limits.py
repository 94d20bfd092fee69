"""The limits of docs/save-format.md: values up to a limit are read, others refused."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import pytest

from engine.order import UnreadableOrderError
from engine.orders import from_notation
from engine.ruleset import Ruleset
from engine.sides import Slot
from pbem.errors import InputError, UsageError
from pbem.play import keyfile, recovery
from pbem.protocol.deck import commit, open_lists, verify_opening
from pbem.protocol.identity import BLOCK_SIZE, MAX_SEALED, MIN_SEALED, Box, Identity
from pbem.protocol.record import MAX_CONTENT, MAX_RECORDS, MAX_STEPS, Record
from pbem.savefile.document import MAX_BRACKETS, MAX_DOTS, MAX_LINE, MAX_SIZE
from pbem.savefile.save_file import SaveFile, read_records
from pbem.text.language import Language
from pbem.text.ordering.reading import MAX_TEXT_LENGTH, read
from tests.cli.commands import acres, environment
from tests.engine.positions import Seat, position
from tests.fuzz.games import find_game
from tests.vectors import naive

ENGLISH = Language("en")
ROOT = Path(__file__).parents[2]
GAME = find_game("second")
FILE = GAME.data.decode()
INVITATION: dict[str, Any] = GAME.save.records[0].to_plain()
ACCEPTANCE: dict[str, Any] = GAME.save.records[1].to_plain()


# --- files


def pad(size: int) -> str:
    """Return the file, padded with comments to a size."""
    missing = size - len(FILE)
    lines = "#\n" * (missing // 2 - 1)
    return FILE + lines + "#" * (missing - len(lines) - 1) + "\n"


def add_marks(marks: str, total: int) -> str:
    """Return the file with comments that raise the number of these marks to `total`."""
    missing = total - sum(map(FILE.count, marks))
    text = (marks * missing)[:missing]
    return FILE + "".join(f"# {text[at : at + 100]}\n" for at in range(0, missing, 100))


def nest(depth: int) -> str:
    """Return the file with a nested list of that depth under an unknown key."""
    return FILE + "more = " + "[\n" * depth + "]\n" * depth


WHOLE_FILES: dict[str, tuple[str, str, str]] = {
    "bytes": (pad(MAX_SIZE), pad(MAX_SIZE + 1), "larger than 2 MiB"),
    "characters of a line": (
        f"#{'x' * (MAX_LINE - 1)}\n{FILE}",
        f"#{'x' * MAX_LINE}\n{FILE}",
        "Line 1 is too long",
    ),
    "characters of a CRLF line": (
        f"#{'x' * (MAX_LINE - 1)}\r\n{FILE}",
        f"#{'x' * MAX_LINE}\r\n{FILE}",
        "Line 1 is too long",
    ),
    "full stops": (add_marks(".", MAX_DOTS), add_marks(".", MAX_DOTS + 1), "full stops"),
    "brackets": (add_marks("[{", MAX_BRACKETS), add_marks("[{", MAX_BRACKETS + 1), "brackets"),
}


@pytest.mark.slow
@pytest.mark.parametrize("limit", WHOLE_FILES)
def test_file_is_read_up_to_its_limits(limit: str) -> None:
    within, over, why = WHOLE_FILES[limit]
    assert SaveFile.read(within.encode()).records == GAME.save.records
    with pytest.raises(InputError, match=why):
        SaveFile.read(over.encode())


def test_deep_nesting_is_refused() -> None:
    for depth in (1, 100, 900, 1000, 30_000):
        with pytest.raises(InputError, match=r"more|nested|damaged"):
            SaveFile.read(nest(depth).encode())


@pytest.mark.slow
def test_number_of_records_is_limited() -> None:
    with pytest.raises(UsageError, match="too long"):
        SaveFile((GAME.save.records[0],) * (MAX_RECORDS + 1)).write()
    # So many records exceed 2 MiB, so only the list is read.
    plain = GAME.save.records[0].to_plain()
    assert len(read_records([plain] * MAX_RECORDS)) == MAX_RECORDS
    for wrong in ([], [plain] * (MAX_RECORDS + 1)):
        with pytest.raises(InputError, match="1 to 5000 records"):
            read_records(wrong)


@pytest.mark.parametrize(
    ("within", "over"), [(["x"] * 200, ["x"] * 201), (["x" * 200], ["x" * 201])]
)
def test_summary_is_limited_in_lines_and_length(within: list[str], over: list[str]) -> None:
    saved = SaveFile(GAME.save.records, summary=tuple(within))
    assert list(SaveFile.read(saved.write()).summary) == within
    lines = "\n".join(f'  "{line[:100]}\\\n{line[100:]}",' for line in over)
    lines = re.sub(r'"(.*)\\\n(.*)",', r'"""\\\n\1\\\n\2""",', lines)
    text = re.sub(r"lines = \[.*?^\]", lambda _: f"lines = [\n{lines}\n]", FILE, flags=re.M | re.S)
    assert text != FILE
    with pytest.raises(InputError, match="summary"):
        SaveFile.read(text.encode())


# --- records and steps


def step(**values: Any) -> dict[str, Any]:
    return values


DIGEST = naive.b64(bytes(32))
DRAW = step(kind="draw", count=1)
SLOTS = [str(Slot(0, position)) for position in range(256)]


def acceptance(**changes: Any) -> dict[str, Any]:
    """Return a record with a changed acceptance."""
    return ACCEPTANCE | {"steps": [ACCEPTANCE["steps"][0] | changes]}


def invitation(**changes: Any) -> dict[str, Any]:
    """Return a record with a changed invitation."""
    return INVITATION | {"steps": [INVITATION["steps"][0] | changes]}


def record(*steps: dict[str, Any]) -> dict[str, Any]:
    """Return a record with these steps."""
    return ACCEPTANCE | {"steps": [*steps]}


def shuffle_record(cards: list[str]) -> dict[str, Any]:
    return record(step(kind="shuffle", epoch=0, cards=cards, commitment=DIGEST))


def opening_of(siblings: int, commitments: int) -> dict[str, Any]:
    return record(
        step(
            kind="open-lists",
            epoch=0,
            siblings=[DIGEST] * siblings,
            commitments=[DIGEST] * commitments,
        )
    )


def grant_of(count: int, **more: Any) -> dict[str, Any]:
    return record(step(kind="grant", slots=SLOTS[:count], **more))


RECORDS: dict[str, tuple[Callable[[int], dict[str, Any]], int, int]] = {
    "number": (lambda n: record(DRAW) | {"index": n}, 1, MAX_RECORDS - 1),
    "steps": (lambda n: record(*[DRAW] * n), 1, MAX_STEPS),
    "bytes of a hash": (lambda n: record(DRAW) | {"previous": naive.b64(bytes(n))}, 32, 32),
    "bytes of a signature": (lambda n: record(DRAW) | {"signature": naive.b64(bytes(n))}, 64, 64),
    "characters of a name": (lambda n: acceptance(name="x" * n), 1, 60),
    "characters of an address": (lambda n: acceptance(email="x" * n), 0, 254),
    "bytes of a key": (lambda n: acceptance(key=naive.b64(bytes(n))), 32, 32),
    "characters of an edition": (lambda n: invitation(edition="x" * n), 1, 40),
    "house rules": (lambda n: invitation(house_rules=[f"r{i:02}" for i in range(n)]), 0, 40),
    "characters of a house rule": (lambda n: invitation(house_rules=["x" * n]), 1, 40),
    "parts of the rules": (lambda n: invitation(rules_parts=[naive.b64(bytes(8))] * n), 5, 5),
    "protocol": (lambda n: invitation(protocol=n), 1, 1),
    "epoch": (lambda n: shuffle_record(["a"]) | record(
        step(kind="shuffle", epoch=n, cards=["a"], commitment=DIGEST)), 0, 9999),
    "cards of a shuffle": (lambda n: shuffle_record(["x"] * n), 1, 255),
    "characters of a card": (lambda n: shuffle_record(["x" * n]), 1, 64),
    "cards drawn": (lambda n: record(step(kind="draw", count=n)), 1, 255),
    "slots granted": (grant_of, 1, 255),
    "slots named ahead": (lambda n: grant_of(1, ahead=SLOTS[:n]), 1, 255),
    "list granted": (lambda n: grant_of(1, list=n), 0, 4095),
    "siblings": (lambda n: opening_of(n, 1), 0, 12),
    "commitments": (lambda n: opening_of(0, n), 1, 255),
    "characters of an order": (lambda n: record(step(kind="order", order="x" * n)), 1, 2000),
}  # fmt: skip


@pytest.mark.parametrize("limit", RECORDS)
def test_record_is_read_up_to_its_limits(limit: str) -> None:
    make, low, high = RECORDS[limit]
    for number in (low, high):
        assert Record.from_plain(make(number)).to_plain() == make(number)
    for number in (low - 1, high + 1):
        if number < 0:
            continue
        with pytest.raises(ValueError, match=r".+"):
            Record.from_plain(make(number))


def granting(slot: str) -> dict[str, Any]:
    return record(step(kind="grant", slots=[slot]))


def offering(lists: int) -> dict[str, Any]:
    return invitation(lists=lists)


@pytest.mark.parametrize(
    ("name", "make", "read", "refused"),
    [
        ("lists", offering, [1, 2, 1024, 4096], [0, -1, 3, 4095, 8192, 2**64]),
        ("slot", granting, ["0:0", "9999:999"], ["10000:0", "0:1000", "00:0", "-1:0"]),
        ("slot", granting, [], ["", "1", "1:", ":1", "01:1", "1:01", "1:1 ", "1:1\n", "٣:1"]),
    ],
)
def test_record_values_outside_their_range_are_refused(
    name: str, make: Callable[[Any], dict[str, Any]], read: list[Any], refused: list[Any]
) -> None:
    for value in read:
        assert Record.from_plain(make(value)).to_plain() == make(value)
    for value in refused:
        with pytest.raises(ValueError, match=name):
            Record.from_plain(make(value))


# --- boxes, keys and typed orders


@pytest.mark.parametrize(
    ("at", "size", "wrong"),
    [
        (0, MIN_SEALED, ""),
        (MAX_RECORDS - 1, MAX_SEALED, ""),
        (-1, MIN_SEALED, "at must be"),
        (MAX_RECORDS, MIN_SEALED, "at must be"),
        (0, MIN_SEALED - BLOCK_SIZE, "box must be"),
        (0, MAX_SEALED + BLOCK_SIZE, "box must be"),
    ],
)
def test_size_of_a_box_is_limited(at: int, size: int, wrong: str) -> None:
    box = Box(at, bytes(size))
    data = SaveFile(GAME.save.records, {"french": box}).write()
    if wrong:
        with pytest.raises(InputError, match=wrong):
            SaveFile.read(data)
        return
    assert SaveFile.read(data).boxes == {"french": box}


def test_length_of_a_typed_order_is_limited() -> None:
    state = position(Seat(hand="boston", villages="deerfield"))
    assert read(ENGLISH, "discard " + " " * (MAX_TEXT_LENGTH - 14) + "boston", state).cards == (
        "boston",
    )
    with pytest.raises(UnreadableOrderError, match="at most 2000"):
        read(ENGLISH, "discard " + " " * (MAX_TEXT_LENGTH - 13) + "boston", state)


@pytest.mark.parametrize("text", ["settle " + "a " * 990, "settle " + "bo " * 660, "give " * 400])
def test_hostile_order_is_refused_quickly(text: str) -> None:
    """Without a limit the first order took two seconds."""
    state = position(Seat(hand="boston", villages="deerfield"))
    started = time.process_time()
    with pytest.raises(UnreadableOrderError):
        read(ENGLISH, text, state)
    with pytest.raises(UnreadableOrderError):
        from_notation(text)
    assert time.process_time() - started < 1


# --- costs of hostile files


def lines_of(count: int, line: str, letters: int = 3) -> str:
    """Return numbered lines, with a different name for each @."""
    names = islice(product(ascii_letters + digits, repeat=letters), count)
    return "".join(line.replace("@", "".join(name)) + "\n" for name in names)


HEAD = 'format = "acres-save"\nversion = 1\n'
COSTLY = {
    "tables": lambda: lines_of(10**6, "[@]"),
    "tables in tables": lambda: lines_of(65_500, "[@.a]"),
    "lists in tables": lambda: lines_of(65_500, "@.a=[]"),
    "tables in lines": lambda: lines_of(10**6, "@={}"),
    "keys": lambda: lines_of(10**6, "@=1"),
    "statements": lambda: lines_of(200_000, "k@ = 1", letters=4) + "[[record]]\n",
    "numbers": lambda: "x=[\n" + ("1," * 59 + "\n") * 17_000 + "]",
    "long keys": lambda: lines_of(2600, "a." * 25 + "@=1"),
    "long headers": lambda: lines_of(2600, "[" + "a." * 25 + "@]"),
    "folds": lambda: "x='''" + "\n" * 1_900_000 + "'''",
    "indented lines": lambda: "x = 1\n" + "  \n" * 690_000,
    "lines as long as the file": lambda: lines_of(50, "a." * 20_000 + "@=1"),
}
COMMAND = """
import sys, time
from pathlib import Path
from pbem.cli.main import main
started = time.process_time()
status = main(["--home", "home", "audit", "hostile.toml"])
seconds = time.process_time() - started
# The maximum of getrusage would include the memory of the parent process.
status_file = Path("/proc/self/status").read_text()
print(status, seconds, int(status_file.partition("VmHWM:")[2].split()[0]) // 1024)
"""


LONG_CASES = {"indented lines", "keys", "lists in tables", "long headers", "tables in lines"}
"""Cases for the long run only, because others test the same limit."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "part"),
    [
        *((case, 4) for case in COSTLY if case not in LONG_CASES),
        *(pytest.param(case, 1, marks=pytest.mark.long) for case in COSTLY),
    ],
)
def test_hostile_file_is_refused_within_time_and_memory(
    case: str, part: int, tmp_path: Path
) -> None:
    """A command also checks for truncation and for changes by mail, within the same limits.

    A quarter of the longest file may take a quarter of the time, plus that of the start.
    """
    (tmp_path / "hostile.toml").write_text((HEAD + COSTLY[case]())[: 2**21 // part])
    ran = subprocess.run(
        [sys.executable, "-c", COMMAND],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    status, seconds, megabytes = map(float, ran.stdout.split())
    assert status == 2
    # The document states two seconds; a busy machine may take longer than the measured 1.5.
    assert seconds < 1 + 3 / part
    assert megabytes < 200


@pytest.mark.slow
def test_costliest_opening_takes_less_than_half_a_second() -> None:
    """A record has at most one opening, because the answer grants the next shuffle."""
    catalogue = Ruleset.of("second").catalogue
    decks = (
        [card for card in cards.values() for _ in range(card.count)]
        for cards in catalogue.cards.values()
    )
    cards = sorted(card.id for card in max(decks, key=len))
    seed = bytes(32)
    commitment, opening = commit(seed, cards, 4096), open_lists(seed, cards, 4096, 77)
    started = time.process_time()
    verify_opening(commitment, cards, 4096, 77, opening)
    # The document states half a second; a busy machine may take longer than the measured third.
    assert time.process_time() - started < 1


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
def test_length_of_a_recovery_letter_is_limited(more: int, is_read: bool, tmp_path: Path) -> None:
    text = recovery.write(Identity("Anna", "", bytes(32)), "2026-11-21").encode()
    letter, home = tmp_path / "letter.txt", tmp_path / "home"
    # A cut at the limit would split a character.
    before = recovery.MAX_SIZE + more - len(text) - 2
    letter.write_bytes(b"\n" * before + text + "é".encode())
    result = acres("key", "restore", letter, home=home)
    assert (result.status == 0, "too long" in result.err) == (is_read, not is_read)
    assert home.exists() == is_read


# --- the table in the document


def test_document_states_every_limit() -> None:
    text = (ROOT / "docs" / "save-format.md").read_text(encoding="utf-8")
    table = text.partition("## Limits")[2].partition("\n## ")[0]
    for number in (
        MAX_SIZE, MAX_LINE, MAX_DOTS, MAX_BRACKETS, MAX_RECORDS, MAX_STEPS, MAX_CONTENT,
        MAX_TEXT_LENGTH,
        keyfile.MAX_SIZE, recovery.MAX_SIZE,
    ):  # fmt: skip
        assert f" {number} " in table.replace(",", " ").replace(";", " "), number

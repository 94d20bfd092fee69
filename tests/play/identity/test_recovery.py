"""The recovery text, in many typed forms, with every mistake located in its line."""

import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import AcresError, InputError
from pbem.play import recovery
from pbem.play.keyfile import Cost, WrongPassphraseError
from pbem.play.recovery import (
    ALPHABET,
    LineReader,
    checksum,
    decode_symbols,
    encode_symbols,
    is_valid,
)
from pbem.protocol.identity import Identity
from tests.play.identity.passphrases import never
from tests.sample import check_each, few_or_many
from tests.vectors import naive

ZOE = Identity("Zoé", "zoe@example.org", bytes(range(32)))
DATE = "2026-11-21"
KINDS = ["clear", "sealed"]
CHARACTER = st.sampled_from(ALPHABET)


def recovery_text(kind: str) -> str:
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr(recovery, "DEFAULT_COST", Cost(2**14, 1, 1))
        # With another salt a group might equal a word of a message.
        quick.setattr(recovery, "random_bytes", lambda size, _: Random(1).randbytes(size))
        return recovery.write(ZOE, DATE, "right" if kind == "sealed" else None)


TEXTS = {kind: recovery_text(kind) for kind in KINDS}
LINES = {kind: re.findall(r"(?m)^  \d  (.*)$", text) for kind, text in TEXTS.items()}


def seed_of(text: str) -> bytes:
    read = recovery.read(text)
    return read.seed((lambda: "right") if read.is_sealed else never)


def refusal(text: str) -> str:
    with pytest.raises(InputError) as refused:
        recovery.read(text)
    return str(refused.value)


def replace_line(kind: str, number: int, line: str) -> str:
    lines = [*LINES[kind]]
    lines[number - 1] = line
    return "\n".join(f"{n} {line}" for n, line in enumerate(lines, start=1))


@pytest.mark.parametrize("kind", KINDS)
def test_written_recovery_text_is_read(kind: str) -> None:
    read = recovery.read(TEXTS[kind])
    assert (read.name, read.email, read.fingerprint) == (
        "Zoé",
        "zoe@example.org",
        ZOE.public_key[:8].hex(" ", 2),
    )
    assert read.is_sealed == (kind == "sealed")
    assert seed_of(TEXTS[kind]) == ZOE.seed
    assert len(LINES[kind]) == {"clear": 3, "sealed": 6}[kind]
    assert DATE in TEXTS[kind]


def test_wrong_passphrase_opens_nothing() -> None:
    with pytest.raises(WrongPassphraseError):
        recovery.read(TEXTS["sealed"]).seed(lambda: "wrong")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        lambda text: text.replace(" ", ""),
        lambda text: text.replace(" ", "-").title(),
        lambda text: text.replace("0", "O"),
        lambda text: text.replace("0", "o").replace("l", "1"),
        lambda text: text.replace("l", "I"),
        lambda text: "  ".join(text),
        lambda text: f"{text} \t",
    ],
)
def test_typed_lines_may_differ_in_form(kind: str, change: Callable[[str], str]) -> None:
    changed = [change(line) for line in LINES[kind]]
    for begin in ("{}  ", "{}. ", " {}) ", "> {}: "):
        typed = "\n".join(begin.format(n) + line for n, line in enumerate(changed, start=1))
        assert seed_of(f"Dear Zoé,\n{typed}\nYours, 1 friend\n") == ZOE.seed
    lines = LineReader()
    for line in changed:
        assert not lines.is_complete
        lines.add(line)
    assert lines.is_complete
    assert lines.count == len(changed)
    assert lines.text().seed(lambda: "right") == ZOE.seed


def test_lines_need_no_numbers() -> None:
    assert seed_of("\n".join(LINES["clear"])) == ZOE.seed
    assert seed_of("\r\n".join(line.replace(" ", "") for line in LINES["sealed"])) == ZOE.seed


@pytest.mark.slow
@given(st.sampled_from(KINDS), st.data())
def test_every_typing_mistake_is_located(kind: str, draw: st.DataObject) -> None:
    number = draw.draw(st.integers(1, len(LINES[kind])))
    line = LINES[kind][number - 1].replace(" ", "")
    at = draw.draw(st.integers(0, 23))
    other = draw.draw(CHARACTER)
    mistyped = line[:at] + other + line[at + 1 :]
    if draw.draw(st.booleans()):
        mistyped = line[:at] + line[at : at + 2][::-1] + line[at + 2 :]
    if mistyped == line:
        return
    message = refusal(replace_line(kind, number, mistyped))
    assert message.startswith(f"Line {number} of the recovery text is mistyped")
    assert f"look at group {at // 4 + 1} of its 6" in message


def check_slips(kind: str, draw: st.DataObject) -> None:
    number = draw.draw(st.integers(1, len(LINES[kind])))
    line = list(LINES[kind][number - 1].replace(" ", ""))
    for at in draw.draw(st.lists(st.integers(0, 23), min_size=2, max_size=4, unique=True)):
        line[at] = draw.draw(CHARACTER)
    mistyped = "".join(line)
    if mistyped != LINES[kind][number - 1].replace(" ", ""):
        assert refusal(replace_line(kind, number, mistyped)).startswith(f"Line {number} of ")


@pytest.mark.slow
@few_or_many(25, 100)
def test_several_typing_mistakes_are_located(examples: int) -> None:
    check_each(check_slips, examples, st.sampled_from(KINDS), st.data())


@given(st.sampled_from(KINDS), st.integers(0, 23), st.booleans(), st.data())
def test_line_of_wrong_length_is_named(
    kind: str, at: int, extra: bool, draw: st.DataObject
) -> None:
    number = draw.draw(st.integers(1, len(LINES[kind])))
    line = LINES[kind][number - 1].replace(" ", "")
    changed = line[:at] + (draw.draw(CHARACTER) + line[at:] if extra else line[at + 1 :])
    message = refusal(replace_line(kind, number, changed))
    assert message.startswith(f"Line {number} of the recovery text ")
    if not extra:
        assert "has 23 characters" in message


def test_invalid_characters_are_located() -> None:
    line = LINES["clear"][1]
    message = refusal(replace_line("clear", 2, f"{line[:12]}b{line[13:]}"))
    assert message.startswith("Line 2 ")
    assert "in group 3 of its 6" in message


def test_lines_that_are_missing_or_in_the_wrong_order_are_named() -> None:
    first, second, third = (f"{n} {line}" for n, line in enumerate(LINES["clear"], start=1))
    assert "Line 3 of 3" in refusal(f"{first}\n{second}")
    assert "line 2 is next" in refusal(f"{first}\n{third}\n{second}")
    assert "line 1 is next" in refusal(f"{second}\n{third}")
    assert "line 2 is next" in refusal(f"{first}\n{first}\n{second}\n{third}")
    assert "no recovery text" in refusal("Dear Zoé,\nhow are you?\n")
    assert "no recovery text" in refusal("")


def test_lines_of_two_texts_do_not_mix() -> None:
    other = recovery.write(Identity.generate("Zoé", ""), DATE)
    lines = re.findall(r"(?m)^  \d  .*$", other)
    for number in (1, 2):
        mixed = [line.strip() for line in lines]
        mixed[number] = f"{number + 1} {LINES['clear'][number]}"
        assert refusal("\n".join(mixed)).startswith(f"Line {number + 1} ")


def test_text_above_the_lines_is_ignored() -> None:
    lines = "\n".join(LINES["clear"])
    for above in ("", "name:\nemail: no address, really\nkey: ?\n", "NAME: \x1b[31mEve\n"):
        read = recovery.read(above + lines)
        assert (read.name, read.email, seed_of(above + lines)) == ("", "", ZOE.seed)


def test_no_message_contains_typed_text() -> None:
    """A line with a mistake still contains most of the key."""
    random = Random(1)
    for kind in KINDS:
        for number, line in enumerate(LINES[kind], start=1):
            for _ in range(60):
                at = random.randrange(len(line))
                changed = line[:at] + random.choice(["", "b", "qq", "?", "é"]) + line[at + 1 :]
                try:
                    recovery.read(replace_line(kind, number, changed))
                except AcresError as error:
                    # A message may contain the number of the line.
                    groups = [group for group in changed.split() if len(group) > 2]
                    assert not any(group in str(error) for group in groups)


def recovery_text_of(payload: bytes, lines: int) -> str:
    """Return a valid recovery text with this payload."""
    symbols, before, lines_so_far = encode_symbols(payload, 18 * lines), "", []
    for number in range(1, lines + 1):
        carried = symbols[18 * (number - 1) : 18 * number]
        before = checksum(f"acres{number}{before}", carried)
        lines_so_far.append(carried + before)
    return "\n".join(lines_so_far)


def test_text_of_a_newer_program_asks_for_an_update() -> None:
    assert "newer acres" in refusal(recovery_text_of(b"\3" + bytes(32), 3))
    assert "newer acres" in refusal(recovery_text_of(b"\0" + bytes(32), 3))


def test_noncanonical_payloads_are_refused() -> None:
    assert "not one that acres writes" in refusal(
        recovery_text_of(b"\1" + bytes(32) + b"\x80", 4)[:74]
    )
    for cost in (b"\x12\x81", b"\x0d\x81", b"\xff\x81", b"\x0e\x91", b"\x0e\x85"):
        read = recovery.read(recovery_text_of(b"\2" + cost + bytes(64), 6))
        with pytest.raises(InputError, match="not one that acres writes"):
            read.seed(lambda: "right")


@pytest.mark.slow
def test_costs_at_the_limits_are_accepted() -> None:
    for head in (b"\x02\x11\x81", b"\x02\x0e\x84", b"\x02\x0e\x11"):
        with pytest.raises(WrongPassphraseError):
            recovery.read(recovery_text_of(head + bytes(64), 6)).seed(lambda: "right")


@pytest.mark.parametrize("kind", KINDS)
def test_recovery_repr_shows_no_key(kind: str) -> None:
    text = repr(recovery.read(TEXTS[kind]))
    assert "Zoé" in text
    assert "\\x" not in text


# --- Bech32m (BIP 350): examples and checksum


VALID = [
    "a1lqfn3a",
    "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
    "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
    "11" + "l" * 82 + "ludsr8",
    "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
    "?1v759aa",
]
# One has a checksum of Bech32 without the m, and one a wrong checksum.
INVALID = ["a12uel5l", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", "m1vuxwez"]

symbols = st.text(ALPHABET, min_size=1, max_size=40)


@pytest.mark.parametrize("string", [*VALID, *INVALID])
def test_published_examples_are_read_or_refused(string: str) -> None:
    prefix, _, data = string.rpartition("1")
    assert is_valid(prefix, data) == (checksum(prefix, data[:-6]) == data[-6:]) == (string in VALID)


@given(symbols, st.data())
def test_up_to_four_wrong_symbols_are_detected(data: str, draw: st.DataObject) -> None:
    whole = data + checksum("acres1", data)
    assert naive.is_bech32m(f"acres11{whole}")
    places = st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=4, unique=True)
    wrong = list(whole)
    for at in draw.draw(places):
        wrong[at] = draw.draw(st.sampled_from(ALPHABET.replace(wrong[at], "")))
    assert not is_valid("acres1", "".join(wrong))


@given(st.binary(min_size=1, max_size=70), st.integers(0, 9))
def test_bech32m_bytes_round_trip(data: bytes, extra: int) -> None:
    count = -(-8 * len(data) // 5) + extra
    symbols = encode_symbols(data, count)
    assert len(symbols) == count
    assert decode_symbols(symbols, len(data)) == data


def test_nonzero_padding_is_refused() -> None:
    assert decode_symbols("qqq", 1) == b"\0"
    for rest in ("qqp", "qpq"):
        with pytest.raises(ValueError, match="more"):
            decode_symbols(rest, 1)

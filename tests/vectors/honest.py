"""Honest files that a reader has to accept: `python -m tests.vectors.honest`.

They lie in `accepted/`, with a list of them in `index.json`. Each has something that a reader may
get wrong, and that no other vector has. Some are made, step by step, from the short games; the
others were played once, by any legal orders, and are kept: one that is taken away is played again.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any, NamedTuple

from engine.sides import Side
from pbem.savefile.save_file import SaveFile
from tests.play.playing import TIME, answer, any_order, begin, identities, seat_to_write
from tests.seats import NextRecord
from tests.signing import end
from tests.vectors import naive
from tests.vectors.games import HERE
from tests.vectors.naive_form import UNPRINTED, records_in, visible
from tests.vectors.refused_chains import (
    RESIGN,
    Base,
    Player,
    cut,
    first,
    follow,
    game,
    laid_out,
    order,
    sign,
)
from tests.vectors.refused_steps import END, OPEN, RAID, to_raid

FOLDER = HERE / "accepted"


class Honest(NamedTuple):
    """A file that breaks no rule: what it has, and the file."""

    what: str
    data: bytes

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{'-'.join(self.what.split())}.toml"


class Played(NamedTuple):
    """A game that was played: what it has, the seed of all that is random, and how it was played.

    After `length` records somebody resigns, if it is not over, and both close it. `eagerness` is
    how often its authors write a follow-up where they may.
    """

    what: str
    seed: int
    length: int
    side: Side | None = Side.BRITISH
    guest: Side | None = None
    lists: int = 1
    home_support: str = "asked"
    edition: str = "second"
    house_rule: str = ""
    eagerness: float = 1

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{'-'.join(self.what.split())}.toml"

    def play(self) -> bytes:
        """Play it again."""
        random = Random(self.seed)
        starts = self.house_rule == "french-start-choice" and Side.FRENCH in (
            self.side,
            self.guest or (self.side and self.side.opponent),
        )
        match = begin(
            self.seed,
            side=self.side,
            guest=self.guest,
            lists=self.lists,
            home_support=self.home_support,
            edition=self.edition,
            house_rules=[self.house_rule] if self.house_rule else [],
            start_card="regular-infantry" if starts else None,
        )
        while len(match.records) < self.length:
            match = answer(
                match, any_order(random), self.seed, lambda: random.random() < self.eagerness
            )
        while match.next_side is not None:
            draft = NextRecord(seat_to_write(match, self.seed), TIME, resigns=not match.is_over)
            end(draft)
            match = draft.match
        return SaveFile(tuple(match.records)).write()


def _played(table: dict[str, Any]) -> Played:
    sides = {key: Side(table[key]) for key in ("side", "guest") if table.get(key, "any") != "any"}
    return Played(**table | {"side": None if table.get("side") == "any" else Side.BRITISH} | sides)


_TABLE = (HERE / "tables" / "played.toml").read_text(encoding="utf-8")
PLAYED = tuple(map(_played, tomllib.loads(_TABLE)["played"]))


@cache
def kept(what: str) -> Base:
    """A game that was played, and the private keys of its players."""
    one = next(one for one in PLAYED if one.what == what)
    anna, bela = identities(one.seed)
    return Base(records_in(one.path.read_bytes()), (anna.seed, bela.seed))


# --- made of the short games


@cache
def made() -> tuple[Honest, ...]:
    """What is made step by step."""
    return (
        *(*_resigning(), _losing_twice(), _laid_out_otherwise(), _at_its_limits()),
        _at_other_limits(),
    )


def _resigning() -> Iterator[Honest]:
    """Games that somebody gives up where that is least expected, to both closes."""
    fixed, opened = game("game"), game("game-follow-ups")
    inviter, guest = Player(fixed, 0), Player(fixed, 1)
    accept, grant, *dealt = fixed.records[1]["steps"]
    opening = first("open-lists", fixed.records[2])
    for what, steps in [
        ("a resignation behind the first grant", [accept, grant, RESIGN, guest.close]),
        ("a resignation behind the deal", [accept, grant, *dealt, RESIGN, guest.close]),
    ]:
        records = cut(fixed, 1)
        follow(records, fixed.seeds, *steps)
        follow(records, fixed.seeds, opening, inviter.close)
        yield Honest(what, laid_out(records))
    records = cut(opened, 1)
    follow(records, opened.seeds, opened.records[1]["steps"][0], RESIGN, side="british")
    follow(records, opened.seeds, Player(opened, 0).close)
    follow(records, opened.seeds, Player(opened, 1).close)
    yield Honest("a resignation behind the acceptance", laid_out(records))
    records = cut(fixed, 4)
    records[3]["steps"] += [RESIGN, guest.close]
    sign(records[3], fixed.seeds[1])
    follow(records, fixed.seeds, inviter.close)
    yield Honest("a resignation behind a draw", laid_out(records))
    records = cut(fixed, 3)
    records[2]["steps"] += [RESIGN]
    sign(records[2], fixed.seeds[0])
    follow(records, fixed.seeds, fixed.records[3]["steps"][0], guest.close)
    follow(records, fixed.seeds, inviter.close)
    yield Honest("a resignation without a close", laid_out(records))


def _losing_twice() -> Honest:
    """Follow-ups that end the turn and then give up cards of two places."""
    lost = [order("lose boston: ships"), order("lose halifax: militia")]
    records = cut(OPEN, RAID)
    follow(records, OPEN.seeds, *to_raid(), END, *lost)
    return Honest("lose twice behind an end", laid_out(records))


def _laid_out_otherwise() -> Honest:
    """An invitation as unlike ours as TOML 1.0 allows, with CRLF and a byte-order mark."""
    record = game("game-follow-ups").records[0]
    values = record["steps"][0] | {"signature": record["signature"], "box": naive.b64(bytes(272))}
    text = _OTHERWISE
    for name in ("rules_digest", "key", "nonce", "secret_hash", "signature", "box"):
        folded = "\\\n \t\n  ".join(wrap(values[name], 60))
        text = text.replace(f"<{name}>", f'"""\\  \t\n{folded}"""')
    text = text.replace("<quoted>", '"""' + '"c"", }""' + '"""')
    data = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    return Honest("an invitation laid out otherwise", data)


_OTHERWISE = r"""# A comment, with "quotes' and {
version	=	0x1
'format' = "acres\u002dsave"
summary = { lines = [ 'a', # }
	'''b, }''', <quoted>, ''''d, }''''', ] } # , }
sealed.british.at = 4_999
sealed."french" . at = +0
sealed.british.box = <box>
sealed.french.box = <box>

[[ "record" ]]
steps = [ # one step
{ kind = 'invite', "protocol" = 0b1, edition = '''second''', house_rules = [
# none ]
], rules_digest = <rules_digest>, lists = 0o10, home_support = "as\U0000006bed", side = '''
any''', name = "A\u006ena", email = '''
anna@example.org''', key = <key>, nonce = <nonce>,	secret_hash = <secret_hash>}, ]
time = "2026-11-01T08:00:00Z"
previous = ''
side = "any"
signature = <signature>
index = 0
"""


def _at_its_limits() -> Honest:
    """An invitation with texts as long as they may be, in code points, and with all that is shown.

    In the fourth line of the summary are the neighbours of what no name may hold.
    """
    entry = {"name": "\U0001f3b2" * 55 + '"\\/é!', "email": "x" * 254, "lists": 4096}
    records = cut(OPEN, 1)
    records[0]["steps"][0] |= entry
    records[0]["time"] = "0001-01-01T00:00:00Z"
    sign(records[0], OPEN.seeds[0])
    beside = sorted({code for low, high in UNPRINTED for code in (low - 1, high + 1)} - {-1})
    shown = "".join(chr(code) for code in beside if visible(chr(code)))
    lines = ["\U0001f3b2" * 200, "", " ", shown] + ["x"] * 196
    return Honest("an invitation at its limits", laid_out(records, summary={"lines": lines}))


def _at_other_limits() -> Honest:
    """The last second of a leap day, no line of a summary, no box, lines of just 120 characters."""
    records = cut(OPEN, 1)
    records[0]["time"] = "2000-02-29T23:59:59Z"
    sign(records[0], OPEN.seeds[0])
    head, _, rest = laid_out(records).partition(b"version = 1\n")
    empty = b"version = 1\nsummary = { lines = [] }\nsealed = {}\n"
    longest = b"#" + "\U0001f3b2".encode() * 119
    data = head + empty + longest + b"\r\n" + rest + longest
    return Honest("an invitation on a leap day", data)


# --- all of them


def files() -> dict[str, bytes]:
    """The files of the folder, by name."""
    honest = [*made(), *(Honest(one.what, one.path.read_bytes()) for one in PLAYED)]
    rows = [json.dumps({"file": one.name, "what": one.what}) for one in honest]
    index = "[\n" + ",\n".join(rows) + "\n]\n"
    return {one.name: one.data for one in honest} | {"index.json": index.encode()}


def write() -> None:
    """Write the folder; a game that was played is played if it is not there."""
    FOLDER.mkdir(exist_ok=True)
    for one in PLAYED:
        if not one.path.exists():
            one.path.write_bytes(one.play())
    for old in FOLDER.iterdir():
        if old.name not in files():
            old.unlink()
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    write()

"""Hostile letters, with unusual headers, structures, bodies and nested letters.

Some come from a grammar with values that no honest program writes. Others are letters of mail
programs with a file, with changed bytes, or combined. Each depends only on a seed and a number.
"""

from __future__ import annotations

import encodings
import pkgutil
import quopri
import re
from base64 import encodebytes
from binascii import b2a_uu
from collections.abc import Callable
from email import message_from_bytes
from encodings.aliases import aliases
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.play.incoming import DOMAIN
from pbem.savefile.armour import BEGIN, armour
from tests.fuzz.games import find_game
from tests.fuzz.mutants import Mutator
from tests.mail.programs import PLAIN, PROGRAMS

CORPUS = Path(__file__).parents[1] / "mail" / "corpus"
GAMES = ("joined", "second", "open-invitation")
MAX_SIZE = 8 * 1024 * 1024
MAX_HEADER_LENGTH = 100_000
"""The maximum number of characters in the value of a header."""
LARGE_INTERVAL = 1500
"""The number of letters for each one that has the maximum size."""
THREAD_GAME, _THREAD_RECORD = bytes(range(32)), bytes(range(32, 64))
"""The id of a game, and the hash of its sent record 1, to which letters may refer."""
THREAD = f"<{THREAD_GAME[:4].hex()}.1.{_THREAD_RECORD[:16].hex()}@{DOMAIN}>"


class Letter(NamedTuple):
    """A letter, its construction, and the save file in it, if any."""

    how: str
    data: bytes
    file: bytes = b""


def letter(seed: object, number: int) -> Letter:
    """Return the letter with that number for a seed."""
    return _Maker(Random(f"{seed}/{number}")).make_letter()


@cache
def _good() -> tuple[list[tuple[bytes, bytes]], list[float]]:
    """Return letters of mail programs with their files, and their cumulative weights.

    Short letters have higher weights, because they are as useful and faster.
    """
    letters = [
        (program(find_game(game).data), find_game(game).data)
        for game in GAMES
        for program in PROGRAMS.values()
    ]
    letters += [(_paste(find_game(game).data, mark), find_game(game).data)
             for game in GAMES for mark in ("", "> ")]  # fmt: skip
    invitation = (CORPUS / "invitation.toml").read_bytes()
    with_attachment = (
        path for kind in ("attached", "fetched", "sent") for path in CORPUS.glob(f"*-{kind}.eml")
    )
    letters += [(path.read_bytes(), invitation) for path in sorted(with_attachment)]
    return letters, [*accumulate(len(file) ** -1.5 for _, file in letters)]


def _paste(file: bytes, mark: str) -> bytes:
    """Return a letter with a file in armour, quoted by `mark`."""
    block = "".join(f"{mark}{line}\r\n" for line in armour(file).splitlines())
    return f"{PLAIN}\r\n\r\nHello,\r\n\r\n{block}\r\nBye\r\n".encode()


@cache
def _charsets() -> list[str]:
    """Return all charsets of Python, and invalid names."""
    modules = {name for _, name, _ in pkgutil.iter_modules(encodings.__path__)}
    known = {*modules, *aliases, *aliases.values()}
    odd = ("", "idna", "undefined", "x-unknown", "a" * 3000, "utf-8\0", "\x00", "..", "utf-8'", "²",
           "../utf_8", "encodings.utf_8", "é", "utf-8*en", "unicode_escape", "mbcs")  # fmt: skip
    return [*sorted(known), *odd, *["utf-8", "us-ascii", "utf-7", "utf-16", "idna"] * 20]


# fmt: off
_KINDS = ("text/plain", "text/html", "multipart/mixed", "multipart/alternative", "multipart/digest",
          "multipart/signed", "multipart/report; report-type=delivery-status",
          "message/rfc822", "message/partial", "message/delivery-status",
          "message/external-body", "application/octet-stream", "application/toml", "text", "/",
          "text/", "multipart", "message/", "TEXT/HTML", "text/plain(a)", "(a)text/plain", "a/b/c",
          "image/png", "multipart/mixed/x", "\x00/\x00", "text /plain", "")
_ENCODINGS = ("base64", "quoted-printable", "7bit", "8bit", "binary", "x-uuencode", "uuencode", "",
              "BASE64 (a)", "base64;", "base 64", "nonsense", "(", "\xff", "uue")
_PARAMETERS = ("charset", "filename", "name", "boundary", "format", "delsp", "x", "", "a" * 99)
_STARS = ("", "", "", "*", "*0", "*0*", "*1", "*1*", "*2*", "**", "*0**", "*²*", "*²", "*-1",
          "*00*", "*99999999999999999999*", "*99999999999999999999", "* 0", "*a*", "*١*", "*1_0*")
_NAMES = ("From", "From", "Subject", "To", "Date", "Message-ID", "References", "In-Reply-To",
          "Sender", "Content-Type", "Content-Type", "Content-Disposition", "Content-Disposition",
          "Content-Transfer-Encoding", "Content-ID", "MIME-Version", "X-" + "a" * 200, "", " ", "é",
          "Auto-Submitted", "Return-Path", "Received", "Reply-To", "X-Failed-Recipients",
          "Action", "Final-Recipient", "Diagnostic-Code", "In-Reply-To", "References", "Precedence")
_HARMLESS = ("X-A", "From", "Subject", "Date", "Message-ID", "References", "Received", "To",
             "Sender")
"""Headers that do not change the contents of a letter."""
_PIECES = (";", '"', "(", ")", "<", ">", ",", ":", "@", "\\", "'", "''", "=", "%", "%00", "%ff",
           "*", " ", "\t", "\0", "a", "é", "\x1b[2J", "\u202e", "=?", "?=", "=?utf-8?q?", "\\(",
           "\r", "=?utf-8?b?QQ==?=", "=?idna?q?a?=", "\udcff", "--", "b@c", "<a@b>", '"\\"', "a,",
           "\U0001f600", THREAD)
_RUNS = (b"\0", b"\xff", b"=", b"=3D", b"=\n", b"\n", b"\r", b"\r\n", b" ", b"a ", b"<", b"<p>",
         b"</p>", b"<!--", b"&", b"&#", b"&#99;", b"&lt;", b"> ", b"| ", b'"', b'"""', b"[", b"{}",
         b"[[record]]\n", b"a = 1\n", b"\\\n", b"x = [1, ", b"A: b\n", b"From x\n", b"--b\n",
         b"--b--\n", b"QUJD", b"begin 644 a\n", b"<mailto:a>", b"M" + b"!" * 60 + b"\n", b"a.b.",
         "é".encode(), "\u2028".encode(), "\U0001f600".encode(), b"+2D3eAA-", b"\x1b$B$$\x1b(B",
         b"\x81\x30\x81\x30", b'format = "acres-save"\n', b"acres-", f"\n{BEGIN}\n".encode(),
         b"\nFinal-Recipient: rfc822; a@b\nAction: failed\nDiagnostic-Code: smtp; 550 a\n\n",
         f"\nMessage-ID: {THREAD}\n\n".encode(), f"<{THREAD} {THREAD}".encode())
_STARTS = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n",
           b"Content-Type: message/rfc822\nA: %d%d\n\n",
           b"Content-Type: multipart/digest; boundary=%d%d\n\n--1\n")
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"\x78\x9f\x3e\x22",
           b"-----BEGIN PGP MESSAGE-----\n")
# fmt: on


class _Maker:
    """A maker of one letter."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._mutator = Mutator([], "")
        self._mutator.random = random
        self._is_large = random.randrange(LARGE_INTERVAL) == 0
        self._size = MAX_SIZE if self._is_large else random.choice((200, 2000, 2000, 20_000))

    def make_letter(self) -> Letter:
        """Return the letter."""
        ways: tuple[Callable[[], Letter], ...] = (
            self._grammar_letter, self._altered_letter, self._letter_with_headers,
            self._letter_among_others, self._nested_letter,
        )  # fmt: skip
        (way,) = self._random.choices(ways, (5, 4, 1, 1, 1))
        result = self._grammar_letter() if self._is_large else way()
        return result._replace(data=result.data[:MAX_SIZE])

    # --- letters from the grammar

    def _grammar_letter(self) -> Letter:
        large = "large, " if self._is_large else ""
        return Letter(f"{large}grammar", self._entity(0))

    def _entity(self, depth: int) -> bytes:
        random = self._random
        if random.random() < 0.02:
            return self._deep_letter()
        kind = random.choice(_KINDS)
        boundary = random.choice(("b", "b", f"x{depth}", "-", "", " ", "a" * 70, "é", "(", "b--"))
        head = [self._field() for _ in range(random.choice((0, 0, 1, 2, 5)))]
        is_split = kind.startswith("multipart")
        if is_split:
            quote = random.choice(('"', '"', ""))
            head.append(f"Content-Type: {kind}; boundary={quote}{boundary}{quote}".encode())
        elif random.random() < 0.8:
            head.append(self._encoded_word(f"Content-Type: {kind}{self._parameters()}"))
        encoding = random.choice(_ENCODINGS) if random.random() < 0.6 else ""
        if encoding:
            head.append(self._encoded_word(f"Content-Transfer-Encoding: {encoding}"))
        if random.random() < 0.4:
            head.append(self._encoded_word(f"Content-Disposition: attachment{self._parameters()}"))
        random.shuffle(head)
        end = random.choice((b"\n", b"\n", b"\r\n", b"\r"))
        if is_split and depth < 4:
            body = self._parts(boundary.encode(), depth)
        elif kind.startswith("message") and depth < 4:
            body = self._entity(depth + 1)
        else:
            body = self._body()
        if random.random() < 0.8:
            body = self._encode(encoding.lower(), body)
        return end.join([*head, b"", body])

    def _parts(self, boundary: bytes, depth: int) -> bytes:
        random = self._random
        if random.random() < 0.02:
            # Repeat one value up to the limit and beyond.
            parts = [self._entity(4)] * random.choice((199, 200, 201))
        else:
            parts = [self._entity(depth + 1) for _ in range(random.choice((0, 1, 1, 2, 3)))]
        line = b"\n--" + boundary
        ends = (b"\n", b"\n", b" \r\n", b"\r")
        body = b"".join(line + random.choice(ends) + part for part in parts)
        return body + random.choice((line + b"--\n", b"", line, self._body()))

    def _deep_letter(self) -> bytes:
        random = self._random
        start = random.choice(_STARTS)
        depth = random.choice((3, 19, 20, 21, 500))
        return b"".join(start % (n, n) for n in range(depth)) + self._body()

    def _field(self) -> bytes:
        name = self._random.choice(_NAMES)
        return self._encoded_word(f"{name}: {self._value()}")

    def _value(self) -> str:
        """Return a value of a header."""
        return self._any_value()[:MAX_HEADER_LENGTH]

    def _any_value(self) -> str:
        random = self._random
        match random.randrange(6):
            case 0:
                return "".join(random.choices(_PIECES, k=random.choice((1, 3, 10))))
            case 1:
                piece = "".join(random.choices(_PIECES, k=random.choice((1, 1, 2))))
                return piece * random.choice((10, 300, 3000, 16_000))
            case 2:
                word = f"=?{random.choice(_charsets())}?{random.choice('qQbBx')}?{self._text()}?="
                return " ".join([word] * random.choice((1, 1, 2, 200)))
            case 3:
                return f"{random.choice(('', 'Zoé ', self._text()))}<{self._text()}@example.org>"
            case 4:
                return random.choice(_KINDS) + self._parameters()
            case _:
                return self._text()

    def _parameters(self) -> str:
        random = self._random
        joined = "".join(
            f";{random.choice((' ', '', chr(10) + ' '))}{random.choice(_PARAMETERS)}"
            f"{random.choice(_STARS)}={self._parameter()}"
            for _ in range(random.choice((0, 1, 1, 2, 5)))
        )
        return joined * (random.choice((1, 200)) if random.random() < 0.05 else 1)

    def _parameter(self) -> str:
        random = self._random
        match random.randrange(5):
            case 0:
                return random.choice(_charsets())
            case 1:
                language = random.choice(("", "en"))
                return f"{random.choice(_charsets())}'{language}'{self._text()}"
            case 2:
                return f'"{self._text()}"'
            case 3:
                return f'"{self._value()}'
            case _:
                return random.choice(("flowed", "yes", "game.toml", "../../x", "..", "a%20b", ""))

    def _text(self) -> str:
        random = self._random
        return random.choice(
            ("a", THREAD, "failed", "rfc822; a@b",
             "game-004.toml", "%41%42", "%", "%ff%00", "QUJD", "=C3=A9", "con", "a/b", "\0",
             "é" * 99, random.choice(_PIECES), "x" * random.choice((100, 5000)))
        )  # fmt: skip

    @staticmethod
    def _encoded_word(text: str) -> bytes:
        return text.encode("utf-8", "surrogateescape" if "\udcff" in text else "strict")

    # --- bodies

    def _body(self) -> bytes:
        random = self._random
        size = random.randrange(1, self._size)
        match random.randrange(8):
            case 0:
                return b""
            case 1 | 2:
                pieces = b"".join(random.choices(_RUNS, k=random.choice((1, 1, 2, 5))))
                mark = b'format = "acres-save"\n'
                start = random.choice((b"", mark, b"> " + mark))
                return start + pieces * (size // len(pieces) + 1)
            case 3:
                return random.randbytes(min(size, 5000))
            case 4:
                return random.choice(_PACKED) + b"x" * 99
            case 5:
                return b"".join(random.choices(_RUNS, k=min(2000, size // 4 + 1)))
            case _:
                (game,) = random.choices(GAMES, (8, 2, 20))
                file = find_game(game).data
                cut = file[: random.randrange(len(file))]
                return random.choice((file, cut, self._alter_bytes(file)))

    def _encode(self, encoding: str, body: bytes) -> bytes:
        if encoding.startswith("base64"):
            return encodebytes(body)
        if encoding == "quoted-printable":
            return quopri.encodestring(body[:100_000])
        if encoding.endswith("uuencode"):
            lines = (b2a_uu(body[at : at + 45]) for at in range(0, min(len(body), 100_000), 45))
            return b"begin 644 a\n" + b"".join(lines) + b"`\nend\n"
        return body

    # --- letters from mail programs

    def _alter_bytes(self, data: bytes) -> bytes:
        """Return data with a few bytes changed."""
        return self._mutator.alter_bytes(data, self._random.choice((1, 1, 2, 5, 20)))

    def _altered_letter(self) -> Letter:
        random = self._random
        data, _ = self._choose_letter()
        if random.random() < 0.3:
            other, _ = self._choose_letter()
            data = data[: random.randrange(len(data))] + other[random.randrange(len(other)) :]
        elif random.random() < 0.4:
            lines = data.split(b"\n")
            head = lines.index(b"\r") if b"\r" in lines else min(9, len(lines) - 1)
            at = random.randrange(head + 1)
            name = lines[at].partition(b":")[0]
            lines[at] = name + b": " + self._encoded_word(self._value())
            data = b"\n".join(lines)
        return Letter("changed", self._alter_bytes(data))

    def _letter_with_headers(self) -> Letter:
        """Return a valid letter with other headers before its own."""
        data, file = self._good()
        return Letter("headed", self._harmless() + data, file)

    def _good(self) -> tuple[bytes, bytes]:
        """Return a valid letter, without the first line of Apple Mail, and its file."""
        data, file = self._choose_letter()
        return re.sub(rb"\A[0-9]+ *\n", b"", data), file

    def _choose_letter(self) -> tuple[bytes, bytes]:
        good, weights = _good()
        return self._random.choices(good, cum_weights=weights)[0]

    def _harmless(self) -> bytes:
        random = self._random
        lines = [
            f"{random.choice(_HARMLESS)}: {self._value()}".replace("\n", "").replace("\r", "")
            for _ in range(random.choice((1, 2, 5)))
        ]
        return b"".join(self._encoded_word(line) + b"\r\n" for line in lines)

    def _letter_among_others(self) -> Letter:
        """Return a letter with a valid letter among bad ones."""
        random = self._random
        data, file = self._good()
        bad = [part for part in (self._entity(3) for _ in range(2)) if _is_silent(part)]
        parts = [b"Content-Type: message/rfc822\r\n\r\n" + data, *bad]
        random.shuffle(parts)
        body = b"".join(b"\r\n--of all of them\r\n" + part for part in parts)
        head = b'Content-Type: multipart/mixed; boundary="of all of them"\r\n'
        body += b"\r\n--of all of them--\r\n"
        return Letter("beside", self._harmless() + head + body, file)

    def _nested_letter(self) -> Letter:
        """Return a valid letter nested in others."""
        data, file = self._good()
        # Only a limited number of nested encodings is opened; programs make at most one.
        encoded = 2
        for _ in range(self._random.choice((1, 2, 3))):
            head = b"Content-Type: message/rfc822\r\n"
            is_small = encoded and len(data) < 3 * len(file) + 5000
            if self._random.random() < 0.3 and is_small:
                head = b"Content-Type: application/octet-stream; name=a.eml\r\n"
                head += b"Content-Transfer-Encoding: base64\r\n"
                data, encoded = encodebytes(data), encoded - 1
            data = self._harmless() + head + b"\r\n" + data
        return Letter("wrapped", data, file)


def _is_silent(part: bytes) -> bool:
    """Return whether a letter has no file, and is small and shallow enough to be read."""
    is_small = len(part) < 50_000 and len(list(message_from_bytes(part).walk())) < 12
    may_hold_file = any(word in part.lower() for word in (b"acres", b"begin 644", b"base64"))
    return is_small and not may_hold_file

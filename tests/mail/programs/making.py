"""What messages are made of: headers and parts, and what programs do to a text on its way."""

from __future__ import annotations

import quopri
import textwrap
from base64 import encodebytes
from collections.abc import Callable

NAME = "bela-004.toml"
Program = Callable[[bytes], bytes]
PLAIN = "Content-Type: text/plain; charset=utf-8"
PROGRAMS: dict[str, Program] = {}


def program(name: str) -> Callable[[Program], Program]:
    """What is below writes messages as that program does."""

    def enter(made: Program) -> Program:
        PROGRAMS[name] = made
        return made

    return enter


def message(headers: str, body: str | bytes) -> bytes:
    """A message with these headers, its lines ended as on the wire."""
    start = "From: =?UTF-8?Q?B=C3=A9la?= <bela@example.org>\nTo: anna@example.org\n"
    start += "Subject: Re: acres, turn 3\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n"
    start += "Message-ID: <20261121.1@example.org>\nMIME-Version: 1.0\n"
    data = body if isinstance(body, bytes) else body.encode()
    whole = f"{start}{headers}\n\n".encode() + data
    return whole.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def multipart(kind: str, boundary: str, *parts: str) -> bytes:
    """A message of parts, each with its headers."""
    body = "".join(f"--{boundary}\n{part}\n" for part in parts) + f"--{boundary}--\n"
    return message(f'Content-Type: multipart/{kind}; boundary="{boundary}"', body)


def base64(data: bytes) -> str:
    return encodebytes(data).decode()


def quoted_printable(text: str, charset: str = "utf-8") -> str:
    return quopri.encodestring(text.encode(charset)).decode()


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines())


def wrapped(text: str, width: int) -> str:
    """Long lines broken at spaces, as by a program that knows no other way."""
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        broken = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
        lines += broken if len(line) > width and " " in line[len(indent) :].strip() else [line]
    return "\n".join(lines)


def flowed(text: str, width: int = 72, *, delsp: bool = False) -> str:
    """RFC 3676: lines that go on end with a space; what begins with a space gets one more."""
    lines = []
    for line in text.split("\n"):
        while len(line) > width and (at := line.rfind(" ", 1, width)) > 0 and line[:at].strip():
            lines.append(line[: at + 1] + " " * delsp)
            line = line[at + 1 :]
        lines.append(line)
    return "\n".join(f" {line}" if line.startswith((" ", ">", "From ")) else line for line in lines)

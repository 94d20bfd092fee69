"""Messages with a save file as mail programs write them, according to their documentation.

They are built from any file, so that a new version of the format changes none of them.
"""

from __future__ import annotations

import quopri
from base64 import encodebytes
from collections.abc import Callable

NAME = "bela-004.toml"
PLAIN = "Content-Type: text/plain; charset=utf-8"
BASE64 = "Content-Transfer-Encoding: base64"
Program = Callable[[bytes], bytes]


def base64(data: bytes) -> str:
    """Return bytes in base64."""
    return encodebytes(data).decode()


def quoted_printable(data: bytes) -> str:
    """Return a text in quoted-printable."""
    return quopri.encodestring(data).decode()


def message(headers: str, body: str) -> bytes:
    """Return a message with these headers, with line ends of CRLF."""
    start = "From: =?UTF-8?Q?B=C3=A9la?= <bela@example.org>\nTo: anna@example.org\n"
    start += "Subject: Re: acres, turn 3\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n"
    start += "Message-ID: <20261121.1@example.org>\nMIME-Version: 1.0\n"
    return f"{start}{headers}\n\n{body}".encode().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def multipart(kind: str, *parts: str) -> bytes:
    """Return a message of parts, each with its headers."""
    body = "".join(f"--b=_1\n{part}\n" for part in parts) + "--b=_1--\n"
    return message(f'Content-Type: multipart/{kind}; boundary="b=_1"', body)


def attach(headers: str, coded: Callable[[bytes], str] = base64, *around: str) -> Program:
    """Return a program that attaches the file with these headers, and then adds parts."""
    text = f"{PLAIN}\n\nMy turn.\n"
    return lambda file: multipart("mixed", text, f"{headers}\n\n{coded(file)}", *around)


def of_kind(kind: str, *, disposition: str = "attachment", name: str = NAME) -> Program:
    """Return a program that attaches the file in base64, with this name and content type."""
    return attach(
        f'Content-Type: {kind}; name="{name}"\n'
        f'Content-Disposition: {disposition}; filename="{name}"\n{BASE64}\nX-Attachment-Id: f_m1x2'
    )


_ANY = of_kind("application/octet-stream")
_FOOTER = "Content-Type: text/plain\nContent-Disposition: inline\n\n______\nGames mailing list\n"
_OUTLOOK = (
    "Content-Type: application/octet-stream;\n\tname*=utf-8''z%C3%BCg-004.toml\n"
    f"Content-Description: {NAME}\nContent-Disposition: attachment;\n"
    '\tfilename="=?utf-8?B?esO8Zy0wMDQudG9tbA==?="; size=1234;\n'
    '\tcreation-date="Sat, 21 Nov 2026 10:00:00 GMT"\n'
    "Content-Transfer-Encoding: quoted-printable"
)
_APPLE = (
    f"Content-Disposition: attachment;\n\tfilename={NAME}\nContent-Type: application/octet-stream;"
    f'\n\tx-unix-mode=0644;\n\tname="{NAME}"\nContent-Transfer-Encoding: 7bit'
)
_EML = f'Content-Type: application/octet-stream; name="Your turn.eml"\n{BASE64}'

PROGRAMS: dict[str, Program] = {
    **{
        f"attached as {kind}": of_kind(kind)
        for kind in (
            "application/octet-stream", "application/toml", "text/x-toml", "text/html",
            "image/png", "no/such type",
        )
    },
    "shown in its place": of_kind("text/plain", disposition="inline"),
    "attached as ATT00001.bin": of_kind("application/octet-stream", name="ATT00001.bin"),
    "attached under a path": of_kind("application/octet-stream", name="../../etc/passwd"),
    "Outlook: a name in two ways": attach(_OUTLOOK, quoted_printable),
    "Apple Mail, between texts": attach(_APPLE, bytes.decode, _FOOTER),
    "mutt, as text": attach(
        f'{PLAIN}\nContent-Disposition: attachment; filename="{NAME}"', bytes.decode
    ),
    "signed by PGP": lambda file: multipart(
        "signed", _inner(_ANY(file)), f"{PLAIN}\n\n-----BEGIN PGP SIGNATURE-----\nabc=\n"
    ),
    "K-9: a page beside the text": lambda file: multipart(
        "mixed",
        "Content-Type: multipart/alternative; boundary=alt\n\n--alt\n"
        f"{PLAIN}\n\nMy turn.\n--alt\nContent-Type: text/html\n\n<p>My turn.\n--alt--",
        f"Content-Type: application/octet-stream; name={NAME}\n{BASE64}\n\n{base64(file)}",
    ),
    "forwarded as an attachment": lambda file: multipart(
        "mixed", f"Content-Type: message/rfc822\n\n{_ANY(file).decode()}"
    ),
    "forwarded as a file": lambda file: attach(_EML)(_ANY(file)),
    "Mailman: a footer behind it": attach(
        f"Content-Type: application/octet-stream\n{BASE64}", base64, _FOOTER
    ),
    "with the line ends of Windows": lambda file: of_kind("text/plain")(
        file.replace(b"\n", b"\r\n")
    ),
    "in UTF-16, as Notepad saves it": lambda file: of_kind("text/plain")(
        file.decode().encode("utf-16")
    ),
    "as the whole text": lambda file: message(PLAIN, file.decode()),
}  # fmt: skip


def _inner(whole: bytes) -> str:
    """Return a message as a part of another, without the headers of its sender and recipient."""
    return whole.decode()[whole.index(b"Content-Type: multipart") :]

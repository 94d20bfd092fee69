"""Messages as mail programs write them, each with a save file in it, by their documented ways.

They are made of any file, so that none has to be changed when the format moves. What is told of a
program is what decides here: how it declares and encodes a part, where it breaks lines, what it
puts around an answer, how its HTML says that a line ends.
"""

from __future__ import annotations

import quopri
import textwrap
from base64 import encodebytes
from collections.abc import Callable
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import SMTP
from html import escape

NAME = "bela-004.toml"
Program = Callable[[bytes], bytes]
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


def attached(kind: str, *, disposition: str = "attachment", name: str = NAME) -> Program:
    def made(file: bytes) -> bytes:
        return multipart(
            "mixed",
            "000000000000a1b2c3",
            'Content-Type: text/plain; charset="UTF-8"\n\nMy turn.\n',
            f'Content-Type: {kind}; name="{name}"\n'
            f'Content-Disposition: {disposition}; filename="{name}"\n'
            f"Content-Transfer-Encoding: base64\nX-Attachment-Id: f_m1x2\n\n{base64(file)}",
        )

    return made


# --- attached

for _kind in (
    "application/octet-stream",
    "application/toml",
    "text/x-toml",
    "text/html",
    "image/png",
    "message/rfc822x",
    "no/such type",
):
    PROGRAMS[f"attached as {_kind}"] = attached(_kind)
PROGRAMS["Gmail on the web, attached"] = attached("application/toml")
PROGRAMS["shown in its place"] = attached("text/plain", disposition="inline")
PROGRAMS["attached as ATT00001.bin"] = attached("application/octet-stream", name="ATT00001.bin")
PROGRAMS["attached under a path"] = attached("application/octet-stream", name="../../etc/passwd")


@program("Outlook, attached: quoted-printable, and a name in two ways")
def outlook_attached(file: bytes) -> bytes:
    return multipart(
        "mixed",
        "_004_AM0PR01MB1234eurprd01_",
        'Content-Type: text/plain; charset="iso-8859-1"\n'
        "Content-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\n",
        "Content-Type: application/octet-stream;\n\tname*=utf-8''z%C3%BCg-004.toml\n"
        f"Content-Description: {NAME}\nContent-Disposition: attachment;\n"
        '\tfilename="=?utf-8?B?esO8Zy0wMDQudG9tbA==?="; size=1234;\n'
        '\tcreation-date="Sat, 21 Nov 2026 10:00:00 GMT"\n'
        f"Content-Transfer-Encoding: quoted-printable\n\n{quoted_printable(file.decode())}",
    )


@program("Apple Mail, attached between texts")
def apple_attached(file: bytes) -> bytes:
    return multipart(
        "mixed",
        "Apple-Mail=_5B8E",
        "Content-Transfer-Encoding: 7bit\nContent-Type: text/plain;\n\tcharset=us-ascii\n\nHere:\n",
        f"Content-Disposition: attachment;\n\tfilename={NAME}\n"
        f'Content-Type: application/octet-stream;\n\tx-unix-mode=0644;\n\tname="{NAME}"\n'
        f"Content-Transfer-Encoding: 7bit\n\n{file.decode()}",
        "Content-Transfer-Encoding: 7bit\nContent-Type: text/plain;\n\tcharset=us-ascii\n\nBela\n",
    )


@program("Thunderbird, attached, with a signature by PGP")
def thunderbird_attached(file: bytes) -> bytes:
    outer = MIMEMultipart("signed", protocol="application/pgp-signature", micalg="pgp-sha256")
    inner = MIMEMultipart("mixed")
    inner.attach(MIMEText("My turn.\n", "plain", "utf-8"))
    part = MIMEText(file.decode(), "plain", "utf-8")
    part.add_header("Content-Disposition", "attachment", filename=NAME)
    inner.attach(part)
    outer.attach(inner)
    outer.attach(MIMEText("-----BEGIN PGP SIGNATURE-----\nabc=\n-----END PGP SIGNATURE-----\n"))
    return outer.as_bytes()


@program("mutt, attached as text")
def mutt_attached(file: bytes) -> bytes:
    return multipart(
        "mixed",
        "wac7ysb48OaltWcw",
        "Content-Type: text/plain; charset=us-ascii\nContent-Disposition: inline\n\nMy turn.\n",
        f"Content-Type: text/plain; charset=us-ascii\nContent-Disposition: attachment; "
        f'filename="{NAME}"\n\n{file.decode()}',
    )


@program("K-9, attached, with a message of its own kind")
def k9_attached(file: bytes) -> bytes:
    mail = EmailMessage(policy=SMTP)
    mail["From"] = "Bela <bela@example.org>"
    mail["User-Agent"] = "K-9 Mail for Android"
    mail.set_content("My turn.\n--\nSent from my phone.\n")
    mail.add_alternative("<html><body>My turn.</body></html>", subtype="html")
    mail.add_attachment(file, maintype="application", subtype="octet-stream", filename=NAME)
    return mail.as_bytes()


@program("forwarded as an attachment")
def forwarded(file: bytes) -> bytes:
    inner = attached("application/octet-stream")(file).decode()
    return multipart(
        "mixed",
        "fwd1",
        "Content-Type: text/plain\n\nSee below.\n",
        f"Content-Type: message/rfc822\nContent-Disposition: attachment\n\n{inner}",
    )


@program("forwarded as a file")
def forwarded_as_file(file: bytes) -> bytes:
    inner = attached("application/octet-stream")(file)
    return multipart(
        "mixed",
        "fwd2",
        'Content-Type: application/octet-stream; name="Your turn.eml"\n'
        f"Content-Transfer-Encoding: base64\n\n{base64(inner)}",
    )


@program("forwarded, encoded against the rules")
def forwarded_encoded(file: bytes) -> bytes:
    inner = attached("application/octet-stream")(file)
    return multipart(
        "mixed",
        "fwd3",
        f"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{base64(inner)}",
    )


@program("Mailman: a footer behind an attachment")
def mailman_attached(file: bytes) -> bytes:
    return multipart(
        "mixed",
        "===============123==",
        "Content-Type: text/plain\n\nMy turn.\n",
        "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
        + base64(file),
        'Content-Type: text/plain; charset="us-ascii"\nContent-Disposition: inline\n\n'
        "_______________________________________________\nGames mailing list\n"
        "Games@lists.example.org\nhttps://lists.example.org/mailman/listinfo/games\n",
    )


@program("an attachment that lost its last line end")
def without_end(file: bytes) -> bytes:
    return attached("text/plain")(file.rstrip(b"\n"))


@program("an attachment with the line ends of Windows")
def with_crlf(file: bytes) -> bytes:
    return attached("text/plain")(file.replace(b"\n", b"\r\n"))


@program("an attachment with the mark of Notepad")
def with_bom(file: bytes) -> bytes:
    return attached("text/plain")(b"\xef\xbb\xbf" + file)


@program("Outlook's winmail.dat")
def winmail(file: bytes) -> bytes:
    tnef = b"\x78\x9f\x3e\x22\x01\x00\x02\x0f\x80" + file.replace(b"\n", b"\r\n") + b"\x00\x07\x02"
    return multipart(
        "mixed",
        "tnef",
        'Content-Type: application/ms-tnef; name="winmail.dat"\n'
        f"Content-Transfer-Encoding: base64\n\n{base64(tnef)}",
    )


# --- pasted


def pasted(headers: str, text: Callable[[str], str]) -> Program:
    return lambda file: message(headers, text(file.decode()))


PLAIN = "Content-Type: text/plain; charset=utf-8"
SIGNED = "Hello Anna,\n\n{}\nBest wishes\n\n-- \nBela\nbela@example.org\n"
PASTED: dict[str, tuple[str, Callable[[str], str]]] = {
    "pasted, as it is": (PLAIN, SIGNED.format),
    "pasted without any header": ("X-Mailer: mail", SIGNED.format),
    "pasted, base64": (
        f"{PLAIN}\nContent-Transfer-Encoding: base64",
        lambda text: base64(SIGNED.format(text).encode()),
    ),
    "pasted, quoted-printable": (
        f"{PLAIN}\nContent-Transfer-Encoding: quoted-printable",
        lambda text: quoted_printable(SIGNED.format(text)),
    ),
    "Thunderbird, flowed": (
        f"{PLAIN}; format=flowed\nContent-Transfer-Encoding: 7bit",
        lambda text: flowed(SIGNED.format(text)),
    ),
    "Apple Mail, flowed, with the spaces to be deleted": (
        f"{PLAIN}; format=flowed; delsp=yes",
        lambda text: flowed(SIGNED.format(text), delsp=True),
    ),
    "Thunderbird, flowed and answered": (
        f"{PLAIN}; format=flowed",
        lambda text: (
            "On 21/11/2026 10:00, Anna wrote:\n" + quoted(flowed(text, 70), ">") + "\nOk!\n"
        ),
    ),
    "Gmail on the web, plain text, wrapped": (PLAIN, lambda text: wrapped(SIGNED.format(text), 70)),
    "Gmail, answered": (
        PLAIN,
        lambda text: (
            "Thanks!\n\nOn Sat, 21 Nov 2026 at 10:00, Anna <anna@example.org> wrote:\n\n"
            + quoted(text)
        ),
    ),
    "answered three times": (PLAIN, lambda text: quoted(quoted(quoted(text, ">"), "> "), "> ")),
    "answered by programs that mark differently": (
        PLAIN,
        lambda text: quoted(quoted(text, "| "), ">"),
    ),
    "Outlook, answered without marks": (
        PLAIN,
        lambda text: (
            "Well done.\n\n-----Original Message-----\nFrom: Anna\nSent: Saturday\n"
            f"To: Bela\nSubject: turn\n\n{text}\n"
        ),
    ),
    "Exchange: a warning before, a disclaimer behind": (
        PLAIN,
        lambda text: (
            "[EXTERNAL EMAIL] DO NOT CLICK links or attachments unless you recognize the "
            f"sender.\n\n{text}\n\nThis e-mail is confidential = private.\n"
        ),
    ),
    "Outlook: links behind addresses": (
        PLAIN,
        lambda text: text.replace("@example.org", "@example.org<mailto:anna@example.org>"),
    ),
    "Mailman: a footer behind the text": (
        PLAIN,
        lambda text: (
            text + "____________________________________\nGames mailing list\nGames@example.org\n"
        ),
    ),
    "an indented text": (PLAIN, lambda text: textwrap.indent(text, "    ")),
    "trimmed lines": (PLAIN, lambda text: "\n".join(line.strip() for line in text.split("\n"))),
    "a line between all lines": (PLAIN, lambda text: text.replace("\n", "\n\n")),
    "spaces behind all lines": (PLAIN, lambda text: text.replace("\n", "   \n")),
    "a word processor: other quotes, spaces and dashes": (
        PLAIN,
        lambda text: text.replace('"', "\u201d").replace("  ", "\u00a0 ").replace("--", "\u2014"),
    ),
    "a phone: curly quotes in pairs": (
        PLAIN,
        lambda text: (
            "".join(
                "\u201c\u201d"[text[:n].count('"') % 2] if c == '"' else c
                for n, c in enumerate(text)
            )
            if len(text) < 4000
            else text.replace('"', "\u201c")
        ),
    ),
    "the source of a message, copied": (
        PLAIN,
        lambda text: quoted_printable(SIGNED.format(text)),
    ),
}
PROGRAMS |= {name: pasted(*how) for name, how in PASTED.items()}

CHARSETS = {
    "latin-1": ("iso-8859-1", "iso-8859-1"),
    "utf-16": ("utf-16", "utf-16"),
    "utf-16 with another name": ("utf-8", "utf-16-le"),
    "latin-1 called utf-8": ("utf-8", "iso-8859-1"),
    "one that nobody knows": ("x-unknown", "cp1252"),
    "Japanese": ("iso-2022-jp", "iso-2022-jp"),
    "utf-7": ("utf-7", "utf-7"),
}


def in_charset(told: str, real: str) -> Program:
    def made(file: bytes) -> bytes:
        text = f"Salut Anna!\n{file.decode()}\nBela\n"
        if real == "iso-8859-1":
            text = text.replace("Salut", "Grüße,")
        body = base64(text.encode(real))
        return message(
            f"Content-Type: text/plain; charset={told}\nContent-Transfer-Encoding: base64", body
        )

    return made


PROGRAMS |= {f"in the charset {name}": in_charset(*how) for name, how in CHARSETS.items()}


# --- HTML


def html(lines: Callable[[list[str]], str]) -> Program:
    """A message with nothing but HTML."""

    def made(file: bytes) -> bytes:
        body = lines(file.decode().splitlines())
        text = quoted_printable(f"<html><head><style>p {{x = 1}}</style></head>{body}</html>")
        return message(
            "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
            text,
        )

    return made


def spaced(line: str) -> str:
    """A line in HTML that shows all its spaces."""
    return escape(line).replace("  ", "&nbsp; ")


HTML: dict[str, Callable[[list[str]], str]] = {
    "Gmail, HTML: a div for each line": lambda lines: (
        '<div dir="ltr">'
        + "".join(f"<div>{spaced(line) or '<br>'}</div>" for line in lines)
        + '</div><div><br></div>-- <br><div class="gmail_signature">Bela</div>'
    ),
    "Gmail, HTML, answered": lambda lines: (
        '<div dir="ltr">Ok</div><br><div class="gmail_quote">'
        '<div dir="ltr" class="gmail_attr">On Sat, Anna wrote:<br></div><blockquote '
        'class="gmail_quote" style="margin:0 0 0 .8ex">'
        + "<br>\n".join(map(spaced, lines))
        + "</blockquote></div>"
    ),
    "Outlook, HTML: a paragraph for each line": lambda lines: "".join(
        f'<p class="MsoPlainText">{spaced(line) or "<o:p>&nbsp;</o:p>"}<o:p></o:p></p>\r\n'
        for line in lines
    ),
    "Outlook on the web": lambda lines: "".join(
        f'<div style="font-size:12pt" class="elementToProof">{spaced(line) or "<br>"}</div>'
        for line in lines
    ),
    "Apple Mail, HTML": lambda lines: (
        '<body style="line-break: after-white-space;"><div>'
        + "".join(f"<div>{spaced(line) or '<br>'}</div>" for line in lines)
        + '</div><blockquote type="cite"><div>Hi</div></blockquote></body>'
    ),
    "Thunderbird, HTML: preformatted": lambda lines: (
        '<pre class="moz-quote-pre" wrap="">'
        + "\n".join(map(escape, lines))
        + '\n</pre><div class="moz-signature">-- <br>Bela</div>'
    ),
    "Yahoo": lambda lines: (
        '<div class="ydp1" dir="ltr" data-setdir="false">'
        + "".join(f'<div dir="ltr"><span>{spaced(line)}</span></div>' for line in lines)
        + "</div>"
    ),
    "GMX and web.de": lambda lines: (
        '<div style="font-family: Verdana"><div>'
        + "<br/>\n".join(map(spaced, lines))
        + "</div></div>"
    ),
    "Proton": lambda lines: (
        '<div style="font-family: Arial">Hi,</div>'
        + "".join(f'<div style="font-size: 14px">{spaced(line) or "<br>"}</div>' for line in lines)
        + '<div class="protonmail_signature_block">Sent with Proton Mail</div>'
    ),
    "a style that keeps spaces and lines": lambda lines: (
        '<div style="white-space: pre-wrap">' + "\n".join(map(escape, lines)) + "</div>"
    ),
    "a table, as by programs for newsletters": lambda lines: (
        "<table><tbody>"
        + "".join(f"<tr><td>{spaced(line)}</td></tr>" for line in lines)
        + "</tbody></table>"
    ),
    "comments, and entities for all": lambda lines: (
        "<!-- <br> > -->"
        + "<br>".join("".join(f"&#{ord(c)};" if c != " " else "&#xA0;" for c in x) for x in lines)
    ),
}
PROGRAMS |= {name: html(lines) for name, lines in HTML.items()}


@program("both as text, wrapped, and as HTML")
def alternative(file: bytes) -> bytes:
    lines = file.decode().splitlines()
    return multipart(
        "alternative",
        "alt",
        f"Content-Type: text/plain; charset=utf-8\n\n{wrapped(file.decode(), 60)}",
        "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        + quoted_printable("<br>".join(map(spaced, lines))),
    )


@program("HTML that is called text")
def html_called_text(file: bytes) -> bytes:
    lines = "<br>\n".join(map(spaced, file.decode().splitlines()))
    return message(PLAIN, f"<html><body>{lines}</body></html>")


@program("as a file of Apple Mail")
def emlx(file: bytes) -> bytes:
    data = attached("application/octet-stream")(file)
    return f"{len(data):<10}\n".encode() + data + b'<?xml version="1.0"?><plist></plist>\n'

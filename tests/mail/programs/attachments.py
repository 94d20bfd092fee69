"""Messages with the file attached."""

from __future__ import annotations

from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import SMTP

from tests.mail.programs.making import (
    NAME,
    PROGRAMS,
    Program,
    base64,
    multipart,
    program,
    quoted_printable,
)


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


for _kind in (
    "application/octet-stream",
    "application/toml",
    "text/x-toml",
    "text/html",
    "image/png",
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

"""Messages with the file pasted into their text."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from tests.mail.programs.making import (
    PLAIN,
    PROGRAMS,
    Program,
    base64,
    flowed,
    message,
    quoted,
    quoted_printable,
    wrapped,
)


def pasted(headers: str, text: Callable[[str], str]) -> Program:
    return lambda file: message(headers, text(file.decode()))


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
    "Apple Mail, flowed and answered, with the spaces to be deleted": (
        f"{PLAIN}; format=flowed; delsp=yes",
        lambda text: (
            # The line above ends with a space, and is no part of what is quoted.
            "On 21. Nov 2026, at 10:00, Anna <anna@example.org> wrote: \n"
            + "".join(f">{line}\n" for line in flowed(text, 66, delsp=True).split("\n"))
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
    "Gnus, with the initial of the author": (PLAIN, lambda text: quoted(text, "É> ")),
    "Gmail, forwarded": (
        PLAIN,
        lambda text: (
            "---------- Forwarded message ---------\nFrom: Bela <bela@example.org>\n"
            f"Date: Sat, 21 Nov 2026 at 10:00\nSubject: turn\nTo: <anna@example.org>\n\n\n{text}"
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
    "Outlook: links behind addresses, in brackets": (
        PLAIN,
        lambda text: text.replace("@example.org", "@example.org [mailto:anna@example.org]"),
    ),
    "signed by PGP within the text": (
        PLAIN,
        lambda text: (
            f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}\n"
            "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE=\n-----END PGP SIGNATURE-----\n"
        ),
    ),
    "quoted-printable, with spaces put behind its lines": (
        f"{PLAIN}\nContent-Transfer-Encoding: quoted-printable",
        lambda text: quoted_printable(f"{'=' * 99}\n{text}").replace("=\n", "= \t\n"),
    ),
    "base64, with a remark": (
        f"{PLAIN}\nContent-Transfer-Encoding: base64 (as always)",
        lambda text: base64(text.encode()),
    ),
    "Google Groups: a footer behind the text": (
        PLAIN,
        lambda text: (
            f'{text}\n-- \nYou received this message because you are subscribed to the Google "'
            'Groups" "games" group.\nTo unsubscribe from this group, send an email to '
            "games+unsubscribe@example.com.\n"
        ),
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

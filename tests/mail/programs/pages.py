"""Messages with the file pasted into their HTML."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tests.mail.programs.making import (
    PLAIN,
    PROGRAMS,
    Program,
    message,
    multipart,
    program,
    quoted_printable,
    wrapped,
)


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

"""What is not opened here: a player is told how to get the file out of it."""

from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from pbem.errors import Unreadable
from pbem.mail.given import Seeker
from pbem.mail.search import save_files
from pbem.mail.taking import take_from
from tests.fuzz.games import game_named
from tests.fuzz.judging import check_sentence
from tests.mail.programs import attached
from tests.mail.programs.making import PLAIN, base64, message, multipart, quoted

FILE = game_named("joined").data


def zipped() -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        archive.writestr("game-001.toml", FILE)
    return packed.getvalue()


OUTLOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99) + FILE.decode().encode("utf-16-le")
ARMOURED = "-----BEGIN PGP MESSAGE-----\n\nhQEMA5x2\n=abcd\n-----END PGP MESSAGE-----\n"
SEALED = {
    # As gpg 2.2 writes them; what is behind the first packet does not matter.
    "for a key": b"\x85\x01\x0c\x03" + bytes(300),
    "for a key of a curve": b"\x84\x5e\x03" + bytes(300),
    "by a passphrase": b"\x8c\x0d\x04\x09" + bytes(300),
}
SHOWN = """\
A Few Acres of Snow, second edition, game d095167f


    [ Part 2, Text/PLAIN 181 lines. ]
    [ Unable to print this part. ]
"""
CLOSED = {
    "an archive": (zipped(), "This is an archive"),
    "an archive of Unix": (gzip.compress(FILE * 9), "This is an archive"),
    "an archive attached": (
        attached("application/zip", name="turn.zip")(zipped()),
        "perhaps in the attachment turn.zip, which is an archive: unpack it",
    ),
    "a message of Outlook": (OUTLOOK, "in Outlook's own form"),
    "a message of Outlook, attached": (
        attached("application/vnd.ms-outlook", name="turn.msg")(OUTLOOK),
        "in Outlook's own form",
    ),
    "winmail.dat": (
        attached("application/ms-tnef", name="winmail.dat")(b"\x78\x9f\x3e\x22" + bytes(500)),
        "winmail.dat",
    ),
    "sealed by S/MIME": (
        message(
            "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n"
            "Content-Transfer-Encoding: base64",
            base64(bytes(range(256)) * 9),
        ),
        "which is sealed: open it in your mail program",
    ),
    "sealed by PGP": (
        multipart(
            "encrypted",
            "e",
            "Content-Type: application/pgp-encrypted\n\nVersion: 1\n",
            f'Content-Type: application/octet-stream; name="encrypted.asc"\n\n{ARMOURED}',
        ),
        "which is sealed: open it in your mail program",
    ),
    "a text sealed by PGP": (message(PLAIN, ARMOURED), "which is sealed"),
    "a greeting, and a text sealed by PGP": (
        message(PLAIN, f"Hello Anna,\n\n{ARMOURED}\n-- \nBela\n"),
        "which is sealed",
    ),
    "an answer to a text sealed by PGP": (
        message(PLAIN, "Bela wrote:\n" + quoted(ARMOURED)),
        "which is sealed",
    ),
    "a file sealed by PGP, attached": (
        attached("application/octet-stream", name="game-001.toml.gpg")(SEALED["for a key"]),
        "which is sealed",
    ),
    **{f"sealed by PGP {how}": (data, "which is sealed") for how, data in SEALED.items()},
    "what Alpine pipes": (
        f"Date: Sat, 21 Nov 2026 10:00:00 +0000\nFrom: Bela <bela@example.org>\n\n{SHOWN}".encode(),
        "press ^W",
    ),
    "what Alpine exports": (
        "From bela@example.org Sat Nov 21 10:00:00 2026\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n"
        f"From: Bela <bela@example.org>\n\n{SHOWN}".encode(),
        "press ^W",
    ),
}


@pytest.mark.parametrize("what", CLOSED)
def test_how_to_get_the_file_out_of_what_was_saved_is_told(what: str, tmp_path: Path) -> None:
    """Whatever the file is called that a mail program made of it."""
    data, said = CLOSED[what]
    (saved := tmp_path / "saved").write_bytes(data)
    nobody = Seeker(None, dict, lambda said: None, "acres audit")
    with pytest.raises(Unreadable) as refused:
        take_from(saved, nobody)
    assert said in str(refused.value)


@pytest.mark.parametrize("what", CLOSED)
def test_how_to_get_the_file_out_is_told(what: str) -> None:
    data, said = CLOSED[what]
    with pytest.raises(Unreadable) as refused:
        save_files(data)
    check_sentence(str(refused.value))
    assert said in str(refused.value)


def test_what_stands_beside_a_file_does_not_matter() -> None:
    parts = (
        f'Content-Type: application/octet-stream; name="encrypted.asc"\n\n{ARMOURED}',
        f'Content-Type: text/plain; name="game-001.toml"\n\n{FILE.decode()}',
        f'Content-Type: application/zip; name="a.zip"\n'
        f"Content-Transfer-Encoding: base64\n\n{base64(zipped())}",
    )
    (found,) = save_files(multipart("mixed", "m", *parts))
    assert found.data == FILE


def test_an_ordinary_text_or_picture_is_nothing() -> None:
    for data in (b"Hello\n", b"\x89PNG\r\n\x1a\n" + bytes(99), message(PLAIN, "Tomorrow?")):
        assert save_files(data) == []

"""What is not opened here: a player is told how to get the file out of it."""

from __future__ import annotations

import gzip
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from pbem.errors import Unreadable
from pbem.mail.search import save_files
from tests.fuzz.games import game_named
from tests.fuzz.judging import check_sentence
from tests.mail.programs import attached
from tests.mail.programs.making import PLAIN, base64, message, multipart

FILE = game_named("joined").data


def zipped() -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        archive.writestr("game-001.toml", FILE)
    return packed.getvalue()


OUTLOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99) + FILE.decode().encode("utf-16-le")
ARMOURED = "-----BEGIN PGP MESSAGE-----\n\nhQEMA5x2\n=abcd\n-----END PGP MESSAGE-----\n"
CLOSED = {
    "an archive": (zipped(), "This is an archive"),
    "an archive of Unix": (gzip.compress(FILE * 9), "This is an archive"),
    "an archive attached": (
        attached("application/zip", name="turn.zip")(zipped()),
        "perhaps in the attachment turn.zip, which is an archive: unpack it",
    ),
    "a message of Outlook": (OUTLOOK, "as Outlook keeps it"),
    "a message of Outlook, attached": (
        attached("application/vnd.ms-outlook", name="turn.msg")(OUTLOOK),
        "as Outlook keeps it",
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
}


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

"""The mail servers of the tests are real ones: what is sent arrives, for whoever may log in."""

import imaplib
import smtplib
import ssl

import pytest

from tests.mail.certificates import Authority
from tests.mail.servers import PostOffice

ANNA = "anna-servers@example.org"
PASSWORD = "a password of Anna"


@pytest.fixture
def trusting(authority: Authority) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=authority.certificate)


@pytest.mark.parametrize("starttls", [True, False])
def test_what_is_sent_arrives(office: PostOffice, trusting: ssl.SSLContext, starttls: bool) -> None:
    office.open_account(ANNA, PASSWORD)
    before = len(office.inbox(ANNA))
    if starttls:
        smtp = smtplib.SMTP("localhost", office.smtp, timeout=60)
        smtp.starttls(context=trusting)
    else:
        smtp = smtplib.SMTP_SSL("localhost", office.smtps, context=trusting, timeout=60)
    with smtp:
        smtp.login(ANNA, PASSWORD)
        smtp.sendmail(ANNA, [ANNA], b"Subject: Hello\r\n\r\nIt is your move.\r\n")
    assert len(office.inbox(ANNA)) == before + 1
    imap = imaplib.IMAP4_SSL("localhost", office.imaps, ssl_context=trusting, timeout=60)
    with imap:
        imap.login(ANNA, PASSWORD)
        assert imap.select() == ("OK", [str(before + 1).encode()])


def test_who_does_not_know_the_password_is_refused(
    office: PostOffice, trusting: ssl.SSLContext
) -> None:
    office.open_account(ANNA, PASSWORD)
    with smtplib.SMTP_SSL("localhost", office.smtps, context=trusting, timeout=60) as smtp:
        with pytest.raises(smtplib.SMTPAuthenticationError):
            smtp.login(ANNA, "no idea")
        with pytest.raises(smtplib.SMTPSenderRefused):
            smtp.sendmail(ANNA, [ANNA], b"\r\n")

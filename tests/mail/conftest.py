"""Mail servers for tests; who runs them elsewhere may do without Dovecot."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.mail.certificates import Authority
from tests.mail.dovecot import dovecot, program
from tests.mail.servers import Matter, PostOffice, post_office

IN_CI = "ACRES_CI"
"""With this, or CI, in the environment, it is a failure that Dovecot is missing."""


@pytest.fixture(autouse=True)
def no_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks the keyring of whoever runs it, or finds their passwords."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    for name in ("MAIL_PASSWORD", "SMTP_PASSWORD", "IMAP_PASSWORD", "MAIL_TOKEN"):
        monkeypatch.delenv(f"ACRES_{name}", raising=False)


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who signs the certificates of the servers."""
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def _opened(authority: Authority) -> Iterator[PostOffice]:
    if program() is None:
        missing = "Dovecot is not installed (on Debian: apt-get install dovecot-imapd)"
        if os.environ.get(IN_CI) or os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    certificate = authority.signs("server")
    with dovecot(certificate) as imap, post_office(authority, imap, certificate) as office:
        yield office


@pytest.fixture
def office(_opened: PostOffice) -> Iterator[PostOffice]:
    """The post office, where nothing is the matter; mailboxes of other tests may be there."""
    _opened.matter = Matter()
    _opened.taken.clear()
    yield _opened
    _opened.matter = Matter()

"""Staying signed in: whoever renews a grant, whatever stops that, and whatever a provider answers.

Where each refresh token is good once, to lose the newest one is to sign in again.
"""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from pbem.mail import callback, oauth
from pbem.mail import login as logins
from pbem.mail.account import Server
from pbem.mail.callback import Callback
from pbem.mail.keyrings import NoKeyring, keep_grant, keep_password, kept
from pbem.mail.login import Login, login_at_hand
from pbem.mail.oauth import Client, Grant, Tokens, sign_in
from pbem.mail.wire import MailFailed
from tests.mail.authorization import CLIENT, Authorization
from tests.mail.servers import door
from tests.mail.test_setup import Remembers, use
from tests.present import present
from tests.sample import sample

pytestmark = pytest.mark.usefixtures("forgetful")
USER = "anna@outlook.com"
SERVER = Server("imap", "outlook.office365.com", 993, "tls", USER)


def signed_in(office: Authorization) -> Tokens:
    shown: list[str] = []
    endpoints = office.endpoints(device=True)
    return sign_in(endpoints, Client(CLIENT), lambda *code: shown.extend(code), shown.append)


def of_another_process() -> Login:
    """What a program that was just started finds in the keyring."""
    logins._tokens = {}
    return present(login_at_hand(SERVER, "acres"))


@pytest.fixture
def keyring_with_it(microsoft: Authorization) -> Remembers:
    """A keyring with a grant of whoever signed in there, whose tokens are good for no time."""
    ring = use(Remembers())
    microsoft.lasts = 0
    keep_grant(USER, signed_in(microsoft).grant.text())
    return ring


# --- who renews it


def test_each_of_two_processes_goes_on_where_the_other_renewed_it(
    microsoft: Authorization, keyring_with_it: Remembers
) -> None:
    watch, play = of_another_process(), of_another_process()
    for each in (watch, play, play, watch, play):
        assert each.fresh(5).secret == microsoft.given[-1]


def test_a_grant_that_another_process_is_keeping_just_now_is_waited_for(
    microsoft: Authorization, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asked at the same moment, and its answer came first."""
    old = signed_in(microsoft).grant
    newer: list[Grant] = []
    Tokens(old, keep=newer.append).current()
    waits: list[float] = []
    monkeypatch.setattr("pbem.mail.oauth.time.sleep", waits.append)
    tokens = Tokens(old, kept=lambda: newer[0] if len(waits) > 1 else old)
    assert tokens.current() == microsoft.given[-1]
    assert sum(waits) < 1


def test_threads_renew_it_once(microsoft: Authorization, keyring_with_it: Remembers) -> None:
    login = of_another_process()
    before, got = len(microsoft.given), list[str]()
    microsoft.lasts = 3600
    threads = [threading.Thread(target=lambda: got.append(login.fresh(5).secret)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == microsoft.given[before:] * 4


def test_another_grant_is_another_login(
    microsoft: Authorization, keyring_with_it: Remembers
) -> None:
    """So that nobody goes on listening with what is good for nothing."""
    login = of_another_process()
    assert present(login_at_hand(SERVER, "acres")) == login
    keep_grant(USER, signed_in(microsoft).grant.text())
    assert present(login_at_hand(SERVER, "acres")) != login


def test_where_nothing_can_be_kept_it_is_renewed_as_long_as_the_program_runs(
    microsoft: Authorization, keyring_with_it: Remembers, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = of_another_process()

    def broken(*_: object) -> None:
        raise RuntimeError("locked")

    monkeypatch.setattr(keyring_with_it, "set_password", broken)
    assert [login.fresh(5).secret for _ in range(3)] == microsoft.given[-3:]


# --- what stops that


def test_whoever_is_stopped_while_a_grant_is_kept_leaves_one_whole() -> None:
    class Stopped(Remembers):
        left = 100

        def set_password(self, service: str, username: str, password: str) -> None:
            self.count()
            super().set_password(service, username, password)

        def delete_password(self, service: str, username: str) -> None:
            self.count()
            super().delete_password(service, username)

        def count(self) -> None:
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("killed")

    old, new = (word * 500 for word in ("old-", "new-"))
    seen = set()
    for steps in range(8):
        ring = Stopped()
        use(ring)
        keep_grant(USER, old)
        ring.left = steps
        try:
            keep_grant(USER, new)
        except NoKeyring:
            assert present(kept(USER)).text == old
        seen.add(present(kept(USER)).text)
    assert seen == {old, new}
    # Nothing is left of the one before.
    assert all("old-" not in text for text in ring.kept.values())
    ring.left = 100
    keep_password(USER, "horse")
    assert list(ring.kept.values()) == ["horse"]


def test_a_grant_as_it_was_kept_before_is_read() -> None:
    ring = use(Remembers())
    ring.kept = {("acres", f"{USER} oauth2 {number}"): "ab"[number] for number in range(2)}
    ring.kept["acres", USER] = "oauth2 2"
    assert present(kept(USER)).text == "ab"
    keep_grant(USER, "new")
    assert sorted(ring.kept.values())[0] == "new"
    assert len(ring.kept) == 2


# --- what a provider answers


@pytest.mark.parametrize("why", ["temporarily_unavailable", "server_error", "slow_down", "<html>"])
def test_a_provider_that_is_busy_may_be_less_so_later(microsoft: Authorization, why: str) -> None:
    grant = signed_in(microsoft).grant
    microsoft.refuses = why
    with pytest.raises(MailFailed, match="Try again later") as failed:
        Tokens(grant).current()
    assert failed.value.may_pass
    assert "<" not in str(failed.value)


def test_signing_in_again_is_by_the_command_that_signs_in(microsoft: Authorization) -> None:
    grant = signed_in(microsoft).grant
    microsoft.refreshing.clear()
    command = f"acres --home robot mail setup --oauth-client {CLIENT}"
    tokens = Tokens(grant, command="acres --home robot")
    with pytest.raises(MailFailed, match=command):
        tokens.current()
    login = Login("", is_token=True, tokens=tokens, command="acres --home robot")
    assert command in str(login.refused(SERVER, "no"))


def drips(caller: socket.socket) -> None:
    caller.recv(65536)
    caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{")
    while True:
        time.sleep(0.05)
        caller.sendall(b" ")


def floods(caller: socket.socket) -> None:
    caller.recv(65536)
    caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{")
    while True:
        caller.sendall(b" " * 65536)


@pytest.mark.parametrize("behaves", [drips, floods])
def test_a_provider_that_comes_to_no_end_is_not_waited_for(behaves: Any) -> None:
    with door(behaves) as port:
        began = time.monotonic()
        with pytest.raises(MailFailed, match="cannot be reached") as failed:
            Tokens(Grant(f"http://127.0.0.1:{port}/", Client("c"), "r")).current(0.3)
    assert failed.value.may_pass
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "odd", sample([None, "soon", 1e12, float("nan"), -5, True, [], "7"], every=2)
)
@pytest.mark.parametrize("name", ["interval", "expires_in"])
def test_odd_times_do_no_harm(
    microsoft: Authorization, monkeypatch: pytest.MonkeyPatch, name: str, odd: object
) -> None:
    device, slept = microsoft.device, list[float]()
    monkeypatch.setattr("pbem.mail.oauth.time.sleep", slept.append)
    monkeypatch.setattr(microsoft, "device", lambda asked: {**device(asked), name: odd})
    assert signed_in(microsoft).current() == microsoft.given[-1]
    assert 0 < slept[0] <= oauth.PATIENCE


@pytest.mark.parametrize("odd", [[], {}, {"user_code": "A"}, None, "no"])
def test_an_odd_answer_is_told_as_a_failure(microsoft: Authorization, odd: Any) -> None:
    microsoft.device = lambda asked: odd  # type: ignore[method-assign]
    with pytest.raises(MailFailed):
        signed_in(microsoft)


def test_a_question_that_fails_ends_no_signing_in(
    microsoft: Authorization, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 8628, 3.5: whoever cannot be reached for a moment is asked more slowly."""
    answers, token, slept = [503, 503], microsoft.token, list[float]()
    monkeypatch.setattr("pbem.mail.oauth.time.sleep", slept.append)
    microsoft.token = (  # type: ignore[method-assign]
        lambda asked: (answers.pop(), {}) if answers else token(asked)
    )
    assert signed_in(microsoft).current() == microsoft.given[-1]
    assert slept == [1, 6, 11]


def test_whoever_is_slow_to_call_back_keeps_nobody_waiting() -> None:
    with Callback() as server:
        server.state = "s"
        with socket.create_connection(("127.0.0.1", server.server_port)) as slow:
            slow.sendall(b"G")
            began = time.monotonic()
            assert server.answer(0.3) is None
            assert time.monotonic() - began < 3
    assert callback._AT_A_TIME <= 1

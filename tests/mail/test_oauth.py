"""Signing in without a password: with a page, with a code, and staying signed in."""

from __future__ import annotations

import base64
import threading
import time
from pathlib import Path
from socket import socket

import httpx2
import pytest

from pbem.cli import console
from pbem.mail import login as logins
from pbem.mail import oauth, providers
from pbem.mail.keyrings import keep_grant
from pbem.mail.login import login_at_hand
from pbem.mail.oauth import Client, Grant, Tokens, sign_in
from pbem.mail.providers import Provider, endpoints_at
from pbem.mail.wire import MailFailed
from tests.cli.using import acres
from tests.mail.authorization import CLIENT, SECRET, Authorization, authorization
from tests.mail.players import Player
from tests.mail.servers import door
from tests.mail.test_setup import Remembers, use
from tests.present import present

pytestmark = pytest.mark.usefixtures("forgetful")


def unasked(*_given: str) -> None:
    raise AssertionError("the other way is taken")


def by_code(office: Authorization) -> Tokens:
    return sign_in(office.endpoints(device=True), Client(CLIENT), lambda *_: None, unasked)


def by_page(office: Authorization, open_page: object = None) -> Tokens:
    def opened(page: str) -> None:
        threading.Thread(target=office.sign_in, args=(page,), daemon=True).start()

    client = Client(CLIENT, SECRET)
    return sign_in(office.endpoints(device=False), client, unasked, open_page or opened)  # type: ignore[arg-type]


# --- signing in


def test_a_player_signs_in_by_a_page(google: Authorization) -> None:
    """The server checks PKCE, the secret and where it leads back to."""
    assert by_page(google).current() == google.given[-1]


def test_a_page_from_elsewhere_signs_nobody_in(google: Authorization) -> None:
    """Anybody can lead a browser to a port of this computer: with a code of their own, say."""

    def opened(page: str) -> None:
        back = httpx2.URL(page).params["redirect_uri"]

        def lead() -> None:
            for query in ("code=theirs&state=guessed", "code=theirs", "error=access_denied", ""):
                assert httpx2.get(f"{back}?{query}").status_code == 400
            google.sign_in(page)

        threading.Thread(target=lead, daemon=True).start()

    assert by_page(google, opened).current() == google.given[-1]
    assert [asked.get("code") for asked in google.asked] == ["code-0"]


def test_a_player_signs_in_by_a_code(microsoft: Authorization) -> None:
    microsoft.pending = ["authorization_pending", "slow_down", "authorization_pending"]
    shown: list[tuple[str, str]] = []
    endpoints = microsoft.endpoints(device=True)
    come = sign_in(endpoints, Client(CLIENT), lambda *code: shown.append(code), unasked)
    assert come.current() == microsoft.given[-1]
    assert shown == [("https://example.org/device", "ABCD-EFGH")]


def test_what_a_provider_repeats_of_a_secret_is_not_told(
    microsoft: Authorization, google: Authorization
) -> None:
    def repeats(asked: dict[str, str]) -> tuple[int, dict[str, str]]:
        told = " ".join(text[:20] for text in asked.values())
        return 400, {"error": f"no {told}", "error_description": told}

    grant = by_code(microsoft).grant
    microsoft.token = google.token = repeats  # type: ignore[method-assign]
    with pytest.raises(MailFailed) as renewing:
        Tokens(grant).current()
    with pytest.raises(MailFailed) as signing_in:
        by_page(google)
    for failed in (renewing, signing_in):
        for secret in ("refresh-", SECRET[:20], "code-"):
            assert secret not in str(failed.value)


@pytest.mark.parametrize("why", ["access_denied", "expired_token", "invalid_client"])
def test_a_refusal_is_a_sentence(microsoft: Authorization, why: str) -> None:
    microsoft.refuses = why
    with pytest.raises(MailFailed, match=f"does not let the program in .*{why}"):
        by_code(microsoft)


def test_a_provider_that_is_not_there_may_be_later(microsoft: Authorization) -> None:
    endpoints = microsoft.endpoints(device=True)
    microsoft.port = 1
    gone = microsoft.endpoints(device=True)
    assert gone != endpoints
    with pytest.raises(MailFailed) as failed:
        sign_in(gone, Client(CLIENT), lambda *_: None, unasked)
    assert failed.value.may_pass


# --- staying signed in


@pytest.mark.parametrize("rotates", [False, True])
def test_tokens_are_renewed_by_themselves(rotates: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.oauth.time.sleep", lambda seconds: None)
    now = [time.time()]
    with authorization(rotates=rotates) as office:
        come, kept = by_code(office), list[Grant]()
        tokens = Tokens(come.grant, keep=kept.append, clock=lambda: now[0])
        assert come.current() == come.current() == "token-0"
        for number in (1, 2, 3):
            now[0] = time.time() + office.lasts * number * 2
            assert tokens.current() == f"token-{number}"
        assert len(kept) == (3 if rotates else 0)


def test_a_grant_that_was_taken_back_says_what_to_do(microsoft: Authorization) -> None:
    grant = by_code(microsoft).grant
    microsoft.refreshing.clear()
    with pytest.raises(MailFailed, match="acres mail setup") as failed:
        Tokens(grant).current()
    assert not failed.value.may_pass
    assert grant.refresh_token not in str(failed.value)


def test_nothing_of_a_grant_is_seen_where_it_is_printed(microsoft: Authorization) -> None:
    come = by_code(microsoft)
    for secret in (come.current(), come.grant.refresh_token):
        assert secret not in f"{come!r} {come.grant!r}"


def test_a_grant_is_kept_in_pieces_that_every_keyring_takes(
    microsoft: Authorization, anna: Player
) -> None:
    from pbem.mail.account import Server

    kept = use(Remembers()).kept
    grant = by_code(microsoft).grant
    keep_grant(anna.address, grant.text())
    assert max(map(len, kept.values())) <= 1000
    servers = [Server(kind, "localhost", 1, "tls", anna.address) for kind in ("smtp", "imap")]
    first, second = (present(login_at_hand(server, "acres")).fresh(5) for server in servers)
    # It was good once: the other server is shown the same token, and the newer one is kept.
    assert first.secret == second.secret == microsoft.given[-1]
    logins._tokens.clear()
    assert (
        present(login_at_hand(servers[0], "acres")).fresh(5).secret
        == microsoft.given[-1]
        != first.secret
    )


# --- the command


def imap_by_token(heard: list[bytes]) -> object:
    """A server that takes any token, by XOAUTH2, and has an empty mailbox."""

    def behave(caller: socket) -> None:
        lines = caller.makefile("rb")
        caller.sendall(b"* OK hello\r\n")
        for line in lines:
            tag = line.split()[0]
            answer = tag + b" OK done\r\n"
            if b"CAPABILITY" in line:
                answer = b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n" + answer
            elif b"AUTHENTICATE" in line:
                caller.sendall(b"+ \r\n")
                heard.append(base64.b64decode(lines.readline()))
            elif b"SELECT" in line:
                answer = (
                    b"* 0 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 1] ok\r\n" + answer
                )
            elif b"SEARCH" in line:
                answer = b"* SEARCH\r\n" + answer
            caller.sendall(answer)

    return behave


@pytest.mark.parametrize("lasts", [3600, 0])
def test_an_account_without_a_password_is_set_up_and_goes_on(
    microsoft: Authorization, anna: Player, monkeypatch: pytest.MonkeyPatch, lasts: int
) -> None:
    """Also where the first token is renewed before anything is kept, and the grant with it."""
    microsoft.lasts = lasts
    kept = use(Remembers()).kept
    endpoints = microsoft.endpoints(device=True)
    here = Provider("Here", (), "-", "localhost:1", "token", oauth=endpoints)
    monkeypatch.setattr(providers, "_all", lambda: [here])
    (anna.home / "config.toml").unlink()
    heard: list[bytes] = []
    with door(imap_by_token(heard)) as port:  # type: ignore[arg-type]
        done = acres(
            "mail", "setup", "--address", anna.address, "--smtp", "-", "--imap",
            f"localhost:{port}", "--security", "none", "--oauth-client", CLIENT, home=anna.home,
        )  # fmt: skip
        assert done.status == 0, done.err
        assert "ABCD-EFGH" in done.out
        assert "You stay signed in" in done.out
        logins._tokens.clear()
        fetched = acres("mail", "fetch", home=anna.home)
        assert (fetched.status, fetched.out) == (0, "No turn has arrived.\n"), fetched.err
    shown = [
        f"user={anna.address}\1auth=Bearer {token}\1\1".encode() for token in microsoft.given[-2:]
    ]
    assert heard == shown
    # Nothing of it is anywhere but in the keyring.
    secrets = ("token-", "refresh-")
    assert any("refresh-" in text for text in kept.values())
    for text in (done.out, done.err, fetched.out, fetched.err):
        assert not any(secret in text for secret in secrets)
    for path in Path(anna.home).rglob("*"):
        assert not (path.is_file() and any(s.encode() in path.read_bytes() for s in secrets)), path


def test_where_nobody_signs_in_so_that_is_said(anna: Player) -> None:
    done = acres(
        "mail", "setup", "--replace", "--address", anna.address, "--smtp", "-", "--imap",
        "localhost:1", "--oauth-client", CLIENT, home=anna.home,
    )  # fmt: skip
    assert done.status == 2
    assert "--oauth-client" in done.err


def test_a_player_signs_in_for_servers_of_one_provider_alone() -> None:
    """Whoever stands beside them would be shown the token."""
    ours, theirs = "outlook.office365.com", "mail.attacker.example"
    for hosts in ([ours], ["smtp.office365.com"], ["smtp.office365.com", ours.upper()]):
        assert "microsoft" in present(endpoints_at(hosts)).token
    for hosts in ([ours, theirs], [theirs], [ours, "imap.gmail.com"], []):
        assert endpoints_at(hosts) is None


def test_what_providers_publish_of_it_is_whole() -> None:
    for each in providers._all():
        if each.oauth:
            urls = (each.oauth.authorize, each.oauth.token, each.oauth.device or "https://")
            assert all(url.startswith("https://") for url in urls)
    assert not console.is_terminal()
    assert oauth.PATIENCE > 60

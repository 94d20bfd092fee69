"""What is shown depends on who looks: a player, one whose identity is sealed, a stranger."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.table import unwrap
from tests.cli.using import acres, do, is_one_sentence

EVERYBODY = "You see only what is public, because"


@pytest.fixture
def sealed_game(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in which Zoé, whose identity is sealed, plays the British against Anna."""
    with monkeypatch.context() as given:
        given.setenv("ACRES_PASSPHRASE", "xyzzy")
        assert acres("init", "--name", "Zoé", home="zoe").status == 0
        do("new", "--side", "british", "--lists", "16", "--output", "g-000.toml", home="zoe")
    for name in ("anna", "clara"):
        assert acres("init", "--name", name.title(), home=name).status == 0
    assert acres("join", "g-000.toml", home="anna").status == 0
    return here


@pytest.mark.parametrize("options", [[], ["--at", "0"], ["--record", "1"]])
def test_a_sealed_identity_is_the_reason(sealed_game: Path, options: Sequence[str]) -> None:
    shown = do("turn", "show", "g-001.toml", *options, home="zoe")
    assert f"{EVERYBODY} your identity is sealed." in unwrap(shown.out)
    assert "not one of the players" not in shown.out
    assert "Your hand" not in shown.out
    assert shown.err.startswith("Note: Your identity has a passphrase")


@pytest.mark.parametrize("options", [[], ["--at", "0"], ["--record", "1"]])
def test_with_a_wrong_passphrase_nothing_is_shown(
    sealed_game: Path, monkeypatch: pytest.MonkeyPatch, options: Sequence[str]
) -> None:
    monkeypatch.setenv("ACRES_PASSPHRASE", "plugh")
    refused = acres("turn", "show", "g-001.toml", *options, home="zoe")
    assert (refused.status, refused.out) == (2, "")
    assert is_one_sentence(refused.err)
    assert "not the passphrase" in refused.err
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    assert "Your hand" in acres("turn", "show", "g-001.toml", *options, home="zoe").out


def test_no_player_no_passphrase(sealed_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as given:
        given.setenv("ACRES_PASSPHRASE", "xyzzy")
        assert acres("init", "--name", "Dora", home="dora").status == 0
    for home, reason in (
        ("dora", "your key is not one of the players'"),
        ("clara", "your key is not one of the players'"),
        ("nobody", "you have no identity here"),
    ):
        shown = do("turn", "show", "g-001.toml", home=home)
        # Whoever has no identity may have forgotten where it is.
        assert ("to use it, say acres --home anna." in shown.err) == (home == "nobody")
        assert bool(shown.err) == (home == "nobody")
        assert f"{EVERYBODY} {reason}." in unwrap(shown.out)


def test_ones_own_invitation_is_known_even_where_the_identity_is_sealed(sealed_game: Path) -> None:
    shown = acres("turn", "show", "g-000.toml", home="zoe").succeeds_quietly()
    assert shown.out.endswith("Send it to the player you want to play.\n")


def test_without_an_identity_the_command_that_makes_one_is_named(sealed_game: Path) -> None:
    for command in (["turn", "apply", "g-000.toml"], ["join", "g-000.toml"], ["key", "show"]):
        refused = acres(*command, home="no body").fails()
        assert refused.err.endswith("Make one with: acres --home 'no body' init\n")
    # A new one would be of no use in a game that has begun.
    refused = acres("turn", "apply", "g-001.toml", home="no body").fails()
    assert refused.err.endswith("bring it back with: acres --home 'no body' key restore\n")
    unnamed = acres("init", home="no body")
    assert unnamed.err == "acres: Say who you are: acres --home 'no body' init --name NAME\n"

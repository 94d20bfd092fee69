"""The output depends on the viewer: a player, a player with a sealed key, a spectator."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.commands import acres, do

OPTIONS = [[], ["--at", "0"], ["--record", "1"]]


@pytest.fixture
def sealed_game(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of Zoé, who plays the British with a sealed key, against Anna."""
    with monkeypatch.context() as context:
        context.setenv("ACRES_PASSPHRASE", "xyzzy")
        for name in ("Zoé", "Dora"):
            do("init", "--name", name, home=name)
        do("new", "--side", "british", "--lists", "16", "--output", "g-000.toml", home="Zoé")
    do("init", "--name", "Anna", home="anna")
    do("join", "g-000.toml", home="anna")
    return cwd


@pytest.mark.parametrize("options", OPTIONS)
def test_sealed_key_hides_the_hand(
    sealed_game: Path, monkeypatch: pytest.MonkeyPatch, options: Sequence[str]
) -> None:
    show = ("turn", "show", "g-001.toml", *options)
    without = do(*show, home="Zoé")
    assert "Your hand" not in without.out
    assert "your identity is sealed" in " ".join(without.out.split())
    assert without.err.startswith("Note: ")
    monkeypatch.setenv("ACRES_PASSPHRASE", "plugh")
    assert acres(*show, home="Zoé").fails().out == ""
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    assert "Your hand" in acres(*show, home="Zoé").out


def test_spectator_needs_no_passphrase(sealed_game: Path) -> None:
    for home in ("Dora", "nobody"):
        output = do("turn", "show", "g-001.toml", home=home)
        # A viewer without an identity may have forgotten to name the home.
        assert ("acres --home" in output.err) == bool(output.err) == (home == "nobody")
        assert "Your hand" not in output.out


def test_own_invitation_is_recognised_with_a_sealed_key(sealed_game: Path) -> None:
    result = acres("turn", "show", "g-000.toml", home="Zoé").succeeds_quietly()
    assert "acres join" not in result.out


def test_missing_identity_is_refused_with_the_command_that_creates_it(sealed_game: Path) -> None:
    for command in (["turn", "apply", "g-000.toml"], ["join", "g-000.toml"], ["key", "show"]):
        assert acres(*command, home="no body").fails().err.endswith("--home 'no body' init\n")
    # A new identity could not play in the existing game.
    refused = acres("turn", "apply", "g-001.toml", home="no body").fails()
    assert refused.err.endswith("--home 'no body' key restore\n")

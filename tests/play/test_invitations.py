"""Invitations that came: what else lies in the folder is left alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.play.entry import MAX_INVITATION, Invitations


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    """Who reads an empty one waits for ever: this one has all that would be read."""
    os.mkfifo(tmp_path / "pipe.toml")
    pipe = os.open(tmp_path / "pipe.toml", os.O_RDWR | os.O_NONBLOCK)
    try:
        data = b"x" * (MAX_INVITATION + 1)
        assert os.write(pipe, data) == len(data)
        assert Invitations(tmp_path).waiting(b"", ()) == []
        assert os.read(pipe, len(data)) == data
    finally:
        os.close(pipe)

"""The picture for a letter: the position that its file shows, as everybody may see it."""

from __future__ import annotations

from pbem.board.picture import png
from pbem.errors import WrongUse
from pbem.play.look import Look
from pbem.protocol.match import Match
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.language import Language

WIDTH = 720
"""In pixels: every name can be read, and the picture has less than 300 kB."""


def picture_of(match: Match, language: Language) -> bytes:
    """The position at the end of a match as PNG; raises WrongUse for an invitation."""
    if not match.is_joined:
        raise WrongUse("This is an invitation: there will be a board once it is accepted.")
    scene = scenes(Chronicle(Look(match)))[-1]
    return png(scene, match, language, WIDTH)

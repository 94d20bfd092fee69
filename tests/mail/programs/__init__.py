"""Messages as mail programs write them, each with a save file in it, by their documented ways.

They are made of any file, so that none has to be changed when the format moves. What is told of a
program is what decides here: how it declares and encodes a part, where it breaks lines, what it
puts around an answer, how its HTML says that a line ends.
"""

from __future__ import annotations

from tests.mail.programs import attachments
from tests.mail.programs.attachments import attached
from tests.mail.programs.making import NAME, PROGRAMS

__all__ = ["NAME", "PROGRAMS", "attached", "attachments"]

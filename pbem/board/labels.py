"""What a page says of itself: the names of its buttons and sections."""

from __future__ import annotations

from engine.message import Message
from pbem.text.history.analysis import DECIDING

LABELS = {
    "skip": Message("To the position in words"),
    "time": Message("Step through the game"),
    "first": Message("Before the first turn"),
    "back": Message("Back one turn"),
    "play": Message("Play the game"),
    "pause": Message("Stop"),
    "on": Message("Forward one turn"),
    "last": Message("The last turn"),
    "slider": Message("Turn"),
    "shortcuts": Message(
        "Keys: ← and → step through the turns, Home and End jump to the ends, the space bar plays "
        "and stops; ↑ and ↓ move from card to card."
    ),
    "dark": Message("Dark"),
    "light": Message("Light"),
    "board": Message("The board"),
    "table": Message("Money, cards and pieces"),
    "words": Message("The position in words"),
    "graph": Message("Points and money"),
    "deciding": DECIDING,
    "turns": Message("All turns"),
    "proved": Message("What is proved"),
    "still": Message(
        "Scripts are off here, or the browser is too old, so this page shows one position only."
    ),
}
"""By what they are of."""
WITH_CHANCES = LABELS | {"graph": Message("Points, money and chances")}
"""Those of a page of a game that was analysed."""

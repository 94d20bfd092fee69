"""What happened, as sentences: for the screen, the log and letters. Nothing is printed here.

A `Teller` tells single deeds; `happened` tells those of a match by who did them.
"""

from pbem.cli.telling.happened import (
    Account,
    announced,
    dropped_in,
    happened,
    last_deeds,
    reply_due,
    tell_dropped,
)
from pbem.cli.telling.teller import Teller

__all__ = [
    "Account",
    "Teller",
    "announced",
    "dropped_in",
    "happened",
    "last_deeds",
    "reply_due",
    "tell_dropped",
]

"""The blind deck: shuffles that nobody sees and everybody can check.

The package knows cards only as strings and players not at all: it could shuffle any game.
Called by `play` and by modules of `protocol`; calls modules of `protocol`, `errors` and messages of
`engine`.
"""

from pbem.protocol.deck.grant import Granted, Grants, Wanted
from pbem.protocol.deck.ledger import Deck
from pbem.protocol.deck.shuffle import (
    Opening,
    chosen_list,
    commit,
    open_lists,
    root_seed,
    show_every_list,
)

__all__ = [
    "Deck",
    "Granted",
    "Grants",
    "Opening",
    "Wanted",
    "chosen_list",
    "commit",
    "open_lists",
    "root_seed",
    "show_every_list",
]

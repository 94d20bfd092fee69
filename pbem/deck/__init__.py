"""The blind deck: shuffles that nobody sees and everybody can check.

The package knows cards only as strings and players not at all: it could shuffle any game.
"""

from pbem.deck.deck import Deck, Slot
from pbem.deck.grant import Grants
from pbem.deck.shuffle import Opening, chosen_list, commit, open_lists, root_seed

__all__ = ["Deck", "Grants", "Opening", "Slot", "chosen_list", "commit", "open_lists", "root_seed"]

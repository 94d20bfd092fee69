"""Where phrases were: they lie in `pbem.words.phrases` now, and are imported from there."""

from engine.message import Said
from engine.message import joined_with_and as joined_with_and
from engine.message import joined_with_or as joined_with_or
from engine.message import joined_with_semicolons as joined_with_semicolons
from engine.message import labelled as labelled
from engine.message import with_colon as with_colon
from pbem.cli import console
from pbem.words import phrases
from pbem.words.editions import edition_named as edition_named
from pbem.words.editions import rules_named as rules_named
from pbem.words.phrases import Name as Name
from pbem.words.phrases import actions_counted as actions_counted
from pbem.words.phrases import address as address
from pbem.words.phrases import against as against
from pbem.words.phrases import capital as capital
from pbem.words.phrases import cards_counted as cards_counted
from pbem.words.phrases import days_counted as days_counted
from pbem.words.phrases import files_counted as files_counted
from pbem.words.phrases import fingerprint as fingerprint
from pbem.words.phrases import games_counted as games_counted
from pbem.words.phrases import in_order as in_order
from pbem.words.phrases import kept as kept
from pbem.words.phrases import listed as listed
from pbem.words.phrases import loose as loose
from pbem.words.phrases import money_counted as money_counted
from pbem.words.phrases import names as names
from pbem.words.phrases import orders_counted as orders_counted
from pbem.words.phrases import orders_listed as orders_listed
from pbem.words.phrases import player as player
from pbem.words.phrases import points_counted as points_counted
from pbem.words.phrases import points_told as points_told
from pbem.words.phrases import records_counted as records_counted
from pbem.words.phrases import several as several
from pbem.words.phrases import signed as signed
from pbem.words.phrases import towns_counted as towns_counted
from pbem.words.phrases import villages_counted as villages_counted
from pbem.words.phrases import with_side as with_side


def beside(card: Said) -> str:
    """The phrase of that name, in the language spoken here."""
    return phrases.beside(console.language(), card)


def with_beside(card: Said) -> Said:
    """The phrase of that name, in the language spoken here."""
    return phrases.with_beside(console.language(), card)

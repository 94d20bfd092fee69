"""The languages in which players are spoken to: messages, and the names in them.

English is the language of the messages themselves; the others are gettext catalogues under
`locale`. docs/languages.md tells translators how these are made. Nothing here knows the game.
"""

from __future__ import annotations

from language.phrases import alphabetical as alphabetical
from language.phrases import joined_with_and as joined_with_and
from language.phrases import joined_with_or as joined_with_or
from language.phrases import joined_with_semicolons as joined_with_semicolons
from language.phrases import labelled as labelled
from language.phrases import mark as mark
from language.phrases import mark_in as mark_in
from language.phrases import phrase as phrase
from language.phrases import phrase_in as phrase_in
from language.phrases import plural as plural
from language.phrases import plural_in as plural_in
from language.phrases import with_colon as with_colon
from language.speaking import current as current
from language.speaking import speak as speak
from language.speaking import spoken as spoken
from language.tongues import LANGUAGES as LANGUAGES
from language.tongues import SOURCE as SOURCE

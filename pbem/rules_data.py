"""The rules that an invitation names, and the digest that pins them.

docs/orders.md, The rules data and its digest.
"""

from __future__ import annotations

from engine.house_rules import UnknownRules
from engine.ruleset import Ruleset
from pbem.encoding import canonical_json
from pbem.errors import StepError
from pbem.hashing import Tag, tagged_hash
from pbem.steps import Invite


def ruleset_of(invite: Invite) -> Ruleset:
    """The rules that an invitation names; raises StepError for rules this program does not know."""
    try:
        return Ruleset.of(invite.edition, invite.house_rules)
    except UnknownRules as error:
        raise StepError(
            f"it is about rules that this program does not know: {error}", "rules data"
        ) from error


def rules_digest(ruleset: Ruleset) -> bytes:
    """The digest of the whole rules data: board, cards, edition and house rules."""
    return tagged_hash(Tag.RULES, canonical_json(ruleset.canonical()))

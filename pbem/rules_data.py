"""The rules that an invitation names, and the digest that pins them.

docs/orders.md, The rules data and its digest.
"""

from __future__ import annotations

from engine.house_rules import UnknownRules, house_rules
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.encoding import canonical_json
from pbem.errors import StepError
from pbem.hashing import Tag, tagged_hash
from pbem.steps import Invite


def ruleset_of(invite: Invite) -> Ruleset:
    """The rules that an invitation names; raises StepError for rules this program does not know."""
    named = {f"the edition {invite.edition}": invite.edition in editions()} | {
        f"the house rule {rule}": rule in house_rules() for rule in invite.house_rules
    }
    for name, is_known in named.items():
        if not is_known:
            # What there is instead would fill the screen, and helps nobody here.
            raise StepError(
                f"it is about rules that this program does not know, such as {name}: they may be "
                "those of a newer acres.",
                "rules data",
            )
    try:
        return Ruleset.of(invite.edition, invite.house_rules)
    except UnknownRules as error:
        raise StepError(
            f"it is about rules that cannot be played: {error}", "rules data"
        ) from error


PARTS = ("flags", "locations", "connections", "British cards", "French cards")


def rules_parts(ruleset: Ruleset) -> tuple[bytes, ...]:
    """A short digest of each of the `PARTS` of the rules data, 8 bytes each."""
    data = ruleset.canonical()
    cards = data["cards"]
    parts = (
        *(data[part] for part in ("flags", "locations", "connections")),
        *(cards[side.value] for side in Side),
    )
    return tuple(tagged_hash(Tag.RULES, canonical_json(part))[:8] for part in parts)


def differing_parts(invite: Invite, ruleset: Ruleset) -> str:
    """In what the inviter's rules data differ from these, as part of a sentence.

    Empty where the invitation does not say, or no part of it differs.
    """
    if invite.rules_parts is None:
        return ""
    pairs = zip(PARTS, invite.rules_parts, rules_parts(ruleset), strict=True)
    differing = [name for name, theirs, ours in pairs if theirs != ours]
    return f", in its {' and '.join(differing)}" if differing else ""


def rules_digest(ruleset: Ruleset) -> bytes:
    """The digest of the whole rules data: board, cards, edition and house rules."""
    return tagged_hash(Tag.RULES, canonical_json(ruleset.canonical()))

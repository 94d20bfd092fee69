"""The close: a published game secret against everything that had to follow from it.

docs/protocol.md, The close.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.sides import Side
from pbem.errors import StepError
from pbem.errors.rule import Rule
from pbem.protocol.deck import Deck, Grants, commit, open_lists, root_seed
from pbem.protocol.identity import secret_hash
from pbem.protocol.record import Record
from pbem.protocol.table import Table


def check_secret(
    table: Table, records: Sequence[Record], side: Side, secret: bytes, published: bytes
) -> None:
    """Recompute every shuffle and every grant of `side` from its game secret.

    If all agree, every hand of `side` was dealt by chance: nothing was stacked, redrawn or chosen.
    `published` is the hash of the secret from the record that entered the game. Raises StepError,
    which names the earliest record that is wrong.
    """
    if secret_hash(secret) != published:
        raise StepError(
            "the game secret it publishes is not the one that its author entered with.",
            Rule.SECRET,
        )
    findings = [*_false_shuffles(table, side, secret), *_false_grants(table, records, side, secret)]
    if findings:
        raise min(findings, key=lambda finding: finding.record or 0)


def _false_shuffles(table: Table, side: Side, secret: bytes) -> Iterator[StepError]:
    deck = table.decks[side]
    for epoch, signed in enumerate(table.shuffles[side]):
        if not _follows(deck, epoch, root_seed(secret, epoch, signed.previous)):
            yield StepError(
                "shuffle {number} does not follow from its author's game secret: the cards "
                "were stacked, shuffled more than once, or not those of the pile.",
                Rule.SHUFFLE,
                signed.record,
                number=epoch,
            )


def _follows(deck: Deck, epoch: int, seed: bytes) -> bool:
    """Whether a shuffle was made from this root seed."""
    cards, chosen, opening = deck.cards(epoch), deck.chosen(epoch), deck.opening(epoch)
    if opening is None or chosen is None:
        return commit(seed, cards, deck.lists) == deck.commitment(epoch)
    # It was verified against the commitment: the same siblings and the same list lead to the same.
    return open_lists(seed, cards, deck.lists, chosen) == opening


def _false_grants(
    table: Table, records: Sequence[Record], side: Side, secret: bytes
) -> Iterator[StepError]:
    for record, answers in groupby(table.grants[side], key=lambda answered: answered.record):
        grants = Grants(secret, records[record - 1].hash)
        if any(grants.answer(answered.wanted) != answered.granted for answered in answers):
            yield StepError(
                "the cards it granted do not follow from its author's game secret: they were "
                "chosen.",
                Rule.GRANT,
                record,
            )

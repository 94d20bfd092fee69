"""Topics: where money comes from."""

from __future__ import annotations

from pbem.cli.learning.topics.topic import Group, Topic

TOPICS = (
    Topic(
        "money",
        "Money",
        Group.MONEY,
        (
            "Money lies open. It pays for cards to draft, fortifications, Siege Artillery, Native "
            "Americans, the Intendant, further discards and the reserve. An order that costs more "
            "than you have is not possible, even if it earned some.",
            "It comes from taking the gold of one card, from a Merchant, from furs, and for the "
            "French from piracy. It counts nothing at the end.",
        ),
        "Money",
        also=("gold", "price", "cost", "prices"),
        related=("take", "merchant", "trade", "piracy", "draft"),
    ),
    Topic(
        "take",
        "Taking money",
        Group.MONEY,
        ("You play one location card and take the money printed on it, for one action.",),
        "Money",
        verbs=("take",),
        examples=("take boston",),
        also=("taking money", "income"),
        related=("money", "merchant", "supply"),
    ),
    Topic(
        "merchant",
        "Using a Merchant",
        Group.MONEY,
        (
            "You play a card with the ship symbol, and with it cards with money printed on them, "
            "and take that money, for one action. The ship's own money does not count.",
        ),
        "Money",
        verbs=("merchant",),
        examples=("merchant new-haven, boston, new-york",),
        also=("ships and gold",),
        flags=("merchant_gold_cards",),
        related=("money", "take", "supply"),
    ),
    Topic(
        "trade",
        "Selling furs",
        Group.MONEY,
        (
            "With a Trader you sell the furs of any number of location cards in your hand, for 2 "
            "money each and one action. All these cards are discarded.",
        ),
        "Money",
        verbs=("trade",),
        examples=("trade gaspe, tadoussac",),
        also=("fur", "furs", "fur trade", "trading"),
        flags=("free_fur_money",),
        house_rules=("free-fur-money",),
        related=("money", "sell fur", "supply"),
    ),
    Topic(
        "sell fur",
        "Selling a fur without a Trader",
        Group.MONEY,
        (
            "By a house rule one location card with the fur symbol is played for 1 money, as a "
            "free action. The card has to be usable. There may be several such orders in a turn.",
        ),
        "Cards in hand",
        verbs=("sell-fur",),
        examples=("sell-fur gaspe",),
        flags=("free_fur_money",),
        house_rules=("free-fur-money",),
        related=("trade", "free actions", "supply"),
    ),
    Topic(
        "piracy",
        "Piracy",
        Group.MONEY,
        (
            "The French play Louisbourg and another card with the ship symbol, for one action, "
            "and take 2 money: of the British as far as they have it, the rest of the bank.",
        ),
        "Money",
        verbs=("piracy",),
        examples=("piracy quebec",),
        also=("pirates", "privateers"),
        related=("money", "supply"),
    ),
)

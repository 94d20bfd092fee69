"""Topics: the cards, and managing them."""

from __future__ import annotations

from pbem.cli.learning.topics.topic import Group, Topic

TOPICS = (
    Topic(
        "cards",
        "Location cards, empire cards and neutral cards",
        Group.CARDS,
        (
            "A location card belongs to a location and to a side; you gain it by settling there. "
            "It can be used only while you hold the location: see supply. Lose the location, and "
            "the card stays in your deck, idle.",
            "Empire cards are drafted, and need no location. Neutral cards can be drafted by "
            "either side.",
            "“acres card NAME” tells what is printed on a card, and with a file where its copies "
            "are.",
        ),
        "The box",
        also=("location cards", "empire cards", "neutral cards", "card", "symbols"),
        house_rules=("fewer-british-regulars", "no-governors", "british-start-bateaux"),
        related=("supply", "draft", "settle", "strength"),
    ),
    Topic(
        "draft",
        "Drafting an empire card",
        Group.CARDS,
        (
            "You buy one empire card that is available to you, in your own colour or neutral, for "
            "the price printed on it and one action. It goes to your discard pile.",
        ),
        "Card management",
        verbs=("draft",),
        examples=("draft rangers",),
        also=("drafting", "buying cards", "available cards"),
        house_rules=("fewer-british-regulars", "french-bateaux-available", "no-governors"),
        related=("cards", "money", "deck"),
    ),
    Topic(
        "discard",
        "Discarding cards",
        Group.CARDS,
        (
            "You put any number of cards from your hand on your discard pile, for one action. The "
            "first costs nothing, each further one 1 money. They lie open there.",
        ),
        "Card management",
        verbs=("discard",),
        examples=("discard boston, new-haven",),
        also=("discarding", "throw away"),
        flags=("free_discards",),
        house_rules=("free-discards", "drop-lost-locations"),
        related=("drop", "reserve", "govern", "deck"),
    ),
    Topic(
        "drop",
        "Dropping the card of a lost location",
        Group.CARDS,
        (
            "By a house rule you discard the card of a location that you do not control, as a free "
            "action. There may be several such orders in a turn.",
        ),
        "Cards in hand",
        verbs=("drop",),
        examples=("drop boston",),
        flags=("drop_lost_locations",),
        house_rules=("drop-lost-locations",),
        related=("discard", "free actions", "supply"),
    ),
    Topic(
        "reserve",
        "The reserve: putting cards aside and taking them back",
        Group.CARDS,
        (
            "You put one card from your hand into your reserve, for one action. It lies open, and "
            "an ambush or a conversion can still take it.",
            "“retrieve” takes the whole reserve back to your hand, as a free action, for 1 money a "
            "card.",
        ),
        "Card management",
        verbs=("reserve", "retrieve"),
        examples=("reserve regular-infantry", "retrieve"),
        also=("reserving", "retrieving", "put aside"),
        flags=("reserve_limit", "reserve_takes_locations"),
        house_rules=("locations-in-reserve", "lost-locations-in-reserve"),
        related=("hand", "ambush", "free actions", "discard"),
    ),
    Topic(
        "govern",
        "The Governor",
        Group.CARDS,
        (
            "With the Governor you return one or two other cards from your hand to where they can "
            "be had again, for one action: an empire card to the available ones, a location card "
            "to where settling its location gains it. The Governor is discarded.",
            "It is the way to rid a deck of cards that only slow it down.",
        ),
        "Card management",
        verbs=("govern",),
        examples=("govern militia, trader",),
        also=("governor", "governing"),
        flags=("govern_loses_location", "governor_keeps_starting_locations"),
        house_rules=(
            "governor-keeps-starting-locations",
            "govern-loses-location",
            "no-governors",
        ),
        related=("deck", "settle", "discard"),
    ),
    Topic(
        "intendant",
        "The Intendant",
        Group.CARDS,
        (
            "The French Intendant fetches any one card of your discard pile to your hand, for one "
            "action and 2 money. The Intendant goes to the discard pile after the choice.",
        ),
        "Card management",
        verbs=("intendant",),
        examples=("intendant quebec",),
        also=("fetching a card", "fetch"),
        related=("deck", "hand", "money"),
    ),
    Topic(
        "home support",
        "Home Support",
        Group.CARDS,
        (
            "As a free action you draw three cards. The card itself is discarded afterwards.",
            "The cards come with the opponent's next file, unless the game was begun with Home "
            "Support named ahead. To go on without waiting, see announcing.",
        ),
        "Card management",
        verbs=("home-support",),
        examples=("home-support",),
        also=("support", "draw three cards"),
        flags=("home_support_reshuffles", "reshuffle"),
        house_rules=("home-support-reshuffles", "reshuffle-last"),
        related=("deck", "free actions", "announcing", "hand"),
    ),
    Topic(
        "exchange",
        "An exchange after a siege",
        Group.CARDS,
        (
            "By a house rule the French may discard a card and draw one, after a siege was "
            "resolved at the start of their turn and before they act: “exchange” does it, “keep” "
            "leaves the hand as it is. There is one exchange in a turn.",
        ),
        "Shuffling and drawing",
        verbs=("exchange", "keep"),
        examples=("exchange gaspe", "keep"),
        flags=("french_siege_exchange",),
        house_rules=("french-siege-exchange",),
        related=("spoils", "hand"),
    ),
    Topic(
        "start",
        "A card chosen for the first deck",
        Group.CARDS,
        (
            "By a house rule the French add one of their available empire cards to their deck "
            "before the game begins. It costs nothing; a neutral card cannot be chosen.",
        ),
        "The box and the setup",
        verbs=("start",),
        examples=("start priest",),
        also=("start card", "starting card"),
        flags=("french_start_choice",),
        house_rules=("french-start-choice",),
        related=("setup", "draft"),
    ),
)

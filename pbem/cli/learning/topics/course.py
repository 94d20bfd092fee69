"""Topics: how a game goes from its setup to its end."""

from __future__ import annotations

from pbem.cli.learning.topics.topic import Group, Topic

TOPICS = (
    Topic(
        "game",
        "The game in short",
        Group.COURSE,
        (
            "The British and the French struggle for North America. Each side has a deck of its "
            "own, from which it plays cards to spread over the map, to fight and to earn money.",
            "What you win becomes part of your deck: a location brings its card, and empire cards "
            "are drafted. A card that is played goes to the discard pile and comes back when that "
            "is shuffled. So a deck grows with the country, and a large deck is slow.",
            "Nobody is forced to keep a card: the discard, the reserve and the Governor thin a "
            "hand out. In the end victory points decide, unless a home falls first.",
        ),
        "The box",
        also=("overview", "start here", "introduction", "aim", "goal"),
        related=("turn", "settle", "cards", "endings"),
    ),
    Topic(
        "setup",
        "How a game begins",
        Group.COURSE,
        (
            "The British begin with 12 money, the French with 5. Each side controls its starting "
            "locations, and their cards, with a few empire cards, make its first deck. It is "
            "shuffled, and five cards are drawn.",
            "The British play first. In the first turn each side has one action only.",
        ),
        "Setup and the course of a turn",
        also=("beginning", "starting position"),
        house_rules=(
            "quebec-fortified",
            "louisbourg-fortified",
            "british-start-bateaux",
            "french-bateaux-available",
            "french-bateaux-initial",
            "fewer-british-regulars",
            "no-governors",
            "french-start-choice",
        ),
        flags=("french_start_choice",),
        related=("turn", "cards", "start"),
    ),
    Topic(
        "turn",
        "A turn",
        Group.COURSE,
        (
            "When your turn begins the program looks, in this order: have you won the siege of an "
            "enemy home; does the game end; are there sieges that you have won. Then you act.",
            "A turn has two actions, the first turn of each side one. Free actions come on top, "
            "before, between and after them. When the actions are used you end the turn, your hand "
            "is filled up to five cards, and the opponent plays.",
            "An attack that the opponent has to answer interrupts the turn. What is to be done "
            "after it can be ordered at once: see announcing.",
        ),
        "Setup and the course of a turn",
        also=("first turn", "actions", "course of a turn", "sequence"),
        flags=("free_actions_any_time",),
        house_rules=("french-siege-exchange",),
        related=("free actions", "end", "hand", "endings", "announcing"),
    ),
    Topic(
        "free actions",
        "Free actions",
        Group.COURSE,
        (
            "Some orders cost none of the turn's actions: to retrieve the reserve, to play Home "
            "Support, to send a Military Leader to a siege that is under way, and to withdraw. "
            "There may be any number of them in a turn.",
            "None is possible before the opponent has answered an attack, nor when the turn has "
            "ended.",
        ),
        "Free actions at any time",
        also=("free action",),
        flags=("free_actions_any_time", "free_fur_money", "drop_lost_locations"),
        house_rules=("free-fur-money", "drop-lost-locations"),
        related=("turn", "reserve", "home support", "reinforce", "withdraw"),
    ),
    Topic(
        "end",
        "Ending a turn: end, pass and refill",
        Group.COURSE,
        (
            "A turn ends by the order “end”, which is possible once the actions are used. The "
            "program adds it where nothing else is left to do. Who wants to leave an action unused "
            "says “pass” for it.",
            "The order “refill” fills the hand before the end of the turn. It exists where free "
            "actions may follow the refill, so that the new cards can be used in them; “end” draws "
            "nothing more then.",
        ),
        "Free actions at any time",
        verbs=("end", "pass", "refill"),
        examples=("pass", "end", "refill"),
        flags=("free_actions_any_time",),
        related=("turn", "hand", "lose"),
    ),
    Topic(
        "hand",
        "The hand and its refill",
        Group.COURSE,
        (
            "At the end of your turn you draw until you hold five cards. Who holds five or more "
            "draws none, and nobody has to discard down to five.",
            "First the draw pile is used up, then the discard pile is shuffled to go on; if both "
            "are empty you go on with fewer cards.",
            "Your hand is hidden from the opponent until you play it. What is drawn is not known "
            "to you either before the opponent's next file: see proof.",
        ),
        "Setup and the course of a turn",
        also=("refilling", "drawing", "cards in hand"),
        flags=("reshuffle", "free_actions_any_time"),
        house_rules=("paid-reshuffle", "reshuffle-last", "french-siege-exchange"),
        related=("deck", "reserve", "proof", "end"),
    ),
    Topic(
        "deck",
        "Draw pile, discard pile and shuffling",
        Group.COURSE,
        (
            "A deck is what a side owns and does not hold: its draw pile and its discard pile. The "
            "discard pile lies open for both. Once the draw pile is empty, the discard pile is "
            "shuffled and becomes the new one.",
            "What everybody knows of a deck can be counted: the cards of a shuffle less those seen "
            "since. “acres turn show” does it for you.",
        ),
        "Draw piles",
        also=("draw pile", "discard pile", "shuffle", "shuffling", "reshuffle", "pile"),
        flags=("reshuffle", "home_support_reshuffles", "paid_reshuffle"),
        house_rules=("paid-reshuffle", "reshuffle-last", "home-support-reshuffles"),
        related=("hand", "home support", "intendant", "proof"),
    ),
    Topic(
        "forfeit",
        "Cards for a shuffle that was not paid",
        Group.COURSE,
        (
            "Where a house rule makes shuffling cost 1 money, who has money pays at once and is "
            "not asked. Who has none discards two cards right after the refill, or the only one.",
        ),
        "Shuffling and drawing",
        verbs=("forfeit",),
        examples=("forfeit boston, new-haven",),
        also=("unpaid shuffle",),
        flags=("paid_reshuffle",),
        house_rules=("paid-reshuffle",),
        related=("deck", "hand"),
    ),
    Topic(
        "endings",
        "How the game ends",
        Group.COURSE,
        (
            "At once, when somebody withdraws from a siege of an own home, or resigns: the other "
            "side has won. The homes are Boston and New York for the British, Quebec for the "
            "French.",
            "At the start of your turn, when you have won the siege of an enemy home: that wins.",
            "At the start of your turn also, when you have no town or no village left to place, "
            "captured ones counting as gone, or have captured pieces worth 12 points: then the "
            "points decide. The end by captures waits until no siege is under way, not even one "
            "that this very turn would resolve; whether that by pieces waits depends on the "
            "edition.",
        ),
        "The end",
        also=("ending", "game end", "end of the game", "winning", "victory", "home"),
        flags=("settling_home_wins", "pieces_end_waits_for_sieges", "duquesne_wins"),
        house_rules=("duquesne-wins",),
        related=("scoring", "pieces", "siege", "withdraw"),
    ),
    Topic(
        "scoring",
        "Victory points",
        Group.COURSE,
        (
            "A village counts the points of its location, a town twice as many. A captured village "
            "counts 2, a captured town 4. Locations without points count nothing, whatever stands "
            "there.",
            "The higher total wins; in a tie the French have won.",
        ),
        "The end",
        also=("points", "score", "victory points", "tie"),
        related=("endings", "develop", "pieces"),
    ),
    Topic(
        "pieces",
        "Villages, towns and fortification discs",
        Group.COURSE,
        (
            "Each side has 18 villages; the British have 12 towns, the French 9. Both together "
            "have 12 fortification discs. What is in stock is what stands nowhere and was not "
            "captured by the opponent.",
            "With none left in stock, an order that would place one is not possible. A village "
            "that becomes a town goes back to stock; so does the disc of a location that falls.",
        ),
        "The box",
        also=("villages", "towns", "village", "town", "stock", "discs", "fortifications"),
        related=("settle", "develop", "fortify", "endings"),
    ),
)

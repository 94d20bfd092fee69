"""Topics: what is particular to playing by file."""

from __future__ import annotations

from pbem.cli.learning.topics.topic import Group, Topic

TOPICS = (
    Topic(
        "orders",
        "How orders are written",
        Group.PLAYING,
        (
            "An order begins with what to do; then comes the location, where there is one, a "
            "colon, and the cards: settle Deerfield: New Haven, St. Mary's, Boston.",
            "Capitals and accents do not matter, and words may be cut short as long as one meaning "
            "is left: settle deer: new h, st m, bos. The cards in your hand are thought of first.",
            "“acres turn legal FILE” lists what you can order, with words behind it only that: "
            "acres turn legal FILE settle. To be told what is wrong with an order: acres turn "
            'legal FILE --why "settle Deerfield: New Haven, Norfolk".',
        ),
        "The box",
        also=("order", "notation", "writing orders", "abbreviations"),
        related=("turn", "announcing"),
    ),
    Topic(
        "proof",
        "What your opponent can see, and what is proved",
        Group.PLAYING,
        (
            "Your opponent sees your discard pile, your reserve, your money and every card that "
            "you play, draft or lose, and can count what else must be in your deck. Your hand and "
            "the sequence of your draw pile stay sealed, and not even you know what you will draw: "
            "it takes both players' files to deal a card.",
            "A card from your hand is opened when you play it, and the program checks that it was "
            "really there. Every file that you read is checked from the first record on, so that "
            "neither player has to trust the other: “acres audit FILE” says what it proves.",
            "When the game is over each player's last file opens everything; from then on both "
            "hands can be looked at, turn by turn.",
        ),
        "Setup and the course of a turn",
        also=(
            "proofs",
            "seal",
            "seals",
            "sealed",
            "hidden",
            "cheating",
            "secret",
            "trust",
        ),
        related=("files", "hand", "announcing"),
    ),
    Topic(
        "announcing",
        "Ordering on before the answer has come",
        Group.PLAYING,
        (
            "After a raid, an ambush, a conversion or a withdrawal the opponent has to answer; "
            "after Home Support the cards have to come. You may order the rest of your turn in the "
            "same file: it is carried out after the answer, whatever it is, and saves a file.",
            "What has become impossible by then is dropped, and you go on from there. Your "
            "opponent reads what you announce before answering. With --wait, or the word “wait”, "
            "you leave the rest of the turn for later.",
        ),
        "Setup and the course of a turn",
        also=("wait", "follow ups", "ordering ahead", "announce", "interruption"),
        related=("turn", "raid", "home support", "proof"),
    ),
    Topic(
        "files",
        "Files: which one to send, and when",
        Group.PLAYING,
        (
            "Each answer is a new file, which holds the whole game. You send it to your opponent "
            "and get the next one back. Keep them: two different answers to one file look like "
            "cheating, and the program warns you before you sign a second one.",
            "“acres turn show FILE” tells where the game stands, “acres turn apply FILE” answers. "
            "Your private notes travel in the file, sealed for you alone.",
        ),
        "Setup and the course of a turn",
        also=("file", "sending", "notes", "email", "e-mail"),
        related=("proof", "announcing", "orders"),
    ),
)

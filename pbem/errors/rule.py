"""The numbered rules of docs/protocol.md and docs/save-format.md; a refusal names one of them.

A number never changes its rule. All rules of the game together are one number, R-12.2.
"""

from __future__ import annotations

from enum import Enum

from engine.message import Message, mark_in

TOPICS = (
    mark_in("rule", "acceptance"),
    mark_in("rule", "blind deck"),
    mark_in("rule", "chain"),
    mark_in("rule", "game secret"),
    mark_in("rule", "grant"),
    mark_in("rule", "invitation"),
    mark_in("rule", "order of steps"),
    mark_in("rule", "rules data"),
    mark_in("rule", "rules of the game"),
    mark_in("rule", "shown cards"),
    mark_in("rule", "shuffle"),
    mark_in("rule", "shuffled cards"),
    mark_in("rule", "side"),
    mark_in("rule", "signature"),
    mark_in("rule", "time"),
)
"""The subjects of the rules that a record can break."""
FORM = "form"
"""The subject of the other rules: a file that breaks one of them cannot be read."""


class Rule(Enum):
    """A rule that a file can break: its `number` in the documents, and its `topic`."""

    def __init__(self, number: str, topic: str) -> None:
        self.number = number
        self.topic = topic

    # A file: docs/save-format.md, Reading and Keys.
    SIZE = ("R-1.1", FORM)
    UTF_8 = ("R-1.2", FORM)
    LINE_LENGTH = ("R-1.3", FORM)
    FULL_STOPS = ("R-1.4", FORM)
    BRACKETS = ("R-1.5", FORM)
    TOML = ("R-1.6", FORM)
    FORMAT = ("R-1.7", FORM)
    VERSION = ("R-1.8", FORM)
    FILE_KEYS = ("R-1.9", FORM)
    RECORDS = ("R-1.10", FORM)
    SUMMARY = ("R-1.11", FORM)
    BOXES = ("R-1.12", FORM)
    # The form of a record: docs/protocol.md, Encoding.
    KEYS = ("R-2.1", FORM)
    KIND = ("R-2.2", FORM)
    NUMBER = ("R-2.3", FORM)
    BYTES = ("R-2.4", FORM)
    TEXT = ("R-2.5", FORM)
    TIME_FORM = ("R-2.6", FORM)
    SLOT_FORM = ("R-2.7", FORM)
    LENGTH = ("R-2.8", FORM)
    ASCENDING = ("R-2.9", FORM)
    TWICE = ("R-2.10", FORM)
    POWER = ("R-2.11", FORM)
    CONTENT = ("R-2.12", FORM)
    PROTOCOL = ("R-2.13", FORM)
    # The chain: Records.
    INDEX = ("R-3.1", "chain")
    PREVIOUS = ("R-3.2", "chain")
    INVITATION_FIRST = ("R-3.3", "chain")
    ACCEPTANCE_SECOND = ("R-3.4", "chain")
    SIGNATURE = ("R-3.5", "signature")
    SIDE = ("R-3.6", "side")
    TIME = ("R-3.7", "time")
    # Entering: Steps.
    INVITED_ONCE = ("R-4.1", "order of steps")
    ACCEPTED_ONCE = ("R-4.2", "acceptance")
    INVITED_SIDE = ("R-4.3", "invitation")
    ACCEPTED_SIDE = ("R-4.4", "acceptance")
    OWN_ENTRY = ("R-4.5", "acceptance")
    # Whose turn it is to say what: The exchange.
    BEGINNING = ("R-5.1", "order of steps")
    OPENING_FIRST = ("R-5.2", "order of steps")
    OPENING_NOT_DUE = ("R-5.3", "blind deck")
    GRANT_FIRST = ("R-5.4", "order of steps")
    GRANT_NOT_DUE = ("R-5.5", "blind deck")
    ASKED = ("R-5.6", "order of steps")
    # The ledger of a deck.
    EPOCH = ("R-6.1", "blind deck")
    PILE_LEFT = ("R-6.2", "blind deck")
    DRAWN = ("R-6.3", "blind deck")
    LIST_WANTED = ("R-6.4", "blind deck")
    LIST_NUMBER = ("R-6.5", "blind deck")
    SLOTS_WANTED = ("R-6.6", "blind deck")
    SLOTS_OF_PILE = ("R-6.7", "blind deck")
    OPENING_PARTS = ("R-6.8", "blind deck")
    OPENING = ("R-6.9", "blind deck")
    HIDDEN = ("R-6.10", "blind deck")
    COMMITTED = ("R-6.11", "blind deck")
    COPIES = ("R-6.12", "blind deck")
    # Orders, and the cards shown for them: The exchange.
    SHOWN_FOR_ORDER = ("R-7.1", "shown cards")
    SHOWN_ASCENDING = ("R-7.2", "shown cards")
    SHOWN_WHOLE = ("R-7.3", "rules of the game")
    VERB = ("R-7.4", "rules of the game")
    VERB_OF_SIDE = ("R-7.5", "rules of the game")
    # Follow-ups.
    FOLLOW_UP = ("R-8.1", "order of steps")
    AFTER_END_OF_TURN = ("R-8.2", "order of steps")
    # Home Support ahead.
    AHEAD_AGREED = ("R-9.1", "blind deck")
    AHEAD_FIRST = ("R-9.2", "blind deck")
    AHEAD_OF_PILE = ("R-9.3", "blind deck")
    AHEAD_COUNT = ("R-9.4", "blind deck")
    AHEAD_DUE = ("R-9.5", "blind deck")
    # The close.
    NOT_JOINED = ("R-10.1", "order of steps")
    AFTER_END = ("R-10.2", "order of steps")
    CLOSE_DUE = ("R-10.3", "order of steps")
    CLOSE_EARLY = ("R-10.4", "order of steps")
    AFTER_CLOSE = ("R-10.5", "order of steps")
    SECRET = ("R-10.6", "game secret")
    SHUFFLE = ("R-10.7", "shuffle")
    GRANT = ("R-10.8", "grant")
    # Evidence of a fork: docs/save-format.md.
    FORK_FORM = ("R-11.1", FORM)
    FORK_INDEX = ("R-11.2", FORM)
    FORK_PREVIOUS = ("R-11.3", FORM)
    FORK_HASHES = ("R-11.4", FORM)
    FORK_SIGNATURES = ("R-11.5", FORM)
    # Rules that only a program with the rules of the game can check.
    RULES_DATA = ("R-12.1", "rules data")
    LEGAL = ("R-12.2", "rules of the game")
    DECISION = ("R-12.3", "order of steps")
    UNDECIDED = ("R-12.4", "order of steps")
    SHUFFLE_DUE = ("R-12.5", "order of steps")
    SHUFFLED_CARDS = ("R-12.6", "shuffled cards")
    DRAW_DUE = ("R-12.7", "order of steps")
    NEEDLESS = ("R-12.8", "shown cards")
    NOTATION = ("R-12.9", "rules of the game")
    IN_THE_GAME = ("R-12.10", "rules of the game")
    IN_THE_BOX = ("R-12.11", "shuffled cards")

    @property
    def needs_rules(self) -> bool:
        """True if only a program that knows the rules of the game can check it."""
        return self.number.startswith("R-12.")

    @property
    def in_beginning(self) -> Rule:
        """The rule to report for a record of the beginning: R-5.1 if a step is not due."""
        due = (Rule.DECISION, Rule.UNDECIDED, Rule.SHUFFLE_DUE, Rule.DRAW_DUE)
        return Rule.BEGINNING if self in due else self

    @property
    def in_words(self) -> Message:
        """The subject of the rule, as a message to a player."""
        return Message.within("rule", self.topic)

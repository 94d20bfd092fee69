"""Topics: raids, ambushes and conversions, and the answers to them."""

from __future__ import annotations

from pbem.cli.learning.topics.topic import Group, Topic

TOPICS = (
    Topic(
        "raid",
        "Raiding a location",
        Group.ATTACKS,
        (
            "With one or more raiding cards you attack an enemy location, for one action. They "
            "are discarded, and each Native Americans card costs 1 money.",
            "A raid starts at any location that you control, in supply or not, and goes by river, "
            "road, lake and Indian trail. The more cards, the farther it reaches. A Priest or an "
            "Indian Leader adds reach, but raids nowhere alone. No raid enters or passes a "
            "fortification.",
            "The opponent may block it. If not, you capture the piece: of a town a village is "
            "left, if there is one in stock; a village leaves the location to nobody. Its card "
            "stays with its old owner, idle.",
        ),
        "Raids, ambushes, conversions",
        verbs=("raid",),
        examples=("raid pemaquid: native-americans, priest",),
        also=("raiding", "raids", "indian raid"),
        flags=("raid_bonus", "sieges_restrict_raids", "blocked_raid_free"),
        house_rules=("short-raids", "blocked-raid-free"),
        related=("block", "connections", "fortify", "scoring"),
    ),
    Topic(
        "ambush",
        "Ambushing the opponent's cards",
        Group.ATTACKS,
        (
            "With one ambushing card you make the opponent lose a card, for one action; Native "
            "Americans cost 1 money. The card is discarded.",
            "The opponent may block it with a card in hand. If not, a card with the ambush symbol "
            "goes back to where it can be drafted, from the hand or the reserve, as the opponent "
            "chooses. Who has none shows the whole hand to prove it.",
        ),
        "Raids, ambushes, conversions",
        verbs=("ambush",),
        examples=("ambush rangers",),
        also=("ambushing", "ambushes"),
        flags=("ambush_reaches_sieges", "blocked_ambush_free"),
        house_rules=("ambush-reaches-sieges", "blocked-ambush-free"),
        related=("block", "give", "draft"),
    ),
    Topic(
        "convert",
        "Winning over Native Americans",
        Group.ATTACKS,
        (
            "A French Priest or the British Indian Leader claims a neutral Native Americans card "
            "from the opponent's hand or reserve, for one action. It goes to your discard pile.",
            "There is no block. Who has no such card shows the whole hand to prove it. The French "
            "Native Americans card cannot be taken.",
        ),
        "Raids, ambushes, conversions",
        verbs=("convert",),
        examples=("convert indian-leader",),
        also=("conversion", "converting"),
        related=("give", "raid", "ambush"),
    ),
    Topic(
        "block",
        "Answering a raid: block or allow",
        Group.ATTACKS,
        (
            "An attack is blocked with one card from hand, never from the reserve. It is "
            "discarded, costs nothing, and the attack comes to nothing.",
            "A raid is blocked by a card that blocks raids, or by the location's own card, if that "
            "can be used. An ambush is blocked by a card that blocks ambushes. Who does not block "
            "a raid says “allow”.",
        ),
        "Raids, ambushes, conversions",
        verbs=("block", "allow"),
        examples=("block militia", "allow"),
        also=("blocking", "defending a raid"),
        flags=("blocked_raid_free", "blocked_ambush_free"),
        house_rules=("blocked-raid-free", "blocked-ambush-free"),
        related=("raid", "ambush", "give", "supply"),
    ),
    Topic(
        "give",
        "Answering an ambush or a conversion",
        Group.ATTACKS,
        (
            "You choose which card it costs you: “give” takes one from your hand, “give from "
            "reserve” one from your reserve. An ambush costs a card with the ambush symbol, which "
            "can be drafted again; a conversion a neutral Native Americans card, which the "
            "opponent gets.",
            "If you have no such card you say “show hand”: the program proves all of it.",
        ),
        "Raids, ambushes, conversions",
        verbs=("give", "give-from-reserve", "give-from-siege", "show-hand"),
        examples=("give militia", "give-from-reserve militia", "show-hand"),
        also=("giving up a card", "giving"),
        flags=("ambush_reaches_sieges",),
        house_rules=("ambush-reaches-sieges",),
        related=("ambush", "convert", "block", "reserve"),
    ),
)

"""Topics: sieges, from the first card to what is left behind."""

from __future__ import annotations

from pbem.cli.learning.topics.topic import Group, Topic

TOPICS = (
    Topic(
        "siege",
        "How a siege goes",
        Group.SIEGES,
        (
            "Somebody opens a siege of an enemy location, and both sides play cards to it, one for "
            "an action, until one of them has won it or gives it up. A side besieges one location "
            "at a time, so that there are two sieges at most.",
            "The marker stands at the strength of the besieger's cards less all that defends. At 2 "
            "or more the besieger has won, at -1 or less the defender. That is looked for at the "
            "start of the winner's turn: so the other side always has a turn to turn it round.",
            "While it lasts, the card of the location besieged cannot be used, nothing can be "
            "fortified there, and the game does not end by points captured.",
        ),
        "Sieges",
        also=("sieges", "track", "siege track"),
        flags=("sieges_restrict_raids", "pieces_end_waits_for_sieges"),
        house_rules=("british-siege-delay", "natives-fight-in-sieges", "ambush-reaches-sieges"),
        related=("besiege", "reinforce", "strength", "spoils", "lose", "withdraw"),
    ),
    Topic(
        "besiege",
        "Opening a siege",
        Group.SIEGES,
        (
            "It costs one action, and takes a card that leads to an enemy location and one with "
            "the transport it asks for, as for settling; both are discarded. A third card with "
            "military strength opens the siege and stays there.",
            "Siege Artillery costs 3 money each time it is played. A Military Leader that opens a "
            "siege costs an action like any card.",
        ),
        "Sieges",
        verbs=("besiege",),
        examples=("besiege louisbourg: boston, new-york, regular-infantry",),
        also=("besieging", "opening a siege"),
        flags=("british_siege_delay",),
        house_rules=("british-siege-delay", "natives-fight-in-sieges"),
        related=("siege", "strength", "connections", "supply"),
    ),
    Topic(
        "reinforce",
        "Sending a card to a siege",
        Group.SIEGES,
        (
            "You add one card with strength to a siege, on your own side of it, for an action. A "
            "Military Leader goes to a siege under way as a free action; Siege Artillery costs 3 "
            "money.",
            "You need supply: the defender to the location besieged, the besieger to a location "
            "next to it, by land or sea.",
        ),
        "Sieges",
        verbs=("reinforce",),
        examples=("reinforce louisbourg: militia",),
        also=("reinforcing", "reinforcement"),
        flags=("new_york_reinforces",),
        house_rules=("natives-fight-in-sieges",),
        related=("siege", "strength", "supply", "free actions"),
    ),
    Topic(
        "strength",
        "What a card is worth in a siege",
        Group.SIEGES,
        (
            "A card counts its military strength. Where ships count in a siege, a card with the "
            "ship symbol counts 1 for it instead; it never counts both. A Fortification counts 1, "
            "and only for the defender.",
            "A location defends itself with 1, with what is printed on it, and with 2 more if it "
            "is fortified.",
        ),
        "Sieges",
        also=("military strength", "defence", "defense", "military"),
        house_rules=("natives-fight-in-sieges",),
        related=("siege", "reinforce", "fortify"),
    ),
    Topic(
        "spoils",
        "After a siege is won: occupy, leave, relieve",
        Group.SIEGES,
        (
            "At the start of your turn a siege that you have won is resolved; that costs no "
            "action. The defender who has won keeps the location, and has nothing to decide. The "
            "besieger captures the piece, a fortification disc goes back to stock; then “occupy” "
            "places a village there, with a settler card where the location asks for one, and "
            "“leave” lets it be nobody's.",
            "The cards at the siege go to their owners' discard piles, except the one that the "
            "loser gives back.",
            "Who has won one siege as besieger and another as defender may end the latter first "
            "with “relieve”: its cards may be needed.",
            "A defender who withdraws gives up the piece in the same way, and the besieger is "
            "asked at once.",
        ),
        "Sieges",
        verbs=("occupy", "leave", "relieve"),
        examples=("occupy louisbourg: boston", "leave louisbourg", "relieve pemaquid"),
        also=("winning a siege", "resolving a siege", "siege spoils"),
        flags=("free_actions_any_time", "french_siege_exchange", "duquesne_wins"),
        house_rules=("french-siege-exchange", "duquesne-wins"),
        related=("siege", "lose", "scoring", "exchange"),
    ),
    Topic(
        "lose",
        "The card that a lost siege costs",
        Group.SIEGES,
        (
            "When your turn ends and a siege stands lost for you, you choose one of your empire "
            "cards in it. It goes back to the available cards when the siege is resolved; all "
            "others go to the discard pile.",
            "With one kind of empire card there it is chosen for you, with none nothing is lost.",
        ),
        "Sieges",
        verbs=("lose",),
        examples=("lose louisbourg: militia",),
        also=("losing a siege", "loser's card"),
        related=("siege", "spoils", "withdraw"),
    ),
    Topic(
        "withdraw",
        "Giving up a siege",
        Group.SIEGES,
        (
            "Either side may give up a siege in its own turn, as a free action. It counts as lost: "
            "name the empire card that it costs you, if you have one there.",
            "If the defender withdraws, the besieger captures the piece and may place a village at "
            "once. Who withdraws from an own home loses the game.",
        ),
        "Sieges",
        verbs=("withdraw",),
        examples=("withdraw louisbourg: militia",),
        also=("withdrawing", "retreat", "abandon"),
        related=("siege", "lose", "endings", "free actions"),
    ),
)

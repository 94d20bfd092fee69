"""Topics: spreading over the map."""

from __future__ import annotations

from pbem.cli.learning.topics.topic import Group, Topic

TOPICS = (
    Topic(
        "settle",
        "Settling a location",
        Group.EXPANSION,
        (
            "You place one of your villages in a location that nobody controls, for one action.",
            "It takes a location card of yours that leads there, a second card with the transport "
            "that the first one names for it (bateaux, ship or wagon) and, where the location "
            "shows the settler symbol, a third card with that symbol. A card serves for one thing "
            "in an order, even if it shows several symbols. All go to your discard pile.",
            "With the village comes the location's own card, if your side has one: it goes to your "
            "discard pile too, and so into your deck. A location without a card for you can be "
            "settled all the same.",
            "A location that you control but whose card you gave away can be settled again for "
            "the card alone; no village is placed then.",
        ),
        "Expansive actions",
        verbs=("settle",),
        examples=("settle deerfield: new-haven, st-marys, boston",),
        also=("settling", "settlement", "expand"),
        flags=("settling_home_wins", "duquesne_wins"),
        house_rules=("duquesne-wins",),
        related=("connections", "supply", "develop", "pieces"),
    ),
    Topic(
        "develop",
        "Developing a village into a town",
        Group.EXPANSION,
        (
            "You turn a village of yours into a town, which counts the points of its location "
            "twice, for one action.",
            "It takes the location's own card and a second card with the settler symbol; both go "
            "to your discard pile. The village goes back to stock. A location without victory "
            "points cannot be developed, and you need a town in stock.",
        ),
        "Expansive actions",
        verbs=("develop",),
        examples=("develop albany: boston",),
        also=("developing", "town building"),
        related=("scoring", "pieces", "supply"),
    ),
    Topic(
        "fortify",
        "Fortifying a location",
        Group.EXPANSION,
        (
            "You place a fortification disc in a location of yours, for one action and 3 money. It "
            "adds 2 to the defence in a siege, and no raid enters or passes the location.",
            "It takes the location's own card and a Fortification card, your own or a neutral one; "
            "both go to your discard pile. A location holds one disc, and none can be placed "
            "during a siege of it.",
        ),
        "Expansive actions",
        verbs=("fortify",),
        examples=("fortify boston: fortification",),
        also=("fortification", "fort", "fortifying"),
        house_rules=("quebec-fortified", "louisbourg-fortified"),
        related=("siege", "raid", "pieces", "supply"),
    ),
    Topic(
        "connections",
        "Connections and transport",
        Group.EXPANSION,
        (
            "Rivers, roads, lakes and Indian trails join the locations on the map. All locations "
            "on the sea are next to each other, and all on one lake are.",
            "To settle or besiege you do not follow the map but your cards: a location card names "
            "where it leads and with which transport. Along rivers and lakes that is a bateaux, "
            "over the sea a ship, by road a wagon. The transport comes from another card.",
            "Supply runs along everything but trails; raids run along everything but the sea.",
        ),
        "Location cards and supply",
        also=(
            "connection",
            "transport",
            "bateaux symbol",
            "ship symbol",
            "wagon",
            "river",
            "road",
            "lake",
            "sea",
            "trail",
            "indian trail",
            "route",
            "map",
        ),
        related=("settle", "besiege", "supply", "raid"),
    ),
    Topic(
        "supply",
        "Supply, and when a location card can be used",
        Group.EXPANSION,
        (
            "A location card can be used only while you control its location, the location is in "
            "supply, and no siege is laid to it. That holds whatever the card serves for: to lead "
            "somewhere, as transport, settler, ship, fur, money or strength, to develop, to "
            "fortify, or to block a raid there. To discard, reserve or govern it is no use of it.",
            "Supply is traced to Boston by the British and to Quebec by the French, over locations "
            "that you control, by river, road, lake and sea, never by Indian trail. It passes "
            "locations under siege, and the home supplies even when you have lost it.",
            "Empire cards need no supply. To reinforce a siege you need supply to it.",
        ),
        "Location cards and supply",
        also=("supplied", "supply line", "idle", "idle cards", "control"),
        flags=("new_york_reinforces",),
        related=("connections", "reinforce", "cards", "siege"),
    ),
)

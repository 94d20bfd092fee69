"""What players type in English, besides the verbs themselves: the lexicon of the other languages.

docs/languages.md says what each table is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENGLISH: Mapping[str, Any] = {
    "phrasing": {
        "small": "a an the my your our i d we want would like card cards deck pile location please "
        "one up out that is this it of cube",
        "number": "two three four five six several all or more any",
        "counted": "card cards coin coins money silver",
        "play": "play use",
        "and": "and then",
        "with": "with using playing giving losing by via",
        "in": "in into on onto to at against upon towards",
        "from": "from",
        "as": "as",
    },
    "phrases": {
        "add/send/put/commit * in siege": "reinforce",
        "allow raid": "allow",
        "begin/start/lay/open siege": "besiege",
        "block ambush/raid": "block",
        "build town": "develop",
        "build * in": "fortify",
        "buy": "draft",
        "defend": "reinforce, block",
        "develop/turn * into town": "develop",
        "do nothing": "pass",
        "do not block": "allow",
        "do not block raid": "allow",
        "dont block raid": "allow",
        "dont block": "allow",
        "develop * with settler": "develop",
        "draft/buy/take * from empire": "draft",
        "draft/buy/take empire": "draft",
        "end/finish/pass/skip turn": "end",
        "fill/refill hand": "refill",
        "give/lose * from reserve": "give-from-reserve",
        "governor return * to available/stock/supply": "govern",
        "governor return": "govern",
        "governor": "govern",
        "indian leader": "convert indian-leader",
        "intendant take * from discard": "intendant",
        "intendant * from discard": "intendant",
        "intendant take/for": "intendant",
        "launch/make/set/lay/spring/start ambush": "ambush",
        "launch/make/carry/start raid": "raid",
        "leave * neutral": "leave",
        "lose": "lose, give",
        "bring back reserve": "retrieve",
        "merchant * for": "merchant",
        "pick/take/retrieve/recover/get/fetch reserve": "retrieve",
        "place/build/put village": "occupy, settle",
        "place/put/set/move * in reserve": "reserve",
        "play * in siege": "reinforce",
        "priest": "convert priest",
        "priest indian leader": "convert priest, convert indian-leader",
        "reinforce siege": "reinforce",
        "return * with governor": "govern",
        "sell * with": "merchant",
        "sell * with trader": "trade",
        "sell furs": "trade, sell-fur",
        "sell/ship gold * with": "merchant",
        "settle": "settle, occupy",
        "take": "take, draft",
        "take/collect/get money/coins/silver": "take",
        "trader": "trade",
        "withdraw siege": "withdraw",
    },
    "words": {
        "attack": "besiege", "bribe": "intendant", "build": "fortify", "colonise": "settle",
        "colonize": "settle", "done": "end", "finish": "end", "lift siege": "withdraw",
        "money": "take", "move": "settle", "next": "end", "nothing": "pass", "put": "reserve",
        "raise siege": "withdraw", "return": "govern", "siege": "besiege", "skip": "pass",
        "upgrade": "develop",
    },
}  # fmt: skip

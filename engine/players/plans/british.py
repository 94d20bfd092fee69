"""The plans of the British."""

from __future__ import annotations

from engine.players.plans.plan import (
    Plan,
    ambush,
    besiege,
    develop,
    draft,
    earn,
    fight,
    fortify,
    govern,
    raid,
    reserve,
    settle,
)

_INFANTRY = ("regular-infantry",)
_NATIVES = ("neutral-native-americans",)

HAMMER = Plan(
    steps=(fight, besiege, settle, draft, reserve, earn, govern, develop),
    drafts=(
        *_INFANTRY * 2,
        "siege-artillery",
        "home-support",
        "military-leader",
        *_INFANTRY * 2,
        "ships",
        *_INFANTRY * 2,
    ),
    sites=("louisbourg", "port-royal", "halifax"),
    targets=("quebec", "louisbourg", "port-royal"),
)
"""Soldiers at once for Halifax, Port Royal, Louisbourg and Quebec, without regard to points."""

ARMY = HAMMER._replace(min_strength=2)
"""Like `HAMMER`, but it opens a siege only with enough soldiers; few plans withstand it."""

BLOCKADE = Plan(
    steps=(fight, besiege, settle, raid, draft, earn, develop, govern),
    drafts=(
        *_NATIVES,
        "siege-artillery",
        *_INFANTRY,
        "rangers",
        "military-leader",
        *_INFANTRY,
        "ships",
        "home-support",
        *_INFANTRY * 3,
    ),
    sites=("tadoussac", "gaspe", "louisbourg", "halifax", "canso", "port-royal"),
    targets=("port-royal", "louisbourg", "quebec", "tadoussac", "gaspe"),
    min_strength=1,
)
"""The French coast, one location after another, guarded against raids and ambushes."""

LAKES = Plan(
    steps=(fight, besiege, settle, draft, reserve, earn, develop, govern),
    drafts=(
        "bateaux",
        *_INFANTRY,
        "siege-artillery",
        *_INFANTRY,
        "military-leader",
        *_INFANTRY,
        "home-support",
        *_INFANTRY * 3,
    ),
    sites=(
        "fort-st-john",
        "ticonderoga",
        "fort-william-henry",
        "albany",
        "trois-rivieres",
        "montreal",
        "deerfield",
    ),
    targets=("quebec", "trois-rivieres", "montreal", "fort-st-john", "ticonderoga"),
    min_strength=1,
)
"""Soldiers inland: Albany and the lakes down to Quebec."""

RAIDERS = Plan(
    steps=(fight, raid, ambush, settle, draft, earn, develop, govern),
    drafts=(*_NATIVES * 2, "rangers", "indian-leader", *_NATIVES * 3, "bateaux", "home-support"),
    sites=("kennebec", "halifax", "fort-halifax", "fort-beausejour", "albany", "deerfield"),
    min_town_points=1,
)
"""Raids on every French piece that is not walled in, from Kennebec and Fort Beausejour."""

SETTLERS = Plan(
    steps=(fight, develop, settle, draft, earn, govern),
    drafts=(
        "bateaux",
        "settlers",
        "neutral-settlers",
        "home-support",
        "neutral-settlers",
        "militia",
    ),
    sites=("deerfield", "albany", "halifax", "baltimore", "richmond", "canso", "cumberland"),
    min_town_points=1,
)
"""All towns as soon as possible."""

MERCHANTS = Plan(
    steps=(fight, besiege, draft, settle, earn, develop, fortify, govern),
    drafts=(
        *_NATIVES,
        "governor",
        "settlers",
        "home-support",
        "rangers",
        "military-leader",
        "siege-artillery",
        *_INFANTRY * 4,
        "ships",
        "neutral-settlers",
    ),
    sites=("deerfield", "baltimore", "halifax", "albany", "louisbourg", "port-royal"),
    to_fortify=("new-york", "boston", "new-haven"),
    targets=("louisbourg", "port-royal", "quebec", "montreal"),
    min_strength=3,
    reserve_money=3,
    enough_money=25,
)
"""Money first, then many cards, and sieges only with enough soldiers."""

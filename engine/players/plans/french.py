"""The plans of the French."""

from __future__ import annotations

from engine.players.plans.plan import (
    Plan,
    ambush,
    besiege,
    convert,
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
    steps=(fight, besiege, settle, raid, draft, reserve, earn, govern, develop),
    drafts=(
        "trader",
        *_INFANTRY,
        "siege-artillery",
        "military-leader",
        *_INFANTRY,
        "home-support",
        *_INFANTRY,
    ),
    sites=("boston", "new-york", "pemaquid", "halifax"),
    targets=("boston", "new-york", "pemaquid", "halifax"),
)
"""Soldiers at once: Pemaquid, then Boston."""

ARMY = Plan(
    steps=(fight, besiege, settle, raid, draft, earn, govern, develop),
    drafts=(
        "siege-artillery",
        "military-leader",
        *_INFANTRY * 3,
        "home-support",
        "coureurs-de-bois",
    ),
    sites=("boston", "new-york", "pemaquid", "halifax"),
    targets=("boston", "new-york", "pemaquid", "halifax"),
)
"""Artillery and a leader before the soldiers, to hold Port Royal and then take Boston."""

BLOCKADE = Plan(
    steps=(fight, besiege, settle, ambush, draft, reserve, earn, fortify, govern, develop),
    drafts=(
        "trader",
        "coureurs-de-bois",
        "native-americans",
        "fortification",
        *_INFANTRY,
        "siege-artillery",
        "military-leader",
        *_INFANTRY * 2,
        "ships",
        "home-support",
    ),
    sites=("halifax", "pemaquid", "fort-beausejour", "canso"),
    to_fortify=("louisbourg", "quebec", "port-royal"),
    targets=("halifax", "pemaquid", "boston"),
    min_strength=1,
)
"""Ambushes against British soldiers, a fortification in Louisbourg, then the British coast."""

LAKES = Plan(
    steps=(fight, besiege, settle, draft, reserve, earn, raid, develop, govern),
    drafts=(
        "bateaux",
        "trader",
        *_INFANTRY,
        "siege-artillery",
        "coureurs-de-bois",
        *_INFANTRY,
        "military-leader",
        *_INFANTRY,
        "home-support",
    ),
    sites=("new-york", "albany", "fort-william-henry", "ticonderoga", "fort-st-john"),
    targets=("new-york", "albany", "fort-william-henry", "ticonderoga"),
    min_strength=1,
)
"""Soldiers inland: over the lakes to Albany and New York."""

RAIDERS = Plan(
    steps=(fight, raid, ambush, convert, settle, draft, earn, develop, govern),
    drafts=(
        "native-americans",
        "coureurs-de-bois",
        *_NATIVES * 2,
        "priest",
        *_NATIVES,
        "home-support",
        "priest",
        *_NATIVES * 2,
    ),
    sites=("kennebec", "fort-william-henry", "ticonderoga", "fort-st-john", "fort-beausejour"),
    min_town_points=1,
)
"""Raids on the British towns from Kennebec and Fort William Henry, and ambushes."""

SETTLERS = Plan(
    steps=(fight, develop, settle, draft, earn, fortify, govern),
    drafts=(
        "trader",
        "fortification",
        "intendant",
        "neutral-settlers",
        "home-support",
        "neutral-settlers",
        "militia",
    ),
    sites=(
        "detroit",
        "fort-duquesne",
        "halifax",
        "canso",
        "oswego",
        "fort-niagara",
        "fort-frontenac",
        "michillimackinac",
        "fort-presquile",
        "fort-venango",
        "fort-stanwix",
        "fort-st-john",
    ),
    to_fortify=("louisbourg", "quebec"),
    min_town_points=1,
)
"""All towns as soon as possible, and furs from the Great Lakes on the way."""

MERCHANTS = Plan(
    steps=(fight, besiege, settle, draft, earn, develop, fortify, ambush, govern),
    drafts=(
        "trader",
        "governor",
        "coureurs-de-bois",
        "native-americans",
        "home-support",
        "fortification",
        "ships",
        "military-leader",
        *_INFANTRY,
        "siege-artillery",
        *_INFANTRY * 2,
        "neutral-settlers",
    ),
    sites=("fort-frontenac", "fort-niagara", "oswego", "detroit", "fort-duquesne", "pemaquid"),
    to_fortify=("louisbourg", "quebec", "port-royal"),
    targets=("boston", "pemaquid", "halifax"),
    min_strength=3,
    reserve_money=3,
    enough_money=25,
)
"""Furs first, then many cards, and sieges only with enough soldiers."""

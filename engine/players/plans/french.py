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
    settle,
    store,
)

_INFANTRY = ("regular-infantry",)
_NATIVES = ("neutral-native-americans",)

HAMMER = Plan(
    wishes=(fight, besiege, settle, raid, draft, store, earn, govern, develop),
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
    wishes=(fight, besiege, settle, raid, draft, earn, govern, develop),
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
    wishes=(fight, besiege, settle, ambush, draft, store, earn, fortify, govern, develop),
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
    walls=("louisbourg", "quebec", "port-royal"),
    targets=("halifax", "pemaquid", "boston"),
    force=1,
)
"""Ambushes against British soldiers, a fortification in Louisbourg, then the British coast."""

LAKES = Plan(
    wishes=(fight, besiege, settle, draft, store, earn, raid, develop, govern),
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
    force=1,
)
"""Soldiers inland: over the lakes to Albany and New York."""

RAIDERS = Plan(
    wishes=(fight, raid, ambush, convert, settle, draft, earn, develop, govern),
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
    towns=1,
)
"""Raids on the British towns from Kennebec and Fort William Henry, and ambushes."""

SETTLERS = Plan(
    wishes=(fight, develop, settle, draft, earn, fortify, govern),
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
    walls=("louisbourg", "quebec"),
    towns=1,
)
"""All towns as soon as possible, and furs from the Great Lakes on the way."""

MERCHANTS = Plan(
    wishes=(fight, besiege, settle, draft, earn, develop, fortify, ambush, govern),
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
    walls=("louisbourg", "quebec", "port-royal"),
    targets=("boston", "pemaquid", "halifax"),
    force=3,
    purse=3,
    rich=25,
)
"""Furs first, then many cards, and sieges only with enough soldiers."""

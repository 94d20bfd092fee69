"""What each order does: when it is legal, what it costs, and how it changes the state.

One `Action` for each kind of order; no other room knows a price or an objection.
Called by modules of `engine`, by `players` and by `pbem`; calls modules of `engine`.
"""

from __future__ import annotations

from typing import Any

from engine.actions import cards, economy, raids, sieges
from engine.actions.action import RULES, Action
from engine.order import Order
from engine.orders import ORDERS

__all__ = ["cards", "economy", "raids", "sieges"]

ACTIONS: dict[type[Order], Action[Any]] = {k: RULES[k] for k in ORDERS.values() if k in RULES}
"""The rule behind each kind of order."""

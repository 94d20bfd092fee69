"""The rules of all orders: when they are legal, their cost and their effect.

There is one `Action` for each kind of order; prices and objections are defined nowhere else. Called
by modules of `engine`, by `players` and by `pbem`; calls modules of `engine`.

>>> from engine.orders import Retrieve
>>> ACTIONS[Retrieve].may_be_free
True
"""

from __future__ import annotations

from typing import Any

from engine.actions import cards, economy, raids, sieges
from engine.actions.action import RULES, Action
from engine.order import Order
from engine.orders import ORDERS

__all__ = ["cards", "economy", "raids", "sieges"]

ACTIONS: dict[type[Order], Action[Any]] = {k: RULES[k] for k in ORDERS.values() if k in RULES}
"""The rule of each kind of order."""

"""The position, as the player at the terminal may see it."""

from pbem.cli.position.screen import say_hand, say_position, say_table

__all__ = ["say_hand", "say_position", "say_table"]

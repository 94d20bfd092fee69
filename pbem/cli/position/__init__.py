"""The position at the terminal, as its player may see it: the drawn map, panels, the hand.

What can be seen, `pbem.text.facts` knows; here it is laid out in columns and colours.
Called by `leading` and by commands of `cli`; calls modules of `cli`, `text` and below.
"""

from pbem.cli.position.screen import say_hand, say_position, say_table

__all__ = ["say_hand", "say_position", "say_table"]

"""The colours of the sides, readable on black and on white. Nothing is told by them alone."""

from engine.sides import Side

# Plain blue is too dark on black in most terminals.
STYLES = {Side.BRITISH: "red", Side.FRENCH: "bright_blue"}

"""The colours of the sides. Nothing is told by them alone."""

from engine.sides import Side

STYLES = {Side.BRITISH: "red", Side.FRENCH: "blue"}

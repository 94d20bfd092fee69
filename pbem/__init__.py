"""Play by e-mail: keys, the blind deck, signed records, the save file."""

VERSION = "0.1.0"
"""Of all of acres; the package is built with it."""

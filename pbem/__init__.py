"""Play by e-mail: keys, the blind deck, signed records, the save file.

Called by the shell; calls `engine`.
"""

VERSION = "0.1.0"
"""The version of acres, engine included; the package is built with it."""

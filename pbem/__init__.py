"""Play by e-mail: keys, the blind deck, signed records, the save file."""

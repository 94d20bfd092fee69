"""Chances as they are told."""


def in_percent(chance: float) -> int:
    """A chance from 0 to 1 in whole percents; only what is sure is 0 or 100."""
    number = round(100 * chance)
    return min(99, max(1, number)) if 0 < chance < 1 else number

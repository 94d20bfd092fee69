"""Answers to a request for a passphrase."""


def never() -> str:
    """Asks nobody."""
    raise AssertionError("no passphrase is needed")

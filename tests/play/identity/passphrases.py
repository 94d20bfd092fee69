"""Who is asked for a passphrase."""


def never() -> str:
    """Asks nobody."""
    raise AssertionError("no passphrase is needed")

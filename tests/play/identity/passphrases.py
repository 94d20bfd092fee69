"""Answers to a request for a passphrase."""


def never() -> str:
    """Fail, because no passphrase should be requested."""
    raise AssertionError("no passphrase is needed")

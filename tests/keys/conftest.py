import pytest

from pbem.keys import keyfile
from pbem.keys.passphrase import Cost


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """To seal a key costs as little as it may."""
    monkeypatch.setattr(keyfile, "USUAL", Cost(2**14, 1, 1))

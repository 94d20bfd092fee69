import pytest

from pbem.play import keyfile
from pbem.play.keyfile import Cost


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """To seal a key costs as little as it may."""
    monkeypatch.setattr(keyfile, "DEFAULT_COST", Cost(2**14, 1, 1))

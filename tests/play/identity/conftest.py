import pytest

from pbem.play import keyfile
from pbem.play.keyfile import Cost


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal keys at the lowest allowed cost."""
    monkeypatch.setattr(keyfile, "DEFAULT_COST", Cost(2**14, 1, 1))

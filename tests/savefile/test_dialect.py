"""A file is TOML 1.0, even if the TOML reader of a later Python accepts more."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from pbem.errors import InputError
from pbem.errors.rule import Rule
from pbem.savefile import document
from pbem.savefile.document import is_toml_1_1
from pbem.savefile.save_file import SaveFile
from tests.vectors import naive_toml, refusals

OLD = [
    'a = {b = "}", c = [1, 2], "d,}" = {}} # {,}',
    "a = {b = [\n1, # }\n2,\n],\tc = '#'}",
    "a = {b = \"\"\"\n,}\n\"\"\", c = '''\n,}\\e'''}",
    'a = "\\\\e\\\\x41 07:32"',
    'a = """a""\\"""\\\\"""""\nb = "{\\"\\n"',
    "a = ''''\\e'''''\nb = ''\nc = \"\"",
    'a = [{b = 1},\n{c = "\\u0041"},\n]',
    "a = 07:32:00\nb = 2026-11-21T10:00:00+07:00\nc = 1979-05-27 07:32:00.5-01:00",
    "# {\\e 07:32",
]
NEWER = [
    "a = {\nb = 1}",
    "a = {b = 1\r\n}",
    "a = {b = 1,}",
    "a = [[{b = [1,], c = '}',\t}]]",
    "a = {b = {c = 1} # }\n}",
    'a = "{\\e"',
    '"\\x61" = 1',
    'a = \'\'\'{\'\'\'\nb = """"\\\\\\x41"""',
    "a = 07:32",
    "a = [2026-11-21 10:00Z, '07:32:00']",
    "a = 2026-11-21T10:00-07:00",
]


@pytest.mark.parametrize("text", OLD)
def test_toml_1_0_is_not_taken_for_1_1(text: str) -> None:
    tomllib.loads(text)
    assert not is_toml_1_1(text)
    assert not naive_toml.is_newer(text)


@pytest.mark.parametrize("text", NEWER)
def test_toml_1_1_syntax_is_recognised(text: str) -> None:
    assert is_toml_1_1(text)
    assert naive_toml.is_newer(text)


def test_later_python_refuses_the_same_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The TOML reader of a later Python accepts the new syntax; its result is ignored."""

    def accept_all(text: str) -> dict[str, Any]:
        return {"format": "acres-save", "version": 1, "record": []}

    monkeypatch.setattr(document, "tomllib", type("Later", (), {"loads": staticmethod(accept_all)}))
    broken = [vector for vector in refusals.small() if vector.rule == "R-1.6"]
    newer = [
        vector for vector in broken if naive_toml.is_newer(vector.data.decode(errors="replace"))
    ]
    assert len(newer) == 7
    for vector in newer:
        with pytest.raises(InputError) as error:
            SaveFile.read(vector.data)
        assert error.value.rule is Rule.TOML
        assert "TOML 1.1" in str(error.value)

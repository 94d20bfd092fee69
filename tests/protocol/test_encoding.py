"""Canonical JSON follows RFC 8785, by comparison with a library."""

from __future__ import annotations

import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.protocol.schema import Plain, canonical_json

texts = st.text(st.characters(exclude_categories=["Cs"]))
keys = st.text(st.characters(max_codepoint=0x7E), max_size=5)
plain = st.recursive(
    st.integers(-(2**53) + 1, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
)


@given(plain)
@example({"b": "é\U0001f600", "a": '"\\/\b\f\n\r\t\x00\x1f\x7f\u2028', "B": [], "": {}})
def test_plain_data_are_written_as_by_rfc_8785(value: Plain) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)

"""The digest of the playing code changes with instructions, not with comments."""

from __future__ import annotations

import pytest

from benchmarks.balance.results import meaning


def test_comments_and_docstrings_leave_the_digest_unchanged() -> None:
    """An interrupted run can be resumed after such changes."""
    plain = "def half(n):\n    return n // 2\n\n\nLIMIT = 3\n"
    remarked = '''"""What is halved."""\r
def half(n):
    """The half of it."""
    return (n
            // 2)  # rounded down
LIMIT = 3
"""Up to which."""
'''
    assert meaning(remarked, ".py") == meaning(plain, ".py")
    listed = '[card]\ncost = 2\nname = "Boston"\n'
    assert meaning("# cards\n" + listed.replace(" = ", "="), ".toml") == meaning(listed, ".toml")


@pytest.mark.parametrize(
    ("suffix", "one", "other"),
    [
        (".py", "x = 1", "x = 1.0"),
        (".py", "x = 1", "x = True"),
        (".py", "x = None", "x = []"),
        (".py", "x = 'a'", "x = b'a'"),
        (".py", "f(a, b)", "f(b, a)"),
        (".py", "if a:\n    b()\nc()", "if a:\n    b()\n    c()"),
        (".py", "def f(a=None): pass", "def f(a): pass"),
        (".py", "x = {None: 1}", "x = {**1}"),
        (".py", "def f():\n    return 'a'", "def f():\n    'a'"),
        (".toml", "cost = 2", "cost = 3"),
        (".toml", "cost = 2", "cost = 2.0"),
        (".toml", "a = 1\nb = 2", "b = 2\na = 1"),
    ],
)
def test_changed_instructions_change_the_digest(suffix: str, one: str, other: str) -> None:
    assert meaning(one, suffix) != meaning(other, suffix)

"""A settings file that a player has written keeps its comments and their order when it changes."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.play.config import Config

BY_HAND = """\
# Anna's settings
lang = "fr"  # at home "#1"

# fetched every evening
[mail]
timeout = 30
address = "anna@example.org"  # mine

[mail.smtp]  # my provider
host = "smtp.example.org"
port = 465

[games]
# my browser
folders = [
    "/home/anna/dl",  # downloads
    "/mnt/share",
]
# end
"""
SMTP = {"host": "smtp.example.org", "port": 465}
MAIL = {"timeout": 30, "address": "anna@example.org", "smtp": SMTP}
FOLDERS = ["/home/anna/dl", "/mnt/share"]


def change(path: Path, text: str, name: str, value: Any) -> str:
    path.write_bytes(text.encode())
    Config.read(path).replace(name, value)
    changed = path.read_bytes().decode()
    tables = tomllib.loads(text) | {name: value}
    assert tomllib.loads(changed) == {key: tables[key] for key in tables if tables[key] != ""}
    return changed


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("lang", "it", '"fr"', '"it"'),
        ("lang", "", 'lang = "fr"  # at home "#1"\n', ""),
        ("mail", MAIL | {"timeout": 5}, "timeout = 30", "timeout = 5"),
        ("mail", MAIL | {"address": "a#b@b.org"}, "anna@example.org", "a#b@b.org"),
        ("mail", MAIL | {"ca": "é"}, "# mine\n", '# mine\nca = "é"\n'),
        ("mail", MAIL | {"smtp": SMTP | {"user": "é"}}, "465\n", '465\nuser = "é"\n'),
        ("games", {"folders": FOLDERS[:1]}, '    "/mnt/share",\n', ""),
        ("games", {"folders": FOLDERS[1:]}, '    "/home/anna/dl",  # downloads\n', ""),
        ("games", {"folders": [*FOLDERS, "/a"]}, "share", 'share",\n    "/a'),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_value_changes(
    name: str, value: object, old: str, new: str, newline: str, tmp_path: Path
) -> None:
    changed = change(tmp_path / "config.toml", BY_HAND.replace("\n", newline), name, value)
    assert changed.replace("\r\n", "\n") == BY_HAND.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("", []),
        ("mail.address = 'a@b.c'\nmail.timeout = 3", []),
        ("mail = 1 # one\ngames = 2 # two", []),
        ("# mine", ["# mine"]),
        ("\n\n# a\n\n[games] # b\nfolders = ['/a', '/b'] #c", ["# a", "# b", "#c"]),
        ("mail = {address = 'a@b.c'} # one\n# two", ["# one", "# two"]),
        ('mail.address = "#\\"#" # one\n[games] # three', ["# one", "# three"]),
    ],
)
@pytest.mark.parametrize(
    ("name", "value"), [("lang", "it"), ("mail", MAIL), ("games", {"folders": FOLDERS})]
)
def test_comments_of_any_file_survive_in_order(
    text: str, comments: list[str], name: str, value: object, tmp_path: Path
) -> None:
    changed = change(tmp_path / "config.toml", text, name, value)
    places = [changed.find(comment) for comment in comments]
    assert -1 not in places and places == sorted(places)

"""The help of every command: whole lines, words that players know, and numbers that are none."""

import re

import pytest

from tests.cli.using import acres, is_one_sentence

GROUPS = [[], ["key"], ["turn"]]
COMMANDS = [
    ["init"], ["new"], ["join"], ["audit"], ["demo"], ["log"], ["turn", "show"], ["turn", "legal"],
    ["turn", "apply"], ["turn", "resign"], ["rules"], ["card"], ["location"],
    ["key", "show"], ["key", "passphrase"], ["key", "backup"], ["key", "restore"],
]  # fmt: skip


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_no_line_of_an_overview_is_cut_short(group):
    overview = acres(*group, "--help").out
    assert "..." not in overview.partition("Commands:")[2]
    commands = re.findall(r"^  (\w+)  ", overview.partition("Commands:")[2], re.M)
    assert commands
    for command in commands:
        assert [*group, command] in GROUPS + COMMANDS


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_an_option_takes_is_named_in_words(command):
    told = acres(*command, "--help").out.replace("--note TEXT", "")
    assert not re.search(r"<(str|int|path)>|TEXT|INTEGER|\[order\]", told)


def test_orders_are_many():
    for verb, many in (("legal", "[WORD]..."), ("apply", "[ORDER]...")):
        assert many in acres("turn", verb, "--help").out.splitlines()[0]


def test_the_options_of_join_say_that_they_are_demands():
    told = " ".join(acres("join", "--help").out.split())
    for option in ("--edition EDITION", "--house-rule ID", "--lists N"):
        assert f"{option} Join only if the invitation says" in told
    assert "asked|ahead> Join only if the invitation says" in told
    assert "Usual: 1024" not in told


@pytest.mark.parametrize(
    "words",
    [
        ["new", "--side", "any", "--lists", "many"],
        ["join", "x.toml", "--lists", "1e3"],
        ["turn", "show", "x.toml", "--at", "one"],
        ["demo", "--seed", "x"],
        ["log", "x.toml", "--from", "two"],
    ],
)
def test_what_is_no_number_is_said_to_be_none(tmp_path, words):
    refused = acres(*words, home=tmp_path)
    assert (refused.status, is_one_sentence(refused.err)) == (2, True)
    option, value = words[-2:]
    assert refused.err == f"acres: {option} takes a whole number, not “{value}”.\n"

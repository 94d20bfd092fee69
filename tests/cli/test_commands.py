"""What the commands do when all is well, and what they refuse."""

import json
import re
import shlex
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.errors import StepError
from pbem.errors.rule import Rule
from pbem.keys import keyfile
from pbem.play.game_file import GameFile
from pbem.protocol import steps
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile
from pbem.words.phrases import fingerprint
from tests.cli.conftest import LAST
from tests.cli.using import acres, acres_process, is_one_sentence, practice_save, snapshot


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two players and a folder to work in."""
    monkeypatch.chdir(tmp_path)
    for name in ("anna", "emile"):
        made = acres("init", "--name", name.title(), "--email", f"{name}@x.org", home=name)
        assert made.status == 0, made.err
    return tmp_path


def invitation(*options: str) -> str:
    made = acres("new", *options, home="anna")
    assert made.status == 0, made.err
    return next(line.strip() for line in made.out.splitlines() if line.endswith("-000.toml"))


def test_help_and_version_of_everything() -> None:
    for words in ([], ["turn"], ["--help"], ["-h"], ["turn", "--help"]):
        result = acres(*words)
        assert result.status == 0
        assert "Usage: acres" in result.out
    for words in (["init"], ["new"], ["join"], ["audit"], ["demo"], ["turn", "apply"]):
        assert acres(*words, "--help").status == 0
    assert acres("--version").out.startswith("acres")


def test_init_says_what_to_back_up_and_never_replaces_a_key(tmp_path: Path) -> None:
    home = tmp_path / "home"
    made = acres("init", "--name", "Zoé", "--email", "zoe@x.org", home=home)
    assert made.status == 0
    assert str(home / "identity.toml") in made.out
    assert "back up" in made.out
    assert f"acres --home {home} new" in made.out
    before = snapshot(home)
    again = acres("init", "--name", "Zoé", home=home)
    assert again.status == 2
    assert is_one_sentence(again.err)
    assert snapshot(home) == before


def test_init_takes_a_passphrase_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    assert acres("init", "--name", "Z", home=home).status == 0
    assert "seed" not in tomllib.loads((home / "identity.toml").read_text())
    assert acres("new", "--side", "any", "--output", tmp_path / "a.toml", home=home).status == 0
    monkeypatch.setenv("ACRES_PASSPHRASE", "plugh")
    wrong = acres("new", "--side", "any", "--output", tmp_path / "b.toml", home=home)
    assert (wrong.status, "passphrase" in wrong.err) == (2, True)
    monkeypatch.delenv("ACRES_PASSPHRASE")
    unasked = acres("new", "--side", "any", "--output", tmp_path / "b.toml", home=home)
    assert (unasked.status, "ACRES_PASSPHRASE" in unasked.err) == (2, True)
    assert not (tmp_path / "b.toml").exists()


def test_show_without_a_way_to_the_passphrase_shows_what_everybody_sees(
    homes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    acres("init", "--name", "Zoé", home="zoe")
    acres("new", "--side", "british", "--lists", "16", "--output", "g-000.toml", home="zoe")
    acres("join", "g-000.toml", home="anna")
    assert "Your hand" in acres("turn", "show", "g-001.toml", home="zoe").out
    monkeypatch.delenv("ACRES_PASSPHRASE")
    shown = acres("turn", "show", "g-001.toml", home="zoe")
    assert (shown.status, "Your hand" in shown.out) == (0, False)
    assert shown.err.startswith("Note: Your identity has a passphrase")


@pytest.mark.parametrize("name", ["", " Anna", "An\x1b[31mna", "a" * 61])
def test_init_refuses_names_that_no_file_may_hold(tmp_path: Path, name: str) -> None:
    refused = acres("init", "--name", name, home=tmp_path / "home")
    assert refused.status == 2
    assert is_one_sentence(refused.err)
    assert not (tmp_path / "home").exists()


def test_home_comes_from_the_environment_too(tmp_path: Path) -> None:
    done = acres_process("init", "--name", "A", folder=tmp_path, ACRES_HOME=str(tmp_path / "h"))
    assert done.status == 0, done.err
    assert (tmp_path / "h" / "identity.toml").exists()


def test_a_new_game_is_named_after_its_id(homes: Path) -> None:
    file = invitation("--side", "british", "--lists", "16")
    game = GameFile.read((homes / file).read_bytes())
    assert file == f"acres-{game.match.id.hex()[:8]}-000.toml"
    assert game.match.invite.lists == 16
    assert game.match.invite.name == "Anna"


def test_joining_shows_who_invites_and_answers_beside_the_invitation(homes: Path) -> None:
    file = invitation("--side", "french", "--lists", "16")
    joined = acres("join", file, home="emile")
    assert joined.status == 0, joined.err
    assert "Anna <anna@x.org> invites you" in joined.out
    assert "second edition" in joined.out
    assert "You play the British" in joined.out
    answer = homes / file.replace("-000", "-001")
    assert GameFile.read(answer.read_bytes()).match.is_joined
    before = snapshot(homes)
    assert acres("join", file, home="emile").status == 2
    assert acres("join", answer, home="emile").status == 2
    assert snapshot(homes) == before


def test_whose_side_is_open_is_told_how_to_choose(homes: Path) -> None:
    file = invitation("--side", "any", "--lists", "16")
    before = snapshot(homes)
    joined = acres("join", file, home="emile")
    assert joined.status == 2
    assert "join with --side british or --side french" in joined.err
    assert snapshot(homes) == before
    assert acres("join", file, "--side", "french", home="emile").status == 0


def test_the_options_of_join_are_demands(homes: Path) -> None:
    rule = "governor-keeps-starting-locations"
    file = invitation("--side", "british", "--house-rule", rule, "--lists", "16")
    for options in (
        ["--edition", "first"],
        ["--house-rule", "paid-reshuffle"],
        ["--lists", "1024"],
        ["--side", "british"],
    ):
        refused = acres("join", file, *options, home="emile")
        assert refused.status == 2, options
        assert is_one_sentence(refused.err)
    met = ["--edition", "second", "--house-rule", rule, "--lists", "16", "--side", "french"]
    assert acres("join", file, *met, home="emile").status == 0


def test_home_support_ahead_is_agreed_in_the_invitation_with_its_price(homes: Path) -> None:
    assert "up to three cards ahead" in " ".join(acres("new", "--help").out.split())
    usual = invitation("--side", "british", "--output", "usual-000.toml")
    assert GameFile.read((homes / usual).read_bytes()).match.invite.home_support == "asked"
    file = invitation("--side", "british", "--home-support", "ahead", "--output", "g-000.toml")
    assert GameFile.read((homes / file).read_bytes()).match.invite.home_support == "ahead"
    before = snapshot(homes)
    refused = acres("join", file, "--home-support", "asked", home="emile")
    assert (refused.status, is_one_sentence(refused.err)) == (2, True)
    assert acres("new", "--side", "any", "--home-support", "free", home="anna").status == 2
    assert snapshot(homes) == before
    shown = acres("turn", "show", file)
    joined = acres("join", file, "--home-support", "ahead", home="emile")
    assert joined.status == 0, joined.err
    for told in (shown.out, joined.out, refused.out):
        assert "sees up to three cards ahead" in " ".join(told.split())


def test_an_open_invitation_leaves_the_side_to_the_guest(homes: Path) -> None:
    file = invitation("--side", "any", "--lists", "16")
    unsaid = acres("join", file, home="emile")
    assert (unsaid.status, "--side british" in unsaid.err) == (2, True)
    assert acres("join", file, home="anna").status == 2
    joined = acres("join", file, "--side", "french", home="emile")
    assert (joined.status, "You play the French" in joined.out) == (0, True)


@pytest.mark.parametrize(
    "options",
    [
        ["--side", "british", "--edition", "third"],
        ["--side", "british", "--house-rule", "no-such-rule"],
        ["--side", "british", "--lists", "1000"],
        ["--side", "british", "--lists", "0"],
        ["--side", "british", "--lists", "many"],
        ["--side", "dutch"],
        [],
    ],
)
def test_a_new_game_refuses_what_it_does_not_know(homes: Path, options: Sequence[str]) -> None:
    before = snapshot(homes)
    refused = acres("new", *options, home="anna")
    assert refused.status == 2
    assert is_one_sentence(refused.err)
    assert snapshot(homes) == before


def test_show_tells_a_player_more_than_the_public(game: Path) -> None:
    file = game / f"game-{LAST:03}.toml"
    own = acres("turn", "show", file, home=game / "british")
    public = acres("turn", "show", file)
    assert own.status == public.status == 0
    assert "Your hand" in own.out
    assert "It is your move." in own.out
    assert "What happened last" in own.out
    assert "Your hand" not in public.out
    assert "only what is public" in public.out
    waiting = acres("turn", "show", file, home=game / "french")
    assert "Your hand" in waiting.out
    assert "Send this file to Anna <british@example.org>" in waiting.out


@pytest.mark.parametrize("columns", ["44", "79", "100"])
def test_show_tells_all_of_ones_own_last_turn_however_wide_the_window_is(
    columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    shown = acres("turn", "show", practice_save(41, tmp_path), home=tmp_path / "british").out
    happened = " ".join(shown.partition("What happened last")[2].split())
    own, theirs = happened.index("“Anna"), happened.index("“Émile")
    assert own < theirs
    assert "develop Norfolk: St. Mary's; discard Deerfield; end" in happened[own:theirs]


def test_legal_lists_the_orders_for_people_and_for_programs(game: Path) -> None:
    file = game / "game-011.toml"
    assert "  pass" in acres("turn", "legal", file, home=game / "british").out.splitlines()
    listed = json.loads(acres("turn", "legal", file, "--json", home=game / "british").out)
    assert listed["side"] == "british"
    assert listed["decision"] == "turn"
    assert {"order": "pass", "text": "pass", "cost": 0, "free": False, "certain": True} in listed[
        "orders"
    ]
    # Not the opponent's business, nor a stranger's.
    assert acres("turn", "legal", file, home=game / "french").status == 2
    assert acres("turn", "legal", file).status == 2


def test_apply_writes_the_next_file_and_never_over_another(game: Path) -> None:
    file, answer = game / "game-017.toml", game / "game-018.toml"
    before = snapshot(game)
    done = acres("turn", "apply", file, "pass", "PASS", home=game / "british")
    assert done.status == 0, done.err
    assert "    You ended your turn." in done.out.splitlines()
    assert "Next: send it to Émile <french@example.org>." in done.out
    after = snapshot(game)
    assert set(after) - set(before) == {answer}
    assert GameFile.read(answer.read_bytes()).match.next_side == "french"
    again = acres("turn", "apply", file, "pass", "pass", home=game / "british")
    assert (again.status, "already" in again.err) == (2, True)
    assert snapshot(game) == after
    other = game / "elsewhere" / "mine.toml"
    given = acres("turn", "apply", file, "pass", "pass", "--output", other, home=game / "british")
    assert given.status == 0
    assert other.exists()


def test_a_dry_run_tells_the_same_and_writes_nothing(game: Path) -> None:
    file = game / "game-017.toml"
    before = snapshot(game)
    trial = acres("turn", "apply", file, "pass", "pass", "--dry-run", home=game / "british")
    assert trial.status == 0
    assert "nothing was written" in trial.out
    assert snapshot(game) == before
    real = acres("turn", "apply", file, "pass", "pass", home=game / "british")
    assert real.out.split("Written:")[0] == trial.out.split("A trial only")[0]


@pytest.mark.parametrize(
    ("orders", "says"),
    [
        ([], "2 actions"),
        (["pass"], "1 action"),
        (["pass", "pass", "pass"], "Order 3"),
        (["pass", "pass", "end", "pass"], "Order 4"),
        (["end"], "2 actions left"),
        (["fly to Quebec"], "no order “fly”"),
        (["block Militia"], "“block” is not possible now. Turn 17: 2 actions to take."),
        (["draft Boston", "pass"], "Boston"),
    ],
)
def test_too_few_too_many_and_wrong_orders_write_nothing(
    game: Path, orders: Sequence[str], says: str
) -> None:
    before = snapshot(game)
    refused = acres("turn", "apply", game / "game-017.toml", *orders, home=game / "british")
    assert refused.status == 2
    assert is_one_sentence(refused.err)
    assert says in refused.err
    assert snapshot(game) == before


def test_orders_come_from_a_file(game: Path) -> None:
    orders = game / "orders.txt"
    orders.write_bytes(b"\xef\xbb\xbf# my turn\r\n\r\npass   # the first\r\n  pass\r\n")
    file = game / "game-017.toml"
    done = acres("turn", "apply", file, "--orders", orders, "--dry-run", home=game / "british")
    assert done.status == 0, done.err
    both = acres("turn", "apply", file, "pass", "--orders", orders, home=game / "british")
    assert both.status == 2
    orders.write_text("# nothing\n")
    assert acres("turn", "apply", file, "--orders", orders, home=game / "british").status == 2


def test_notes_travel_until_they_are_replaced(game: Path) -> None:
    british, french = game / "british", game / "french"
    note = ["--note", "raid\nDeerfield ✓"]
    acres("turn", "apply", game / "game-017.toml", "pass", "pass", *note, home=british)
    acres("turn", "apply", game / "game-018.toml", "pass", "pass", home=french)
    shown = acres("turn", "show", game / "game-019.toml", home=british).out
    assert "Your notes\n  raid\n  Deerfield ✓\n" in shown
    assert "Deerfield ✓" not in acres("turn", "show", game / "game-019.toml", home=french).out
    acres("turn", "apply", game / "game-019.toml", "pass", "pass", home=british)
    acres("turn", "apply", game / "game-020.toml", "pass", "pass", "--note", "x", home=french)
    assert "Deerfield ✓" in acres("turn", "show", game / "game-021.toml", home=british).out
    file = game / "game-021.toml"
    too_long = acres("turn", "apply", file, "pass", "pass", "--note", "n" * 4001, home=british)
    assert (too_long.status, is_one_sentence(too_long.err)) == (2, True)


def test_a_file_is_answered_by_whose_turn_it_is(game: Path) -> None:
    early = acres("turn", "apply", game / "game-017.toml", "pass", home=game / "french")
    assert early.status == 2
    assert "Anna (British) writes next" in early.err
    assert "british@example.org" in early.err


def test_nothing_to_decide_is_answered_at_once(homes: Path) -> None:
    file = invitation("--side", "french", "--lists", "16")
    acres("join", file, home="emile")
    dealt = acres("turn", "apply", file.replace("-000", "-001"), home="anna")
    assert dealt.status == 0, dealt.err
    assert "There was nothing for you to decide" in dealt.out
    assert "drew 5 cards" in dealt.out


def test_an_invitation_is_shown_and_not_played(homes: Path) -> None:
    file = invitation("--side", "french", "--lists", "16")
    for home in (None, "emile"):
        command = f"acres {f'--home {home} ' if home else ''}join {file}"
        shown = acres("turn", "show", file, home=home)
        assert (shown.status, shown.out.endswith(f"To accept it: {command}\n")) == (0, True)
    for words in (["apply"], ["legal"], ["resign", "--yes"]):
        refused = acres("turn", words[0], file, *words[1:], home="emile")
        assert (refused.status, is_one_sentence(refused.err)) == (2, True)
        assert refused.err.endswith(f"To accept it: acres --home emile join {file}\n")
    # Whoever invites has only to send it.
    own = acres("turn", "show", file, home="anna")
    assert own.out.endswith("Send it to the player you want to play.\n")
    assert "acres" not in own.out.partition("game ")[2]
    assert "Nobody has joined" in acres("turn", "legal", file, home="anna").err


def test_the_audit_says_what_is_proved_and_what_not_yet(game: Path) -> None:
    file = game / "game-017.toml"
    verdict = acres("audit", file)
    assert verdict.status == 0
    assert "Everything in this file is proved." in verdict.out
    assert "Still unproved until the game is closed" in verdict.out
    facts = json.loads(acres("audit", file, "--json").out)
    assert (facts["clean"], facts["records"], facts["finding"]) == (True, 18, None)


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("it ends somehow."), StepError("it ends somehow.", Rule.OPENING_FIRST)],
    ids=lambda error: type(error).__name__,
)
def test_the_program_never_shows_a_traceback_unless_asked(
    game: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Nor what is only the end of a sentence about a record."""

    def fail(*arguments: bytes, **options: object) -> None:
        raise error

    monkeypatch.setattr("pbem.play.game_file.GameFile.read", fail)
    failed = acres("turn", "show", game / "game-017.toml")
    assert failed.status == 2
    assert failed.err.startswith(
        f"acres: Something happened that should not have ({type(error).__name__})"
    )
    assert failed.err.count("\n") == 1
    assert "somehow" not in failed.err
    monkeypatch.setenv("ACRES_DEBUG", "1")
    assert "Traceback" in acres("turn", "show", game / "game-017.toml").err


def keys_in(text: str) -> list[str]:
    return re.findall(r"key ((?:[0-9a-f]{4} ){3}[0-9a-f]{4})", text)


def test_the_keys_are_shown_where_people_can_compare_them(homes: Path) -> None:
    made = acres("init", "--name", "Zoé", home="zoe")
    (zoe,) = keys_in(made.out)
    file = invitation("--side", "british")
    joined = acres("join", file, home="zoe")
    audited = acres("audit", file.replace("-000", "-001"))
    anna, also_zoe, met = keys_in(joined.out)
    assert also_zoe == zoe != anna == met
    assert keys_in(audited.out) == [anna, zoe]
    plain = json.loads(acres("audit", "--json", file.replace("-000", "-001")).out)
    assert plain["players"]["french"]["key"].startswith(zoe.replace(" ", ""))


@pytest.mark.parametrize(
    ("lists", "note"), [(1, "every time"), (128, "one time in 128"), (256, None), (1024, None)]
)
def test_joining_for_few_lists_is_warned_of_and_not_refused(
    homes: Path, lists: int, note: str | None
) -> None:
    file = invitation("--side", "british", "--lists", str(lists))
    joined = acres("join", file, home="emile")
    assert joined.status == 0, joined.err
    assert joined.err.startswith("Note: ") == bool(note)
    assert note is None or note in joined.err
    audited = acres("audit", file.replace("-000", "-001"))
    passes = " ".join(audited.out.split()).partition("passed a shuffle ")[2]
    assert passes.startswith(note or f"one time in {lists}.")


@pytest.mark.parametrize("words", [["turn", "show"], ["turn", "legal"]])
def test_commands_to_go_on_with_can_be_pasted(homes: Path, words: Sequence[str]) -> None:
    homes.joinpath("two words").mkdir()
    first, second = "two words/it's-000.toml", "two words/it's-001.toml"
    assert acres("init", "--name", "Zoé", home="two words/home").status == 0
    made = acres("new", "--side", "french", "--output", first, home="two words/home")
    assert made.status == 0, made.err
    line = next(
        line for line in acres("turn", "show", first).out.splitlines() if "acres join" in line
    )
    assert shlex.split(line.partition(": ")[2]) == ["acres", "join", first]
    assert acres("join", first, home="emile").status == 0
    shown = acres(*words, second, home="two words/home").out
    line = next(line for line in shown.splitlines() if line.startswith("To answer: "))
    command = shlex.split(line.partition(": ")[2])
    assert command == ["acres", "--home", "two words/home", "turn", "apply", second]
    assert acres(*command[1:]).status == 0


def test_an_empty_passphrase_in_the_environment_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    assert acres("init", "--name", "Z", home=tmp_path / "home").status == 0
    monkeypatch.setenv("ACRES_PASSPHRASE", "")
    unasked = acres("new", "--side", "any", "--output", tmp_path / "b.toml", home=tmp_path / "home")
    assert (unasked.status, "set ACRES_PASSPHRASE" in unasked.err) == (2, True)


def test_while_cards_are_dealt_they_are_said_to_come(homes: Path) -> None:
    file = invitation("--side", "french")
    second, third = (file.replace("-000", f"-00{n}") for n in (1, 2))
    assert acres("join", file, home="emile").status == 0
    waiting = acres("turn", "show", second, home="emile").out
    assert "5 cards come with the opponent's answer" in waiting
    assert "no card\n" not in waiting.partition("British cards")[0]
    assert "Nothing yet: the cards are being dealt." in waiting
    # What the French answer deals: with it the game begins.
    begun = acres("turn", "show", second, home="anna").out
    assert "Nothing yet: the game begins." in begun
    assert "come with" not in begun
    assert acres("turn", "apply", second, home="anna").status == 0
    assert "Nothing yet: the game begins." in acres("turn", "show", third, home="emile").out
    drafted = acres("turn", "apply", third, "draft rangers", home="emile")
    assert drafted.status == 0, drafted.err
    fourth = acres("turn", "show", file.replace("-000", "-003"), home="emile").out
    assert "Nothing yet" not in fourth
    assert "come with" not in fourth


def test_cards_that_a_turn_draws_come_with_the_answer(tmp_path: Path) -> None:
    file = practice_save(66, tmp_path)
    orders = ["discard Trader", "pass"]
    done = acres("turn", "apply", file, *orders, home=tmp_path / "british")
    assert done.status == 0, done.err
    shown = acres("turn", "show", tmp_path / "game-066.toml", home=tmp_path / "british").out
    assert "and 1 card comes with the opponent's answer" in shown


@pytest.mark.parametrize(
    ("count", "side", "orders", "says"),
    [
        (
            67,
            "french",
            ["trade Fort Frontenac", "raid Halifax: neutral", "--wait"],
            "“Anna (practice)” has to answer first",
        ),
        (73, "french", ["convert Priest"], "“Anna (practice)” has to answer first"),
        (62, "british", ["home support"], "come with the answer of “Émile (practice)”"),
        (64, "british", ["pass", "pass"], None),
    ],
)
def test_a_turn_that_is_handed_over_says_so(
    tmp_path: Path, count: int, side: str, orders: Sequence[str], says: str | None
) -> None:
    file = practice_save(count, tmp_path)
    done = acres("turn", "apply", file, *orders, "--dry-run", home=tmp_path / side)
    assert done.status == 0, done.err
    said = " ".join(done.out.split())
    if says:
        assert f"{says}; your turn goes on after that." in said
    else:
        assert "goes on after" not in said


def refused_audit(file: Path) -> str:
    audited = acres("audit", file)
    assert audited.status == 1
    return " ".join(audited.out.split())


def test_the_audit_accuses_only_where_the_author_is_proved(game: Path) -> None:
    save = SaveFile.read((game / "game-017.toml").read_bytes())
    french = keyfile.load(game / "french" / "identity.toml", lambda: "")
    last = save.records[-1]
    forged = Record.signed(
        french,
        index=last.index,
        side="french",
        previous=last.previous,
        time=last.time,
        steps=[*last.steps[:-1], steps.OrderStep("discard quebec")],
    )
    unsigned = last._replace(signature=bytes(64))
    bad = game / "bad.toml"
    bad.write_bytes(SaveFile((*save.records[:-1], forged), save.boxes).write())
    said = refused_audit(bad)
    author = f"Émile (French) with {fingerprint(french.public_key)!s}"
    assert f"signed by {author} what fails" in " ".join(said.split())
    assert f"{author} wrote it that way: ask them for the right file." in said
    for records in ((*save.records[:-1], unsigned), (*save.records[:5], *save.records[6:])):
        bad.write_bytes(SaveFile(records, save.boxes).write())
        said = refused_audit(bad)
        assert "in the name of" in said
        assert "This does not show that a player cheated" in said
        assert "whoever passed the file on may have changed it. Ask both" in said
        assert "signed by" not in said

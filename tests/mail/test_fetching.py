"""`acres mail fetch`: what arrives is verified, filed and told; nothing is lost or written over."""

import imaplib
import json
import shutil
import ssl
from dataclasses import replace
from email.message import EmailMessage

import pytest

from pbem.savefile import SaveFile
from tests.cli.using import acres, is_one_sentence, practice_files
from tests.mail.servers import door, keeps_saying, nobody_there, says, silent

FORGED = "\x1b[31mAnna\u202e"


def letter(data, sender="bela@example.org", *, name="game.toml", subject="A turn"):
    """A message with a file."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "anna@example.org", subject
    message.set_content("Here it is.\n")
    message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def plain(text="See you tomorrow.\n"):
    message = EmailMessage()
    message["From"], message["Subject"] = "carla@example.org", "Dinner"
    message.set_content(text)
    return message.as_bytes()


def flags(player):
    """The flags of all messages in the inbox, in the order in which they came."""
    office = player.office
    context = ssl.create_default_context(cafile=office.authority.certificate)
    with imaplib.IMAP4_SSL("localhost", office.imaps, ssl_context=context, timeout=5) as imap:
        imap.login(player.address, player.password)
        imap.select(readonly=True)
        found = imap.fetch("1:*", "(FLAGS)")[1]
    return [set(imaplib.ParseFlags(each)) - {rb"\Recent"} for each in found if each]


MARKED = {rb"\Seen", b"$Acres"}


@pytest.fixture
def played(kept, tmp_path):
    """The files of some turns, by number, written on other computers of both players."""
    folder = shutil.copytree(kept, tmp_path / "played")
    files = {1: folder / "game-001.toml"}
    for number in (2, 3, 4, 5):
        orders = ["pass"] if number < 4 else ["pass", "pass"]
        home = folder / ("Anna" if number % 2 == 0 else "Bela")
        done = acres("turn", "apply", files[number - 1], *orders, home=home)
        assert done.status == 0, done.err
        files[number] = folder / f"game-{number:03}.toml"
    return files


# --- what goes well


def test_what_arrives_is_filed_told_and_marked(office, anna, bela, joined):
    office.deliver(anna.address, plain())
    bela.do("mail", "send", joined)
    told = anna.do("mail", "fetch").out
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert "It is your move" in told
    assert f"turn show {anna.folder}/game-001.toml" in told
    assert flags(anna) == [set(), MARKED]
    assert len(anna.inbox()) == 2


@pytest.mark.parametrize("starttls", [True, False])
def test_by_either_way_of_encrypting(office, anna, bela, joined, starttls):
    anna.set_up(office.config(anna.address, starttls=starttls, folder=str(anna.folder)))
    bela.do("mail", "send", joined)
    anna.do("mail", "fetch")
    assert "game-001.toml" in anna.files


def test_the_next_time_tells_only_what_is_new(anna, bela, joined):
    bela.do("mail", "send", joined)
    anna.do("mail", "fetch")
    before = anna.files
    assert anna.do("mail", "fetch").out == "No turn has arrived.\n"
    assert anna.files == before


def test_an_invitation_of_a_stranger_is_shown_with_the_way_to_join(office, bela, kept):
    (bela.home / "library.sqlite3").unlink()
    invitation = (kept / "game-000.toml").read_bytes()
    office.deliver(bela.address, letter(invitation, "anna@example.org", name="../../.bashrc"))
    told = bela.do("mail", "fetch").out
    (name,) = set(bela.files) - {"game-000.toml", "game-001.toml"}
    assert name.startswith("acres-")
    assert (bela.folder / name).read_bytes() == invitation
    assert f"join {bela.folder}/{name}" in told
    assert flags(bela) == [MARKED]


def test_a_game_that_was_joined_on_another_computer_is_an_own_one(office, bela, played):
    (bela.home / "library.sqlite3").unlink()
    office.deliver(bela.address, letter(played[4].read_bytes(), "anna@example.org"))
    assert "It is your move" in bela.do("mail", "fetch").out
    assert "against Anna" in bela.do("games").out


def test_a_file_goes_beside_the_last_one_of_its_game(anna, office, played, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.move(anna.folder / "game-000.toml", elsewhere / "with-bela-000.toml")
    shutil.copy(played[2], elsewhere / "with-bela-002.toml")
    anna.do("games", "add", elsewhere)
    office.deliver(anna.address, letter(played[3].read_bytes()))
    anna.do("mail", "fetch")
    assert (elsewhere / "with-bela-003.toml").read_bytes() == played[3].read_bytes()
    assert anna.files == []


def test_a_file_of_that_name_is_not_written_over(anna, bela, joined):
    precious = b"This is precious.\n"
    (anna.folder / "game-001.toml").write_bytes(precious)
    bela.do("mail", "send", joined)
    told = anna.do("mail", "fetch").out
    assert (anna.folder / "game-001.toml").read_bytes() == precious
    assert (anna.folder / "game-001 (2).toml").read_bytes() == joined.read_bytes()
    assert "game-001 (2).toml" in told


def test_as_data(office, anna, bela, joined):
    bela.do("mail", "send", joined)
    (news,) = json.loads(anna.do("mail", "fetch", "--json").out)
    assert news["what"] == "new"
    assert news["record"] == 1
    assert news["file"] == str(anna.folder / "game-001.toml")
    assert news["listed"]["waits_for"] == "you"
    assert bela.address in news["from"]
    assert json.loads(anna.do("mail", "fetch", "--json").out) == []


# --- twice, late, in the wrong order


def test_what_is_delivered_twice_is_filed_once(office, anna, bela, joined):
    office.matter.twice = True
    bela.do("mail", "send", joined)
    assert len(anna.inbox()) == 2
    told = anna.do("mail", "fetch").out
    assert told.count("It is your move") == 1
    assert anna.files == ["game-000.toml", "game-001.toml"]
    assert flags(anna) == [MARKED, MARKED]


def test_what_comes_again_later_is_told_as_such(office, anna, joined):
    for _ in range(2):
        office.deliver(anna.address, letter(joined.read_bytes()))
        told = anna.do("mail", "fetch").out
    assert "has come again" in told
    assert anna.files == ["game-000.toml", "game-001.toml"]


def test_of_two_that_come_at_once_the_newest_is_told(office, anna, played, joined):
    for data in (played[5].read_bytes(), joined.read_bytes(), played[3].read_bytes()):
        office.deliver(anna.address, letter(data))
    told = anna.do("mail", "fetch").out
    assert "record 5" in told
    assert "has come late" not in told
    assert told.count("It is your move") == 1
    (file,) = json.loads(anna.do("games", "--json").out)
    assert SaveFile.read(read(file["file_in"])).records == records(played[5])


def test_what_comes_late_is_told_and_changes_nothing(office, anna, played):
    office.deliver(anna.address, letter(played[5].read_bytes()))
    anna.do("mail", "fetch")
    before = anna.files
    office.deliver(anna.address, letter(played[3].read_bytes()))
    assert "has come late (record 3 " in anna.do("mail", "fetch").out
    assert anna.files == before
    (game,) = json.loads(anna.do("games", "--json").out)
    assert game["records"] == 6


def test_the_own_letter_among_those_that_arrive_is_nothing_new(office, bela, played):
    """As in a mailbox that holds what was sent, too."""
    bela.do("games", "add", played[5].parent)
    office.deliver(bela.address, letter(played[5].read_bytes(), bela.address))
    assert bela.do("mail", "fetch").out == "No turn has arrived.\n"
    assert flags(bela) == [set()]


def read(path):
    from pathlib import Path

    return Path(path).read_bytes()


def records(path):
    return SaveFile.read(path.read_bytes()).records


# --- what is not to be trusted


def test_the_signature_counts_and_not_the_address(office, anna, joined):
    office.deliver(anna.address, letter(joined.read_bytes(), "Bela <mallory@example.org>"))
    done = anna.do("mail", "fetch")
    assert "It is your move" in done.out
    assert "mallory@example.org" in done.err
    assert "bela@example.org" in done.err


def test_a_file_that_was_changed_is_left_there_and_told(office, anna, joined):
    text = joined.read_text()
    at = text.rindex('signature = """') + 20
    changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
    office.deliver(anna.address, letter(changed.encode(), subject=FORGED))
    done = anna.run("mail", "fetch")
    assert done.status == 1
    assert "was changed after it was signed" in done.err
    assert "to send the file again" in done.err
    assert "audit MESSAGE" in done.err
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err
    assert anna.files == ["game-000.toml"]
    assert flags(anna) == [set()]


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_message_that_was_cut_short_is_told_and_nothing_filed(office, anna, bela, joined, part):
    bela.do("mail", "send", joined)
    office.clear(anna.address)
    whole = office.taken[-1]
    begins = whole.index(b'format = "acres-save"')
    office.deliver(anna.address, whole[: begins + int((len(whole) - begins) * part)])
    done = anna.run("mail", "fetch")
    assert done.status == 1, done.out
    assert "sent again" in done.err
    assert anna.files == ["game-000.toml"]
    assert flags(anna) == [set()]
    office.deliver(anna.address, whole)
    anna.do("mail", "fetch")
    assert "game-001.toml" in anna.files


def test_a_game_of_others_is_told_and_left_there(office, bela, anna, played, tmp_path):
    done = acres("init", "--name", "Carla", home=tmp_path / "carla")
    assert done.status == 0
    shutil.copy(anna.home / "config.toml", tmp_path / "carla")
    office.deliver(anna.address, letter(played[3].read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACRES_MAIL_PASSWORD", anna.password)
        done = acres("mail", "fetch", home=tmp_path / "carla")
    assert done.status == 0
    assert "in which you do not play" in done.out
    assert anna.files == ["game-000.toml"]
    assert flags(anna) == [set()]


def test_the_proofs_of_a_game_of_others_are_not_checked(office, anna, tmp_path):
    """They may be many, and made to take long."""
    others = practice_files(tmp_path / "others", 6)
    save = SaveFile.read(others[-1].path.read_bytes())
    *before, last = save.records
    changed = replace(save, records=(*before, replace(last, signature=bytes(64))))
    office.deliver(anna.address, letter(changed.write()))
    told = anna.do("mail", "fetch")
    assert "in which you do not play" in told.out
    (facts,) = json.loads(anna.do("mail", "fetch", "--days", 1, "--json").out)
    assert (facts["what"], facts["record"], facts["file"]) == ("foreign", 5, None)


def test_another_record_than_the_known_one_is_kept_beside_it(
    office, anna, bela, played, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    office.deliver(anna.address, letter(played[3].read_bytes()))
    anna.do("mail", "fetch")
    known = anna.files
    other = tmp_path / "other.toml"
    bela.do("turn", "apply", played[2], "draft Coureurs", "--output", other)
    office.deliver(anna.address, letter(other.read_bytes()))
    told = anna.do("mail", "fetch").out
    assert "another than in your file" in told
    (kept,) = set(anna.files) - set(known)
    assert (anna.folder / kept).read_bytes() == other.read_bytes()
    audit = next(line for line in told.splitlines() if "audit" in line).partition("audit ")[2]
    import shlex

    assert acres("audit", *shlex.split(audit)).status == 1


def test_one_that_cannot_be_read_does_not_keep_the_others_back(office, anna, joined, monkeypatch):
    from pbem.mail import fetching

    whole = fetching.save_files

    def fails(message):
        if b"Dinner" in message:
            raise ZeroDivisionError
        return whole(message)

    monkeypatch.setattr(fetching, "save_files", fails)
    office.deliver(anna.address, plain())
    office.deliver(anna.address, letter(joined.read_bytes()))
    done = anna.run("mail", "fetch")
    assert "It is your move" in done.out
    assert "ZeroDivisionError" in done.err
    assert flags(anna) == [set(), MARKED]


def test_ordinary_mail_is_left_as_it_is(office, anna):
    archive = letter(b"PK\x03\x04" * 100, name="pictures.zip", subject="Pictures")
    for message in (plain(), archive, b"garbage", b"\xff\x00\r\n\r\n", plain("acres-save " * 99)):
        office.deliver(anna.address, message)
    before = anna.inbox()
    done = anna.do("mail", "fetch")
    assert done.out == "No turn has arrived.\n"
    assert done.err == ""
    assert anna.inbox() == before
    assert flags(anna) == [set()] * 5


def test_a_large_message_is_left_alone_with_a_sentence(office, anna, monkeypatch, joined):
    monkeypatch.setattr("pbem.mail.fetching.LARGEST", 4000)
    office.deliver(anna.address, plain("x" * 70 + "\n" + "y\n" * 3000))
    done = anna.do("mail", "fetch")
    assert "left alone" in done.err


def test_very_many_messages_are_looked_through(office, anna, joined, monkeypatch):
    monkeypatch.setattr("pbem.mail.fetching.AT_A_TIME", 3)
    for _ in range(7):
        office.deliver(anna.address, plain())
    office.deliver(anna.address, letter(joined.read_bytes()))
    assert "It is your move" in anna.do("mail", "fetch").out


# --- whatever happens in between


@pytest.mark.parametrize(
    "place",
    [
        "pbem.mail.mailbox.Mailbox.read",
        "pbem.mail.filing.write_new",
        "pbem.library.Library.note",
        "pbem.cli.mail.fetch_command._say",
        "pbem.mail.mailbox.Mailbox.mark",
        "pbem.library.Post.look",
    ],
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_stop_at_any_moment_loses_nothing(office, anna, bela, joined, place, when):
    bela.do("mail", "send", joined)
    with pytest.MonkeyPatch.context() as patch:
        import pkgutil

        whole = pkgutil.resolve_name(place)

        def stop(*arguments, **named):
            if when == "after":
                whole(*arguments, **named)
            raise KeyboardInterrupt

        patch.setattr(place, stop)
        assert anna.run("mail", "fetch").status == 130
    again = anna.do("mail", "fetch")
    was_passed = place.endswith("look") and when == "after"
    assert ("It is your move" in again.out) != was_passed
    assert anna.files == ["game-000.toml", "game-001.toml"]
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert flags(anna) == [MARKED]
    assert "It is your move" in anna.do("games").out
    assert anna.do("mail", "fetch").out == "No turn has arrived.\n"


def test_a_folder_that_cannot_be_written_passes_nothing_over(office, anna, joined, tmp_path):
    shutil.rmtree(anna.folder)
    (tmp_path / "Anna").write_text("in the way")
    office.deliver(anna.address, letter(joined.read_bytes()))
    assert anna.run("mail", "fetch").status == 2
    assert flags(anna) == [set()]
    (tmp_path / "Anna").unlink()
    anna.folder.mkdir()
    assert "It is your move" in anna.do("mail", "fetch").out


def test_a_mailbox_that_was_made_anew_is_looked_through_again(office, anna, joined):
    office.deliver(anna.address, letter(joined.read_bytes()))
    anna.do("mail", "fetch")
    messages = anna.inbox()
    maildir = office.dovecot.maildir(anna.address)
    for path in maildir.rglob("dovecot*"):
        path.unlink()
    shutil.rmtree(maildir / "cur")
    shutil.rmtree(maildir / "new")
    office.deliver(anna.address, messages[0])
    assert "is there already" in anna.do("mail", "fetch").out
    assert anna.files == ["game-000.toml", "game-001.toml"]


def test_a_lost_library_is_made_anew(office, anna, joined):
    office.deliver(anna.address, letter(joined.read_bytes()))
    anna.do("mail", "fetch")
    (anna.home / "library.sqlite3").unlink()
    anna.do("mail", "fetch")
    assert "against Bela" in anna.do("games").out


# --- the server


def at(player, port, security="tls"):
    """Let the settings of a player name another IMAP server."""
    player.set_up(
        f'[mail]\naddress = "{player.address}"\nca = "{player.office.authority.certificate}"\n'
        f'folder = "{player.folder}"\ntimeout = 1\n[mail.imap]\nhost = "localhost"\n'
        f'port = {port}\nsecurity = "{security}"\n'
    )


def failure(done):
    assert done.status == 2
    assert is_one_sentence(done.err), done.err
    return done.err


def test_a_server_that_is_down_is_told(anna):
    at(anna, nobody_there())
    assert "is down" in failure(anna.run("mail", "fetch"))


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_server_that_says_nothing_is_not_waited_for_long(anna, security):
    with door(silent) as port:
        at(anna, port, security)
        assert "did not answer within 1 second" in failure(anna.run("mail", "fetch"))


def test_a_refused_login_is_told(anna, monkeypatch):
    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    sentence = failure(anna.run("mail", "fetch"))
    assert "refuses the login" in sentence
    assert "“Authentication failed.”" in sentence
    assert "wrong horse" not in sentence


@pytest.mark.parametrize(
    ("how", "told"), [("expired", "has expired"), ("name", "not for localhost")]
)
def test_a_bad_certificate_ends_it_before_the_password(authority, anna, how, told):
    host = "elsewhere.example" if how == "name" else "localhost"
    certificate = authority.signs("bad", host=host, expired=how == "expired")
    with door(says(b"* OK hello\r\n"), certificate) as port:
        at(anna, port)
        assert told in failure(anna.run("mail", "fetch"))


def test_nothing_is_said_in_clear_where_starttls_was_taken_away(anna):
    heard = []

    def strip(caller):
        caller.sendall(b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello\r\n")
        for line in caller.makefile("rb"):
            heard.append(line)
            tag = line.split()[0]
            caller.sendall(b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n" + tag + b" OK done\r\n")

    with door(strip) as port:
        at(anna, port, "starttls")
        assert "STARTTLS" in failure(anna.run("mail", "fetch"))
    assert heard
    assert not any(b"LOGIN" in line or b"AUTHENTICATE" in line for line in heard)


@pytest.mark.parametrize(
    "behaves",
    [
        says(b"HTTP/1.1 400 Bad Request\r\n"),
        says(b"\x00\xff\x16\x03\r\n"),
        says(b"* OK hello\r\n", b"what?\r\n"),
        says(b"* OK hello\r\n", b"* CAPABILITY {99999999999999}\r\n"),
        says(b"* OK hello\r\n"),
        says(b"* BYE too many of you\r\n"),
        says(b""),
        keeps_saying(b"* OK ", b"x" * 10_000, 300),
        keeps_saying(b"* OK hello\r\n", b"* OK more\r\n", 20000),
    ],
)
def test_a_server_that_talks_nonsense_costs_a_sentence(anna, behaves):
    with door(behaves) as port:
        at(anna, port, "none")
        failure(anna.run("mail", "fetch"))


ANSWERS = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n",
    b"LOGIN": b"",
    b"SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n",
    b"SEARCH": b"* SEARCH 5\r\n",
    b"FETCH": b"* 1 FETCH (UID 5 RFC822.SIZE 100)\r\n",
    b"LOGOUT": b"* BYE\r\n",
}


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (b"SELECT", b"* 1 EXISTS\r\n"),
        (b"SELECT", b"* OK [UIDVALIDITY x] ok\r\n"),
        (b"SELECT", b"* x EXISTS\r\n"),
        (b"SEARCH", b"* SEARCH five\r\n"),
        (b"SEARCH", b"* SEARCH 99999999999999999999999999\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 RFC822.SIZE\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 RFC822.SIZE big)\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 RFC822.SIZE NIL)\r\n"),
        (b"FETCH", b"* 1 FETCH ((((((((((((((((UID 5)\r\n"),
        (b"FETCH", b"* 1 FETCH " + b"(" * 5000 + b"\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 BODY[] {999999999999999}\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 BODY[] {-5}\r\n"),
        (b"FETCH", b"* 1 FETCH \xff\xfe\r\n"),
    ],
)
def test_nonsense_in_the_middle_costs_a_sentence(anna, command, answer):
    answers = ANSWERS | {command: answer}

    def behave(caller):
        caller.sendall(b"* OK hello\r\n")
        for line in caller.makefile("rb"):
            tag, *words = line.split()
            word = words[1] if words[0] == b"UID" else words[0]
            caller.sendall(answers.get(word, b"") + tag + b" OK done\r\n")

    with door(behave) as port:
        at(anna, port, "none")
        done = anna.run("mail", "fetch")
    assert "Traceback" not in done.err
    assert "should not have" not in done.err
    assert (done.status, done.out) in ((2, ""), (0, "No turn has arrived.\n"))
    assert anna.files == ["game-000.toml"]


@pytest.mark.parametrize("refusal", [b" NO you may not\r\n", b" BAD what is that\r\n"])
def test_a_server_that_refuses_marks_is_read_all_the_same(anna, joined, refusal):
    message = letter(joined.read_bytes())
    size = str(len(message)).encode()
    body = b"* 1 FETCH (UID 5 BODY[]<0> {" + size + b"}\r\n" + message + b")\r\n"

    def behave(caller):
        caller.sendall(b"* OK hello\r\n")
        for line in caller.makefile("rb"):
            tag, *words = line.split()
            word = words[1] if words[0] == b"UID" else words[0]
            if word == b"STORE":
                caller.sendall(tag + refusal)
                continue
            answer = body if b"BODY" in line else ANSWERS.get(word, b"")
            caller.sendall(answer.replace(b"SIZE 100", b"SIZE " + size) + tag + b" OK done\r\n")

    with door(behave) as port:
        at(anna, port, "none")
        assert "It is your move" in anna.do("mail", "fetch").out
        assert anna.do("mail", "fetch").out == "No turn has arrived.\n"


def test_a_folder_that_is_not_there_is_told_with_those_that_are(office, anna):
    config = office.config(anna.address)
    anna.set_up(f'{config}folder = "Games"\n')
    sentence = failure(anna.run("mail", "fetch"))
    assert "Games" in sentence
    assert "INBOX" in sentence

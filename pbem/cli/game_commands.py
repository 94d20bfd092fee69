"""`acres new` and `acres join`: beginning a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, Run, alphabetical, labelled, mark_in
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from engine.state import new_game
from pbem.cli import answers, console
from pbem.cli.app import current_app
from pbem.cli.consent import NewestToJoin, Replace, TerminalConsent, beforehand
from pbem.cli.file_argument import optional_file, read_given, take, turn_command
from pbem.cli.game_options import (
    DemandedEdition,
    DemandedHomeSupport,
    DemandedHouseRules,
    DemandedLists,
    Edition,
    HomeSupport,
    HouseRules,
    Lists,
    Output,
    SideChoice,
    StartCard,
)
from pbem.cli.homes import own_session
from pbem.cli.mail.at_once import How, Posting
from pbem.cli.mail_options import Armor, Mail, Picture, Send
from pbem.cli.own_inbox import invitation_meant
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.play.entry import side_of_guest
from pbem.play.files import check_new, check_writable
from pbem.play.game_file import answer_path
from pbem.protocol.entrance import ruleset_of
from pbem.protocol.steps import LISTS, MAX_LISTS, Invite
from pbem.sources import now
from pbem.text.dates import moment
from pbem.text.games import invitation as words
from pbem.text.history.standing import borrowed_told
from pbem.text.ordering.reading import start_card as start_card_meant
from pbem.text.ordering.reading import start_cards
from pbem.text.phrases import fingerprint

_SIDES = (mark_in("typed", "british"), mark_in("typed", "french"))


def new(
    side: Annotated[
        SideChoice, typer.Option(help="The side you want to play; any: your opponent chooses.")
    ],
    edition: Edition = None,
    house_rule: HouseRules = None,
    lists: Lists = None,
    home_support: HomeSupport = None,
    start_card: StartCard = None,
    output: Output = None,
    mail: Mail = False,
    armor: Armor = False,
) -> None:
    """Begin a game: write the invitation to send."""
    _check_lists(lists)
    ruleset = Ruleset.of(edition or DEFAULT_EDITION, house_rule or ())
    if output:
        check_new(output)
    session = own_session()
    invitation = session.invite(
        side_chosen(side),
        edition=ruleset.edition,
        house_rules=ruleset.house_rules,
        lists=lists or LISTS,
        home_support=home_support.value if home_support else "asked",
        start_card=start_card_chosen(ruleset, side_chosen(side), start_card),
    )
    match, path = invitation.match, output or invitation.path
    posting = Posting(How(mail=mail, armor=armor))
    posting.make_room(path, match.id, match.last.index)
    written = TerminalConsent(session).signed(invitation, path)
    console.say_below(Message("Your invitation is written:"), shown(path))
    _say_rules(match.invite)
    command = current_app().command
    if posting.has_draft:
        posting.follow(written)
        console.say_whole(
            Message(
                "They send a file back, which you open with: {command} turn show FILE",
                command=command,
            )
        )
        return
    console.say(Message("Next: send it to the player you want to play. They run: acres join FILE"))
    console.say_whole(
        # Translators: goes on from “They run: acres join FILE”.
        Message(
            "and send a file back, which you open with: {command} turn show FILE", command=command
        )
    )
    posting.follow(written, knows_whom=False)


def join(
    file: Annotated[
        Path | None,
        optional_file(
            "The invitation you were sent, or the message with it. Without it: the one in "
            "your folders."
        ),
    ] = None,
    side: Annotated[
        SideChoice | None, typer.Option(help="The side you want, if the choice is yours.")
    ] = None,
    edition: DemandedEdition = None,
    house_rule: DemandedHouseRules = None,
    lists: DemandedLists = None,
    home_support: DemandedHomeSupport = None,
    start_card: StartCard = None,
    output: Output = None,
    mail: Mail = False,
    send: Send = False,
    picture: Picture = False,
    armor: Armor = False,
    replace: Replace = False,
    newest: NewestToJoin = False,
) -> None:
    """Accept an invitation: write the file to send back."""
    _check_lists(lists)
    posting = Posting(How(mail=mail, send=send, picture=picture, armor=armor))
    if output and not (replace or mail):
        check_writable(output)
    file = invitation_meant(file)
    session = own_session()
    given = take(file, joins=True)
    game = read_given(given)
    invitation = game.match.invite
    if game.match.is_joined:
        look = turn_command("show", file)
        raise WrongUse("This game has already begun. To see it: {command}", command=look)
    beside = given.path if given.is_file else None
    path = output or answer_path(session.store, game.match, 1, beside, given.name)
    acceptance = session.join(game)
    said = beforehand(replace=replace, newest=newest)
    consent = TerminalConsent(session, game.match.records, beforehand=said)
    consent.begin_joining(acceptance)
    posting.make_room(path, game.match.id, 1)
    acceptance.background.check_room(
        path, replaces=consent.replaces, may_be_there=posting.has_draft
    )
    name = console.named(invitation.name)
    inviter = (
        Run((name, " <", console.mailbox(invitation.email), ">")) if invitation.email else name
    )
    console.say(Message("{player} invites you to A Few Acres of Snow.", player=inviter))
    _say_rules(invitation)
    console.item(labelled(name, fingerprint(invitation.key)))
    console.item(Message("you: {key}", key=fingerprint(session.identity.public_key)))
    words.check_demands(invitation, edition, house_rule, lists, home_support)
    chosen = side_chosen(side) if side else None
    if side is None and acceptance.signed and not consent.replaces:
        chosen = Side(acceptance.signed.side)
    consent.allow_joining(acceptance, chosen)
    own = invitation.key == session.identity.public_key
    if invitation.side == "any" and chosen is None and not own:
        chosen = _ask_side()
    start_card = _start_card(invitation, chosen, start_card, acceptance.start_card_before)
    match = consent.choose(acceptance, chosen, start_card)
    if few := words.few_lists_told(invitation.lists):
        console.warn(few)
    if acceptance.is_again:
        before = moment(acceptance.background.when)
        told = Message("You already signed this acceptance, on {date}.", date=before)
        console.say(told, style="bold")
    written = consent.signed(acceptance, path, may_be_there=posting.has_draft)
    played = Side(match.last.side)
    console.say_below(
        Message("You play the {side}. Your answer is written:", side=played.label),
        shown(written.path),
    )
    if sentence := borrowed_told(match, now()):
        console.say(sentence)
    posting.follow(written, Message("Next: send it to {player}.", player=inviter))


def _start_card(
    invitation: Invite, chosen: Side | None, named: str | None, before: str | None
) -> str | None:
    """Return the start card of the guest: the one `named`, or that of `before` if it is due."""
    side, ruleset = side_of_guest(invitation, chosen), ruleset_of(invitation)
    kept = before if ruleset.chooses_start_card(side) else None
    return start_card_chosen(ruleset, side, named or kept)


def side_chosen(choice: SideChoice) -> Side | None:
    """Return the side of a choice; None if the opponent chooses."""
    return None if choice is SideChoice.any else Side(choice.value)


def _ask_side() -> Side:
    if not console.is_terminal():
        raise WrongUse("The choice of side is yours: join with --side british or --side french.")
    typed = {side: Message.within("typed", word) for side, word in zip(Side, _SIDES, strict=True)}
    british, french = typed.values()
    while True:
        answer = answers.ask(
            Message(
                "Which side do you take, {british} or {french}? ", british=british, french=french
            )
        )
        begun = alphabetical(answer.strip())
        found = [
            side
            for side, word in typed.items()
            if begun
            and (side.value.startswith(begun) or alphabetical(console.told(word)).startswith(begun))
        ]
        if len(found) == 1:
            return found[0]
        console.say(Message("Type {british} or {french}.", british=british, french=french))


def _check_lists(lists: int | None) -> None:
    if lists is not None and not (1 <= lists <= MAX_LISTS and lists & (lists - 1) == 0):
        raise WrongUse(
            "--lists takes a power of two from 1 to {most}, such as 1024; not {number}.",
            most=MAX_LISTS,
            number=lists,
        )


def _say_rules(invitation: Invite) -> None:
    for line in words.rules_told(invitation):
        console.item(line)


def start_card_chosen(ruleset: Ruleset, side: Side | None, named: str | None) -> str | None:
    """Return the id of the start card of `side`: the one `named`, or what the player answers.

    None if there is none to choose. Raises WrongUse if it has to be named, or is none.
    """
    if not ruleset.chooses_start_card(side):
        if named is not None:
            raise WrongUse("You have no card to choose before this game: leave --start-card out.")
        return None
    state, language = new_game(ruleset), console.language()
    if named is not None:
        return start_card_meant(language, named, state)
    cards = ", ".join(start_cards(language, state))
    if not console.is_terminal():
        raise WrongUse(
            "The French begin with a card of their choice: --start-card one of {cards}.",
            cards=cards,
        )
    console.say(
        Message("You begin with one more card in your deck. You can choose: {cards}.", cards=cards)
    )
    while True:
        try:
            return start_card_meant(language, answers.ask(Message("Which card? ")), state)
        except WrongUse as error:
            console.say(error.said, style="yellow")

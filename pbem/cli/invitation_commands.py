"""The commands `acres new` and `acres join`, which begin a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, mark_in, sort_key, with_label
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from engine.state import new_game
from pbem.cli import console, options, prompts
from pbem.cli.app import current_app
from pbem.cli.consent import OutputOptions, TerminalConsent
from pbem.cli.file_argument import open_incoming, optional_file, read_incoming_game, turn_command
from pbem.cli.game_lookup import find_invitation
from pbem.cli.homes import own_session
from pbem.errors import UsageError
from pbem.foreign import display_path
from pbem.play.config import SITE, Config
from pbem.play.game_file import answer_path
from pbem.play.invitation import Acceptance, Invitation, side_of_guest
from pbem.play.keyfile import check_secret
from pbem.play.session import Session
from pbem.play.signing import check_new
from pbem.protocol.match import Match
from pbem.protocol.steps import DEFAULT_LISTS, MAX_LISTS, Invite
from pbem.protocol.table import Entrant, ruleset_of
from pbem.savefile.armour import to_link
from pbem.savefile.disk import is_folder, within
from pbem.sources import now
from pbem.text.games import check_demands, contact, lists_warning, rules_text
from pbem.text.history.standing import borrowed_date_notice
from pbem.text.ordering.reading import start_card as start_card_meant
from pbem.text.ordering.reading import start_cards
from pbem.text.phrases import fingerprint, moment

_SIDES = (mark_in("typed", "british"), mark_in("typed", "french"))


def new(
    side: Annotated[
        options.SideChoice,
        typer.Option(help="The side you want to play; any: your opponent chooses."),
    ],
    edition: options.Edition = None,
    house_rule: options.HouseRules = None,
    lists: options.Lists = None,
    home_support: options.HomeSupport = None,
    start_card: options.StartCard = None,
    output: options.Output = None,
    mail: options.Mail = False,
    armor: options.Armor = False,
) -> None:
    """Begin a game: write the invitation to send.

    $ acres new --side british  # you play the British
    $ acres new --side any --edition first  # with the rules of the first edition
    """
    _check_lists(lists)
    ruleset = Ruleset.of(edition or DEFAULT_EDITION, house_rule or ())
    if output and not is_folder(output):
        check_new(output)
    session = own_session()
    invitation = invite(session, ruleset, side, start_card, lists, home_support)
    match, path = invitation.match, within(output, invitation.path)
    delivery = OutputOptions(mail=mail, armor=armor)
    delivery.check_draft_path(path, match.id, match.last.index)
    written = TerminalConsent(session).sign_file(invitation, path)
    console.say_below("Your invitation is written:", display_path(path))
    _say_rules(match.invite)
    command, site = current_app().command, Config.read(current_app().home.config_path).value(SITE)
    if site and "#" in (link := to_link(written.data, site)):
        console.say("Or send this link, which opens the invitation in a browser:")
        console.say_verbatim(f"  {link}")
    if delivery.has_draft:
        delivery.finish(written)
        console.say_unwrapped(
            "They send a file back, which you open with: {command} turn show FILE", command=command
        )
        return
    console.say("Next: send it to the player you want to play. They run: acres join FILE")
    # Translators: this continues “They run: acres join FILE”.
    console.say_unwrapped(
        "and send a file back, which you open with: {command} turn show FILE", command=command
    )
    delivery.finish(written, has_recipient=False)


def invite(
    session: Session,
    ruleset: Ruleset,
    side: options.SideChoice,
    start_card: str | None,
    lists: int | None = None,
    home_support: str | None = None,
) -> Invitation:
    """Return an invitation; the player is asked for a start card if there is a choice."""
    own_side = _parse_side(side)
    return session.invite(
        own_side,
        edition=ruleset.edition,
        house_rules=ruleset.house_rules,
        lists=lists or DEFAULT_LISTS,
        home_support=home_support or "asked",
        start_card=_start_card(ruleset, own_side, start_card),
    )


InvitationFile = Annotated[
    Path | None,
    optional_file(
        "The invitation you were sent, or the message with it. Without it: the one in your folders."
    ),
]


def join(
    file: InvitationFile = None,
    side: Annotated[
        options.SideChoice | None, typer.Option(help="The side you want, if the choice is yours.")
    ] = None,
    edition: options.DemandedEdition = None,
    house_rule: options.DemandedHouseRules = None,
    lists: options.DemandedLists = None,
    home_support: options.DemandedHomeSupport = None,
    start_card: options.StartCard = None,
    output: options.Output = None,
    mail: options.Mail = False,
    send: options.Send = False,
    picture: options.Picture = False,
    word: options.Word = "",
    armor: options.Armor = False,
    replace: options.Replace = False,
    newest: options.NewestToJoin = False,
) -> None:
    """Accept an invitation: write the file to send back.

    $ acres join acres-1f0c66d2-000.toml  # writes acres-1f0c66d2-001.toml
    """
    _check_lists(lists)
    delivery = OutputOptions(output, mail, send, picture, word, armor, replace, newest)
    delivery.check()
    file = find_invitation(file)
    session = own_session()
    incoming = open_incoming(file, to_join=True)
    game = read_incoming_game(incoming)
    invitation = game.match.invite
    if game.match.is_joined:
        command = turn_command("show", file)
        raise UsageError("This game has already begun. To see it: {command}", command=command)
    origin = incoming.path if incoming.is_file else None
    usual = answer_path(session.store, game.match, 1, origin, incoming.name)
    path = within(delivery.output, usual)
    acceptance = session.join(game)
    if acceptance.signed is None:
        check_secret(session.identity)
    consent = TerminalConsent(session, game.match.records, consents=delivery.prior_consent)
    consent.begin_joining(acceptance)
    delivery.check_draft_path(path, game.match.id, 1)
    acceptance.history.check_room(path, replace=consent.may_replace, may_exist=delivery.has_draft)
    inviter = contact(Entrant.of(invitation))
    console.say("{player} invites you to A Few Acres of Snow.", player=inviter)
    _say_rules(invitation)
    console.item(with_label(console.display_name(invitation.name), fingerprint(invitation.key)))
    console.item("you: {key}", key=fingerprint(session.identity.public_key))
    check_demands(invitation, edition, house_rule, lists, home_support)
    match = _choose_match(consent, acceptance, side, start_card)
    if acceptance.is_repeat:
        date = moment(acceptance.history.when)
        message = Message("You already signed this acceptance, on {date}.", date=date)
        console.say(message, style="bold")
    written = consent.sign_file(acceptance, path, may_exist=delivery.has_draft)
    label = Side(match.last.side).label
    message = Message("You play the {side}. Your answer is written:", side=label)
    console.say_below(message, display_path(written.path))
    if sentence := borrowed_date_notice(match, now()):
        console.say(sentence)
    delivery.finish(written, Message("Next: send it to {player}.", player=inviter))


def _choose_match(
    consent: TerminalConsent,
    acceptance: Acceptance,
    choice: options.SideChoice | None,
    start_card: str | None,
) -> Match:
    """Return the match that results from the guest's choices; missing choices are asked for.

    The start card of an earlier signature is used again if there still is a choice.
    """
    invitation, signed = acceptance.game.match.invite, acceptance.signed
    side = _parse_side(choice) if choice else None
    if choice is None and signed and not consent.may_replace:
        side = Side(signed.side)
    consent.allow_joining(acceptance, side)
    is_own = invitation.key == acceptance.identity.public_key
    if invitation.side == "any" and side is None and not is_own:
        side = _ask_side()
    guest, ruleset = side_of_guest(invitation, side), ruleset_of(invitation)
    old_card = acceptance.start_card_before if ruleset.has_start_choice(guest) else None
    match = consent.choose(acceptance, side, _start_card(ruleset, guest, start_card or old_card))
    if warning := lists_warning(invitation.lists):
        console.warn(warning)
    return match


def _parse_side(choice: options.SideChoice) -> Side | None:
    """Return the side of an option, or None if the opponent chooses."""
    return None if choice == "any" else Side(choice)


def _ask_side() -> Side:
    if not console.is_terminal():
        raise UsageError("The choice of side is yours: join with --side british or --side french.")
    british, french = (Message.within("typed", word) for word in _SIDES)
    question = Message(
        "Which side do you take, {british} or {french}? ", british=british, french=french
    )
    words = {
        side: (side.value, sort_key(console.translate(word)))
        for side, word in zip(Side, (british, french), strict=True)
    }
    while True:
        start = sort_key(prompts.ask(question).strip())
        matches = [side for side in Side if start and any(w.startswith(start) for w in words[side])]
        if len(matches) == 1:
            return matches[0]
        console.say("Type {british} or {french}.", british=british, french=french)


def _check_lists(lists: int | None) -> None:
    if lists is not None and not (1 <= lists <= MAX_LISTS and lists & (lists - 1) == 0):
        raise UsageError(
            "--lists takes a power of two from 1 to {most}, such as 1024; not {number}.",
            most=MAX_LISTS,
            number=lists,
        )


def _say_rules(invitation: Invite) -> None:
    for line in rules_text(invitation):
        console.item(line)


def _start_card(ruleset: Ruleset, side: Side | None, name: str | None) -> str | None:
    """Return the id of the start card for `side`, from `name` or from the player's answer.

    The result is None if there is no choice. Raises UsageError if a card is missing or unknown.
    """
    if not ruleset.has_start_choice(side):
        if name is not None:
            raise UsageError("You have no card to choose before this game: leave --start-card out.")
        return None
    state, language = new_game(ruleset), console.language()
    if name is not None:
        return start_card_meant(language, name, state)
    cards = ", ".join(start_cards(language, state))
    if not console.is_terminal():
        raise UsageError(
            "The French begin with a card of their choice: --start-card one of {cards}.",
            cards=cards,
        )
    console.say("You begin with one more card in your deck. You can choose: {cards}.", cards=cards)
    while True:
        try:
            return start_card_meant(language, prompts.ask(Message("Which card? ")), state)
        except UsageError as error:
            console.say(error.message, style="yellow")

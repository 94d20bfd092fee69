"""The texts of a guided turn except orders: decisions, and words that can be typed.

The module also describes a resumed turn that was not signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine import game
from engine.choices import Prefix
from engine.message import NOTHING, Concat, Message, Rewording, comma_list, mark, or_list, sentences
from engine.order import Order, UnreadableOrderError
from engine.orders import ORDERS, End, Forfeit, Lose, Start, Take, from_notation
from engine.sides import Side
from engine.state import Decision, State
from pbem.foreign import clean, display_name
from pbem.play.autosave import ResumedTurn, SavedTurn
from pbem.play.store import StoreError
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from pbem.text.language import Language, Line, Tone, item
from pbem.text.naming import first_word, has_verb, nearest, normalize, suggestions, verb_kinds
from pbem.text.phrases import Name, keys, moment, names, player, row_text

# --- decisions


NOTHING_TO_DECIDE = mark(
    "There is nothing to decide: your answer only deals the cards that your opponent draws."
)
ONLY_TO_DRAW = mark("There is nothing to decide: this file only draws your cards.")


def decision_text(state: State, side: Side, *, after_answer: bool = False) -> Message:
    """Return the decision of `side`, whose view this is, as a sentence.

    `after_answer` is true if the decision waits for the other player's answer.
    """
    decision, awaited_side, location, amount, *_ = state.awaiting
    if awaited_side is not side:
        return Message(NOTHING_TO_DECIDE)
    if decision.is_chance:
        return Message(ONLY_TO_DRAW)
    place = names(state)(location) if location else ""
    match decision:
        case Decision.TURN:
            return _turn_text(state, after_answer=after_answer)
        case Decision.LOSERS_CARD:
            return Message(
                "The siege of {place} is lost: choose the card that it costs ({verb}).",
                place=place,
                verb=Lose.verb_label(),
            )
        case Decision.FORFEIT:
            return Message.counted(
                "You could not pay for the shuffle: {verb} {count} card.",
                "You could not pay for the shuffle: {verb} {count} cards.",
                amount,
                verb=Forfeit.verb_label(),
            )
        case Decision.START_CARD:
            return Message("Choose the card that you begin with ({verb}).", verb=Start.verb_label())
        case _ if decision in keys("situations"):
            situation = row_text("situations", decision, place=place, side=side.opponent.label)
            return _replies_text(state, situation)
    return Message(NOTHING_TO_DECIDE)


def _turn_text(state: State, *, after_answer: bool) -> Message:
    """Return the number of the turn, and its remaining actions."""
    number = state.turn + 1
    turn = Message("Turn {number}", number=number)
    if after_answer:
        turn = Message("Turn {number}, after the answer", number=number)
    if state.refilled:
        return Message("{turn}: your hand is refilled; take free actions, or end it.", turn=turn)
    if state.actions_left:
        actions = Message.counted("{count} action", "{count} actions", state.actions_left)
        return Message("{turn}: {actions} to take.", turn=turn, actions=actions)
    if any(not isinstance(order, End) for order in game.legal_orders(state)):
        return Message("{turn}: no actions are left; end it, or take free actions.", turn=turn)
    return Message("{turn}: no actions are left; end it.", turn=turn)


def _replies_text(state: State, situation: Message) -> Message:
    """Return a situation and the possible replies, as a sentence."""
    legal = game.legal_orders(state)
    if len(legal) == 1:
        only = legal[0].text(names(state))
        return Message("{situation}: all you can do is “{order}”.", situation=situation, order=only)
    verbs = {order.verb for order in legal}
    *others, last = (
        row_text("replies", f"{state.awaiting.decision}: {verb}", verb=ORDERS[verb].verb_label())
        for verb in replies(state.awaiting.decision)
        if verb in verbs
    )
    if not others:
        return Message("{situation}: {way}.", situation=situation, way=last)
    ways = comma_list(others)
    return Message("{situation}: {ways}, or {last}.", situation=situation, ways=ways, last=last)


def replies(decision: Decision) -> list[str]:
    """Return the verbs of the possible replies in a situation, in display order."""
    pairs = (key.split(": ") for key in keys("replies"))
    return [verb for situation, verb in pairs if situation == decision]


def next_decision_text(turn: Turn) -> Message:
    """Return the next decision in a turn, as a sentence."""
    return decision_text(turn.view(), turn.side, after_answer=turn.may_follow_up)


def waiting_text(match: Match) -> Message:
    """Return the task of the opponent before the game goes on, for the player who waits."""
    state, side = match.state, match.next_side
    assert side is not None
    decision, awaited, location, *_, resume, _ = state.awaiting
    key: str = decision
    if decision.is_chance:
        is_due = resume is not None or len(state.setup) > (side is Side.BRITISH)
        key = "draw" if awaited is side else "deal" if is_due else Decision.TURN
    key = key if key in keys("waiting") else Decision.TURN
    return row_text(
        "waiting",
        key,
        player=display_name(match.entrants[side].name),
        number=match.turn,
        place=names(state)(location) if location else "",
    )


def no_orders_notice(turn: Turn) -> Message:
    """Return the reason why no more orders can be given, as a sentence."""
    match = turn.match
    if turn.game.match.is_over:
        return Message("The game is over: the next file closes it, and takes no orders.")
    if not turn.orders:
        return Message("There is nothing for you to decide: this file takes no orders.")
    template = mark("After “{order}” your turn is over: nothing more can be ordered in this file.")
    if match.is_over:
        template = mark("With “{order}” the game is over: nothing more can be ordered.")
    elif turn.forecast is None:
        # The orders only answer the other player, whose turn continues.
        template = mark(
            "After “{order}” the turn goes back to {player}: "
            "nothing more can be ordered in this file."
        )
    player = display_name(match.entrants[turn.side.opponent].name)
    return Message(template, order=turn.orders[-1].text(names(match.state)), player=player)


# --- typed words


FOLLOW_UP_HINT = Message(
    "Go on with what you will do after that, whatever the answer, or {wait}.",
    wait=Message.within("typed", "wait"),
)
"""The hint for a player whose order has to be answered first."""
WORDS = keys("typed")
"""All words that can be typed, in English, except yes and no."""
LOOKUP_WORDS = ("rules", "card", "location", "why", "help")
"""The words before the name of a thing to look up."""
BACK_WORDS = ("n", "no", "back")
QUIT_WORDS = ("quit", "exit", "q")


def word_label(word: str) -> Message:
    """Return a typed word as a message."""
    return Message.within("typed", word)


def parse_words(language: Language, text: str) -> list[str]:
    """Return the words, in English, that a text means in English or in `language`."""
    plain = normalize(text)
    return [word for word in WORDS if plain in _forms(language, word)]


def parse_lookup(language: Language, text: str) -> tuple[str, str] | None:
    """Return the lookup word at the beginning of a text, and the rest; None without such a word.

    The name of the program may come first: `acres card Boston`.

    >>> english = Language("en")
    >>> [parse_lookup(english, text) for text in ("card York", "acres rules raid", "raid York")]
    [('card', 'York'), ('rules', 'raid'), None]
    """
    first, _, rest = text.strip().partition(" ")
    if first == _PROGRAM:
        first, _, rest = rest.strip().partition(" ")
    word = next((word for word in parse_words(language, first) if word in LOOKUP_WORDS), None)
    is_command = word is not None and (rest.strip() or word in _COMPLETE_LOOKUPS)
    return (word, rest.strip()) if word and is_command else None


_PROGRAM = "acres"
_COMPLETE_LOOKUPS = ("rules", "card", "location", "why")
"""The lookup words that need no name: they list everything, or ask for a name."""


def lookup_hint(word: str, turn: Turn) -> Message:
    """Return a hint for a lookup word without a name after it."""
    name = names(turn.match.state)
    examples = {"card": name("boston"), "location": name("boston")}
    return Message(
        "Name one, for example: {words}",
        words=Concat((word_label(word), " ", examples.get(word, _example(turn).text(name)))),
    )


def mistyped_word_hint(language: Language, text: str) -> Message:
    """Return suggestions for a text that begins with no verb or word, if there are any."""
    typed = first_word(text)
    is_order = has_verb(language, text) or verb_kinds(language, normalize(typed))
    if len(typed) < _MIN_LETTERS or is_order:
        return NOTHING
    similar = nearest(language, typed, [form for word in WORDS for form in _forms(language, word)])
    words = dict.fromkeys(word for form in similar for word in parse_words(language, form))
    likely = [word_label(word) for word in words if len(word) > 1]
    unknown = Message("There is no order “{word}”.", word=typed)
    return unknown + suggestions(likely) if likely else NOTHING


_MIN_LETTERS = 3
"""The minimum length of a word for which similar words are suggested."""


def matching_words(language: Language, text: str, words: Iterable[str]) -> list[str]:
    """Return labels of the `words` that begin with `text` in `language` or in English."""
    plain = normalize(text)
    return list(
        dict.fromkeys(
            language.say(word_label(word))
            for word in words
            if any(form.startswith(plain) for form in _forms(language, word))
        )
    )


def _forms(language: Language, word: str) -> tuple[str, str]:
    return word, normalize(language.say(word_label(word)))


def typing_hint(turn: Turn) -> Message:
    """Return a short hint about typing, with an example."""
    words = comma_list(map(word_label, _FIRST_WORDS))
    return Message(
        "Type a number, or an order such as: {order}. Also: {words}.",
        order=_example(turn).text(names(turn.match.state)),
        words=words,
    )


_FIRST_WORDS = ("undo", "map", "why", "help")
"""The words in the first hint."""


def move_notice(match: Match, side: Side) -> Message:
    """Return a notice that it is the player's move, with the opponent and the game."""
    return Message(
        "Your move against {player}, game {number}.",
        player=player(match, side.opponent),
        number=match.id.hex()[:8],
    )


def words_hint(words: Sequence[str]) -> Message:
    """Return a hint with words that show more; the last word lists all words."""
    return Message("To see more, type {words}.", words=or_list(map(word_label, [*words, "help"])))


def help_text(turn: Turn, map_key: str = "") -> Iterator[Line]:
    """Yield the help on all words, and on the key for the map, if any."""
    order, name = _example(turn), names(turn.match.state)
    yield Line(
        Message(
            "Type the number of a choice, or an order, such as: {order}. There is also:",
            order=order.text(name),
        )
    )
    listing = Message(
        "what can be chosen; with words, such as ? {verb} or ? {place}, only what contains them",
        verb=order.verb_label(),
        place=Rewording(str.lower, name(order.location or next(iter(order.cards), "boston"))),
    )
    undo_all = word_label("undo all")
    yield Line(listing, label="  ? ", in_columns=True)
    for word in keys("help"):
        label = Concat(("  ", word_label(word), " "))
        text = row_text("help", word, undo_all=undo_all, letter=word_label("m"))
        yield Line(text, label=label, in_columns=True)
    if map_key:
        text = Message("The key {key} shows the map, whatever is being typed.", key=map_key)
        yield Line(text, indent=2)


def agreement_hint(*, dry_run: bool) -> Message:
    """Return the possible answers to the summary of a turn."""
    hint = mark("{yes} signs it, {no} goes back to your orders. The word {notes} edits your notes.")
    if dry_run:
        hint = mark(
            "{yes} ends the trial, {no} goes back to your orders. The word {notes} edits your "
            "notes."
        )
    return Message(hint, yes=word_label("y"), no=word_label("n"), notes=word_label("notes"))


def ambiguous_word_notice(text: str, words: Iterable[str]) -> Message:
    """Return a notice that a text could mean any of `words`, in two languages."""
    # Translators: {words} are in the player's language.
    return Message(
        "“{text}” could mean more than one word: {words}.",
        text=clean(text),
        words=comma_list(map(word_label, words)),
    )


def undo_hint(order: Order, name: Name) -> Message:
    """Return a hint that “no” to a whole turn undoes no order, and the word that undoes one."""
    return Message(
        "That takes no order back. The word {undo} takes this one back: {order}",
        undo=word_label("undo"),
        order=order.text(name),
    )


def _example(turn: Turn) -> Order:
    """Return an order that can be given now, for money if possible."""
    kinds = sorted(turn.choices.kinds(), key=lambda kind: kind is not Take)
    legal = (order for kind in kinds for order in turn.choices.some_orders(Prefix(kind)))
    return next(legal, Take(None, ("boston",)))


def empty_line_hint(turn: Turn) -> Message:
    """Return a hint that Enter alone does not end the turn yet, with the possible words."""
    if turn.view().awaiting.decision is Decision.TURN and turn.may_follow_up:
        return Message(
            "Something is left to decide; ? lists it, and {wait} leaves it for after the answer.",
            wait=word_label("wait"),
        )
    return Message("Something is left to decide; ? lists what you can do.")


# --- resumed turns


def resumed_turn_text(saved: SavedTurn, resumed: ResumedTurn, name: Name) -> Iterator[Line]:
    """Yield the orders of a resumed, unsigned turn, and the reason if orders were left out."""
    if saved.damage:
        lost = Message("The turn that you had begun cannot be read any more: it starts over.")
        yield Line(sentences(saved.damage, lost))
        return
    template = mark(
        "You began this turn on {date} and did not sign it. It goes on from there; {undo_all} "
        "starts it over."
    )
    if saved.is_signed:
        template = mark(
            "You signed this turn on {date}, but its file is not there. Sign it once more as it "
            "is, and the same file is written: other orders would be a second answer."
        )
    undo_all = word_label("undo all")
    yield Line(Message(template, date=moment(saved.when), undo_all=undo_all), Tone.HEAD)
    for order in resumed.orders:
        yield item(order.text(name))
    if resumed.remaining:
        number, notation = len(resumed.orders) + 1, resumed.remaining[0]
        yield Line(
            sentences(
                Message(
                    "Order {number}, “{order}”, cannot be given. {sentence}",
                    number=number,
                    order=_notation_text(notation, name),
                    sentence=resumed.reason,
                ),
                Message("It is left out, and so is what came after it."),
            )
        )
    if saved.notes is not None:
        yield Line(Message("Your notes are as you changed them."))


def not_saved_notice(error: StoreError) -> Message:
    """Return a notice that a turn will not be saved before it is signed, with the reason."""
    # Translators: {reason} is, for example, “Permission denied”.
    return Message(
        "Your orders are not kept until you sign ({reason}): if this is closed before then, you "
        "will have to give them again.",
        reason=error,
    )


def _notation_text(notation: str, name: Name) -> object:
    """Return an order in the player's language; a text that is not an order is unchanged."""
    try:
        return from_notation(notation).text(name)
    except UnreadableOrderError:
        return notation

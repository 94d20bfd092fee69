"""The panel next to the board: the decision, the choice and its effects, and the signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from markupsafe import Markup, escape

from engine.actions import ACTIONS
from engine.actions.action import find_card
from engine.choices import Choices, Parts
from engine.message import NOTHING, Message, Phrase, sentences
from engine.order import Order, Source
from engine.orders import ORDERS, End
from engine.sides import Side
from engine.state import Decision, State
from pbem.board.tabletop import face_id
from pbem.board.templates import Templates
from pbem.play.game_file import game_result, whose_move
from pbem.play.invitation import side_of_guest, start_cards
from pbem.play.look import Look, Spectator
from pbem.play.session import Manner
from pbem.play.signing import PriorConsent, Question
from pbem.play.store import Stamp
from pbem.play.turn import Turn
from pbem.protocol.table import ruleset_of
from pbem.text.games import (
    START_CARD,
    invitation_summary,
    next_step,
    result_heading,
    spectator_clause,
)
from pbem.text.history.standing import notes_notice
from pbem.text.language import Line
from pbem.text.narration import answer_hint
from pbem.text.ordering.guided_turn import (
    next_decision_text,
    not_saved_notice,
    waiting_text,
    word_label,
)
from pbem.text.ordering.menu import GROUPS, Menus
from pbem.text.ordering.preview import Preview, order_words, preview, preview_text
from pbem.text.phrases import Name, capitalize, names, texts
from pbem.text.position import siege_advice
from pbem.text.proof import signature
from pbem.text.proof.signature import RESIGNATION, Wording
from pbem.web.active_game import ActiveGame
from pbem.web.result import result_facts

LABELS = texts("panel") | {
    "undo_all": capitalize(word_label("undo all")),
    "resign_question": RESIGNATION.question,
    "start_card": START_CARD,
}
"""The texts on the panel that are the same in every game."""
_OPTIONS = {
    PriorConsent.ANOTHER: "acres turn apply --replace",
    PriorConsent.NEWEST: "acres turn apply --newest",
    PriorConsent.WAIT: "acres turn apply --wait",
}
"""The commands for answers that have no button."""


class KindButton(NamedTuple):
    """A button that chooses a kind of order."""

    verb: str
    words: Phrase


class TurnPanel:
    """The panel of one game in one language; `command` is the command that starts acres.

    `library` is the stamp of the library at the last comparison with the game.
    """

    def __init__(self, templates: Templates, active: ActiveGame, command: str) -> None:
        self._fill = partial(templates.render, labels=LABELS)
        self._language = templates.language
        self.active = active
        self.library: Stamp | None = None
        self._command = command

    # --- all parts

    def parts(self, selection: Parts, notation: str = "") -> dict[str, Markup]:
        """Return the HTML of all elements of the panel.

        `notation` is the notation of the order to preview.
        """
        ended = self._ended_turn()
        return {
            "decision": self._decision(),
            "given": self._orders_so_far(),
            "actions": self._actions(is_ended=ended is not None),
            "signing": self._signing(ended),
            "allowing": self._fill("allowing.html", allows=self.active.allows_steps),
            **self.choice(selection, notation),
        }

    def keys(self, selection: Parts) -> list[str]:
        """Return the keys of all parts that can be added to the selection."""
        choices = self.active.choices
        return list(choices.next_parts(selection).keys) if choices else []

    # --- the decision

    def _decision(self) -> Markup:
        active, turn = self.active, self.active.turn
        match, lines = active.game.match, list[Line]()
        heading: Phrase
        if not match.is_joined:
            is_own = match.invite.key == active.session.identity.public_key
            heading, *rest = invitation_summary(match.invite, is_own=is_own)
            lines = [*map(Line, [*rest, next_step(active.open_game.entry) if is_own else NOTHING])]
        elif turn is None:
            heading = self._waiting_reason()
        elif turn.match.state.outcome and not match.is_over and not active.is_resigning:
            heading = result_heading(turn.match.state.outcome.winner, turn.side)
            lines.append(Line(game_result(turn.match.state)))
        elif active.is_resigning or match.is_over:
            heading = signature.effects_heading(turn)
        elif turn.is_complete and not turn.may_follow_up and not turn.needs_no_decision:
            end = signature.turn_end_text(turn, turn.forecast) if turn.forecast else NOTHING
            heading = end or Message("Your answer is ready, but not signed yet.")
        else:
            heading = next_decision_text(turn)
        if turn is not None:
            # The resumed orders are in the list of orders below.
            notices = [line for line in active.notices if not line.indent]
            lines = [*notices, *lines, *map(Line, self._decision_lines(turn))]
        if match.is_joined and match.is_over:
            return self._fill("result.html", **result_facts(match, active.look.viewer), lines=lines)
        badge: Phrase = NOTHING
        if turn is not None:
            has_ended = match.is_over or turn.match.state.outcome
            badge = LABELS["confirm" if turn.needs_no_decision or has_ended else "your_turn"]
        return self._fill("decision.html", heading=heading, lines=lines, badge=badge)

    def _decision_lines(self, turn: Turn) -> Iterator[Phrase]:
        if turn.may_follow_up and turn.foresight is not None:
            interruptions = turn.foresight.interruptions
            if interruptions:
                yield answer_hint(turn, interruptions[-1])
            yield Message(
                "Go on with what you will do after that, whatever the answer, or sign below."
            )
        choices, state = self.active.choices, turn.view()
        is_turn = state.awaiting.decision is Decision.TURN and not turn.may_follow_up
        if choices is not None and is_turn and not turn.is_turn_used_up:
            yield from siege_advice(state, choices, self._name)
        if self.active.save_error:
            yield not_saved_notice(self.active.save_error)
        yield turn.notes.damage

    def _waiting_reason(self) -> Phrase:
        """Return the reason that the player has nothing to decide."""
        match = self.active.game.match
        advice: Phrase = NOTHING
        viewpoint = Look.of(match, self.active.session.identity).access
        if isinstance(viewpoint, Spectator):
            reason = spectator_clause(viewpoint, self._command)
            advice = Message("You see only what is public, because {reason}.", reason=reason)
        elif match.next_side is viewpoint.side.opponent and match.state.outcome is None:
            return waiting_text(match)
        return sentences(whose_move(match), advice)

    # --- orders and actions

    def _orders_so_far(self) -> Markup:
        turn = self.active.turn
        if turn is None or self.active.is_resigning or self.active.game.match.is_over:
            return Markup("")
        if turn.needs_no_decision and not turn.redo_stack:
            return Markup("")
        follow_up_count = len(turn.follow_ups)
        orders = [
            Message("{order}: after the answer", order=order.text(self._name))
            if index >= len(turn.orders) - follow_up_count
            else order.text(self._name)
            for index, order in enumerate(turn.orders)
        ]
        return self._fill(
            "given.html", orders=orders, may_undo=turn.undo_stack, may_redo=turn.redo_stack
        )

    @property
    def _name(self) -> Name:
        return names(self.active.game.match.state)

    def _actions(self, *, is_ended: bool) -> Markup:
        """Return the kinds of order; those that are not legal only while actions are left."""
        turn, choices = self.active.turn, self.active.choices
        if turn is None or choices is None:
            return Markup("")
        legal = choices.kinds()
        is_turn = any(w.awaiting.decision is Decision.TURN for w in choices.worlds)
        has_end_button = self._has_end_button(turn, choices)
        shows_all = is_turn and not turn.is_turn_used_up
        groups = [
            (
                capitalize(Message.within("group", group.value)),
                [
                    KindButton(kind.verb, capitalize(kind.verb_label()))
                    for kind in kinds
                    if (kind in legal or (shows_all and _is_common(kind)))
                    and not (kind is End and has_end_button)
                ],
            )
            for group, kinds in GROUPS.items()
        ]
        return self._fill(
            "actions.html",
            groups=[(heading, kinds) for heading, kinds in groups if kinds],
            ends=has_end_button and not is_ended,
        )

    # --- the choice

    def choice(self, selection: Parts, notation: str = "") -> dict[str, Markup]:
        """Return the HTML of the selected parts and of the orders that contain them.

        The effects of the order with this `notation` are shown.
        """
        turn, choices = self.active.turn, self.active.choices
        if turn is None or choices is None:
            return {"choice": Markup(""), "more": Markup("")}
        menu, is_empty = Menus(self._language, choices).with_parts(selection), selection == Parts()
        items, single, heading = list(menu.items), menu.single_order, menu.heading
        if is_empty and self._has_end_button(turn, choices):
            items = [item for item in items if item.prefix.kind is not End]
            single, heading = None, LABELS["free_actions"]
        orders = (item.order for item in items if item.order)
        candidate = next((o for o in orders if o.notation() == notation), single)
        result = preview(turn, candidate) if candidate else None
        signs = bool(result and _completes_reply(result))
        is_only = is_empty and (bool(signs and single) or choices.kinds() == [End])
        return {
            "choice": self._fill(
                "choice.html",
                chips=list(self._chips(selection)),
                heading=heading,
                hint=menu.summary,
                items=items,
                order=candidate,
                does=self._effects(turn, result) if result else [],
                lines=self._whole(turn.with_order(result.order))
                if result and signs and turn.moves
                else [],
                yes=self._yes_label(result, signs=signs) if result else "",
                faces=partial(_faces, choices.worlds[0]),
                signs=signs,
            ),
            "more": escape(self._language.say("" if is_only else menu.summary)),
        }

    @staticmethod
    def _has_end_button(turn: Turn, choices: Choices) -> bool:
        return turn.is_turn_used_up and End in choices.kinds()

    def _ended_turn(self) -> Turn | None:
        """Return a copy of the turn with its end, if that leaves nothing to decide or to await."""
        turn, choices = self.active.turn, self.active.choices
        if turn is None or choices is None or turn.is_complete:
            return None
        if not self._has_end_button(turn, choices):
            return None
        ended = turn.with_order(End())
        return ended if ended.takes_no_order else None

    def _chips(self, selection: Parts) -> Iterator[tuple[str, Phrase]]:
        for key in selection.keys:
            part, _, id = key.partition(":")
            label = ORDERS[id].verb_label() if part == "kind" else self._name(id.partition("@")[0])
            yield key, label

    def _yes_label(self, result: Preview, *, signs: bool) -> Phrase:
        """Return the label of the button that gives an order."""
        words = order_words(result, self._name)
        if signs:
            return Message("Yes: {order}, and sign", order=words)
        return Message("Yes: {order}", order=words)

    def _effects(self, turn: Turn, result: Preview) -> list[Phrase]:
        """Return the costs and effects of an order, the facts that it reveals, and its files."""
        effects = preview_text(turn, result, self._name)
        course = turn.forecast_with(result.order)
        if course and not result.is_interrupted and (course.interruptions or course.ends):
            effects.append(signature.files_text(turn, course))
        if not result.is_certain:
            effects.append(
                Message("Whether it can be carried out depends on the answer that comes first.")
            )
        return effects

    # --- the signature

    def _whole(self, turn: Turn) -> list[Line]:
        """Return the summary of a complete turn and of its notes."""
        active = self.active
        notes = notes_notice(active.turn.notes.text, active.notes) if active.turn else ()
        lines = *signature.turn_summary(turn, is_waiting=False), *notes
        return [line for line in lines if line.text]

    def _signing(self, ended: Turn | None) -> Markup:
        """Return the summary and the button that signs; `ended` is the turn with its end."""
        active, turn = self.active, self.active.turn
        if active.acceptance is not None:
            return self._joining()
        if turn is None:
            return self._fill("questions.html", questions=[*self._questions()])
        is_over, sign = active.game.match.is_over, "sign"
        has_ended = turn.match.state.outcome is not None
        if is_over:
            sign = "close"
        elif active.is_resigning:
            sign = "sign_resignation"
        elif turn.needs_no_decision and not has_ended:
            sign = "sign_nothing"
        whole = turn if turn.is_complete else ended
        return self._fill(
            "signing.html",
            lines=self._whole(whole) if whole else [],
            is_complete=whole is not None,
            ends=ended is not None,
            questions=[*self._questions()] if turn.is_complete else [],
            news=self._news() if whole else [],
            sign=LABELS[sign],
            may_allow=active.is_with_robot and active.is_step_due and not active.allows_steps,
            decides=not turn.needs_no_decision and not is_over,
            resigns=active.is_resigning,
            may_resign=not has_ended and not active.is_resigning,
        )

    @property
    def _wording(self) -> Wording:
        return Wording(self._command, _OPTIONS, self.active.game.match.records, is_on_page=True)

    def _questions(self) -> Iterator[tuple[str, Phrase, Phrase]]:
        """Yield the id and the texts of each question before signing.

        The id is empty if the player may not accept the question.
        """
        for question in self.active.questions:
            if self.active.consent.manner(question) is Manner.ASKED:
                text, agreement, _ = self._wording.prompt(question)
                yield question.id, text, agreement
            else:
                yield "", self._wording.refusal(question).message, ""

    def refusals(self, questions: Iterable[Question]) -> list[Phrase]:
        """Return the reasons against a signature for the questions that cannot be accepted."""
        manner = self.active.consent.manner
        refused = [question for question in questions if manner(question) is Manner.REFUSED]
        return [self._wording.refusal(question).message for question in refused]

    def _news(self) -> list[Phrase]:
        """Return sentences about the opponent's key and other facts that need no consent."""
        return [text for text in map(self._wording.risk, self.active.news) if text]

    def _joining(self) -> Markup:
        invite = self.active.game.match.invite
        sides = list(Side) if invite.side == "any" else []
        # A guest who chooses the side may choose the one that begins with a card.
        cards = start_cards(invite, side_of_guest(invite, Side.FRENCH))
        name = ruleset_of(invite).catalogue.name_of
        return self._fill(
            "joining.html",
            sides=[(side.value, side.label) for side in sides],
            cards=[(card, name(card)) for card in cards],
            questions=[*self._questions()],
            news=self._news(),
        )


def _completes_reply(result: Preview) -> bool:
    """Return True if an order is a reply, or the choice of a lost card, and nothing follows it."""
    return not result.is_in_turn and not result.after.can_decide(result.side)


def _is_common(kind: type[Order]) -> bool:
    """Return True if the panel always shows this kind of order, even if none is legal."""
    return Decision.TURN in ACTIONS[kind].decisions and not kind.is_rare


def _faces(state: State, order: Order) -> list[str]:
    """Return the ids of the faces of an order's cards, unless they are in the player's hand."""
    if order.source is Source.HAND:
        return []
    return [face_id(find_card(state, state.awaiting.side, card)) for card in order.cards]

"""A text bot that uses `pbem.play`, for example for a chat room.

`python examples/chat_bot.py HOME LANGUAGE` plays for the player at that home, in `en`, `fr`, `it`
or `ru`. If the key is sealed, the first line is its passphrase; each other line is one of these:

    read FILE   verifies a file; prints whose move it is, the points and the hand
    orders      prints the legal orders
    why ORDER   prints the effects of an order, or the reason that it is illegal
    undo        takes back the last order
    sign        prints the effects of the turn, then each question, which the next line answers
                with `yes` or not; writes the answer next to the file, and prints its name
    ORDER       gives an order, in English or in that language
"""

import sys
from pathlib import Path

from engine import Side, score
from engine.message import Phrase, TranslatableError, message_of
from pbem.play.game_file import whose_move
from pbem.play.home import Home
from pbem.play.session import Consent, Manner, Session
from pbem.play.signing import PriorConsent, Question
from pbem.text.language import Language
from pbem.text.ordering.explanation import explain_typed_order, explanation_text
from pbem.text.ordering.guided_turn import next_decision_text, no_orders_notice
from pbem.text.ordering.submit import give_order
from pbem.text.phrases import card_list, names, points_text
from pbem.text.proof.signature import Wording, effects_heading, turn_summary

language = Language(sys.argv[2])


def say(*texts: Phrase) -> None:
    """Print texts, each on a line."""
    print(*map(language.say, texts), sep="\n", flush=True)


class Chat(Consent):
    """The conversation about one file, with the player's consent to its questions."""

    def __init__(self, session: Session, path: Path) -> None:
        # Ask about another answer than the signed one too, instead of refusing it.
        super().__init__(session, prior_consent=[PriorConsent.ANOTHER])
        self.look = look = session.look(game := session.read(path))
        # In another player's game this raises an error with the reason.
        self.turn = self.begin(game) if look.must_write or look.viewer is None else None
        say(whose_move(game.match), points_text({s: score(look.state, s).total for s in Side}))
        say(*(card_list(look.state.players[s].hand, names(look.state)) for s in look.visible_cards))

    def put(self, question: Question, manner: Manner) -> bool:
        """Return True if the player says yes. Raises UsageError if the question forbids it."""
        words = Wording("acres", dict.fromkeys(PriorConsent, "acres turn apply --newest"))
        if manner is Manner.REFUSED:
            raise words.refusal(question)
        say(*(words.prompt(question)[:2] if manner is Manner.ASKED else [words.risk(question)]))
        return input("yes? ").strip() == "yes"

    def handle(self, command: str, text: str) -> None:
        """Carry out a line, split into its first word and the rest."""
        turn, look, side = self.turn, self.look, self.look.viewer
        if command == "why" and side:
            hint = explain_typed_order(language, turn.worlds if turn else [look.state], side, text)
            say(*(line.text for line in explanation_text(hint, turn, "acres")))
        elif turn is None:
            say(whose_move(look.match))
        elif command == "orders":
            say(*(order.text(names(look.state)) for order in turn.legal_orders()))
        elif command == "sign":
            turn.finish()
            say(effects_heading(turn), *(line.text for line in turn_summary(turn)))
            say(self.sign(turn).path.name)
        else:
            if command != "undo" or not turn.undo():
                give_order(language, turn, f"{command} {text}")
            say(no_orders_notice(turn) if turn.takes_no_order else next_decision_text(turn))


chat = None
with Session.open(Home(Path(sys.argv[1])), input) as session:
    for line in sys.stdin:
        command, _, text = line.strip().partition(" ")
        try:
            if command == "read":
                chat = Chat(session, Path(text))
            elif chat:
                chat.handle(command, text)
            else:
                say("First type: read FILE")
        except (TranslatableError, EOFError, ValueError) as error:
            say(message_of(error))

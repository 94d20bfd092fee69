"""Two threads of one process use different languages without mixing them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Barrier, Thread

import pytest

from engine.actions.action import IllegalOrderError
from engine.message import Phrase, message_of
from engine.order import UnreadableOrderError
from engine.orders import Settle
from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.game_file import whose_move
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.signing import sign_agreed

AT = "2026-11-22T12:00:00Z"
FILES = 8
CYRILLIC, LATIN = re.compile("[а-яё]", re.IGNORECASE), re.compile(r"\b(?:le|la|les|du|une|vous)\b")


def play_in_language(
    language: Language, folder: Path, each_file: Barrier
) -> Iterator[tuple[Phrase, str]]:
    """Play a game, and yield each phrase with its sentence in a language."""

    def with_sentence(phrase: Phrase) -> tuple[Phrase, str]:
        return phrase, language.say(phrase)

    choose = PracticePlayer(Random(7)).choose
    anna, bela = (
        Session.create(Home(folder / name, clock=lambda: AT), Identity(name, "", seed * 32))
        for name, seed in (("Anna", b"a"), ("Bela", b"b"))
    )
    invitation = anna.invite(Side.BRITISH, lists=16)
    signed_file = sign_agreed(anna, invitation, folder / "game-000.toml")
    signed_file = sign_agreed(bela, bela.join(bela.read(signed_file.path)))
    for number in range(FILES):
        each_file.wait(60)
        player = anna if signed_file.match.next_side is Side.BRITISH else bela
        turn = player.answer(player.read(signed_file.path), resigns=number == FILES - 1)
        name = turn.match.state.ruleset.catalogue.name_of
        while not turn.is_complete:
            order = choose(turn.view())
            yield with_sentence(order.text(name))
            assert read(language, language.say(order.text(name)), turn.view()) == order
            for refused in (
                Settle("quebec", ("boston", "boston")),
                "take bostton",
                "settle quebec: boston",
            ):
                try:
                    turn.order(
                        read(language, refused, turn.view())
                        if isinstance(refused, str)
                        else refused
                    )
                except (IllegalOrderError, UnreadableOrderError) as error:
                    yield with_sentence(message_of(error))
            turn.order(order)
        signed_file = sign_agreed(player, turn)
        yield with_sentence(whose_move(signed_file.match))


@pytest.mark.slow
def test_threads_speak_their_own_language(tmp_path: Path) -> None:
    codes = ("fr", "ru")
    together = dict[str, list[tuple[Phrase, str]]]()
    barrier = Barrier(len(codes))

    def play(code: str) -> None:
        try:
            together[code] = list(play_in_language(Language(code), tmp_path / code, barrier))
        except BaseException:
            barrier.abort()
            raise

    threads = [Thread(target=play, args=(code,)) for code in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for code in codes:
        assert len(together[code]) > 3 * FILES
        assert all(text == Language(code).say(phrase) for phrase, text in together[code])
    french, russian = (" ".join(text for _, text in together[code]) for code in codes)
    assert LATIN.search(french)
    assert not CYRILLIC.search(french)
    assert CYRILLIC.search(russian)
    assert not LATIN.search(russian)

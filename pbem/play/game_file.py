"""A game in a save file: the match that its records prove, and the next file.

See docs/save-format.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.message import Concat, Message, Phrase, comma_list, mark, sentences
from engine.position import score
from engine.sides import Side
from engine.state import Decision, State
from pbem.errors import DamagedBoxError, InputError, exists
from pbem.foreign import display_name, slugify
from pbem.play.incoming import is_called_save
from pbem.play.look import Look, Secrets
from pbem.play.store import Store
from pbem.protocol.cache import CacheLookup, no_cache
from pbem.protocol.identity import Box, BoxContents, Identity, seal, unseal
from pbem.protocol.match import Match, ProgressCallback
from pbem.savefile.disk import as_utf8, is_file, read_file
from pbem.savefile.save_file import SUMMARY_WIDTH, SaveFile


class GameFile(NamedTuple):
    """A save file and the match that its records prove; `path` is its path, if any.

    >>> game.match.turn, game.match.next_side.value, game.save.records == tuple(game.match.records)
    (1, 'british', True)
    """

    save: SaveFile
    match: Match
    path: Path | None = None

    @classmethod
    def read(
        cls,
        data: bytes,
        known: CacheLookup = no_cache,
        progress: ProgressCallback = iter,
        path: Path | None = None,
    ) -> GameFile:
        """Read and verify a file. Raises InputError or VerificationError.

        `known` returns the cache for the id of a game. The records pass through `progress` one by
        one, each as soon as the records before it are verified.
        """
        known = cache(known)
        # Any error in the file or the cache is reported by replaying the whole file.
        with suppress(Exception):
            if resumed := SaveFile.read_after_snapshot(data, known):
                save, snapshot = resumed
                verified = known(save.records[0].hash).verified
                return cls(save, Match.resume(save.records, snapshot, verified, progress), path)
        save = SaveFile.read(data)
        verified = known(save.records[0].hash).verified
        return cls(save, Match.replay(save.records, verified, progress), path)

    @property
    def next_path(self) -> Path:
        """The default path of its answer.

        >>> game._replace(path=Path("game-001.toml")).next_path
        PosixPath('game-002.toml')
        """
        path, match = self.path or Path("acres.toml"), self.match
        return next_name(path, match.id, len(match.records))

    def next_file(self, match: Match, identity: Identity) -> GameFile:
        """Return the file of a match that continues this game, as that player sends it."""
        return GameFile(pack(match, Secrets.of(match, identity), self.save.boxes, ""), match)

    def notes(self, secrets: Secrets) -> str:
        """Return a player's private notes. Raises DamagedBoxError if their box does not open."""
        box = self.save.boxes.get(secrets.side.value)
        if box is None:
            return ""
        if box.record_index >= len(self.match.records):
            raise DamagedBoxError("Your sealed box belongs to a record that is not in this file.")
        record = self.match.records[box.record_index].hash
        return unseal(box.sealed, secrets.box_key, self.match.id, record).notes


def read_and_note(
    store: Store, data: bytes, path: Path | None, progress: ProgressCallback = iter
) -> GameFile:
    """Read and verify the file at `path`, except for records verified before.

    The file is noted in the store at the end. See `GameFile.read` for
    `progress` and the errors.
    """
    game = GameFile.read(data, store.load_cache, progress, path)
    store.defer_note(game.match, path)
    return game


def answer_path(
    store: Store, match: Match, index: int, path: Path | None = None, name: str = ""
) -> Path:
    """Return the path for the answer to a file, whose last record will be `index`.

    The answer is written next to the save file at that `path`. A file from a message has no path,
    and perhaps a `name`: its answer is written next to the last known file of the game, or into the
    current folder.
    """
    if path is not None:
        return next_name(path, match.id, index)
    entry = store.games_by_id().get(match.id)
    known = (entry.file_out, entry.file_in) if entry else ()
    last = next((path for path in known if path and is_called_save(path)), None)
    if not name.endswith(".toml"):
        others = [who.name for who in match.entrants.values() if who.key != store.key]
        safe = slugify(others[0] if others else match.invite.name)
        name = last.name if last else f"{safe}.toml"
    folder = last.parent if last and last.parent.is_dir() else Path()
    return next_name(folder / name, match.id, index)


# The number, and what programs add to the name of a second copy.
_NUMBERED = re.compile(r"(?P<stem>.+)-\d{3,4}(?:[ .(].*)?")
_SUFFIX = re.compile(r"\.(?:toml(?![a-z]).*|[^.]*)$", re.IGNORECASE)


def next_name(path: Path, game: bytes, index: int) -> Path:
    """Return the path of the file with record `index` of a game, which continues the file `path`.

    If something else is there, the number of the game is in another name, with as many digits as
    it takes: strangers can make games whose numbers begin alike.

    >>> next_name(Path("game-004.toml"), bytes(32), 5).name
    'game-005.toml'
    >>> next_name(Path("game-004 (1).toml"), bytes(32), 5).name
    'game-005.toml'
    >>> next_name(Path("anna.toml.txt"), bytes(32), 5).name
    'anna-005.toml'
    """
    whole, digits = _SUFFIX.sub("", path.name) or path.stem, 0
    match = _NUMBERED.fullmatch(whole)
    name = path.with_name(f"{match['stem'] if match else whole}-{index:03}.toml")
    while exists(name) and not _is_of_game(name, game) and digits < 2 * len(game):
        digits += 8
        name = path.with_name(f"acres-{game.hex()[:digits]}-{index:03}.toml")
    return name


def _is_of_game(path: Path, game: bytes) -> bool:
    try:
        return is_file(path) and SaveFile.read(as_utf8(read_file(path))).records[0].hash == game
    except InputError:
        return False


def pack(match: Match, secrets: Secrets | None, boxes: Mapping[str, Box], notes: str) -> SaveFile:
    """Return the file for a match; the writer's box is sealed again, with the hand and `notes`.

    `boxes` are the boxes of the file before; the opponent's box is copied unchanged. An invitation
    that leaves the choice of side has no `secrets` yet.
    """
    packed = dict(boxes)
    if secrets is not None:
        hand = tuple(sorted(Look(match, secrets).state.players[secrets.side].hand))
        sealed = seal(BoxContents(hand, notes), secrets.box_key, match.id, match.last.hash)
        packed[secrets.side.value] = Box(match.last.index, sealed)
    return SaveFile(tuple(match.records), packed, tuple(summary(match)))


def summary(match: Match) -> list[str]:
    r"""Return a few lines about the state of the game, for people who open the file in an editor.

    They are in English, because both players read the file. Long lines are truncated, because the
    format limits their length.

    >>> print("\n".join(summary(game.match)))
    A Few Acres of Snow, played by e-mail with acres.
    Anna (British) against Bela (French), turn 1.
    Points: British 17, French 29.
    Anna (British) writes next: turn 1.
    """
    lines, cut = map(str, _summary(match)), SUMMARY_WIDTH - 4
    return [line if len(line) <= SUMMARY_WIDTH else f"{line[:cut]} ..." for line in lines]


def _summary(match: Match) -> list[Phrase]:
    lines: list[Phrase] = ["A Few Acres of Snow, played by e-mail with acres."]
    if not match.is_joined:
        return [*lines, f"Invitation by {match.invite.name}. To accept: acres join FILE"]
    state = match.state
    players = (Concat((match.entrants[side].name, " (", side.label, ")")) for side in Side)
    lines.append(Concat((Concat(players, " against "), f", turn {match.turn}.")))
    points = comma_list(Concat((side.label, f" {score(state, side).total}")) for side in Side)
    lines.append(Concat(("Points: ", points, ".")))
    name = state.ruleset.catalogue.name_of
    for move in match.moves_since(match.last.index):
        if move.order:
            lines.append(Concat(("  ", move.side.label, ": ", move.order.text(name))))
    return [*lines, whose_move(match, str)]


def whose_move(match: Match, label: Callable[[str], Phrase] = display_name) -> Message:
    """Return a sentence about the next writer and the purpose of the next record.

    `label` formats players' names.

    >>> str(whose_move(game.match))
    'Anna (British) writes next: turn 1.'
    """
    side = match.next_side
    if not match.is_joined:
        return Message("The invited player joins next.")
    state = match.state
    if state.outcome is not None:
        return sentences(game_result(state), closing_text(match, label))
    assert side is not None
    # Translators: {purpose} is, for example, “turn 3” or “to answer a raid”.
    return Message(
        "{player} ({side}) writes next: {purpose}.",
        player=label(match.entrants[side].name),
        side=side.label,
        purpose=next_purpose(match),
    )


def game_result(state: State) -> Message:
    """Return how a game ended, which side won, and the points if they decided, as sentences."""
    outcome = state.outcome
    assert outcome is not None
    sides = outcome.winner, outcome.winner.opponent
    points, fewer = (score(state, side).total for side in sides)
    facts = {"side": outcome.winner.label, "points": points, "fewer": fewer}
    won = Message("The {side} won.", side=outcome.winner.label)
    if outcome.by.is_on_points and points == fewer:
        won = Message("The {side} won the tie, {points} to {fewer}.", **facts)
    elif outcome.by.is_on_points:
        won = Message("The {side} won, {points} to {fewer}.", **facts)
    # Translators: {reason} is, for example, “Boston fell to a siege”.
    return sentences(Message("The game ended: {reason}.", reason=outcome.cause), won)


def closing_text(match: Match, label: Callable[[str], Phrase] = display_name) -> Message:
    """Return the player who closes a game that is over, or that it is closed, as a sentence."""
    side = match.next_side
    if side is None:
        return Message("It is closed: both hands are open to anybody who looks back.")
    # Translators: “it” is the game.
    return Message(
        "{player} ({side}) closes it with the next file.",
        player=label(match.entrants[side].name),
        side=side.label,
    )


def next_purpose(match: Match) -> Message:
    """Return the purpose of the next record in an unfinished game, as a phrase.

    >>> str(next_purpose(game.match))
    'turn 1'
    """
    state, side = match.state, match.next_side
    decision = state.awaiting.decision
    if decision.is_chance:
        if state.awaiting.side is side:
            # The shuffle or draw among its follow-ups was dropped.
            return Message("to draw cards")
        if state.awaiting.card is not None:
            return Message("to deal the cards of Home Support")
        if state.awaiting.resume is not None:
            return Message("to deal cards in the middle of a turn")
        # The last cards of the setup are dealt at the head of the first turn of the British.
        if len(state.setup) > (1 if side is Side.BRITISH else 0):
            return Message("to deal cards")
        return Message("turn {number}", number=match.turn)
    return Message(_PURPOSES[decision], number=match.turn)


_PURPOSES = {
    # Translators: this phrase and the next ones follow “writes next:”.
    Decision.TURN: mark("turn {number}"),
    Decision.SIEGE_SPOILS: mark("turn {number}, after a siege"),
    Decision.LOSERS_CARD: mark("to choose the card that a lost siege costs"),
    Decision.RAID_REPLY: mark("to answer a raid"),
    Decision.AMBUSH_REPLY: mark("to answer an ambush"),
    Decision.CONVERSION_REPLY: mark("to answer a Priest or Indian Leader"),
    Decision.WITHDRAWAL_SPOILS: mark("to take what the enemy gave up"),
    Decision.EXCHANGE: mark("turn {number}, after a siege"),
    Decision.FORFEIT: mark("to discard the cards that an unpaid shuffle costs"),
    Decision.START_CARD: mark("to choose the card to begin with"),
}
"""The purpose of the next record, by decision."""

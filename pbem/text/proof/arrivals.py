"""Files that arrived by mail or in folders, in sentences and as facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine.message import Message, Phrase, sentences, with_label
from pbem.errors import VerificationError
from pbem.foreign import clean, display_address, display_name, display_path, shell_quote
from pbem.play.inbox import Arrival, ArrivalKind
from pbem.play.store import GameEntry
from pbem.text.facts.json_data import Facts
from pbem.text.games import game_entry_facts, game_title, opponent_facts, state_text
from pbem.text.history.standing import future_date_warning
from pbem.text.phrases import row_text
from pbem.text.proof.finding import explain_failure, recovered_signatures_notice


def arrival_text(arrival: Arrival, command: str) -> Phrase:
    """Return a sentence about an arrival: its file, or the reason why it stays in the mailbox.

    The program is called by `command`.
    """
    kind, match, error = arrival.kind, arrival.match, arrival.error
    if kind is ArrivalKind.FAILED and error is not None:
        return error.message
    envelope, size = arrival.file.envelope, f"{arrival.size / 2**20:.0f}"
    facts: dict[str, object] = {"sender": envelope.sender_text, "subject": envelope.quoted_subject}
    facts |= {"size": size, "reason": error}
    if match is not None:
        facts |= {"game": match.id.hex()[:8], "record": match.last.index}
        facts["player"] = display_name(match.invite.name)
    text = row_text("arrived", kind.value, **facts)
    if kind is ArrivalKind.INVALID and error is not None:
        look = row_text("arrived", "look into it", command=f"{command} audit")
        if isinstance(error, VerificationError):
            error = explain_failure(error, arrival.file.data)
        return sentences(text, error.message, look)
    if kind is ArrivalKind.WITHOUT_FILE and arrival.entry is not None:
        text = sentences(text, row_text("arrived", "ask"))
        if envelope.is_automatic:
            text = row_text("arrived", "automatic", **facts)
        return with_label(game_title(arrival.entry), text)
    return text


def arrival_warnings(arrival: Arrival, now: str) -> Iterator[Message]:
    """Yield the warnings about a file in a message."""
    if arrival.match is None:
        return
    if arrival.file.truncation_warning:
        yield arrival.file.truncation_warning
    ahead = future_date_warning(arrival.match, now)
    if ahead and arrival.kind is not ArrivalKind.FOREIGN:
        yield ahead
    if arrival.was_learnt:
        yield recovered_signatures_notice()
    if arrival.other_address:
        sender, address = arrival.file.envelope.sender_text, display_address(arrival.other_address)
        yield row_text("arrived", "other address", sender=sender, address=address)


def compare_hint(arrival: Arrival, command: str) -> Message | None:
    """Return the command to compare a contradicting file with the player's own, if there is one."""
    entry = arrival.entry
    own_file = (entry.file_in or entry.file_out) if entry else None
    if arrival.kind is not ArrivalKind.OTHER or own_file is None or arrival.path is None:
        return None
    audit = f"{command} audit {shell_quote(own_file)} {shell_quote(arrival.path)}"
    return row_text("arrived", "compare", command=audit)


def arrival_facts(arrival: Arrival, now: str) -> Facts:
    """Return the facts of an arrival by mail."""
    envelope, entry, match = arrival.file.envelope, arrival.entry, arrival.match
    facts: Facts = {"what": arrival.kind.value}
    if arrival.kind is ArrivalKind.TOO_LARGE:
        return facts | {"bytes": arrival.size}
    if arrival.error is not None:
        facts |= {"reason": clean(str(arrival.error))}
    elif match is not None:
        facts |= {
            "game": match.id,
            "record": len(arrival.file.records) - 1,
            "file": arrival.path,
            "other_address": arrival.other_address or None,
            "opponent": opponent_facts(arrival.opponent) if arrival.opponent else None,
        }
    elif entry is not None:
        facts |= {"game": entry.id, "reason": None, "automatic": envelope.is_automatic}
    if arrival.error is None:
        facts["listed"] = game_entry_facts(entry, now) if entry else None
    return facts | {
        "from": clean(envelope.sender),
        "subject": clean(envelope.subject),
        "message_id": clean(envelope.message_id),
    }


# --- arrivals in folders


def file_warnings(arrival: Arrival, command: str) -> Iterator[Phrase]:
    """Yield the warnings about a file that stays in its folder."""
    error, contradicted, file = arrival.error, arrival.contradicted, arrival.file.label
    if isinstance(error, VerificationError):
        number = error.finding.record
        yield row_text("arrived", "left out", file=file, number=number, command=command)
    elif error is not None:
        yield error.message
    if contradicted is not None:
        yield row_text("arrived", "contradicted", file=file, number=contradicted.index)


def folder_news(arrival: Arrival, now: str, command: str) -> Iterator[Phrase]:
    """Yield the news of a file in a folder, and the warnings about it."""
    kind, is_file, match = arrival.kind, arrival.file.is_file, arrival.match
    is_news = kind in (ArrivalKind.NEW, ArrivalKind.INVITATION, ArrivalKind.OTHER)
    if kind is ArrivalKind.NEW and arrival.entry is not None:
        yield with_label(game_title(arrival.entry), state_text(arrival.entry, now))
    elif arrival.is_invitation and match is not None and is_file:
        yield row_text("arrived", "in list", player=display_name(match.invite.name))
    elif is_news and arrival.path is not None and not is_file:
        yield sentences(arrival_text(arrival, command), display_path(arrival.path))
    if is_file:
        yield from file_warnings(arrival, command)
    elif arrival.error is not None:
        yield arrival.error.message
    elif is_news:
        yield from arrival_warnings(arrival, now)


# --- the newest arrival of each game


def newest_arrivals(arrivals: Iterable[Arrival]) -> list[Arrival]:
    """Return the arrival with most records for each game, in order of arrival."""
    best: dict[tuple[object, bool], Arrival] = {}
    for arrival in arrivals:
        # Files that contradict their game are reported separately.
        key = arrival.game_id or id(arrival), arrival.kind is ArrivalKind.OTHER
        earlier = best.get(key, arrival)
        # Among equal files the first one is kept.
        better = arrival if len(arrival.file.records) > len(earlier.file.records) else earlier
        was_learnt = arrival.was_learnt or earlier.was_learnt
        best[key] = better._replace(was_learnt=was_learnt)
    return list(best.values())


class Digest:
    """A report on mail that keeps only arrivals which are still to be reported.

    `say`: reports an arrival. `say_state`: reports the state of a game after its arrivals.
    `is_whole`: report all arrivals; by default only the newest of each game.
    """

    def __init__(
        self,
        say: Callable[[Arrival], None],
        say_state: Callable[[GameEntry], None],
        *,
        is_whole: bool = False,
    ) -> None:
        self.say, self.say_state, self.is_whole = say, say_state, is_whole
        self.has_any = self.has_refused = False
        self._waiting: list[Arrival] = []
        self._games: set[bytes | None] = set()

    def report(self, arrivals: list[Arrival]) -> None:
        """Report the arrivals of one message."""
        news = arrivals if self.is_whole else newest_arrivals(filter(self._is_new, arrivals))
        for arrival in news:
            self.say(arrival)
        awaited = (arrival for arrival in arrivals if arrival.kind.is_awaited)
        self._waiting = newest_arrivals([*self._waiting, *awaited])
        self._games |= {arrival.game_id for arrival in arrivals}
        self.has_any |= bool(arrivals)
        self.has_refused |= any(arrival.kind.is_refused for arrival in arrivals)

    def report_states(self) -> None:
        """Report the state of each game with arrivals since the last call."""
        waiting, self._waiting = self._waiting, []
        for arrival in waiting:
            if arrival.entry is not None:
                self.say_state(arrival.entry)

    def _is_new(self, arrival: Arrival) -> bool:
        """Return False for an arrival that is a copy of an earlier one."""
        is_known = arrival.kind in (ArrivalKind.AGAIN, ArrivalKind.OLDER)
        return not is_known or arrival.game_id not in self._games

"""Forks: only two signatures at one position prove a fork."""

from __future__ import annotations

import tomllib
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.protocol.fork import Comparison, Evidence, NoForkError, Relation, compare
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record, author_key
from pbem.protocol.schema import canonical_json
from pbem.protocol.steps import DrawStep, OrderStep
from pbem.savefile.save_file import EvidenceFile
from tests.play.matches import TIME, any_order, begin, identities, play, sign_as
from tests.signing import make_record, sign_otherwise
from tests.vectors import naive

ANNA, BELA = identities()
LATER = "2026-11-21T11:00:00Z"


@pytest.fixture(scope="module")
def match() -> Match:
    return play(begin(), any_order(Random(1)), turns=6)


def author(index: int) -> Identity:
    return (ANNA, BELA)[index % 2]


def fork_at(match: Match, index: int) -> list[Record]:
    """Return the records of a match up to one that its author signed again at another time."""
    return [*match.records[:index], sign_as(author(index), match.records[index], time=LATER)]


def evidence(match: Match, index: int = 4) -> Evidence:
    other = fork_at(match, index)
    return Evidence(author(index).public_key, (match.records[index], other[index]))


def read(data: bytes) -> Evidence:
    return EvidenceFile.read(data).evidence


def write_evidence(proof: Evidence) -> bytes:
    return EvidenceFile(proof).write()


# --- comparing


@pytest.mark.parametrize("index", [1, 2, 3, 4, 5])
def test_fork_names_the_record_and_the_key_of_its_author(match: Match, index: int) -> None:
    other = fork_at(match, index)
    Match.replay(other)
    for one, two in ((match.records, other), (other, match.records)):
        comparison = compare(one, two)
        assert (comparison.relation, comparison.common) == (Relation.FORK, index)
        assert comparison.evidence is not None
        assert comparison.evidence.key == author(index).public_key
        assert comparison.evidence.records == (one[index], two[index])
        comparison.evidence.check()


@pytest.mark.parametrize("side", ["inviter", "guest"])
def test_fork_is_the_first_difference(match: Match, side: str) -> None:
    """The opponent of a cheater answers both records, but the cheater is named."""
    index = 2 if side == "inviter" else 3
    branch = play(Match.replay(fork_at(match, index)), any_order(Random(2)), turns=5)
    comparison = compare(match.records, branch.records)
    assert comparison.evidence is not None
    assert (comparison.common, comparison.evidence.key) == (index, author(index).public_key)


def test_continued_file_is_no_fork(match: Match) -> None:
    assert compare(match.records, match.records) == Comparison(Relation.SAME, len(match.records))
    for one, two in ((match.records[:3], match.records), (match.records, match.records[:3])):
        assert compare(one, two) == Comparison(Relation.CONTINUED, 3)


def test_another_signature_under_the_same_content_is_no_fork(match: Match) -> None:
    """An Ed25519 signer may make more than one valid signature of one message."""
    resigned = sign_otherwise(match.records[4], ANNA)
    records = [*match.records[:4], resigned, *match.records[5:]]
    assert compare(match.records, records).relation is Relation.SAME
    with pytest.raises(NoForkError, match="same record"):
        Evidence(ANNA.public_key, (match.records[4], resigned)).check()


def test_author_is_known_for_either_side_of_the_guest() -> None:
    for guest in begin().entrants:
        match = play(begin(side=None, guest=guest), any_order(Random(3)), turns=3)
        keys = [author_key(record, match.records) for record in match.records]
        assert keys == [author(index).public_key for index in range(len(keys))]
        assert all(record.verify(key) for record, key in zip(match.records, keys, strict=True))


# --- the evidence file


def test_evidence_round_trips_and_survives_mail(match: Match) -> None:
    data = write_evidence(evidence(match))
    assert data.isascii()
    assert all(len(line) <= 76 and not line.endswith(b" ") for line in data.split(b"\n"))
    again = read(data)
    again.check()
    assert set(again.records) == set(evidence(match).records)
    assert write_evidence(again) == data
    mailed = b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")
    assert read(mailed) == again


def test_evidence_does_not_depend_on_the_order_of_records(match: Match) -> None:
    one, two = evidence(match).records
    assert write_evidence(Evidence(ANNA.public_key, (two, one))) == write_evidence(evidence(match))


def test_independent_program_checks_evidence(match: Match) -> None:
    """The second implementation checks evidence by docs/save-format.md, Evidence of a fork."""
    table = tomllib.loads(write_evidence(evidence(match)).decode())
    assert table.keys() == {"format", "version", "key", "record"}
    assert (table["format"], table["version"]) == ("acres-fork", 1)
    one, two = table["record"]
    assert one["index"] == two["index"] > 0
    assert one["previous"] == two["previous"]
    assert naive.record_hash(one) != naive.record_hash(two)
    key = Ed25519PublicKey.from_public_bytes(naive.unb64(table["key"]))
    for record in (one, two):
        message = b"acres/1 signature\0" + naive.record_hash(record)
        key.verify(naive.unb64(record["signature"]), message)


def test_weak_key_proves_nothing(match: Match) -> None:
    """With R the neutral element and S zero, the equation holds for the key 1 and any message."""
    weak = b"\1" + bytes(63)
    one, two = (record._replace(signature=weak) for record in evidence(match).records)
    message = b"acres/1 signature\0" + one.hash
    Ed25519PublicKey.from_public_bytes(b"\1" + bytes(31)).verify(weak, message)
    with pytest.raises(NoForkError, match="signatures"):
        Evidence(b"\1" + bytes(31), (one, two)).check()


@pytest.mark.parametrize("filler", ["x", "."])
def test_any_two_records_fit_an_evidence_file(filler: str) -> None:
    def long(time: str) -> Record:
        steps = [OrderStep(filler * 2000)] * 8 + [DrawStep(1)]
        return make_record(
            ANNA, index=4, side="british", previous=bytes(32), time=time, steps=steps
        )

    proof = Evidence(ANNA.public_key, (long(TIME), long(LATER)))
    assert all(len(canonical_json(record.content())) > 16000 for record in proof.records)
    read(write_evidence(proof)).check()

"""The messages of one append: those that the code fails on are dead letters, and the others come in."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Lineage, Message, Receipt, RejectedMessage, TaskChange
from lineage_tt.write.admission import catch_all
from lineage_tt.write.batch import MAX_REPLACED, Batch, RefusedMessage, TooManyBugs
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.catalog.lineages import Lineages

GOOD = TaskChange("e", "t", "update", 5, lineage=Lineage(), raw=b"{}")


class Planned:
    """A plan that fails on the messages with some event ids."""

    def __init__(self, *bad: str, error: Exception | None = None) -> None:
        self.bad, self.error = bad, error or ZeroDivisionError()
        self.added: list[Message] = []

    def is_new(self, message: Message) -> bool:
        """All are."""
        return True

    def add(self, message: Message, lineages: Lineages) -> None:
        """Take a message, or fail."""
        if isinstance(message, TaskChange) and message.event_id in self.bad:
            raise self.error
        self.added.append(message)


def batch(*names: str) -> Batch:
    """A batch of messages with these event ids."""
    return Batch([replace(GOOD, event_id=name) for name in names])


def fill(given: Batch, plan: Planned) -> None:
    """Fill a plan from a batch, as the writer does."""
    made: Any = plan
    given.fill(made, Lineages(None), Catalog())


def codes(given: Batch) -> list[str]:
    """The event ids of its messages, or the codes of those that were replaced."""
    return [m.code if isinstance(m, RejectedMessage) else m.event_id for m in given.messages]


def test_a_message_that_fails_is_replaced_and_the_next_attempt_succeeds() -> None:
    """It is a dead letter with its bytes, and costs the others nothing."""
    given, plan = batch("a", "b", "c"), Planned("b")
    with pytest.raises(RefusedMessage):
        fill(given, plan)
    again = Planned("b")
    fill(given, again)

    assert codes(given) == ["a", catch_all.CODE, "c"]
    assert len(again.added) == 3
    letter = given.messages[1]
    assert isinstance(letter, RejectedMessage)
    assert (letter.raw, letter.event_id, letter.task_id) == (b"{}", "b", "t")


def test_a_failure_around_the_messages_is_no_fault_of_one() -> None:
    """A full disk rejects nothing."""
    given = batch("a")
    with pytest.raises(UnavailableError):
        fill(given, Planned("a", error=UnavailableError("disk full")))

    assert codes(given) == ["a"]


def test_many_failures_split_the_batch() -> None:
    """A bug that all messages meet costs a bounded number of attempts; one message alone is never split."""
    names = [f"m{number}" for number in range(MAX_REPLACED + 4)]
    given, plan = batch(*names), Planned(*names)
    for _ in range(MAX_REPLACED - 1):
        with pytest.raises(RefusedMessage):
            fill(given, plan)
    with pytest.raises(TooManyBugs):
        fill(given, plan)
    first, second = given.halves()

    assert codes(first) == [catch_all.CODE] * 10
    assert codes(second) == [catch_all.CODE] * (MAX_REPLACED - 10) + names[MAX_REPLACED:]


def test_an_odd_batch_has_two_halves_all_the_same() -> None:
    """None of its messages is lost, and a single one is the second half."""
    assert [codes(half) for half in batch("a", "b", "c").halves()] == [["a"], ["b", "c"]]
    assert [codes(half) for half in batch("a").halves()] == [[], ["a"]]


def test_messages_are_checked_as_they_come() -> None:
    """A rejected one keeps its place; what the product made itself is not held to the rules of others."""
    own = replace(GOOD, lineage=Lineage([("n:a", "subscription:x", "DIRECT", "IDENTITY", "")]))

    assert codes(Batch([GOOD, replace(GOOD, event_id="x" * 10_000)])) == ["e", "name-too-long"]
    assert codes(Batch([own])) == ["reserved-node"]


def stamped(rows: list[LogRow], receipts: list[Receipt]) -> Any:
    """A plan of these rows, in which stamping fails."""

    def stamp(times: object, checksum: object) -> None:
        raise OverflowError("int too large")

    return SimpleNamespace(rows=rows, receipts=receipts, stamp=stamp)


def test_a_row_that_cannot_be_written_replaces_its_message() -> None:
    """Found by trying each alone; one of a version derived from a message counts as that message."""
    good, bad = LogRow(1, 0, "accepted"), LogRow(2, 0, "accepted", source_version=2**70)
    derived = LogRow(3, 0, "accepted", source_version=2**70)
    receipts = [Receipt(1, "accepted"), Receipt(1, "duplicate"), Receipt(2, "accepted")]
    given = batch("a", "b", "c")

    with pytest.raises(RefusedMessage):
        given.stamp(stamped([good, bad, derived], receipts), [1, 2, 3], b"")
    assert codes(given) == ["a", "b", catch_all.CODE]


def test_where_every_row_can_be_written_the_error_passes() -> None:
    """It is nothing that leaving out a message would help."""
    given = batch("a")

    with pytest.raises(OverflowError):
        given.stamp(stamped([LogRow(1, 0, "accepted")], [Receipt(1, "accepted")]), [1], b"")
    assert codes(given) == ["a"]
    assert not given.refuse_unstorable(stamped([], []), OSError("disk full"))

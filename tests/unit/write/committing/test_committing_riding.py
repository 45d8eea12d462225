"""Rows of other writers in a commit, and what a writer offers of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from planned import define
from purges import merge
from writing import Writing, change

from lineage_tt.model.messages import TaskChange
from lineage_tt.write.committing.offers import offer_bytes
from lineage_tt.write.committing.riding import MAX_CARRIED, Carried, Rider
from lineage_tt.write.past import latest
from lineage_tt.write.planning.plan import Plan


def test_a_commit_takes_what_others_offer_after_its_own_rows(writing: Writing, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with its numbers and checksums; one about a subject of its own is left, and one that is out of date."""
    plan = writing.plan(change("mine", 10))
    offers = {name: offer_bytes(writing_plan) or b"" for name, writing_plan in (
        ("good", offered(writing, change("theirs", 20))),
        ("mine", offered(writing, change("mine", 20))),
        ("cut", offered(writing, change("cut", 20))),
    )}  # fmt: skip
    offers["cut"] = offers["cut"][:-3]
    monkeypatch.setattr(writing.log, "offers", lambda: list(offers.items()))
    others = Carried(writing.log, writing.known, plan)
    rows = others.take()

    assert others.spans == {"good": (2, 2)}
    assert [(row.version, row.task_id, row.system_time) for row in rows] == [(2, "theirs", 96)]
    assert rows[0].checksum != plan.rows[0].checksum


def offered(writing: Writing, message: TaskChange) -> Plan:
    """A plan of another writer of a log of the same version."""
    return Writing(Path(str(writing.log.path.parent))).plan(message)


def test_a_commit_takes_a_bounded_number_of_rows(writing: Writing, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn ends soon."""
    plan = writing.plan(change("mine", 10))
    many = offered(writing, change("t", 20))
    rows = [many.rows[0]._replace(task_id=f"t{number}") for number in range(MAX_CARRIED + 1)]
    many.rows = rows
    whole = offer_bytes(many)
    many.rows = rows[:1]
    small = offer_bytes(many)
    assert whole is not None
    assert small is not None
    monkeypatch.setattr(writing.log, "offers", lambda: [("large", whole), ("small", small)])

    assert len(Carried(writing.log, writing.known, plan).take()) == 1


def test_a_rider_offers_what_it_planned(writing: Writing) -> None:
    """What only its own writer can commit is not offered; nobody has committed it yet."""
    plans: list[Callable[[], Plan]] = [
        lambda: writing.plan(change("mine", 10)), lambda: writing.plan(define("d", 0, "x")),
    ]  # fmt: skip
    found = []
    for plan in plans:
        rider = Rider(writing.known, plan)
        found.append((rider.offer("ticket") is not None, writing.known.offered, rider.has_arrived()))

    assert found == [(True, "ticket", False), (False, None, False)]


@pytest.mark.parametrize("after", ["nothing", "a compaction", "many rows", "a message about its task"])
def test_a_message_that_another_writer_committed_is_accepted(
    writing: Writing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    """Whatever else was committed before its writer looks; and the writer then knows its task's history."""
    writing.other.append([change("before", 10)])
    writing.known.look()
    rider = Rider(writing.known, lambda: writing.plan(change("mine", 10)))
    carry(writing, rider.offer("ticket"), change("theirs", 10))
    if after == "a compaction":
        merge(writing.other, tmp_path, purge=False)
    elif after == "many rows":
        monkeypatch.setattr(latest, "MAX_ROWS", 0)
    elif after == "a message about its task":
        writing.other.append([change("mine", 20)])

    assert rider.has_arrived()
    arrived = writing.known.arrived
    assert arrived is not None
    assert [(receipt.status, receipt.version) for receipt in arrived.receipts] == [("accepted", 3)]
    assert [row.version for row in arrived.rows] == [3]
    again = writing.plan(change("mine", 10), change("theirs", 10), change("mine", 20)).receipts
    sent = "duplicate" if after == "a message about its task" else "accepted"
    assert [receipt.status for receipt in again] == ["duplicate", "duplicate", sent]


def carry(writing: Writing, offer: bytes | None, message: TaskChange) -> None:
    """The other writer commits a message of its own and what is offered to it."""
    assert offer is not None
    log = writing.other.opened_log
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "offers", lambda: [("ticket", offer)])
        writing.other.append([message])

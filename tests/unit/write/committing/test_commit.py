"""A plan becomes a commit."""

from __future__ import annotations

import pytest
from writing import Writing, change

from lineage_tt.log.system_times import clock_times
from lineage_tt.model.errors import UnavailableError
from lineage_tt.storage import failpoints
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.committing.commit import Committer, Work
from lineage_tt.write.planning.plan import Plan


def test_a_plan_without_rows_is_no_commit(writing: Writing) -> None:
    """It repeats what is in the log."""
    writing.commit(change("mine", 10))
    at = writing.log.delta_version
    plan = writing.commit(change("mine", 10))

    assert (plan.rows, writing.log.delta_version) == ([], at)
    assert writing.known.draft is None


def test_a_faster_writer_costs_another_number(writing: Writing) -> None:
    """The draft is made before the turn; what others commit in between does not undo it."""
    committer = Committer(writing.log, writing.known)
    made: list[Plan] = []

    def plan() -> Plan:
        if made:
            raise AssertionError("planned again")
        made.append(writing.plan(change("mine", 10)))
        writing.other.append([change("theirs", 20)])
        return made[0]

    def stamp(plan: Plan) -> None:
        plan.stamp(clock_times(len(plan.rows), writing.log.system_time, 95), writing.log.checksum)

    done = committer.commit(Work(plan, stamp, Lineages(None), 1), light=False)

    assert [row.version for row in done.rows] == [2]
    assert (committer.renumbered, committer.planned_again) == (1, 0)


def test_a_plan_that_cannot_be_written_leaves_nothing(writing: Writing) -> None:
    """The same messages can be appended after the disk has room."""
    with failpoints.armed("p3:before:enospc"), pytest.raises((UnavailableError, OSError)):
        writing.commit(change("mine", 10))
    done = writing.commit(change("mine", 10))

    assert [(receipt.status, receipt.version) for receipt in done.receipts] == [("accepted", 1)]

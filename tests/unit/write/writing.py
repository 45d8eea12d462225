"""A writer beside another one, and a fixture of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.log.system_times import clock_times
from lineage_tt.model.messages import Message, RejectedMessage, TaskChange
from lineage_tt.testing import ManualClock, task_change
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.committing.commit import Committer, Work
from lineage_tt.write.committing.rebase import Draft
from lineage_tt.write.committing.writer_state import Known
from lineage_tt.write.planning.plan import Plan

LETTER = RejectedMessage(b"{", "syntax", "cut")


def change(task: str, at: int) -> TaskChange:
    """A message of its own, which another edge of the task makes."""
    return task_change(task, "update", at, [("n:a#x", f"n:b#y{at}")])


class Writing:
    """A writer beside another one, which commits when a test asks for it."""

    def __init__(self, folder: Path) -> None:
        self.other = Store.create(folder, clock=ManualClock(90))
        self.log = Log.open(folder / "log")
        self.known = Known(self.log)

    def plan(self, *messages: Message) -> Plan:
        """A plan of these messages after the end of the log, with times."""
        self.known.look()
        subjects = [m.subject for m in messages if not isinstance(m, RejectedMessage)]
        plan = self.known.new_plan(subjects, None, None)
        for message in messages:
            plan.add(message, Lineages(None))
        plan.stamp(clock_times(len(plan.rows), self.log.system_time, 95), self.log.checksum)
        return plan

    def draft(self, *messages: Message) -> Draft:
        """A draft that waits."""
        self.known.draft = Draft(self.plan(*messages))
        return self.known.draft

    def commit(self, *messages: Message) -> Plan:
        """Commit as a writer does."""
        committer = Committer(self.log, self.known)

        def stamp(plan: Plan) -> None:
            plan.stamp(clock_times(len(plan.rows), self.log.system_time, 95), self.log.checksum)

        def plan() -> Plan:
            return self.plan(*messages)

        return committer.commit(Work(plan, stamp, Lineages(None), len(messages)), light=False)


@pytest.fixture
def writing(tmp_path: Path) -> Writing:
    """A writer that knows an empty log."""
    return Writing(tmp_path)

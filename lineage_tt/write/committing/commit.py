"""A plan becomes a commit: wait for a turn, rebase the plan on what was committed meanwhile, commit.

A small batch is planned in its turn. A large batch, or one whose SQL has to be parsed, is planned before its turn,
while others write; in its turn it is rebased (``rebase``). SQL is not parsed in a turn, unless two turns were given up
for it. A small batch that has to wait is planned while it waits, and another writer may commit it (``riding``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final

from lineage_tt.log.log import Log
from lineage_tt.log.system_times import ImportOrder
from lineage_tt.model.errors import ConflictError
from lineage_tt.model.messages import (
    Message,
    SourcePosition,
)
from lineage_tt.storage import failpoints
from lineage_tt.storage.write_queue import MAX_SHORT
from lineage_tt.write.admission import catch_all
from lineage_tt.write.batch import Batch, RefusedMessage
from lineage_tt.write.catalog.lineages import Lineages, ParsingNeededError
from lineage_tt.write.committing.rebase import Draft
from lineage_tt.write.committing.riding import Carried, Rider
from lineage_tt.write.committing.writer_state import Known
from lineage_tt.write.planning.plan import Plan

MAX_ATTEMPTS: Final = 100
#: The most turns that are given up because SQL had to be parsed; in the next turn it is parsed while others wait.
MAX_GIVEN_UP: Final = 2


@dataclass(frozen=True, slots=True)
class Work:
    """Something to commit: how it is planned, how a plan gets its times, and how large it is."""

    plan: Callable[[], Plan]
    stamp: Callable[[Plan], None]
    lineages: Lineages
    messages: int
    positions: Sequence[SourcePosition] = ()
    batch: Batch | None = None
    order: Callable[[], ImportOrder | None] = lambda: None

    @property
    def batched(self) -> Sequence[Message]:
        """The messages of the batch, empty where it is not a batch."""
        return self.batch.messages if self.batch is not None else ()


class Committer:
    """Commits what a writer plans, in turns; ``known`` is what the writer knows of the log."""

    def __init__(self, log: Log, known: Known) -> None:
        self.log = log
        self._known = known
        #: Of the plans that other writers overtook: how many were only renumbered, and how many were planned again.
        self.renumbered = 0
        self.planned_again = 0

    def commit(self, work: Work, *, light: bool) -> Plan:
        """Plan and commit in this writer's turn; ``light`` work may also be committed in another writer's turn.

        Work that is not ``light`` is planned before the turn.
        """
        rider = Rider(self._known, lambda: self._planned(work)) if light and not work.positions else None
        try:
            if not light:
                self._draft_before_the_turn(work)
            for given_up in range(MAX_GIVEN_UP + 1):
                work.lineages.may_parse = given_up == MAX_GIVEN_UP
                try:
                    with self.log.turn(work.messages, self._known.look, rider if given_up == 0 else None):
                        plan = self._commit_in_turn(work)
                except ParsingNeededError:
                    self._draft_before_the_turn(work)
                    continue
                if plan.rows or not self.log.acknowledged:  # the messages that these repeat may not be on disk yet
                    self.log.acknowledge()
                failpoints.reach("p5:before")
                return plan
            raise AssertionError("unreachable: in the last turn SQL is parsed")
        finally:
            draft, self._known.draft = self._known.draft, None
            self._known.offered = self._known.arrived = None
            if draft is not None:
                self._known.drop(draft)

    def _draft_before_the_turn(self, work: Work) -> None:
        work.lineages.may_parse = True
        with self.log.drafting() if work.messages > MAX_SHORT else nullcontext():
            self._known.look()
            self._known.draft = Draft(self._planned(work))

    def _commit_in_turn(self, work: Work) -> Plan:
        """Commit the draft or a new plan; rebase it whenever a writer that does not queue was faster."""
        carries = True
        for _ in range(MAX_ATTEMPTS):
            self._known.look()
            if self._known.arrived is not None:  # another writer committed it
                return self._known.arrived
            plan = self._rebased(work) or self._planned(work)
            failpoints.reach("p2:after")
            if not plan.rows:
                self._known.keep(plan)
                return plan
            others = Carried(self.log, self._known, plan)
            try:
                self.log.commit(plan.rows, work.positions, others if carries else None)
            except ConflictError:
                self._known.draft = Draft(plan)
                self.log.back_off()
                self.log.refresh()
                continue
            except BaseException as error:
                self.abandon(plan)
                if others.rows and catch_all.is_bug(error):  # perhaps because of another writer's row
                    carries = False
                    continue
                if work.batch is not None and work.batch.refuse_unstorable(plan, error):
                    continue
                raise
            self._known.keep(plan, others.rows)
            return plan
        raise ConflictError(f"gave up after {MAX_ATTEMPTS} commit conflicts", hint="write in larger batches")

    def _planned(self, work: Work) -> Plan:
        """Return a plan after the end of the log; plan again whenever a message of the batch had to be rejected."""
        while True:
            try:
                plan = work.plan()
                with self.abandoned_on_error(plan):
                    work.stamp(plan)
                return plan
            except RefusedMessage:  # it is a dead letter in the batch now
                continue

    def _rebased(self, work: Work) -> Plan | None:
        """Return the draft, moved to the current end of the log; None where there is none or it no longer holds."""
        draft, self._known.draft = self._known.draft, None
        if draft is None or (draft.is_current and draft.plan.texts == self.log.texts):
            return draft.plan if draft else None
        if draft.plan.texts.policy is not self.log.texts.policy or not draft.stands(work.batched, work.order()):
            self._plan_again(draft)
            return None
        plan = draft.renumber(self.log.version, self._known.catalog)
        try:
            with self.abandoned_on_error(plan):
                if draft.touched and not draft.place_again(work.batched, work.lineages):
                    self._plan_again(Draft(plan))
                    return None
                work.stamp(plan)
        except RefusedMessage:
            return None
        self.renumbered += 1
        return plan

    def _plan_again(self, draft: Draft) -> None:
        self._known.take_back(draft)
        self.planned_again += 1

    @contextmanager
    def abandoned_on_error(self, plan: Plan) -> Iterator[None]:
        """Abandon a plan if the block fails."""
        try:
            yield
        except BaseException:
            self.abandon(plan)
            raise

    def abandon(self, plan: Plan) -> None:
        """Undo in memory what a plan that was not committed changed."""
        self._known.drop(Draft(plan))

"""The write path: how a batch of messages, a correction or an accepted clock is planned.

A plan is made against the end of the log; ``commit`` turns it into a commit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from lineage_tt.log import verify
from lineage_tt.log.log import Log
from lineage_tt.log.system_times import ImportOrder, SystemTimes, clock_times, imported_times, room_for
from lineage_tt.model.clock import Clock, SystemClock
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import (
    Message,
    Receipt,
    RejectedMessage,
    Resolver,
    SourcePosition,
)
from lineage_tt.write import clock_guard
from lineage_tt.write.batch import Batch, TooManyBugs
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.catalog.reresolve import Cause, Corrected, Resolution
from lineage_tt.write.committing.commit import Committer, Work
from lineage_tt.write.committing.writer_state import Known
from lineage_tt.write.planning.plan import Plan

#: How many messages of a long batch are committed in one turn while others wait.
MAX_PIECE: Final = 256
#: A batch of more messages is planned before its turn.
MAX_LIGHT: Final = 16


class Writer:
    """Appends batches of messages to a log. One per process; several processes may write at once."""

    def __init__(self, log: Log, clock: Clock | None = None) -> None:
        self.log = log
        self._clock = clock or SystemClock()
        self._clock_is_accepted = False
        if not log.acknowledged:  # a process crashed between commit and acknowledgement
            verify.retried(log, partial(verify.verify_tail, log))
            log.acknowledge()
        self._known = Known(log)
        self._committer = Committer(log, self._known)

    @property
    def renumbered(self) -> int:
        """How many plans were only renumbered after other writers had been faster."""
        return self._committer.renumbered

    @property
    def planned_again(self) -> int:
        """How many plans were made again after other writers had been faster."""
        return self._committer.planned_again

    def append(
        self,
        messages: Sequence[Message],
        *,
        source: str | None = None,
        positions: Sequence[SourcePosition] = (),
        resolver: Resolver | None = None,
        system_times: SystemTimes = "clock",
        own: bool = False,
    ) -> list[Receipt]:
        """Append messages in order, each once; durable and visible to every reader when it returns.

        Returns one receipt per message. ``system_times="recorded_at"`` is for a history import, ``"history"`` for
        messages that come late to one: their versions follow the last one by a microsecond. ``own`` says that the
        product itself made the messages and may write facts of reserved nodes (``names.RESERVED``); it is never set for
        messages from outside. A message on which the code fails becomes a dead letter (``internal-error``).

        Waits for its turn among the writers of this machine. Raises ConflictError if a hundred commits in a row
        conflicted with those of writers that do not queue, UnavailableError or CorruptError as ``Log.append`` does.
        After an error the batch is in the log as a whole or not at all: append it again, nothing is counted twice.
        """
        return self._appended(messages, positions, system_times, source=source, resolver=resolver, own=own)

    def append_in_pieces(
        self,
        messages: Sequence[Message],
        *,
        positions: Sequence[SourcePosition] = (),
        system_times: SystemTimes = "clock",
        source: str | None = None,
        resolver: Resolver | None = None,
        own: bool = False,
    ) -> list[Receipt]:
        """Append a long batch as ``append`` does, in several commits while other writers wait for their turn.

        So no writer has to wait for thousands of another writer's messages. After an error the first pieces of the
        batch may be in the log: append it again, nothing is counted twice. ``positions`` are committed with the last
        piece. Messages with the same ``recorded_at`` get the system times that they would have in one commit.
        """
        receipts: list[Receipt] = []
        left = messages
        if len(left) > MAX_PIECE:
            verify.retried(self.log, self._known.look)
        while len(left) > MAX_PIECE and self._known.is_contended:
            piece, left = left[:MAX_PIECE], left[MAX_PIECE:]
            room = room_for([message.recorded_at for message in left])
            receipts += self._appended(piece, (), system_times, room, source=source, resolver=resolver, own=own)
        return receipts + self._appended(left, positions, system_times, source=source, resolver=resolver, own=own)

    def _appended(
        self,
        messages: Sequence[Message],
        positions: Sequence[SourcePosition],
        system_times: SystemTimes,
        room: int | None = None,
        *,
        source: str | None = None,
        resolver: Resolver | None = None,
        own: bool = False,
    ) -> list[Receipt]:
        """Append messages in one commit; imported times go up to ``room``, which leaves room for later commits."""
        return verify.retried(
            self.log,
            lambda: self._append(Batch(messages, own=own), source, positions, Lineages(resolver), system_times, room),
        )

    def _append(
        self,
        batch: Batch,
        source: str | None,
        positions: Sequence[SourcePosition],
        lineages: Lineages,
        system_times: SystemTimes,
        room: int | None,
    ) -> list[Receipt]:
        imports = system_times != "clock"
        subjects = [m.subject for m in batch.messages if not isinstance(m, RejectedMessage)]

        def order() -> ImportOrder | None:
            late = system_times == "history"
            return ImportOrder(self.log.system_time, self._now(), late=late) if imports else None

        def plan() -> Plan:
            plan = self._known.new_plan(subjects, source, order())
            lineages.keep_texts_as(plan.texts.policy)
            with self._committer.abandoned_on_error(plan):
                batch.fill(plan, lineages, self._known.catalog)
            return plan

        def stamp(plan: Plan) -> None:
            now, last = self._now(), self.log.system_time
            # the time that a rejected message states is not trusted: it would move the times of the others
            recorded = [row.recorded_at if row.status == "accepted" else None for row in plan.rows]
            times = imported_times(recorded, last, room) if imports else clock_times(len(recorded), last, now)
            batch.stamp(plan, times, self.log.checksum)

        work = Work(plan, stamp, lineages, len(batch.messages), positions, batch, order)
        light = len(batch.messages) <= MAX_LIGHT and not any(map(lineages.needs_parser, batch.messages))
        # histories are read before the turn; for a long batch, in ``plan``
        self._known.read(subjects if light else ())
        try:
            return self._committer.commit(work, light=light).receipts
        except TooManyBugs:
            first, second = batch.halves()
            before = room_for([message.recorded_at for message in second.messages])
            done = self._append(first, source, (), lineages, system_times, before)
            return done + self._append(second, source, positions, lineages, system_times, room)

    def accept_clock(self, reason: str, actor: str | None = None) -> Receipt:
        """Record that an operator accepts the clock as it is, and continue, after ``clock_guard`` rejected it.

        While the store is ahead of the clock, versions get system times a microsecond apart after its last one, until
        the clock has passed it. The record is a fact of the node ``policy:clock`` in the log. Raises
        InvalidRequestError where there is nothing to accept.
        """
        verify.retried(self.log, self._known.catch_up)
        clocks = clock_guard.clocks(self.log, self._clock.now())
        if clocks.problem is None:
            raise InvalidRequestError("there is nothing to accept: the clock and the store agree")
        ahead = clocks.last_system_time > clocks.now
        message = clock_guard.acceptance(clocks, reason, actor)
        self._clock_is_accepted = True
        try:
            if ahead:
                self.log.accept_clock(clocks.last_system_time)
            return self.append([message], own=True)[0]
        finally:
            self._clock_is_accepted = False

    def _now(self) -> int:
        """Return the time for a commit; UnavailableError where the clock cannot be trusted."""
        now = self._clock.now()
        if not self._clock_is_accepted:
            clock_guard.check(self.log, now)
        return now

    def correct(
        self,
        resolutions: Sequence[Resolution],
        cause: Cause,
        *,
        resolver: Resolver,
        dry_run: bool = False,
        accept_worse: bool = False,
    ) -> Corrected:
        """Re-resolve statements in force, in one commit; return the outcome.

        ``resolutions`` are read from the log. A result that equals the one before adds no version, and neither does one
        that exceeded a limit or, unless ``accept_worse`` is given, is worse than before. ``dry_run`` commits nothing.
        Raises as ``append`` does.
        """
        corrected = Corrected(0)
        lineages = Lineages(resolver)

        def plan() -> Plan:
            nonlocal corrected
            plan = self._known.new_plan((each.task_id for each in resolutions), None, None)
            lineages.keep_texts_as(plan.texts.policy)
            with self._committer.abandoned_on_error(plan):
                corrected = plan.correct(resolutions, cause, lineages, accept_worse=accept_worse)
            return plan

        def stamp(plan: Plan) -> None:
            times = clock_times(len(plan.rows), self.log.system_time, self._now())
            plan.stamp(times, self.log.checksum)

        def planned() -> None:
            self._known.catch_up()
            self._committer.abandon(plan())

        if dry_run:
            verify.retried(self.log, planned)
        else:
            work = Work(plan, stamp, lineages, len(resolutions))
            verify.retried(self.log, lambda: self._committer.commit(work, light=False))
        return corrected

"""The write path: plan a batch against the end of the log, wait for a turn, rebase it on what came meanwhile, commit.

A small batch is planned when its turn has come. A large one, or one whose SQL is to be parsed, is planned before, while
others write; in its turn it is rebased (``rebase``). SQL is not parsed in a turn, unless that was tried three times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from lineage_tt.log import verify
from lineage_tt.log.log import Log
from lineage_tt.log.system_times import ImportOrder, SystemTimes, clock_times, imported_times, room_for
from lineage_tt.model.clock import Clock, SystemClock
from lineage_tt.model.errors import ConflictError, CorruptError, InvalidRequestError
from lineage_tt.model.messages import (
    Message,
    Receipt,
    RejectedMessage,
    Resolver,
    SourcePosition,
)
from lineage_tt.storage import failpoints
from lineage_tt.write import clock_guard
from lineage_tt.write.batch import Batch, RefusedMessage, TooManyBugs
from lineage_tt.write.catalog.lineages import Lineages, ParsingNeededError
from lineage_tt.write.catalog.reresolve import Cause, Corrected, Made
from lineage_tt.write.known import Known
from lineage_tt.write.plan import Plan
from lineage_tt.write.rebase import Draft

Done = TypeVar("Done")
MAX_ATTEMPTS: Final = 100
#: How many messages of a long batch are committed in one turn while others wait.
MAX_PIECE: Final = 256
#: A batch of more messages is planned before its turn.
MAX_LIGHT: Final = 16
#: So many turns are given up because SQL had to be parsed; in the next it is parsed while others wait.
MAX_GIVEN_UP: Final = 2


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be committed: how it is planned, how a plan gets its times, and how large it is."""

    plan: Callable[[], Plan]
    stamp: Callable[[Plan], None]
    lineages: Lineages
    messages: int
    positions: Sequence[SourcePosition] = ()
    batch: Batch | None = None
    order: Callable[[], ImportOrder | None] = lambda: None

    @property
    def batched(self) -> Sequence[Message]:
        """The messages of its batch, where it is one."""
        return self.batch.messages if self.batch is not None else ()


class Writer:
    """Appends batches of messages to a log. One per process; several processes may write at once."""

    def __init__(self, log: Log, clock: Clock | None = None) -> None:
        self.log = log
        self._clock = clock or SystemClock()
        self._clock_is_accepted = False
        #: How many plans that others were faster than stood but for their numbers, and how many were made again.
        self.renumbered = 0
        self.planned_again = 0
        if not log.acknowledged:  # a crash came between commit and acknowledgement
            verify.verify_tail(log)
            log.acknowledge()
        self._known = Known(log)

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

        Returns one receipt a message. ``system_times="recorded_at"`` is the history import, ``"history"`` the same for
        messages that come late to it: their versions follow the last one by a microsecond. ``own`` says that the
        product itself made the messages and may write facts of reserved nodes (``names.RESERVED``); what comes from
        outside is never given it. A message on which the code fails becomes a dead letter (``internal-error``).

        Waits for its turn among the writers of this machine. Raises ConflictError if a hundred commits running
        conflicted with those of writers that do not queue, UnavailableError or CorruptError as ``Log.append`` does.
        After an error the batch is in the log whole or not at all: append it again, what is there counts once.
        """
        return self._appended(messages, positions, system_times, source=source, resolver=resolver, own=own)

    def append_in_pieces(
        self,
        messages: Sequence[Message],
        *,
        positions: Sequence[SourcePosition] = (),
        system_times: SystemTimes = "clock",
        **options: Any,
    ) -> list[Receipt]:
        """Append a long batch as ``append`` does, in several commits while other writers wait for their turn.

        So no writer waits for thousands of messages of another. After an error the first pieces of the batch may be in
        the log: append it again, what is there counts once. ``positions`` are committed with the last piece. Messages
        of one ``recorded_at`` get the system times that they would have in one commit.
        """
        receipts: list[Receipt] = []
        left = messages
        if len(left) > MAX_PIECE:
            self._known.look()
        while len(left) > MAX_PIECE and self._known.is_contended:
            piece, left = left[:MAX_PIECE], left[MAX_PIECE:]
            room = room_for([message.recorded_at for message in left])
            receipts += self._appended(piece, (), system_times, room, **options)
        return receipts + self._appended(left, positions, system_times, **options)

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
        """Append messages in one commit; what follows in others has ``room`` after imported times up to that."""
        return self._again(
            lambda: self._append(Batch(messages, own=own), source, positions, Lineages(resolver), system_times, room)
        )

    def _again(self, write: Callable[[], Done]) -> Done:
        """Write; once more where files to be read are gone, since a policy was tightened for history."""
        try:
            return write()
        except CorruptError:
            self.log.refresh()
            if self.log.texts.epoch == self._known.epoch:
                raise
            return write()

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
            with self._abandoned_on_error(plan):
                batch.fill(plan, lineages, self._known.catalog)
            return plan

        def stamp(plan: Plan) -> None:
            now, last = self._now(), self.log.system_time
            # the time that a rejected message states is not trusted: it would move the times of the others
            recorded = [row.recorded_at if row.status == "accepted" else None for row in plan.rows]
            times = imported_times(recorded, last, room) if imports else clock_times(len(recorded), last, now)
            batch.stamp(plan, times, self.log.checksum)

        work = _Work(plan, stamp, lineages, len(batch.messages), positions, batch, order)
        light = len(batch.messages) <= MAX_LIGHT and not any(map(lineages.needs_parser, batch.messages))
        if light:
            self._known.read(subjects)  # what has to be read is, before the turn
        try:
            return self._commit(work, light=light).receipts
        except TooManyBugs:
            first, second = batch.halves()
            before = room_for([message.recorded_at for message in second.messages])
            done = self._append(first, source, (), lineages, system_times, before)
            return done + self._append(second, source, positions, lineages, system_times, room)

    def accept_clock(self, reason: str, actor: str | None = None) -> Receipt:
        """Record that an operator accepts the clock as it is, and continue, after ``clock_guard`` rejected it.

        Where the store is ahead of the clock, versions get system times a microsecond apart after its last one until
        the clock has passed it. The record is a fact of the node ``policy:clock`` in the log. Raises
        InvalidRequestError where there is nothing to accept.
        """
        self._known.catch_up()
        found = clock_guard.clocks(self.log, self._clock.now())
        if found.problem is None:
            raise InvalidRequestError("there is nothing to accept: the clock and the store agree")
        ahead = found.last_system_time > found.now
        message = clock_guard.acceptance(found, reason, actor)
        self._clock_is_accepted = True
        try:
            if ahead:
                self.log.accept_clock(found.last_system_time)
            return self.append([message], own=True)[0]
        finally:
            self._clock_is_accepted = False

    def _now(self) -> int:
        """Return the time of a commit; UnavailableError where the clock is not to be believed."""
        now = self._clock.now()
        if not self._clock_is_accepted:
            clock_guard.check(self.log, now)
        return now

    def correct(
        self,
        made: Sequence[Made],
        cause: Cause,
        *,
        resolver: Resolver,
        dry_run: bool = False,
        accept_worse: bool = False,
    ) -> Corrected:
        """Resolve again what statements in force say, in one commit; return what came of it.

        ``made`` are versions as the log has them. What says the same as before adds nothing, nor does what exceeded a
        limit, or is worse than before unless ``accept_worse`` is given; ``dry_run`` commits nothing. Raises as
        ``append``.
        """
        found = Corrected(0)
        lineages = Lineages(resolver)

        def plan() -> Plan:
            nonlocal found
            plan = self._known.new_plan((each.task_id for each in made), None, None)
            lineages.keep_texts_as(plan.texts.policy)
            with self._abandoned_on_error(plan):
                found = plan.correct(made, cause, lineages, accept_worse=accept_worse)
            return plan

        def stamp(plan: Plan) -> None:
            times = clock_times(len(plan.rows), self.log.system_time, self._now())
            plan.stamp(times, self.log.checksum)

        if dry_run:
            self._known.catch_up()
            self._abandon(plan())
        else:
            self._again(lambda: self._commit(_Work(plan, stamp, lineages, len(made)), light=False))
        return found

    def _commit(self, work: _Work, *, light: bool) -> Plan:
        """Commit a plan in its own turn; it is planned before where that may take long."""
        try:
            if not light:
                self._draft_before_the_turn(work)
            for given_up in range(MAX_GIVEN_UP + 1):
                work.lineages.may_parse = given_up == MAX_GIVEN_UP
                try:
                    with self.log.turn(work.messages, self._known.look):
                        plan = self._commit_in_turn(work)
                except ParsingNeededError:
                    self._draft_before_the_turn(work)
                    continue
                if plan.rows or not self.log.acknowledged:  # what these repeat may not have been forced to disk yet
                    self.log.acknowledge()
                failpoints.reach("p5:before")
                return plan
            raise AssertionError("unreachable: in the last turn SQL is parsed")
        finally:
            draft, self._known.draft = self._known.draft, None
            if draft is not None:
                self._known.drop(draft)

    def _draft_before_the_turn(self, work: _Work) -> None:
        work.lineages.may_parse = True
        self._known.look()
        self._known.draft = Draft(self._planned(work))

    def _commit_in_turn(self, work: _Work) -> Plan:
        """Commit the draft or a new plan, rebased whenever a writer that does not queue was faster all the same."""
        for _ in range(MAX_ATTEMPTS):
            self._known.look()
            plan = self._rebased(work) or self._planned(work)
            failpoints.reach("p2:after")
            if not plan.rows:
                self._known.keep(plan)
                return plan
            try:
                self.log.commit(plan.rows, work.positions)
            except ConflictError:
                self._known.draft = Draft(plan)
                self.log.back_off()
                self.log.refresh()
                continue
            except BaseException as error:
                self._abandon(plan)
                if work.batch is not None and work.batch.refuse_unstorable(plan, error):
                    continue
                raise
            self._known.keep(plan)
            return plan
        raise ConflictError(f"gave up after {MAX_ATTEMPTS} commit conflicts", hint="write in larger batches")

    def _planned(self, work: _Work) -> Plan:
        """Return a plan after the end of the log; planned again whenever a message of the batch had to be rejected."""
        while True:
            try:
                plan = work.plan()
                with self._abandoned_on_error(plan):
                    work.stamp(plan)
                return plan
            except RefusedMessage:  # it is a dead letter in the batch now
                continue

    def _rebased(self, work: _Work) -> Plan | None:
        """Return the draft as it is after the end of the log now; None where there is none, or it no longer holds."""
        draft, self._known.draft = self._known.draft, None
        if draft is None or (draft.is_current and draft.plan.texts == self.log.texts):
            return draft.plan if draft else None
        if draft.plan.texts.policy is not self.log.texts.policy or not draft.stands(work.batched, work.order()):
            self._plan_again(draft)
            return None
        plan = draft.renumber(self.log.version, self._known.catalog)
        try:
            with self._abandoned_on_error(plan):
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
    def _abandoned_on_error(self, plan: Plan) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._abandon(plan)
            raise

    def _abandon(self, plan: Plan) -> None:
        """Forget what a plan that was not committed changed in memory."""
        self._known.drop(Draft(plan))

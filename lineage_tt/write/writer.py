"""The write path: plan a batch against the end of the log, wait for a turn, rebase it on what came meanwhile, commit.

A small batch is planned when its turn has come. A large one, or one whose SQL is to be parsed, is planned before, while
others write; in its turn it is rebased (``rebase``). SQL is not parsed in a turn, unless that was tried three times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import orjson

from lineage_tt.log import verify
from lineage_tt.log.log import Log
from lineage_tt.log.system_times import ImportOrder, SystemTimes, clock_times, imported_times
from lineage_tt.model.clock import Clock, SystemClock, unique_name
from lineage_tt.model.errors import ConflictError, InvalidRequestError
from lineage_tt.model.messages import (
    Message,
    NodeChange,
    Receipt,
    RejectedMessage,
    Resolver,
    SourcePosition,
    Subject,
    TaskChange,
)
from lineage_tt.storage import failpoints
from lineage_tt.write import clock_guard
from lineage_tt.write.batch import Batch, RefusedMessage, TooManyBugs
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.catalog.dependencies import StarIndex
from lineage_tt.write.catalog.lineages import Lineages, ParsingNeededError
from lineage_tt.write.catalog.reresolve import Cause, Corrected, Made
from lineage_tt.write.catalog.statement_cache import Statements
from lineage_tt.write.past import history, latest
from lineage_tt.write.plan import Plan
from lineage_tt.write.rebase import Draft
from lineage_tt.write.subjects.histories import Tasks
from lineage_tt.write.subjects.tasks import TaskHistory

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


class Writer:
    """Appends batches of messages to a log. One per process; several processes may write at once."""

    def __init__(self, log: Log, clock: Clock | None = None) -> None:
        self.log = log
        self._clock = clock or SystemClock()
        self._clock_is_accepted = False
        #: What is planned and waits for its turn.
        self._draft: Draft | None = None
        self._others_write = False
        #: How many plans that others were faster than stood but for their numbers, and how many were made again.
        self.renumbered = 0
        self.planned_again = 0
        if not log.acknowledged:  # a crash came between commit and acknowledgement
            verify.verify_tail(log)
            log.acknowledge()
        self._start()

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
        After an error the batch is in the log whole or not at all: append it again, what is there
        counts once.
        """
        return self._append(Batch(messages, own=own), source, positions, Lineages(resolver), system_times)

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
        the log: append it again, what is there counts once. ``positions`` are committed with the last piece. A history
        import is not cut, for its batches end where ``recorded_at`` changes.
        """
        receipts: list[Receipt] = []
        left = messages
        while len(left) > MAX_PIECE and system_times == "clock" and (self.log.is_contended or self._others_write):
            receipts += self.append(left[:MAX_PIECE], **options)
            left = left[MAX_PIECE:]
        return receipts + self.append(left, positions=positions, system_times=system_times, **options)

    def _append(
        self,
        batch: Batch,
        source: str | None,
        positions: Sequence[SourcePosition],
        lineages: Lineages,
        system_times: SystemTimes,
    ) -> list[Receipt]:
        imports = system_times != "clock"
        subjects = [m.subject for m in batch.messages if not isinstance(m, RejectedMessage)]

        def plan() -> Plan:
            late = system_times == "history"
            order = ImportOrder(self.log.system_time, self._now(), late=late) if imports else None
            plan = self._new_plan(subjects, source, order)
            lineages.keep_texts_as(plan.texts.policy)
            with self._abandoned_on_error(plan):
                batch.fill(plan, lineages, self._catalog)
            return plan

        def stamp(plan: Plan) -> None:
            now, last = self._now(), self.log.system_time
            # the time that a rejected message states is not trusted: it would move the times of the others
            recorded = [row.recorded_at if row.status == "accepted" else None for row in plan.rows]
            times = imported_times(recorded, last) if imports else clock_times(len(recorded), last, now)
            batch.stamp(plan, times, self.log.checksum)

        work = _Work(plan, stamp, lineages, len(batch.messages), positions, batch)
        light = len(batch.messages) <= MAX_LIGHT and not any(map(lineages.needs_parser, batch.messages))
        if light:
            self._tasks.keep(self._tasks.fetch(subjects))  # a history that has to be read is, before the turn
        try:
            return self._commit(work, light=light).receipts
        except TooManyBugs:
            first, second = batch.halves()
            done = self._append(first, source, (), lineages, system_times)
            return done + self._append(second, source, positions, lineages, system_times)

    def accept_clock(self, reason: str, actor: str | None = None) -> Receipt:
        """Record that an operator accepts the clock as it is, and continue, after ``clock_guard`` rejected it.

        Where the store is ahead of the clock, versions get system times a microsecond apart after its last one until
        the clock has passed it. The record is a fact of the node ``policy:clock`` in the log. Raises
        InvalidRequestError where there is nothing to accept.
        """
        self._catch_up()
        found = clock_guard.clocks(self.log, self._clock.now())
        if found.problem is None:
            raise InvalidRequestError("there is nothing to accept: the clock and the store agree")
        ahead = found.last_system_time > found.now
        said = {"problem": found.problem, **found._asdict()}
        value = orjson.dumps({name: each for name, each in said.items() if each is not None}).decode()
        fact = ("policy:clock", "accepted", value)
        message = NodeChange(
            unique_name(), "fact", fact[0], "set", found.now, fact_key=fact[1], facts=[fact], actor=actor, reason=reason
        )
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
            plan = self._new_plan((each.task_id for each in made), None, None)
            lineages.keep_texts_as(plan.texts.policy)
            with self._abandoned_on_error(plan):
                found = plan.correct(made, cause, lineages, accept_worse=accept_worse)
            return plan

        def stamp(plan: Plan) -> None:
            times = clock_times(len(plan.rows), self.log.system_time, self._now())
            plan.stamp(times, self.log.checksum)

        if dry_run:
            self._catch_up()
            self._abandon(plan())
        else:
            self._commit(_Work(plan, stamp, lineages, len(made)), light=False)
        return found

    def _commit(self, work: _Work, *, light: bool) -> Plan:
        """Commit a plan in its own turn; it is planned before where that may take long."""
        self._others_write = False
        try:
            if not light:
                self._draft_before_the_turn(work)
            for given_up in range(MAX_GIVEN_UP + 1):
                work.lineages.may_parse = given_up == MAX_GIVEN_UP
                try:
                    with self.log.turn(work.messages, self._look):
                        return self._commit_in_turn(work)
                except ParsingNeededError:
                    self._draft_before_the_turn(work)
            raise AssertionError("unreachable: in the last turn SQL is parsed")
        finally:
            draft, self._draft = self._draft, None
            if draft is not None:
                self._drop(draft)

    def _draft_before_the_turn(self, work: _Work) -> None:
        work.lineages.may_parse = True
        self._look()
        self._draft = Draft(self._planned(work))

    def _commit_in_turn(self, work: _Work) -> Plan:
        """Commit the draft or a new plan, rebased whenever a writer that does not queue was faster all the same."""
        for _ in range(MAX_ATTEMPTS):
            self._look()
            plan = self._rebased(work) or self._planned(work)
            failpoints.reach("p2:after")
            if not plan.rows:
                self._tasks.keep(plan.histories)
                if not self.log.acknowledged:  # what these repeat may not have been forced to disk yet
                    self.log.acknowledge()
                return plan
            try:
                self.log.append(plan.rows, work.positions)
            except ConflictError:
                self._draft = Draft(plan)
                self.log.refresh()
                continue
            except BaseException as error:
                self._abandon(plan)
                if work.batch is not None and work.batch.refuse_unstorable(plan, error):
                    continue
                raise
            self._tasks.keep(plan.histories)
            self._rejected.update(plan.refused)
            self._known = plan.rows[-1].version
            failpoints.reach("p5:before")
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
        draft, self._draft = self._draft, None
        if draft is None or (draft.is_current and draft.plan.texts == self.log.texts):
            return draft.plan if draft else None
        if not draft.stands() or draft.plan.texts.policy is not self.log.texts.policy:
            draft.take_back(self._tasks)
            self.planned_again += 1
            return None
        plan = draft.renumber(self.log.version, self._catalog)
        self.renumbered += 1
        try:
            with self._abandoned_on_error(plan):
                work.stamp(plan)
        except RefusedMessage:
            return None
        return plan

    def _new_plan(self, subjects: Iterable[Subject], source: str | None, order: ImportOrder | None) -> Plan:
        histories = self._tasks.fetch(subjects)
        log = self.log
        return Plan(log.version, histories, self._catalog, self._stars, self, self._rejected, source, order, log.texts)

    @contextmanager
    def _abandoned_on_error(self, plan: Plan) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._abandon(plan)
            raise

    def histories(self, subjects: Iterable[Subject]) -> dict[Subject, TaskHistory]:
        """Return the histories of these subjects, for a plan that comes to need more of them."""
        return self._tasks.fetch(subjects)

    def statements(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        """Return the task messages of these versions."""
        return self._statements.fetch(versions)

    def _abandon(self, plan: Plan) -> None:
        """Forget what a plan that was not committed changed in memory."""
        self._drop(Draft(plan))

    def _drop(self, draft: Draft) -> None:
        draft.set_aside(self._catalog)
        self._tasks.forget(draft.plan.histories)

    def _look(self) -> None:
        """Look for what others committed, where a look costs next to nothing, and take it in."""
        self.log.glance()
        self._catch_up()

    def _catch_up(self) -> None:
        """Take in what the log holds beyond what this writer knows.

        That is what others committed, whichever caller refreshed the log, and what is left of an append of this writer
        that failed after its commit.
        """
        if self.log.texts.epoch != self._epoch:  # history was rewritten: what is remembered of it may hold old texts
            self._draft = None
            self._start()
        if self.log.version > self._known:
            self._others_write = True
            if self._draft is not None:
                self._draft.set_aside(self._catalog)
            past = latest.load(self.log, self._known, self._remembers)
            self._take_in(past or history.load(self.log, after=self._known))
            self._known = self.log.version

    def _remembers(self, subject: Subject) -> bool:
        return self._tasks.knows(subject) or (self._draft is not None and self._draft.remembers(subject))

    def _start(self) -> None:
        self._catalog = Catalog()
        self._stars = StarIndex()
        self._rejected: dict[bytes, int] = {}
        self._statements = Statements(lambda versions: history.statements(self.log, versions))
        self._tasks = Tasks(lambda tasks: history.task_histories(self.log, tasks))
        self._epoch = self.log.texts.epoch
        self._take_in(history.load(self.log))
        self._known = self.log.version

    def _take_in(self, past: history.Past) -> None:
        if self._draft is not None:
            self._draft.since.note(past)
        self._rejected.update(past.rejected)
        for subject in past.tasks:
            if subject in past.messages and self._tasks.knows(subject):
                self._tasks.extend(subject, past.messages[subject])
            else:
                self._tasks.forget([subject])
        for dataset, entry in past.declared:
            self._catalog.declare(dataset, entry)
        for task, dataset in past.stars:
            self._stars.add(task, (dataset,))
        for version in past.withdrawn:
            self._catalog.withdraw(version)
        for version in past.restored:
            self._catalog.restore(version)

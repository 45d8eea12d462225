"""What a writer knows of its log: everything needed to place a message, kept up to date with what others commit."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Final

from lineage_tt.log import verify
from lineage_tt.log.commit_file import carried
from lineage_tt.log.log import Log
from lineage_tt.log.system_times import ImportOrder
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Subject, TaskChange
from lineage_tt.storage import location
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.catalog.dependencies import StarIndex
from lineage_tt.write.catalog.statement_cache import Statements
from lineage_tt.write.committing.rebase import Draft
from lineage_tt.write.committing.sightings import Sightings
from lineage_tt.write.past import few_files, history, latest
from lineage_tt.write.planning.plan import Plan
from lineage_tt.write.subjects.histories import Tasks
from lineage_tt.write.subjects.tasks import TaskHistory

#: For this long after others wrote, they are expected to write again.
CONTENDED_SECONDS: Final = 10.0
#: The number of recent commits, own or others', whose subjects are remembered.
MAX_NOTED: Final = 64


class Known:
    """The histories, columns, stars and refused messages of a log up to ``version``."""

    def __init__(self, log: Log) -> None:
        self.log = log
        #: The plan that is not committed yet; it also notes what others commit.
        self.draft: Draft | None = None
        #: The ticket that offers the draft to other writers, and the draft's plan once one of them committed it.
        self.offered: str | None = None
        self.arrived: Plan | None = None
        self._others_wrote = -CONTENDED_SECONDS
        self._start()

    def _start(self) -> None:
        log = self.log
        self.catalog = Catalog()
        self._sightings = Sightings()
        self.tasks = Tasks(lambda tasks: few_files.task_histories(log, tasks, self._sightings.since(tasks)))
        self._stars = StarIndex()
        self._rejected: dict[bytes, int] = {}
        self._statements = Statements(lambda versions: history.statements(log, versions))
        self._version = 0
        self._take_in(verify.retried(log, partial(history.load, log)))
        self._version = log.version
        #: The epoch of the log's texts when they were read (``TextState.epoch``).
        self.epoch = log.texts.epoch
        #: For recent ranges of versions: the version before the range, its last version, and its subjects.
        self._touched: deque[tuple[int, int, Set[Subject]]] = deque(maxlen=MAX_NOTED)

    @property
    def is_contended(self) -> bool:
        """Whether others wait for their turn, or wrote lately; never where there are no turns."""
        if not location.is_local(self.log.path):
            return False
        return self.log.is_contended or self._others_wrote > time.monotonic() - CONTENDED_SECONDS

    def look(self) -> None:
        """Read what others committed, if the log is on a local disk, and take it in."""
        self.log.glance()
        self.catch_up()

    def catch_up(self) -> None:
        """Take in what the log holds beyond what is known.

        That is what others committed, whichever caller refreshed the log, and an append of this writer that failed
        after its commit.
        """
        if self.log.texts.epoch != self.epoch:  # history was rewritten: what is in memory may hold old texts
            self.draft = self.offered = None
            self._start()
        if self.log.version > self._version:
            self._others_wrote = time.monotonic()
            if self.draft is not None:
                self.draft.set_aside(self.catalog)
                if self.offered is not None:
                    self._land(self.draft, self.offered)
        if self.log.version > self._version:
            past = latest.load(self.log, self._version, self._remembers)
            self._move(past or history.load(self.log, after=self._version), self.log.version)

    def _land(self, draft: Draft, ticket: str) -> None:
        """If another writer committed the draft, treat it as this writer's own commit, not as what others wrote.

        What else was committed up to there is taken in, too, if it can be read without DuckDB and does not concern the
        draft. Otherwise only the draft's histories are forgotten, and the caller reads everything. If this process does
        not remember the commits since its last look (``MAX_RECENT``), the draft is planned again: then its messages are
        duplicates.
        """
        for commit in self.log.commits_after(self._version) or ():
            span = carried(commit.meta, ticket)
            if span is not None:
                break
        else:
            return
        last, own = int(commit.meta["last_version"]), draft.plan.histories.keys()
        past = latest.load(self.log, self._version, lambda each: self._remembers(each) and each not in own, last)
        self.arrived = draft.renumber(span[0] - 1, self.catalog)
        if past is None or draft.touched:
            self.tasks.forget(own)
        else:
            self._move(past, last, own)
            self.tasks.keep(draft.plan.histories)
        self.draft = self.offered = None

    def is_untouched(self, subjects: Set[Subject], since: int) -> bool:
        """Return whether no version after ``since`` is known to be about any of these subjects; False if not known."""
        reached = self._version
        for after, upto, touched in reversed(self._touched):
            if reached <= since or upto != reached or not subjects.isdisjoint(touched):
                break
            reached = after
        return reached <= since <= self._version

    def new_plan(self, subjects: Iterable[Subject], source: str | None, order: ImportOrder | None) -> Plan:
        """Return an empty plan for messages about these subjects, after the end of the log."""
        histories, log = self.tasks.fetch(subjects), self.log
        return Plan(log.version, histories, self.catalog, self._stars, self, self._rejected, source, order, log.texts)

    def read(self, subjects: Iterable[Subject]) -> None:
        """Read the histories of these subjects into memory, and those of subjects that others often write about.

        The latter are read only if that is quick, or if the log is read anyway: reading one takes as long as all.
        """
        self.catch_up()
        listed = dict.fromkeys(subjects)
        often = self._sightings.take_often(self.tasks.is_unread)
        if often and (
            any(map(self.tasks.is_unread, listed)) or few_files.are_few(self.log, self._sightings.since(often))
        ):
            listed |= dict.fromkeys(often)
        self.tasks.keep(self.tasks.fetch(listed))

    def histories(self, subjects: Iterable[Subject]) -> dict[Subject, TaskHistory]:
        """Return the histories of these subjects, for a plan that turns out to need more of them."""
        return self.tasks.fetch(subjects)

    def statements(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        """Return the task messages of these versions."""
        return self._statements.fetch(versions)

    def keep(self, plan: Plan, others: Sequence[LogRow] = ()) -> None:
        """Remember the content of a plan that was committed, or that only repeats what is in the log.

        ``others`` are the rows that were committed with it for other writers.
        """
        self.tasks.keep(plan.histories)
        self._rejected.update(plan.refused)
        if plan.rows:
            last = plan.rows[-1].version
            self._touched.append((self._version, last, set(plan.histories)))
            self._version = last
        if others:
            self._move(latest.of_rows(others, self._remembers), others[-1].version)

    def drop(self, draft: Draft) -> None:
        """Forget the histories that a plan that is not committed changed in memory."""
        draft.set_aside(self.catalog)
        self.tasks.forget(draft.plan.histories)

    def take_back(self, draft: Draft) -> None:
        """Undo in memory what a plan changed that will be planned again."""
        draft.set_aside(self.catalog)
        draft.take_back(self.tasks)

    def _remembers(self, subject: Subject) -> bool:
        return self.tasks.knows(subject) or (self.draft is not None and self.draft.remembers(subject))

    def _move(self, past: history.Past, upto: int, own: Set[Subject] = frozenset()) -> None:
        """Take in what the versions up to ``upto`` hold, except about the ``own`` subjects of a draft."""
        self._touched.append((self._version, upto, set(past.tasks)))
        past.tasks.difference_update(own)
        self._take_in(past)
        self._version = upto

    def _take_in(self, past: history.Past) -> None:
        if self.draft is not None:
            self.draft.since.note(past)
        self._rejected.update(past.rejected)
        for subject in past.tasks:
            if subject in past.messages and self.tasks.knows(subject):
                self.tasks.extend(subject, past.messages[subject])
            else:
                self._sightings.note(subject, self._version, is_new=not self.tasks.is_known(subject))
                self.tasks.forget([subject])
        for dataset, entry in past.declared:
            self.catalog.declare(dataset, entry)
        for task, dataset in past.stars:
            self._stars.add(task, (dataset,))
        for version in past.withdrawn:
            self.catalog.withdraw(version)
        for version in past.restored:
            self.catalog.restore(version)

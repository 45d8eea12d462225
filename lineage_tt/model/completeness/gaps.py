"""The tasks that ever had a gap, and which of them have one at a point; pure functions of the log's rows.

In a store where every task is complete, ``Gaps`` is empty and a look-up costs nothing. ``Gaps`` is immutable: later
rows make a new one, so readers of the older one are not disturbed. A point is (valid time, version); rows of later
versions are ignored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Final, NamedTuple

from lineage_tt.model.completeness.summary import COMPLETE_COVERAGE, Gap, Reason
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.messages import OTHERS
from lineage_tt.timeline import NO_SOURCE_VERSION, Record, Step, refine, resolve, state_at

#: Codes of problems that name a dataset which a task reads or writes without any edge (``ingest.resolve.resolver``).
UNTRACED_READ: Final = "untraced-read"
UNTRACED_WRITE: Final = "untraced-write"
#: Code of a text that reads, writes nothing, and comes without a target.
NO_TARGET: Final = "no-target"
#: Cached timelines of older versions per task: a reader of the past often asks for the same version again.
_MAX_TIMELINES: Final = 8


class CoverageRow(NamedTuple):
    """What one accepted row of a task says about the task's coverage."""

    version: int
    op: str
    event_id: str
    retracts: str | None
    effective_at: int | None
    source_version: int | None
    derived_from: int | None
    coverage: str | None


class Detail(NamedTuple):
    """What an incomplete row says in addition to its coverage.

    ``sources`` are the datasets at which its edges begin; a ``#`` follows a dataset where they begin at its columns.
    ``targets`` are the datasets at which its edges end, as a whole or at columns.
    """

    reasons: tuple[Reason, ...]
    sources: frozenset[str]
    targets: frozenset[str]
    outputs: tuple[tuple[str, tuple[str, ...]], ...]
    target: str | None


class TaskCoverage:
    """One task's coverage over both times."""

    __slots__ = ("_steps", "rows", "versions")

    def __init__(self, rows: Iterable[CoverageRow]) -> None:
        self.rows = tuple(sorted(set(rows), key=attrgetter("version")))
        self.versions = [row.version for row in self.rows]
        self._steps: dict[int, list[Step]] = {}

    def extended(self, rows: Iterable[CoverageRow]) -> TaskCoverage:
        """Return the coverage with later rows added."""
        return TaskCoverage([*self.rows, *rows])

    def at(self, valid_at: int, version: int) -> CoverageRow | None:
        """Return the row in force at a point if it is incomplete; None if it is complete or the task is offline."""
        count = bisect_right(self.versions, version)
        if not count:
            return None
        step = state_at(self._timeline(count), valid_at)
        if step is None:
            return None
        row = self.rows[bisect_right(self.versions, step.version) - 1]
        return row if is_gap(row.coverage) and row.op != "offline" else None

    def times(self, version: int) -> list[int]:
        """Return the valid times at which the task's messages take effect, as known at a version."""
        return [step.at for step in self._timeline(bisect_right(self.versions, version))]

    def _timeline(self, count: int) -> list[Step]:
        """Return the timeline of the first ``count`` rows, as known before the later ones came."""
        result = self._steps.get(count)
        if result is None:
            result = resolved(self.rows[:count])
            newest = dict(list(self._steps.items())[1 - _MAX_TIMELINES :])
            self._steps = newest | {count: result}  # replaced, not changed in place: other threads may read it
        return result


def is_gap(coverage: str | None) -> bool:
    """Return whether a coverage is less than complete."""
    return coverage is not None and coverage != COMPLETE_COVERAGE


def resolved(rows: Iterable[CoverageRow]) -> list[Step]:
    """Return the timeline of a task's messages, retracts and derived versions included."""
    records: dict[int, Record] = {}
    derived: dict[int, tuple[int, Record]] = {}
    events: dict[str, int] = {}
    retracts: list[tuple[int, int]] = []
    for row in rows:
        events[row.event_id] = row.version
        if row.op == "retract":
            retracts.append((row.version, events.get(row.retracts or "", 0)))
            continue
        rank = NO_SOURCE_VERSION if row.source_version is None else row.source_version
        record = Record(row.effective_at or 0, rank, row.version, 0)
        if row.derived_from is None:
            records[row.version] = record
        else:
            derived[row.version] = row.derived_from, record
    withdrawn: set[int] = set()
    for version, target in reversed(retracts):  # a retract may itself be withdrawn, by a later one
        if version not in withdrawn:
            withdrawn.add(target)
    steps = resolve(record for version, record in records.items() if version not in withdrawn)
    again: dict[int, list[Record]] = defaultdict(list)
    for version, (base, record) in derived.items():
        if version not in withdrawn:
            again[base].append(record)
    return refine(steps, again) if again else steps


def lack_of(detail: Detail) -> Gap:
    """Return the gap of an incomplete row without its task, version and coverage, which ``of_row`` fills in."""
    reasons = tuple(sorted(set(detail.reasons)))
    untraced_reads = frozenset(r.subject for r in reasons if r.code == UNTRACED_READ and r.subject)
    untraced_writes = {r.subject for r in reasons if r.code == UNTRACED_WRITE and r.subject}
    untraced_writes |= {dataset for dataset, _ in detail.outputs}
    sources = frozenset(map(dataset_of, detail.sources))
    targets = detail.targets
    if detail.target and not targets:  # what a bare SELECT writes; a statement that writes elsewhere names it itself
        untraced_writes.add(detail.target)
    reads = sources | untraced_reads
    subjects = {r.subject for r in reasons if r.code not in (UNTRACED_READ, UNTRACED_WRITE)}
    # if every reason names a dataset that the task reads, only those are in doubt; otherwise all that it reads are
    unknown = reads & subjects if subjects and subjects <= reads else reads
    whole = frozenset(source for source in detail.sources if "#" not in source)
    return Gap(
        "",
        0,
        "",
        reasons,
        reads,
        targets | untraced_writes,
        unknown | untraced_reads | whole,
        frozenset(untraced_writes) - targets,
        {d: frozenset(columns) for d, columns in detail.outputs if columns and OTHERS not in columns},
    )


def gap_of(task_id: str, row: CoverageRow, detail: Detail) -> Gap:
    """Return the gap of an incomplete row."""
    return of_row(lack_of(detail), task_id, row)


def of_row(gap: Gap, task_id: str, row: CoverageRow) -> Gap:
    """Return a gap with the task, version and coverage of this row."""
    return gap._replace(task_id=task_id, version=row.version, coverage=row.coverage or "")


class Gaps:
    """All tasks that ever had a gap, by task and by the datasets that their gaps touch. It is never changed."""

    def __init__(self, tasks: Mapping[str, TaskCoverage], details: Mapping[int, Detail]) -> None:
        self.tasks = tasks
        self._gaps: dict[int, Gap] = {}
        self._reading: dict[str, set[str]] = {}
        self._writing: dict[str, set[str]] = {}
        #: The datasets that any gap is known to touch.
        self.touched: set[str] = set()
        #: Most versions of a task have the same gap, which is kept once.
        self._alike: dict[Detail, Gap] = {}
        self._enter(tasks, details)

    def _enter(self, tasks: Mapping[str, TaskCoverage], details: Mapping[int, Detail]) -> None:
        fresh: set[tuple[str, str]] = set()  # sets that belong to this index, by kind and dataset
        for task_id, coverage in tasks.items():
            for row in coverage.rows:
                detail = details.get(row.version)
                if detail is not None:
                    alike = self._alike.get(detail) or self._alike.setdefault(detail, lack_of(detail))
                    self._gaps[row.version] = gap = of_row(alike, task_id, row)
                    _note("r", self._reading, gap.unknown_reads, task_id, fresh)
                    _note("w", self._writing, gap.writes, task_id, fresh)
                    self.touched |= gap.reads | gap.writes

    def extended(self, tasks: Mapping[str, TaskCoverage], details: Mapping[int, Detail]) -> Gaps:
        """Return new gaps in which these tasks replace those of the same id; ``details`` are of rows, by version."""
        gaps = Gaps({**self.tasks, **tasks}, {})
        gaps._gaps, gaps._alike, gaps.touched = dict(self._gaps), dict(self._alike), set(self.touched)
        gaps._reading, gaps._writing = dict(self._reading), dict(self._writing)
        gaps._enter(tasks, details)
        return gaps

    def without(self, tasks: Collection[str]) -> Gaps:
        """Return the gaps of all other tasks."""
        rest = Gaps({task: coverage for task, coverage in self.tasks.items() if task not in tasks}, {})
        rest._gaps, rest._reading, rest._writing, rest.touched = (
            self._gaps,
            self._reading,
            self._writing,
            self.touched,
        )
        return rest

    def at(self, valid_at: int, version: int) -> GapsAtPoint:
        """Return the gaps as of a point."""
        return GapsAtPoint(self, valid_at, version)

    def version(self, version: int) -> Gap | None:
        """Return the gap of the row of a version, None where the row is complete."""
        return self._gaps.get(version)

    def candidates(self, datasets: Collection[str], *, writing: bool) -> set[str]:
        """Return the tasks that ever wrote, or may have read, any of these datasets with a gap."""
        index = self._writing if writing else self._reading
        return {task for dataset in index.keys() & datasets for task in index[dataset]}

    def times(self, datasets: Collection[str], version: int) -> dict[str, set[int]]:
        """Return, by dataset, the valid times at which messages of tasks with a gap there take effect."""
        result: dict[str, set[int]] = {}
        for index in (self._reading, self._writing):
            for dataset in index.keys() & set(datasets):
                tasks = [self.tasks[task] for task in index[dataset] if task in self.tasks]
                result.setdefault(dataset, set()).update(at for task in tasks for at in task.times(version))
        return result

    def concern(self, datasets: Collection[str]) -> bool:
        """Return whether any gap touches any of these datasets at any point."""
        return not self.touched.isdisjoint(datasets)

    def __bool__(self) -> bool:
        return bool(self.tasks)


def _note(
    kind: str, index: dict[str, set[str]], datasets: Collection[str], task_id: str, fresh: set[tuple[str, str]]
) -> None:
    """Enter a task under datasets. A set that another index shares is copied first."""
    for dataset in datasets:
        if (kind, dataset) not in fresh:
            fresh.add((kind, dataset))
            index[dataset] = set(index.get(dataset, ()))
        index[dataset].add(task_id)


NO_GAPS: Final = Gaps({}, {})


class GapsAtPoint:
    """The gaps as of one point, each looked up at first use."""

    def __init__(self, gaps: Gaps, valid_at: int, version: int) -> None:
        self._all = gaps
        self._valid_at = valid_at
        self._version = version
        self._gaps_by_task: dict[str, Gap | None] = {}

    def __bool__(self) -> bool:
        return bool(self._all)

    def _gap(self, task_id: str) -> Gap | None:
        if task_id not in self._gaps_by_task:
            coverage = self._all.tasks.get(task_id)
            row = coverage.at(self._valid_at, self._version) if coverage is not None else None
            self._gaps_by_task[task_id] = self._all.version(row.version) if row is not None else None
        return self._gaps_by_task[task_id]

    def _each(self, tasks: Iterable[str]) -> Iterator[Gap]:
        for task_id in sorted(tasks):
            gap = self._gap(task_id)
            if gap is not None:
                yield gap

    def all(self) -> list[Gap]:
        """Return the gaps of all tasks in force."""
        return list(self._each(self._all.tasks))

    def of(self, tasks: Collection[str]) -> list[Gap]:
        """Return the gaps among these tasks."""
        return list(self._each(self._all.tasks.keys() & tasks))

    def writing(self, datasets: Collection[str]) -> list[Gap]:
        """Return the gaps of tasks that write any of these datasets."""
        tasks = self._all.candidates(datasets, writing=True)
        return [gap for gap in self._each(tasks) if not gap.writes.isdisjoint(datasets)]

    def reading(self, datasets: Collection[str]) -> list[Gap]:
        """Return the gaps of tasks that may read any of these datasets in ways that no edge shows."""
        tasks = self._all.candidates(datasets, writing=False)
        return [gap for gap in self._each(tasks) if not gap.unknown_reads.isdisjoint(datasets)]

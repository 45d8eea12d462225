"""The messages of some tasks and datasets as known at a version: which is in force when, and which was before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, NamedTuple

from lineage_tt.governance.cause.ports import Statement

Fetch = Callable[..., list[tuple[Any, ...]]]
#: Returns the versions of some tasks' messages, up to one version: a graph knows them, so the log need not be searched.
Index = Callable[[Sequence[str], int], Sequence[int]]
_MESSAGES: Final = """
    SELECT version, epoch_us(system_time), coalesce(kind, 'task'), coalesce(task_id, subject), op,
        epoch_us(effective_at), source_version, event_id, actor, reason, cause, coverage, sql_sha256, retracts
    FROM log
    WHERE status = 'accepted' AND derived_from IS NULL AND version <= $version AND {condition}
    ORDER BY version"""
_OF_TASKS: Final = _MESSAGES.format(condition="task_id IN (SELECT unnest($tasks))")
_AT: Final = _MESSAGES.format(condition="version IN (SELECT unnest($versions)) AND task_id IN (SELECT unnest($tasks))")
_OF_DATASETS: Final = _MESSAGES.format(
    condition="task_id IS NULL AND kind = 'dataset' AND subject IN (SELECT unnest($datasets))"
)
_NO_COUNTER: Final = -(2**63)


class Row(NamedTuple):
    """A message as read; retracts have no time of their own."""

    version: int
    system_time: int
    kind: str
    subject: str
    op: str
    effective_at: int | None
    source_version: int | None
    event_id: str
    actor: str | None
    reason: str | None
    cause: str | None
    coverage: str | None
    sql_sha256: str | None
    retracts: str | None

    @property
    def rank(self) -> tuple[int, int]:
        """The rank of a message: of two messages with the same time, the one with the greater rank counts."""
        return (_NO_COUNTER if self.source_version is None else self.source_version), self.version


class Messages:
    """What the log holds of some subjects; each is read once."""

    def __init__(self, fetch: Fetch, version: int, index: Index | None = None) -> None:
        self._fetch, self._version, self._index = fetch, version, index
        self._histories: dict[tuple[str, str], list[Row]] = {}

    def read(self, tasks: Collection[str], datasets: Collection[str] = ()) -> None:
        """Read the messages of those tasks and datasets that were not read before."""
        subjects = [("task", task) for task in tasks] + [("dataset", dataset) for dataset in datasets]
        fresh = sorted({subject for subject in subjects if subject not in self._histories})
        if not fresh:
            return
        rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
        by_kind = {kind: [subject for each, subject in fresh if each == kind] for kind in ("task", "dataset")}
        records = [*self._of_tasks(by_kind["task"]), *self._of_datasets(by_kind["dataset"])]
        for row in map(Row._make, records):
            rows[row.kind, row.subject].append(row)
        self._histories |= {subject: rows.get(subject, []) for subject in fresh}

    def _of_tasks(self, tasks: list[str]) -> list[tuple[Any, ...]]:
        if not tasks:
            return []
        if self._index is None:
            return self._fetch(_OF_TASKS, version=self._version, tasks=tasks)
        versions = self._index(tasks, self._version)
        return self._fetch(_AT, version=self._version, tasks=tasks, versions=versions) if versions else []

    def _of_datasets(self, datasets: list[str]) -> list[tuple[Any, ...]]:
        return self._fetch(_OF_DATASETS, version=self._version, datasets=datasets) if datasets else []

    def between(self, since: int, until: int) -> list[Statement]:
        """Return what took effect in (since, until], or was recorded in it about an earlier time."""
        result = []
        for history in self._histories.values():
            withdrawn = _withdrawn(history, self._version)
            counting = _counting(history, withdrawn)
            for row in history:
                if row.op == "retract":
                    target = _target(history, row)
                    recorded = row.version not in withdrawn and since < row.system_time <= until
                    if recorded and target is not None and target.effective_at is not None:
                        result.append(_statement(row, target.effective_at, True))
                elif row.effective_at is not None and counting.get(row.effective_at) is row:
                    recorded = row.effective_at <= since and since < row.system_time <= until
                    if recorded or since < row.effective_at <= until:
                        others = any(o.effective_at == row.effective_at and o.version < row.version for o in history)
                        result.append(_statement(row, None, others))
        return sorted(result)

    def before(self, statement: Statement) -> Statement | None:
        """Return the message of the same subject in force until a statement took effect, None if there was none.

        For a correction of the past, this is the message that was in force at the same time, as known before it.
        """
        history = self._histories.get((statement.kind, statement.subject), [])
        if statement.op == "retract":
            row = next((row for row in history if row.version == statement.version), None)
            target = _target(history, row) if row is not None else None
            return _statement(target, None, False) if target is not None else None
        at = statement.effective_at or 0
        earlier = [row for row in history if row.version < statement.version]
        known = _counting(earlier, _withdrawn(earlier, statement.version - 1))
        if statement.corrects and at in known:
            return _statement(known[at], None, False)
        everything = _counting(history, _withdrawn(history, self._version))
        times = [time for time in everything if time < at]
        return _statement(everything[max(times)], None, False) if times else None

    def in_force(self, task: str, valid_at: int) -> Statement | None:
        """Return the message of a task in force at a time, None where it is offline."""
        self.read([task])
        history = self._histories["task", task]
        counting = _counting(history, _withdrawn(history, self._version))
        times = [time for time in counting if time <= valid_at]
        row = counting[max(times)] if times else None
        return None if row is None or row.op == "offline" else _statement(row, None, False)


def _statement(row: Row, withdrawn_at: int | None, corrects: bool) -> Statement:
    return Statement(
        row.version, row.system_time, row.kind, row.subject, row.op, row.effective_at, row.event_id, row.actor,
        row.reason, row.cause, row.coverage, row.sql_sha256, withdrawn_at, corrects,
    )  # fmt: skip


def _target(history: Sequence[Row], retract: Row) -> Row | None:
    """Return what a retract withdraws: the last earlier message with its event id."""
    earlier = [row for row in history if row.event_id == retract.retracts and row.version < retract.version]
    return earlier[-1] if earlier else None


def _withdrawn(history: Sequence[Row], upto: int) -> set[int]:
    """Return the versions that a retract in force withdraws; newest first, since a retract can also be withdrawn."""
    result: set[int] = set()
    for row in reversed(history):
        if row.op == "retract" and row.version <= upto and row.version not in result:
            target = _target(history, row)
            if target is not None:
                result.add(target.version)
    return result


def _counting(history: Sequence[Row], withdrawn: set[int]) -> dict[int, Row]:
    """Return for each time the one message of a subject that counts."""
    result: dict[int, Row] = {}
    for row in history:
        if row.op == "retract" or row.effective_at is None or row.version in withdrawn:
            continue
        known = result.get(row.effective_at)
        if known is None or row.rank > known.rank:
            result[row.effective_at] = row
    return result

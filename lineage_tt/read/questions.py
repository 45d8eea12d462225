"""Questions about lineage as of any two times: everything that can be asked of a store, and nothing that writes.

The answers come from a port (``read.ports.Source``): one session for an embedded store, or the sessions of many threads
over the same files for the service.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lineage_tt.log import retention
from lineage_tt.model.answers import Answers, Basis, Belief, Blame, DeadLetter, Difference, LogEntry
from lineage_tt.model.clock import Clock
from lineage_tt.model.edges import dataset_of, is_column, star_of
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.model.names import meaning, near_names
from lineage_tt.model.os_errors import system_errors
from lineage_tt.model.times import FIRST, LAST, instant_of, read_instant
from lineage_tt.read import gap_rows, overtime
from lineage_tt.read.view import View

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.log.retention import Horizon
    from lineage_tt.log.system_times import SystemTimes
    from lineage_tt.model.completeness.gaps import TaskCoverage
    from lineage_tt.model.redaction.policy import TextState
    from lineage_tt.read.macros.own import Session
    from lineage_tt.read.ports import LogAt, Source
    from lineage_tt.read.snapshots.hops import Question
    from lineage_tt.read.snapshots.snapshot import Snapshot
    from lineage_tt.storage.location import Place

Instant = str | int | datetime


class Questions:
    """The questions that can be asked of the log at its version. For one thread at a time."""

    def __init__(self, log: LogAt, clock: Clock, source: Source) -> None:
        self._log = log
        self._source = source
        #: The source of ``now``.
        self.clock = clock

    @property
    def version(self) -> int:
        """The last version, 0 for an empty store."""
        return self._log.version

    @property
    def log_path(self) -> Place:
        """The folder of the log's Delta table."""
        return self._log.path

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that answers come from, None where they come from the log alone."""
        return self._source.snapshot

    @property
    def horizon(self) -> Horizon | None:
        """The oldest point that is kept, None where all is: questions from before raise BeyondHorizonError."""
        return self._source.horizon

    @property
    def texts(self) -> TextState:
        """How much is kept of SQL and of text that quotes it, and since which version."""
        return self._log.texts

    # --- points -------------------------------------------------------------------------------------------------

    def instant(self, moment: Instant) -> int:
        """Return UTC microseconds for ISO 8601 with zone, ``now``, ``-7d``, a datetime with zone, or such an integer.

        Raises InvalidRequestError for a time without a zone, and for anything that is not a time.
        """
        if isinstance(moment, datetime):
            return instant_of(moment)
        if isinstance(moment, str):
            return read_instant(moment, self.clock.now())
        if isinstance(moment, bool) or not isinstance(moment, int):
            raise InvalidRequestError(
                f"{moment!r} is not a time",
                hint="give ISO 8601 with a zone, a datetime with a zone, or UTC microseconds",
            )
        if not FIRST <= moment <= LAST:
            raise InvalidRequestError(f"the instant {moment} lies outside the years 0001 to 9999")
        return moment

    def basis(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, version: int | None = None
    ) -> Basis:
        """Return the point for a question: valid time now, and the last version, unless given.

        Raises InvalidRequestError where both ``system_at`` and ``version`` are given, VersionNotReachedError where the
        store has not reached ``version``, BeyondHorizonError where the point is before the horizon.
        """
        now = self.clock.now()
        valid = now if valid_at is None else self.instant(valid_at)
        if version is not None and system_at is not None:
            raise InvalidRequestError("give a system time or a version, not both")
        if version is not None and not 0 <= version <= self.version:
            raise VersionNotReachedError(
                f"version {version} does not exist: the store is at version {self.version}",
                hint="ask for a version from 0 to that one, or wait for it",
            )
        if system_at is None and (version is None or version == self.version):
            return Basis(valid, self.version, self._log.system_time)
        if version is not None:
            newest = self._last_where("version <= $at", version)
        else:
            newest = self._last_where("system_time <= make_timestamptz($at)", self.instant(system_at or 0))
        return retention.refuse(Basis(valid, *newest), self.horizon)

    def _last_where(self, condition: str, at: int) -> tuple[int, int]:
        """Return the last version that meets a condition and its system time, zeros where there is none."""
        rows = self.fetch(f"SELECT max(version), epoch_us(max(system_time)) FROM log WHERE {condition}", at=at)
        return rows[0][0] or 0, rows[0][1] or 0

    def as_of(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, *, version: int | None = None
    ) -> View:
        """Return the lineage as of a valid time and a system time or version (default: now, as known now)."""
        basis = self.basis(valid_at, system_at, version)
        return View(self.fetch, basis, self.check_nodes, self.walk, self.coverages)

    # --- questions over time --------------------------------------------------------------------------------------

    def diff(self, first: Basis, second: Basis, node: str | None = None) -> Difference:
        """Return the edges in force at one point and not at the other; with ``node`` those that touch it."""
        if node is not None:
            self.check_nodes([node])
        return overtime.diff(self.fetch, self.coverages(), first, second, node)

    def history(self, node: str, target: str | None = None) -> list[Belief]:
        """Return every rectangle at ``node``, or of edges from ``node`` to ``target``, in order of the versions."""
        self.check_nodes([node] if target is None else [node, target])
        return overtime.history(self.fetch, node, target)

    def blame(self, source: str, target: str, view: View | None = None) -> Answers[Blame]:
        """Return the edges from ``source`` to ``target`` in force at a point (now), each with its message."""
        self.check_nodes([source, target])
        return overtime.blame(self.fetch, source, target, view or self.as_of())

    def log(self, *, after: int = 0, task_id: str | None = None, newest: int | None = None) -> list[LogEntry]:
        """Return the log's rows after version ``after``: of one task, and only the ``newest`` so many, if given.

        Raises InvalidRequestError, with the nearest names, for a task that never sent a message.
        """
        if task_id is not None:
            self.check_task(task_id)
        return overtime.log(self.fetch, after, self.version, task_id, newest)

    def rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield (task_id, source, target, type, subtype, expression, valid_from, valid_to) as known at a version.

        This is the state to which the changes after that version are added.
        """
        at = self.basis(version=version).version
        yield from self.fetch(
            """SELECT task_id, source, target, "type", subtype, expression, epoch_us(valid_from), epoch_us(valid_to)
            FROM changes WHERE version <= $at GROUP BY ALL HAVING sum(sign) > 0 ORDER BY ALL""",
            at=at,
        )

    def fact_rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield (node, key, value, valid_from, valid_to) as known at a version, once per subject that states it."""
        at = self.basis(version=version).version
        yield from self.fetch(
            """SELECT node, "key", "value", epoch_us(valid_from), epoch_us(valid_to) FROM (
                SELECT kind, subject, node, "key", "value", valid_from, valid_to FROM fact_changes WHERE version <= $at
                GROUP BY ALL HAVING sum(sign) > 0) ORDER BY ALL""",
            at=at,
        )

    def dead_letters(self, source: str | None = None) -> list[DeadLetter]:
        """Return the rejected messages in version order, of one source if given."""
        return overtime.dead_letters(self.fetch, None, source)

    def late_system_times(self) -> SystemTimes:
        """Return how messages that are added late get their system times: ``history`` after a history import.

        After an import, the last message has its ``recorded_at``, long ago, as system time. A system time from the
        clock would make further imports impossible, since system times never go back.
        """
        return overtime.late_system_times(self.fetch, self.instant("now"))

    def dead_letter(self, version: int) -> DeadLetter:
        """Return the rejected message of a version; InvalidRequestError where that version was not rejected."""
        letters = overtime.dead_letters(self.fetch, version)
        if not letters:
            raise InvalidRequestError(
                f"version {version} is not a dead letter", hint="list them with: lineage-tt dead-letters list"
            )
        return letters[0]

    # --- SQL ------------------------------------------------------------------------------------------------------

    @system_errors("answer")
    def sql(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Run any DuckDB query over the views and macros; return column names and rows."""
        return self._source.run(query)

    @system_errors("list the store's files")
    def setup_sql(self) -> str:
        """Return the plain SQL with which any DuckDB sets up the views and macros over this store's files."""
        return self._source.setup_sql()

    # --- inside ---------------------------------------------------------------------------------------------------

    def database(self) -> Session:
        """Return the database over the files of the version, so that an answer is read as of its basis."""
        return self._source.database()

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return a connection to it that has all views and macros."""
        return self._source.connection()

    @system_errors("answer")
    def ask(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run a query with bound parameters; rows as tuples, instants as datetimes in UTC.

        Raises InvalidRequestError where the query is wrong.
        """
        return self._source.ask(query, parameters)

    @system_errors("answer")
    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run one of the product's own queries with bound parameters; rows as tuples."""
        return self._source.fetch(query, parameters)

    @system_errors("answer")
    def walk(self, question: Question) -> list[tuple[Any, ...]]:
        """Walk hop by hop; see ``read.snapshots.hops``."""
        return self._source.with_hops(lambda hops: hops.walk(question))

    def coverages(self) -> Mapping[str, TaskCoverage]:
        """Return the coverage of each task that was ever not complete."""
        return self._source.coverages()

    def check_task(self, task_id: str) -> None:
        """Raise InvalidRequestError, with the nearest names, for a task that never sent a message."""
        if not self.fetch("SELECT 1 FROM log WHERE task_id = $task LIMIT 1", task=task_id):
            names = [name for (name,) in self.fetch("SELECT DISTINCT task_id FROM log WHERE task_id IS NOT NULL")]
            hint = meaning(near_names(task_id, names, 0.5, 3), "") or "list the tasks with: lineage-tt tasks"
            raise InvalidRequestError(f"unknown task {task_id!r}", hint=hint)

    def check_nodes(self, nodes: Iterable[str]) -> None:
        """Raise UnknownNodeError, with the nearest names, for a node that no edge ever named."""
        unknown = self.unknown_nodes(nodes)
        if unknown:
            names = [name for (name,) in self.fetch("SELECT node FROM nodes")]
            raise UnknownNodeError(unknown[0], nearest(unknown[0], names))

    def unknown_nodes(self, nodes: Iterable[str]) -> list[str]:
        """Return those of the nodes that no edge ever named, in the order given.

        A column is known if its dataset's star node is, since that represents columns that no message named. Also known
        are datasets that only an incomplete task reads or writes, without any edge or fact, and their columns, and the
        columns that statements state without an edge.
        """
        result = list(nodes)
        if result and self.snapshot is not None:
            candidates = {*result, *(star_of(node) for node in result if is_column(node))}
            known = self._source.with_hops(lambda hops: hops.knows(candidates))
            result = [node for node in result if not _named(node, known)]
        if result:
            candidates = {*result, *(star_of(node) for node in result if is_column(node))}
            rows = self.fetch("SELECT node FROM nodes WHERE node IN (SELECT unnest($nodes))", nodes=list(candidates))
            known = {node for (node,) in rows}
            result = [node for node in result if not _named(node, known)]
        if result:  # datasets read or written without an edge are known too; the answer says what is not known
            touched = gap_rows.touched(self.fetch, map(dataset_of, result))
            rows = self.fetch("SELECT node FROM nodes WHERE node IN (SELECT unnest($nodes))", nodes=list(touched))
            touched = set(touched) - {dataset for (dataset,) in rows}
            result = [node for node in result if dataset_of(node) not in touched]
        if result:
            stated = gap_rows.stated(self.fetch, result)
            result = [node for node in result if node not in stated]
        return result


def _named(node: str, known: set[str]) -> bool:
    return node in known or (is_column(node) and star_of(node) in known)


def nearest(node: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return up to three known names that look like ``node``."""
    dataset = dataset_of(node)
    inside = [name for name in names if dataset_of(name) == dataset]
    return near_names(node, inside or names, 0.5, 3)

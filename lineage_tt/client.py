"""A replica: lineage as of any point, held by a subscriber that has seen only the feed.

>>> with Replica("lineage.duckdb") as replica:                                              # doctest: +SKIP
...     replica.follow(TopicReader("kafka://broker:9092/changes", after=replica.version))
>>> replica.edges_as_of("2026-03-01T00:00:00Z")                                             # doctest: +SKIP

Events are added up in a DuckDB file, and the version reached is stored in the same transaction: after a kill at any
moment, the replica continues where it was. Its answers equal the store's, which proves that the feed is complete.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from lineage_tt.events import Event, signed_changes, signed_facts, store_urn
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.edges import TaskEdge
from lineage_tt.model.errors import (
    BeyondHorizonError,
    CorruptError,
    GapError,
    InvalidRequestError,
    UnavailableError,
    VersionNotReachedError,
)
from lineage_tt.model.times import parse_instant
from lineage_tt.store import Store

if TYPE_CHECKING:
    import duckdb

#: Signed changes per transaction; a single event does not wait for others.
MAX_CHANGES: Final = 50_000
_TABLES: Final = """
SET TimeZone = 'UTC';
CREATE TABLE IF NOT EXISTS place (source VARCHAR, version BIGINT, system_time BIGINT, horizon BIGINT);
CREATE TABLE IF NOT EXISTS signed (
    version BIGINT, sign TINYINT, task_id VARCHAR, source VARCHAR, target VARCHAR, "type" VARCHAR, subtype VARCHAR,
    expression VARCHAR, valid_from BIGINT, valid_to BIGINT);
CREATE TABLE IF NOT EXISTS signed_facts (
    version BIGINT, sign TINYINT, node VARCHAR, "key" VARCHAR, "value" VARCHAR, valid_from BIGINT, valid_to BIGINT);
CREATE TABLE IF NOT EXISTS versions (version BIGINT, system_time BIGINT);
"""
_AT: Final = "version <= $version AND valid_from <= $at AND (valid_to IS NULL OR valid_to > $at)"


class Replica:
    """Lineage added up from events, in a DuckDB file (or ``:memory:``). One process writes to it."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        import duckdb

        try:
            self._db: duckdb.DuckDBPyConnection = duckdb.connect(str(path))
            self._db.execute(_TABLES)
            row = self._db.execute("SELECT source, version, horizon FROM place").fetchone()
        except (duckdb.Error, OSError) as error:
            raise UnavailableError(
                f"the replica {path} cannot be opened: {error}",
                hint="check the path; one process at a time writes to it",
            ) from error
        self._source: str | None = row[0] if row else None
        self.version: int = row[1] if row else 0
        self._horizon: int = row[2] if row else 0

    # --- taking in ------------------------------------------------------------------------------------------------

    def follow(self, events: Iterable[Event], *, within: float = 0.2) -> int:
        """Take in events, from a topic's reader or from HTTP; return the version reached.

        They are committed in batches, at least every ``within`` seconds while more come. Raises GapError where an event
        is missing, CorruptError for the events of another store.
        """
        return self._follow(map(_step_of, events), within)

    def follow_store(self, store: Store) -> int:
        """Take in what a store has and this replica lacks, from the beginning if the replica is empty."""
        source = store_urn(store.id)
        return self._follow((_step_from(entry, source) for entry in store.changes(self.version)), 1.0)

    def start_from(self, store: Store, version: int | None = None) -> int:
        """Fill an empty replica with what a store knows at a version (default: its last); return that version.

        Points before that version cannot be queried here. Use this where older events are gone.
        """
        if self.version:
            raise InvalidRequestError(f"this replica is at version {self.version}", hint="begin with an empty file")
        basis = store.basis(version=version)
        rows = [(basis.version, 1, *rectangle) for rectangle in store.rectangles(basis.version)]
        facts = [(basis.version, 1, *fact) for fact in store.fact_rectangles(basis.version)]
        steps = [_Step(store_urn(store.id), basis.version, 0, basis.system_time, rows, facts)]
        self._commit(steps, horizon=basis.version)
        return self.version

    def apply(self, events: Iterable[Event]) -> None:
        """Take in events in one transaction; events of versions that the replica already has are ignored."""
        self._take(map(_step_of, events))

    def _follow(self, steps: Iterable[_Step], within: float) -> int:
        portion: list[_Step] = []
        weight, since = 0, time.monotonic()
        for step in steps:
            portion.append(step)
            weight += 1 + len(step.edges) + len(step.facts)
            if weight >= MAX_CHANGES or time.monotonic() - since >= within:
                self._take(portion)
                portion, weight, since = [], 0, time.monotonic()
        self._take(portion)
        return self.version

    def _take(self, steps: Iterable[_Step]) -> None:
        """Commit the steps that are new here; raise an error for a gap, or for steps of another store."""
        fresh = []
        version, source = self.version, self._source
        for step in steps:
            if source is not None and step.source != source:
                raise CorruptError(f"an event of {step.source}, where this replica holds {source}")
            if step.version <= version:
                continue
            if step.previous > version:
                raise GapError(version, step.previous, step.previous)
            version, source = step.version, step.source
            fresh.append(step)
        if fresh:
            self._commit(fresh)

    def _commit(self, steps: Sequence[_Step], horizon: int | None = None) -> None:
        last = steps[-1]
        arrived = {
            "signed": [row for step in steps for row in step.edges],
            "signed_facts": [row for step in steps for row in step.facts],
            "versions": [(step.version, step.system_time) for step in steps],
        }
        import duckdb

        self._db.execute("BEGIN")
        try:
            for name, rows in arrived.items():
                self._insert(name, rows)
            if horizon is not None:
                self._horizon = horizon
            self._db.execute("DELETE FROM place")
            row = [last.source, last.version, last.system_time, self._horizon]
            self._db.execute("INSERT INTO place VALUES ($1, $2, $3, $4)", row)
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(duckdb.TransactionException):  # an interrupt may come after the commit
                self._db.execute("ROLLBACK")
            raise
        self.version, self._source = last.version, last.source

    def _insert(self, name: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if not rows:
            return
        import pyarrow as pa

        columns = [pa.array(column) for column in zip(*rows, strict=True)]
        self._db.register("arrived", pa.table(columns, names=[f"c{number}" for number in range(len(columns))]))
        self._db.execute(f"INSERT INTO {name} FROM arrived")
        self._db.unregister("arrived")

    # --- questions ------------------------------------------------------------------------------------------------

    def edges_as_of(self, valid_at: str | int, version: int | None = None) -> list[TaskEdge]:
        """Return the edges in force at a valid time, as known at a version (default: the last one taken in), in order.

        Raises VersionNotReachedError for a version that this replica has not reached, BeyondHorizonError for one before
        its start.
        """
        rows = self._db.execute(
            f"""SELECT task_id, source, target, "type", subtype, expression FROM signed WHERE {_AT}
            GROUP BY ALL HAVING sum(sign) = 1 ORDER BY ALL""",
            self._point(valid_at, version),
        ).fetchall()
        return [TaskEdge(*row) for row in rows]

    def facts_as_of(self, valid_at: str | int, version: int | None = None) -> list[tuple[str, str, str]]:
        """Return (node, key, value) of the facts in force at a point, in order."""
        return self._db.execute(
            f"""SELECT node, "key", "value" FROM signed_facts WHERE {_AT}
            GROUP BY ALL HAVING sum(sign) >= 1 ORDER BY ALL""",
            self._point(valid_at, version),
        ).fetchall()

    def version_at(self, system_at: str | int) -> int:
        """Return the last version that changed anything and was known at a system time, 0 for none."""
        at = parse_instant(system_at) if isinstance(system_at, str) else system_at
        row = self._db.execute("SELECT max(version) FROM versions WHERE system_time <= $1", [at]).fetchone()
        return int(row[0] or 0) if row else 0

    def _point(self, valid_at: str | int, version: int | None) -> dict[str, Any]:
        at = parse_instant(valid_at) if isinstance(valid_at, str) else valid_at
        if version is not None and version > self.version:
            raise VersionNotReachedError(
                f"version {version} is not here: the replica is at version {self.version}", hint="follow the feed"
            )
        if version is not None and version < self._horizon:
            raise BeyondHorizonError(
                f"version {version} is not known here: the replica began at version {self._horizon}",
                hint=f"ask for a version from {self._horizon} on, or ask the store",
            )
        return {"at": at, "version": self.version if version is None else version}

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Replica at version {self.version}>"


class _Step(NamedTuple):
    """What one version adds, ready to be stored."""

    source: str
    version: int
    previous: int
    system_time: int
    edges: list[tuple[Any, ...]]
    facts: list[tuple[Any, ...]]


def _step_of(event: Event) -> _Step:
    data = event["data"]
    if "part" in data:
        raise InvalidRequestError("an event in parts", hint="read the topic with TopicReader, which joins them")
    version = data["version"]
    edges = [(version, sign, *edge, since, until) for sign, edge, since, until in signed_changes(event)]
    facts = [(version, sign, *fact, since, until) for sign, fact, since, until in signed_facts(event)]
    return _Step(event["source"], version, data["previous_version"], parse_instant(event["time"]), edges, facts)


def _step_from(entry: FeedEntry, source: str) -> _Step:
    version, task = entry.version, entry.task_id or ""
    edges = [(version, sign, task, *rest) for sign, *rest in entry.changes]
    facts = [(version, *fact) for fact in entry.facts]
    return _Step(source, version, entry.previous_version, entry.system_time, edges, facts)

"""The DuckDB session that answers: over snapshot and tail if there is a snapshot, otherwise over the whole log.

After a grace period, compaction may remove files that a long-lived reader still uses. The files that replaced them hold
the same rows, so a reader that finds a file missing refreshes to the newest commit and asks again: the answer as of a
basis is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from lineage_tt.log import commits, retention, verify
from lineage_tt.model.errors import CorruptError, LineageError
from lineage_tt.read import gap_rows
from lineage_tt.read.macros import asof, own, session
from lineage_tt.read.macros.asof import relation, setup_sql
from lineage_tt.read.snapshots.hops import Hops
from lineage_tt.read.snapshots.snapshot import REBUILD, Snapshot

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.log.retention import Horizon
    from lineage_tt.model.completeness.gaps import TaskCoverage
    from lineage_tt.read.macros.own import Session
    from lineage_tt.read.ports import LogAt
    from lineage_tt.storage.location import Place

Answer = TypeVar("Answer")

#: The number of new versions after which a reader looks for a newer snapshot, which makes answers faster.
LOOK_AGAIN: Final = 1_000


class Reader:
    """Answers queries over a log, from its snapshot as far as that reaches."""

    def __init__(self, log: LogAt) -> None:
        self._log = log
        #: How often files were removed, and their replacements opened.
        self.moves = 0
        self._database: tuple[int, Session] | None = None
        self._session: tuple[int, Snapshot | None, Session] | None = None
        self._snapshot: Snapshot | None = None
        self._looked_at = -LOOK_AGAIN
        self._epoch = 0
        self._hops: tuple[int, Hops] | None = None
        self._bound: Snapshot | None = None
        self._coverages: tuple[int, Mapping[str, TaskCoverage]] | None = None

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that answers come from; None if there is none, or if it covers more than the log as read."""
        version, epoch = self._log.version, self._log.texts.epoch
        if version - self._looked_at >= LOOK_AGAIN or version < self._looked_at or epoch != self._epoch:
            newest = Snapshot.of(self._log)
            self._snapshot = newest if newest and newest.version <= version else None
            self._looked_at, self._epoch = version, epoch
        return self._snapshot

    @property
    def horizon(self) -> Horizon | None:
        """The oldest point that is kept, None where all is."""
        return retention.horizon_of(self._log, self.snapshot)

    def database(self) -> Session:
        """Return the database over the files of the log's version, so that an answer is read as of its basis."""
        if self._database is None or self._database[0] != self._log.delta_version:
            opened = self._retried(self._open)
            self._database = self._log.delta_version, opened
        return self._database[1]

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return a connection to this database for users' queries, which may name any view or macro."""
        return self._retried(lambda: self.database().ready_for_any())

    def fetch(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run one of our own queries."""
        return self._retried(lambda: self._own().fetch(query, parameters))

    def _own(self) -> Session:
        """Return the session of our own queries, over snapshot and tail where there is a snapshot."""
        commit, snapshot = self._log.delta_version, self.snapshot
        if self._session is None or self._session[:2] != (commit, snapshot):
            self._session = commit, snapshot, self._begun(snapshot)
        return self._session[2]

    def _begun(self, snapshot: Snapshot | None) -> Session:
        if snapshot is None:
            return own.connect(verify.verified_files(self._log))
        whole = partial(verify.verified_files, self._log)
        return own.connect_alone(*self._over(snapshot, whole, partial(whole, snapshot.version)))

    def _over(
        self, snapshot: Snapshot, files: Callable[[], Sequence[Path]], tail: Callable[[], Sequence[Path]]
    ) -> tuple[Mapping[str, str], own.Fields]:
        """Return the statements of the set-up over a snapshot and its tail, and the texts of their fields."""
        from lineage_tt.read.macros.snapshot import fields, parts

        self._bind(snapshot)
        return parts(), {"files": lambda: relation(files()), **fields(snapshot, tail, self.horizon)}

    def ask(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run a user's query with bound parameters; instants are datetimes."""
        return self._retried(lambda: session.ask(self.connection(), query, parameters))

    def scan(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run one of our own queries over the view ``log``; if there is a snapshot, without verifying the whole log.

        Verifying reads every byte of the log, while a first answer from the snapshot reads few bytes. Use this only for
        short columns about how complete the log is, never for columns from which edges or facts are made.
        """
        if self.snapshot is None:
            return self.fetch(query, parameters)
        return self.with_hops(lambda hops: hops.ask_log(query, **parameters))

    def coverages(self) -> Mapping[str, TaskCoverage]:
        """Return the coverage of each task that was ever incomplete; it is read once per version."""
        version = self._log.version
        if self._coverages is None or self._coverages[0] != version:
            self._coverages = version, gap_rows.timelines(self._scanned, version)
        return self._coverages[1]

    def _scanned(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return self.scan(query, parameters)

    def with_hops(self, ask: Callable[[Hops], Answer]) -> Answer:
        """Call ``ask`` with a hop-by-hop walker; see ``hops``."""
        return self._retried(lambda: ask(self._opened_hops()))

    def _opened_hops(self) -> Hops:
        if self._hops is None or self._hops[0] != self._log.delta_version:
            self._hops = self._log.delta_version, self.hops(over=None if self.snapshot else self._own())
        return self._hops[1]

    def hops(self, *, over: Session | None = None) -> Hops:
        """Return a walker over the snapshot and its tail, or over the log if there is no snapshot; for one thread.

        Without a snapshot it uses the session ``over`` if given, otherwise a session of its own.
        """
        snapshot = self.snapshot
        if snapshot is None:
            files = verify.verified_files(self._log)
            return Hops(None, files, over or own.connect(files))
        self._bind(snapshot)
        tail = verify.verified_files(self._log, snapshot.version)
        return Hops(snapshot, tail, own.connect_alone({"log": asof.parts()["log"]}, {"files": self._unverified}))

    def _unverified(self) -> str:
        """Return the whole log as a relation, for short columns that say which message began an edge."""
        if isinstance(self._log.path, Path):
            return relation(self._log.files())
        return relation(verify.verified_files(self._log))  # local copies, which are verified when they are made

    def run(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Run a user's query."""
        return self._retried(lambda: session.run(self.connection(), query))

    def setup_sql(self) -> str:
        """Return the plain SQL with which any DuckDB sets up the same views and macros.

        For a store in an object store it names the objects of the log, since local copies belong to this process.
        """
        if not isinstance(self._log.path, Path):
            return setup_sql(self._log.files())
        return self._retried(self._setup)

    def _setup(self) -> str:
        files, snapshot = verify.verified_files(self._log), self.snapshot
        if snapshot is None:
            return setup_sql(files)
        from lineage_tt.read.macros.snapshot import setup_with

        tail = verify.verified_files(self._log, snapshot.version)
        return setup_with(files, snapshot, tail, self.horizon)

    def _open(self) -> Session:
        files, snapshot = verify.verified_files(self._log), self.snapshot
        if snapshot is None:
            return own.database(asof.parts(), {"files": lambda: relation(files)})
        tail = verify.verified_files(self._log, snapshot.version)
        return own.database(*self._over(snapshot, lambda: files, lambda: tail))

    def _bind(self, snapshot: Snapshot) -> None:
        """Raise CorruptError unless the snapshot belongs to this log and ends at one of its commits."""
        if self._bound is snapshot:
            return
        if commits.checksum_at(self._log.path, snapshot.version, self._log.delta_version) != snapshot.checksum:
            raise CorruptError(f"the snapshot at version {snapshot.version} is not one of this log", hint=REBUILD)
        self._bound = snapshot

    def _retried(self, ask: Callable[[], Answer]) -> Answer:
        before = self._log.replaced
        try:
            return ask()
        except LineageError as error:
            if not session.is_of_files(error) or not (self.moved() or self._log.replaced != before):
                raise
            return ask()

    def moved(self) -> bool:
        """Move to the newest commits; return whether other files replaced those that were read."""
        missing = verify.gone(self._files(self._snapshot))
        if not missing:
            return False
        self._log.refresh()
        self._database = self._session = self._hops = None
        self._looked_at = -LOOK_AGAIN
        found = missing.isdisjoint(self._files(self.snapshot))
        self.moves += found
        return found

    def _files(self, snapshot: Snapshot | None) -> set[Place]:
        """Return the files of the log, and those of the snapshot in use."""
        ours = () if snapshot is None else (snapshot.place / name for name in snapshot.names)
        return {*self._log.files(), *ours}

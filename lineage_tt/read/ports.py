"""What reading needs from a log and a session: the ports between questions and the files that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.log.commits import Commit
    from lineage_tt.log.retention import Horizon
    from lineage_tt.model.completeness.gaps import TaskCoverage
    from lineage_tt.model.redaction.policy import TextState
    from lineage_tt.read.macros.own import Session
    from lineage_tt.read.snapshots.hops import Hops
    from lineage_tt.read.snapshots.snapshot import Snapshot
    from lineage_tt.storage.location import Place

T = TypeVar("T")


class LogAt(Protocol):
    """The log at a commit: an open log that moves to new commits, or a frozen one."""

    #: The data files that this process has verified.
    verified: set[Place]

    @property
    def path(self) -> Place:
        """The folder of the log's Delta table."""
        ...

    @property
    def version(self) -> int:
        """The last version, 0 for an empty log."""
        ...

    @property
    def delta_version(self) -> int:
        """The version of the last Delta commit."""
        ...

    @property
    def replaced(self) -> int:
        """A number that changes when the log moves past a commit that removed files."""
        ...

    @property
    def system_time(self) -> int:
        """The system time of the last version, UTC microseconds; 0 for an empty log."""
        ...

    @property
    def checksum(self) -> bytes:
        """The checksum of the last version."""
        ...

    @property
    def horizon(self) -> Horizon | None:
        """The oldest point that is kept, None where all is."""
        ...

    @property
    def texts(self) -> TextState:
        """How much of the texts is kept, and since when."""
        ...

    @property
    def changed_before_horizon(self) -> int:
        """The last version up to the horizon that changed anything."""
        ...

    def files(self) -> Sequence[Place]:
        """Return the data files in version order."""
        ...

    def refresh(self) -> Sequence[Commit]:
        """Move to the newest commit; return the new commits, as far as they are known one by one."""
        ...


class Source(Protocol):
    """Answers queries over the views and macros of one version, from snapshot and log."""

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that answers come from, None where they come from the log alone."""
        ...

    @property
    def horizon(self) -> Horizon | None:
        """The oldest point that is kept, None where all is."""
        ...

    def database(self) -> Session:
        """Return the database over the files, in which views and macros are created as queries need them."""
        ...

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return a connection to it that has all views and macros."""
        ...

    def fetch(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run one of the product's own queries."""
        ...

    def ask(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run a user's query with bound parameters; instants are datetimes."""
        ...

    def run(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Run a user's query; return column names and rows."""
        ...

    def with_hops(self, ask: Callable[[Hops], T]) -> T:
        """Call ``ask`` with a hop-by-hop walker, over the snapshot if there is one."""
        ...

    def coverages(self) -> Mapping[str, TaskCoverage]:
        """Return the coverage of each task that was ever incomplete."""
        ...

    def setup_sql(self) -> str:
        """Return the plain SQL with which any DuckDB sets up the same views and macros."""
        ...

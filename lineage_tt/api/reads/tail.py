"""What came after a version, read from the new data files alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.log import verify
from lineage_tt.read.macros import session
from lineage_tt.read.macros.asof import quote

if TYPE_CHECKING:
    import duckdb


class Tail:
    """The versions later than ``after`` up to ``version``; ``fetch`` asks only the files that hold them."""

    def __init__(self, log: FrozenLog, after: int, database: duckdb.DuckDBPyConnection | None) -> None:
        self.log = log
        self.after = after
        self.version = log.version
        self._files = verify.verified_files(log, after)
        self._database = database
        self._ready = False

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run a query over the views and macros of ``asof``; they hold the new files' versions only."""
        if not self._files:
            return []
        if self._database is None:
            self._database = session.connect(self._files)
        elif not self._ready:
            listed = ", ".join(quote(str(path)) for path in self._files)
            self._database.execute(f"CREATE OR REPLACE TEMP VIEW log AS SELECT * FROM read_parquet([{listed}])")
        self._ready = True
        return session.fetch(self._database, query, parameters)

    @property
    def database(self) -> duckdb.DuckDBPyConnection | None:
        """The connection, for the next tail: opening one costs more than reading."""
        return self._database

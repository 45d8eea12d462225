"""The versions after a given version, read only from the new data files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.log import verify
from lineage_tt.read.macros import own

if TYPE_CHECKING:
    from lineage_tt.read.macros.own import Session


class Tail:
    """The versions later than ``after`` up to ``version``; ``fetch`` queries only the files that hold them."""

    def __init__(self, log: FrozenLog, after: int, session: Session | None) -> None:
        self.log = log
        self.after = after
        self.version = log.version
        self._files = verify.verified_files(log, after)
        self._session = session
        self._ready = False

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run a query with the views and macros of ``asof``, which contain only the versions in the new files."""
        if not self._files:
            return []
        if self._session is None:
            self._session = own.connect(self._files)
        elif not self._ready:
            self._session.read_from(self._files)
        self._ready = True
        return self._session.fetch(query, parameters)

    @property
    def session(self) -> Session | None:
        """The session. The next tail reuses it, because opening a session takes longer than reading."""
        return self._session

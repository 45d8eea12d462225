"""The store at one version, for queries of many threads at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.shared import SharedFiles, SharedSource
from lineage_tt.read.questions import Questions

if TYPE_CHECKING:
    from lineage_tt.model.clock import Clock
    from lineage_tt.store import Store

T = TypeVar("T")


class Reading(Questions):
    """Answers every question at one version, for one thread at a time.

    ``again`` returns a reading for another thread; all of them share the files. Another thread may call ``interrupt``
    to end the running query.
    """

    def __init__(self, log: FrozenLog, clock: Clock, source: SharedSource | None = None) -> None:
        self.frozen = log
        self._shared_source = source or SharedSource(SharedFiles(log))
        super().__init__(log, clock, self._shared_source)

    @classmethod
    def of(cls, store: Store) -> Reading:
        """Return a reading of the store at its current version."""
        return cls(FrozenLog(store.opened_log), store.clock)

    def again(self) -> Reading:
        """Return a reading of the same version for another thread."""
        return Reading(self.frozen, self.clock, self._shared_source.another())

    @property
    def system_time(self) -> int:
        """The system time of the version."""
        return self.frozen.system_time

    def warm(self) -> None:
        """Open the files before the first question needs them, unless a snapshot exists: then it needs few of them."""
        if self.snapshot is None:
            self._shared_source.warm()
            self.close()

    def go_on(self) -> None:
        """Raise StoppedError if ``interrupt`` was called."""
        self._shared_source.go_on()

    def interrupt(self) -> None:
        """End the running query, and prevent others from starting."""
        self._shared_source.interrupt()

    def retried(self, ask: Callable[[], T]) -> T:
        """Call a function that runs several queries on ``connection``; repeat the call once if files were replaced."""
        return self._shared_source.retried(ask)

    def portions(self, query: str, size: int, **parameters: Any) -> Iterator[list[tuple[Any, ...]]]:
        """Yield a query's rows in batches of ``size``, so that no call holds the interpreter for long."""
        return self._shared_source.portions(query, size, parameters)

    def close(self) -> None:
        """Close the connections."""
        self._shared_source.close()

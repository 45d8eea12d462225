"""What planning a backfill needs to know: walks of one step at any time, and which message was in force when."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from lineage_tt.model.answers import Basis, EdgeAsOf


class InForce(NamedTuple):
    """The message of a task in force at a time: what it ran then."""

    version: int
    effective_at: int
    event_id: str
    sql_sha256: str | None


class Timeline(Protocol):
    """The lineage at any valid time, as known at the version of ``basis``."""

    @property
    def basis(self) -> Basis:
        """The point of the question; its valid time is now."""
        ...

    @property
    def uncertain(self) -> Collection[str]:
        """The tasks met so far that write from sources that no edge shows."""
        ...

    def edges_out(self, nodes: Collection[str], valid_at: int) -> Sequence[EdgeAsOf]:
        """Return the edges out of nodes; for a dataset also those out of its columns. Aliases are edges both ways."""
        ...

    def edges_into(self, nodes: Collection[str], valid_at: int) -> Sequence[EdgeAsOf]:
        """Return the edges into nodes; for a dataset also those into its columns."""
        ...

    def change_times(self, datasets: Collection[str], since: int, until: int) -> Mapping[str, Sequence[int]]:
        """Return, by dataset, the valid times in (since, until] at which edges at it begin or end, in order."""
        ...

    def read(self, tasks: Collection[str]) -> None:
        """Read all messages of tasks at once that ``in_force`` is then asked about."""
        ...

    def in_force(self, task: str, valid_at: int) -> InForce | None:
        """Return what a task ran at a time, None where it was offline."""
        ...

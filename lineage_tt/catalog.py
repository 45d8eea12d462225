"""The columns of datasets as the store knows them: what the statements of the past wrote, as of a valid time.

An entry says that from ``effective_at`` on, as of ``version``, a dataset has these columns. Like everything else it is
a fact with two times: a message about last Monday is resolved against last Monday's columns.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, KeysView, Mapping
from typing import NamedTuple

from lineage_tt.messages import Columns


class Entry(NamedTuple):
    """From ``effective_at`` (UTC microseconds) on, the columns that version ``version`` gave.

    For one ``effective_at`` the greatest (source_version, version) wins, as it does for edges.
    """

    effective_at: int
    source_version: int  # NO_SOURCE_VERSION where the platform gave none
    version: int
    columns: Columns


class Catalog:
    """Columns by dataset and valid time, as known now."""

    def __init__(self) -> None:
        self._entries: dict[str, list[Entry]] = {}
        self._by_version: dict[int, list[str]] = {}
        self._withdrawn: set[int] = set()

    def declare(self, dataset: str, entry: Entry) -> None:
        """Add what a version says of a dataset."""
        insort(self._entries.setdefault(dataset, []), entry)
        self._by_version.setdefault(entry.version, []).append(dataset)

    def withdraw(self, version: int) -> None:
        """Take back what ``version`` said: its message was retracted."""
        self._withdrawn.add(version)

    def restore(self, version: int) -> None:
        """Let what ``version`` said count again: its retract was retracted."""
        self._withdrawn.discard(version)

    def remove_after(self, version: int) -> None:
        """Remove what versions behind ``version`` said: they did not come to be."""
        for later in [v for v in self._by_version if v > version]:
            for dataset in self._by_version.pop(later):
                self._entries[dataset] = [e for e in self._entries[dataset] if e.version != later]

    def columns(self, dataset: str, valid_at: int) -> Columns | None:
        """Return the dataset's columns in force at ``valid_at``, None where nobody said."""
        entries = self._entries.get(dataset)
        if not entries:
            return None
        for place in range(bisect_left(entries, (valid_at + 1,)) - 1, -1, -1):
            if entries[place].version not in self._withdrawn:
                return entries[place].columns
        return None

    def at(self, valid_at: int) -> CatalogView:
        """Return the catalog in force at ``valid_at`` as a mapping."""
        return CatalogView(self.columns, self._entries, valid_at)


class CatalogView(Mapping[str, Columns]):
    """The columns of every dataset at one valid time; looked up when asked, never copied."""

    def __init__(
        self, columns: Callable[[str, int], Columns | None], datasets: Mapping[str, object], valid_at: int
    ) -> None:
        self._columns = columns
        self._datasets = datasets
        self._valid_at = valid_at

    def datasets(self) -> KeysView[str]:
        """Return the names of all datasets of which anything is known at any time."""
        return self._datasets.keys()

    def __getitem__(self, dataset: str) -> Columns:
        found = self._columns(dataset, self._valid_at)
        if found is None:
            raise KeyError(dataset)
        return found

    def __iter__(self) -> Iterator[str]:
        return (dataset for dataset in self._datasets if dataset in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

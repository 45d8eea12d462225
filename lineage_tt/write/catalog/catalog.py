"""The columns of datasets as the store knows them, as of a valid time: declared, or written by the statements of tasks.

An entry says that from ``effective_at`` on, as of ``version``, a dataset has these columns. Like everything in the
store, it has two times: a message about last Monday is resolved against last Monday's columns. What a dataset message
declares takes precedence over what a task's statement wrote; a ``drop`` ends the declaration.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping
from functools import partial
from typing import NamedTuple

import orjson

from lineage_tt.model.facts import Field, Shape, shape_of
from lineage_tt.model.names import MAX_INTEGER


class Statement(NamedTuple):
    """The message whose statement writes columns, as received or re-resolved: the one that takes effect last wins.

    If several take effect at the same time, the greatest (source_version, task) wins. The order of arrival does not
    count, since it means nothing between different tasks.
    """

    effective_at: int
    source_version: int
    task_id: str
    version: int


class Entry(NamedTuple):
    """The columns that version ``version`` gives from ``effective_at`` (UTC microseconds) on.

    The last declaration wins; for the same ``effective_at``, the one with the greatest (source_version, version), as
    for edges. ``fields`` are the declared fields, empty where the declaration was dropped; None where ``statement``
    (by default that of the version itself) wrote the columns.
    """

    effective_at: int
    source_version: int  # NO_SOURCE_VERSION where the platform gave none
    version: int
    columns: Shape
    fields: tuple[Field, ...] | None = None
    statement: Statement | None = None

    @classmethod
    def written(cls, effective_at: int, version: int, columns: Shape, statement: Statement) -> Entry:
        """Return the entry for the columns that a statement writes from ``effective_at`` on, as of ``version``."""
        return cls(effective_at, statement.source_version, version, columns, None, statement)

    @classmethod
    def declared(cls, effective_at: int, source_version: int, version: int, fields: tuple[Field, ...]) -> Entry:
        """Return the entry for a dataset message."""
        return cls(effective_at, source_version, version, shape_of(fields), fields)


class Catalog:
    """Columns by dataset and valid time, as known now."""

    def __init__(self) -> None:
        self._written: dict[str, list[Entry]] = {}
        self._declared: dict[str, list[Entry]] = {}
        self._datasets: dict[str, None] = {}
        self._by_version: dict[int, list[tuple[str, int]]] = {}
        self._withdrawn: set[int] = set()

    def declare(self, dataset: str, entry: Entry) -> None:
        """Add what a version says about a dataset."""
        layer = self._written if entry.fields is None else self._declared
        insort(layer.setdefault(dataset, []), entry)
        self._datasets[dataset] = None
        self._by_version.setdefault(entry.version, []).append((dataset, entry.effective_at))

    def withdraw(self, version: int) -> None:
        """Take back what ``version`` states: its message was retracted."""
        self._withdrawn.add(version)

    def restore(self, version: int) -> None:
        """Make what ``version`` states count again: its retract was retracted."""
        self._withdrawn.discard(version)

    def remove_after(self, version: int) -> None:
        """Remove what versions after ``version`` stated: they were not committed."""
        self.take_out([later for later in self._by_version if later > version])

    def is_withdrawn(self, version: int) -> bool:
        """Return whether what ``version`` states is withdrawn."""
        return version in self._withdrawn

    def take_out(self, versions: Iterable[int]) -> list[tuple[str, Entry]]:
        """Remove and return what these versions state: they were not committed, or will get other numbers."""
        result: list[tuple[str, Entry]] = []
        for version in versions:
            for dataset in dict.fromkeys(each for each, _ in self._by_version.pop(version, ())):
                for layer in (self._written, self._declared):
                    entries = layer.get(dataset, [])
                    own = [entry for entry in entries if entry.version == version]
                    if own:
                        result += [(dataset, entry) for entry in own]
                        layer[dataset] = [entry for entry in entries if entry.version != version]
        return result

    def touched(self, version: int) -> list[tuple[str, int]]:
        """Return the datasets that ``version`` says something about, each with the valid time from which it does."""
        return self._by_version.get(version, [])

    def changed(self, versions: Iterable[int]) -> dict[str, int]:
        """Return the datasets that these versions say something about, each with the earliest valid time."""
        result: dict[str, int] = {}
        for dataset, at in (pair for version in versions for pair in self._by_version.get(version, ())):
            result[dataset] = min(at, result.get(dataset, at))
        return result

    def columns(self, dataset: str, valid_at: int, beside: int | None = None) -> Shape | None:
        """Return the dataset's columns in force at ``valid_at``, None where they are not stated.

        ``beside`` is a version whose own statement is left out: a statement reads the columns that existed before it.
        """
        declared = self.declaration(dataset, valid_at)
        if declared is not None and declared.fields:
            return declared.columns
        return self.written(dataset, valid_at, beside)

    def declaration(self, dataset: str, valid_at: int) -> Entry | None:
        """Return the declaration in force at ``valid_at``, even if it is a drop; None before the first."""
        return self._in_force(self._declared.get(dataset), valid_at)

    def written(self, dataset: str, valid_at: int, beside: int | None = None) -> Shape | None:
        """Return the columns that statements wrote, even if others are declared; arguments as for ``columns``."""
        written = self._written.get(dataset)
        return self._last_written(written, valid_at, beside) if written else None

    def datasets(self) -> KeysView[str]:
        """Return the names of all datasets of which anything is known at any time."""
        return self._datasets.keys()

    def fields(self, dataset: str, valid_at: int) -> tuple[Field, ...] | None:
        """Return the fields declared at ``valid_at``: empty after a drop, None before the first declaration."""
        declared = self._in_force(self._declared.get(dataset), valid_at)
        return declared.fields if declared is not None else None

    def next_fields(self, dataset: str, valid_at: int) -> tuple[Field, ...]:
        """Return the fields of the first declaration after ``valid_at``, empty where there is none."""
        for entry in self._declared.get(dataset, ()):
            if entry.effective_at > valid_at and entry.version not in self._withdrawn:
                return entry.fields or ()
        return ()

    def greatest_field_id(self, dataset: str) -> int:
        """Return the greatest field id that the dataset ever had, withdrawn declarations included; 0 for none.

        Ids of more than 63 bits, which earlier releases accepted, are ignored.
        """
        ids = (f.field_id or 0 for entry in self._declared.get(dataset, ()) for f in entry.fields or ())
        return max((each for each in ids if each <= MAX_INTEGER), default=0)

    def named_field_ids(self, dataset: str) -> dict[str, int]:
        """Return the least field id that each of the dataset's columns ever had, withdrawn declarations included."""
        result: dict[str, int] = {}
        for field in (f for entry in self._declared.get(dataset, ()) for f in entry.fields or ()):
            if field.field_id is not None and field.field_id <= MAX_INTEGER:
                result[field.name] = min(field.field_id, result.get(field.name, MAX_INTEGER))
        return result

    def times(self, dataset: str) -> set[int]:
        """Return the valid times at which the dataset's columns may change."""
        entries = [*self._declared.get(dataset, ()), *self._written.get(dataset, ())]
        return {entry.effective_at for entry in entries if entry.version not in self._withdrawn}

    def at(self, valid_at: int, beside: int | None = None) -> CatalogView:
        """Return the catalog in force at ``valid_at`` as a mapping; ``beside`` as for ``columns``."""
        return CatalogView(partial(self.columns, beside=beside), self._datasets, valid_at)

    def _last_written(self, entries: list[Entry], valid_at: int, beside: int | None) -> Shape | None:
        """Return what the last statement to take effect wrote; a re-resolved statement keeps its rank."""
        best: Entry | None = None
        rank: tuple[Statement, int, int] | None = None
        for place in range(bisect_left(entries, (valid_at + 1,)) - 1, -1, -1):
            entry = entries[place]
            statement = entry.statement or Statement(entry.effective_at, entry.source_version, "", entry.version)
            if entry.version in self._withdrawn or statement.version == beside:
                continue
            if rank is not None and entry.effective_at < rank[0].effective_at:
                break  # its statement, and all before, took effect earlier
            here = statement, entry.effective_at, entry.version
            if rank is None or here > rank:
                best, rank = entry, here
        return best.columns if best is not None else None

    def _in_force(self, entries: list[Entry] | None, valid_at: int) -> Entry | None:
        if entries:
            for place in range(bisect_left(entries, (valid_at + 1,)) - 1, -1, -1):
                if entries[place].version not in self._withdrawn:
                    return entries[place]
        return None


def columns_digest(columns: Shape | None) -> str | None:
    """Return a short digest of a dataset's columns, None where they are not known."""
    return None if columns is None else hashlib.blake2b(orjson.dumps(columns), digest_size=8).hexdigest()


class CatalogView(Mapping[str, Shape]):
    """The columns of every dataset at one valid time; looked up on access, never copied."""

    def __init__(
        self, columns: Callable[[str, int], Shape | None], datasets: Mapping[str, object], valid_at: int
    ) -> None:
        self._columns = columns
        self._datasets = datasets
        self._valid_at = valid_at

    def datasets(self) -> KeysView[str]:
        """Return the names of all datasets of which anything is known at any time."""
        return self._datasets.keys()

    def __getitem__(self, dataset: str) -> Shape:
        columns = self._columns(dataset, self._valid_at)
        if columns is None:
            raise KeyError(dataset)
        return columns

    def __iter__(self) -> Iterator[str]:
        return (dataset for dataset in self._datasets if dataset in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

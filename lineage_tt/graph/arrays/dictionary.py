"""The texts that numbers refer to: nodes, tasks, expressions, and payloads (task, type and subtype, expression)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Names
from lineage_tt.graph.arrays.stars import StarIndex
from lineage_tt.model.edges import DIRECT, INDIRECT, REJECTED


@jit
def intern_payloads(parts: Ints, at: int, out: Ints, known: Ints, count: int, table: Ints) -> Any:
    """Number triples from position ``at`` on; return (position reached, triples known); stops early without room."""
    last = np.uint64(len(table) - 1)
    for i in range(at, len(parts)):
        a, b, c = parts[i, 0], parts[i, 1], parts[i, 2]
        digest = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(b) * np.uint64(0xC2B2AE3D27D4EB4F)
        digest = (digest ^ np.uint64(c)) * np.uint64(0x165667B19E3779F9)
        slot = (digest ^ digest >> np.uint64(31)) & last
        while True:
            payload = table[slot] - 1
            if payload < 0:
                if count == len(known) or 2 * (count + 1) > len(table):
                    return i, count
                known[count, 0], known[count, 1], known[count, 2] = a, b, c
                table[slot] = count + 1
                payload = count
                count += 1
                break
            if known[payload, 0] == a and known[payload, 1] == b and known[payload, 2] == c:
                break
            slot = (slot + np.uint64(1)) & last
        out[i] = payload
    return len(parts), count


class Dictionary:
    """All names of a graph; it only grows, so a number never changes its meaning."""

    def __init__(self) -> None:
        self.nodes, self.tasks, self.expressions = Names(), Names(), Names()
        self._kinds: dict[tuple[str, str], int] = {}
        self.indirect = np.zeros(0, np.int32)
        #: whether people ever rejected an edge; each walk reads this
        self.rejects = False
        self._payloads = np.zeros((256, 3), np.int32)
        self._payload_table = np.zeros(512, np.int32)
        self._payload_count = 0
        self._datasets = np.zeros(0, np.int32)
        self.stars = StarIndex()

    @property
    def payloads(self) -> npt.NDArray[np.int32]:
        """Task, kind and expression of each payload."""
        return self._payloads[: self._payload_count]

    @property
    def all_payloads(self) -> npt.NDArray[np.int32]:
        """The same with spare room at the end: an array that always has the same type, for compiled functions."""
        return self._payloads

    @property
    def kind_words(self) -> tuple[tuple[str, str], ...]:
        """The type and subtype of each kind, by number."""
        return tuple(self._kinds)

    def has_kind(self, kind: str, subtype: str) -> bool:
        """Return whether any edge has this type and subtype."""
        return (kind, subtype) in self._kinds

    def kinds(self, types: pa.Array, subtypes: pa.Array) -> Ints:
        """Return the number of each pair of type and subtype."""
        first, second = _encoded(types), _encoded(subtypes)
        names = [first.dictionary.to_pylist(), second.dictionary.to_pylist()]
        pairs = first.indices.to_numpy(zero_copy_only=False) * len(names[1])
        pairs = pairs + second.indices.to_numpy(zero_copy_only=False)
        mapped = np.zeros(len(names[0]) * len(names[1]), np.int32)
        for pair in np.unique(pairs).tolist():
            mapped[pair] = self._kind(names[0][pair // len(names[1])], names[1][pair % len(names[1])])
        result: Ints = mapped[pairs]
        return result

    def _kind(self, kind: str, subtype: str) -> int:
        known = self._kinds.setdefault((kind, subtype), len(self._kinds))
        self.rejects = self.rejects or (kind, subtype) == (DIRECT, REJECTED)
        if known == len(self.indirect):
            self.indirect = np.array([kind == INDIRECT for kind, _ in self._kinds], np.int32)
        return known

    def payloads_of(self, tasks: Ints, kinds: Ints, expressions: Ints) -> Ints:
        """Return the payload of each row: its number doubled, 1 added where the type is INDIRECT."""
        parts = np.stack([tasks, kinds, expressions], axis=1)
        out = np.empty(len(parts), np.int32)
        at = 0
        while True:
            at, count = intern_payloads(parts, at, out, self._payloads, self._payload_count, self._payload_table)
            self._payload_count = int(count)
            if at == len(parts):
                return (out << 1) | self.indirect[kinds] if len(parts) else out
            self._grow()

    def append_payloads(self, tasks: Ints, kinds: Ints, expressions: Ints) -> Ints:
        """Return new payloads for rows, even if equal ones exist; nothing can be interned after that."""
        earlier = self.payloads
        self._payloads = np.concatenate([earlier, np.stack([tasks, kinds, expressions], axis=1)])
        self._payload_count = len(self._payloads)
        fresh = np.arange(len(earlier), self._payload_count, dtype=np.int32)
        return (fresh << 1) | self.indirect[kinds] if len(fresh) else fresh

    def _grow(self) -> None:
        earlier = self.payloads
        payloads = np.zeros((len(self._payloads) * 2, 3), np.int32)
        table = np.zeros(len(self._payload_table) * 2, np.int32)
        intern_payloads(earlier, 0, np.empty(len(earlier), np.int32), payloads, 0, table)
        self._payloads, self._payload_table = payloads, table

    def datasets_from(self, first: int) -> Ints:
        """Return the dataset's number of each node from number ``first`` on; every dataset is a node already."""
        return self._datasets[first : len(self.nodes)]

    def note_datasets(self) -> None:
        """Make sure that each node's dataset is also a node, numbered after the nodes that name it."""
        first = len(self._datasets)
        owners = self.nodes.intern(self.nodes.dataset_names(first))
        fresh = np.arange(first + len(owners), len(self.nodes), dtype=np.int32)  # new datasets, each its own dataset
        self._datasets = np.concatenate([self._datasets, owners, fresh])

    def names_of(self, numbers: Iterable[int]) -> list[str]:
        """Return the names of some nodes."""
        names: list[str] = self.nodes.take(np.fromiter(numbers, np.int64)).to_pylist()
        return names

    @property
    def nbytes(self) -> int:
        """The memory of all texts and their tables."""
        names = self.nodes.nbytes + self.tasks.nbytes + self.expressions.nbytes
        return names + self.payloads.nbytes + self._payload_table.nbytes + self._datasets.nbytes

    def copy(self) -> Dictionary:
        """Return a dictionary with the same names that can grow independently."""
        other = Dictionary()
        other.nodes, other.tasks, other.expressions = self.nodes.copy(), self.tasks.copy(), self.expressions.copy()
        other._kinds = dict(self._kinds)
        other.indirect, other.rejects = self.indirect, self.rejects
        other._payloads, other._payload_table = self._payloads.copy(), self._payload_table.copy()
        other._payload_count, other._datasets = self._payload_count, self._datasets
        other.stars = self.stars.copy()
        return other


def _encoded(values: pa.Array) -> pa.DictionaryArray:
    return values if isinstance(values, pa.DictionaryArray) else values.dictionary_encode()

"""Names and their numbers: text interned into one buffer, looked up through a hash table, all of it compiled.

A name's number is its position in the order of first appearance, and never changes. Four million names cost about 40
bytes each in addition to their text; Python strings are made only for names that an answer shows. One thread may add
names while others look them up: bytes are written before the slot that points at them, and arrays that grow are
replaced, not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lineage_tt.graph.arrays.compiled import jit

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


class NodeTexts(Protocol):
    """The names of nodes by their numbers, as Python strings."""

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the names of nodes."""


class NodeNames(Protocol):
    """The names of nodes by their numbers, as an Arrow array."""

    def take(self, numbers: Ints) -> pa.Array:
        """Return the names of nodes as an Arrow array."""


@jit
def hash_of(data: Bytes, start: int, end: int) -> Any:
    """Return FNV-1a of some bytes, its high half folded in."""
    digest = np.uint64(14695981039346656037)
    for i in range(start, end):
        digest = (digest ^ np.uint64(data[i])) * np.uint64(1099511628211)
    return digest ^ (digest >> np.uint64(29))


@jit
def slot_of(text: Bytes, start: int, end: int, data: Bytes, ends: Longs, table: Ints) -> Any:
    """Return the slot that holds a name, or the free slot for it."""
    last = np.uint64(len(table) - 1)
    slot = hash_of(text, start, end) & last
    length = end - start
    while True:
        name = table[slot] - 1
        if name < 0:
            return slot
        begin = ends[name]
        if ends[name + 1] - begin == length:
            same = True
            for i in range(length):
                if data[begin + i] != text[start + i]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + np.uint64(1)) & last


@jit
def intern(text: Bytes, cuts: Longs, at: int, out: Ints, data: Bytes, ends: Longs, count: int, table: Ints) -> Any:
    """Number the names from position ``at`` on; return (position reached, names known); stops early without room."""
    for i in range(at, len(cuts) - 1):
        start, end = cuts[i], cuts[i + 1]
        slot = slot_of(text, start, end, data, ends, table)
        known = table[slot] - 1
        if known < 0:
            begin = ends[count]
            if count + 2 > len(ends) or begin + end - start > len(data) or 2 * (count + 1) > len(table):
                return i, count
            for k in range(end - start):
                data[begin + k] = text[start + k]
            ends[count + 1] = begin + end - start
            known = count
            table[slot] = known + 1
            count += 1
        out[i] = known
    return len(cuts) - 1, count


@jit
def find(text: Bytes, size: int, data: Bytes, ends: Longs, table: Ints) -> Any:
    """Return the number of one name, -1 where it is not known."""
    return table[slot_of(text, 0, size, data, ends, table)] - 1


@jit
def look_up(text: Bytes, cuts: Longs, out: Ints, data: Bytes, ends: Longs, table: Ints) -> None:
    """Write the numbers of names, -1 for those that are not known."""
    for i in range(len(cuts) - 1):
        out[i] = table[slot_of(text, cuts[i], cuts[i + 1], data, ends, table)] - 1


@jit
def rehash(data: Bytes, ends: Longs, count: int, table: Ints) -> None:
    """Enter the first ``count`` names into an empty table."""
    for i in range(count):
        table[slot_of(data, ends[i], ends[i + 1], data, ends, table)] = i + 1


@jit
def datasets(data: Bytes, ends: Longs, first: int, cuts: Longs, count: int) -> None:
    """Write where the dataset of each of ``count`` names from ``first`` on ends: before its first ``#``."""
    for i in range(count):
        at = ends[first + i]
        while at < ends[first + i + 1] and data[at] != 35:
            at += 1
        cuts[i] = at


@jit
def star_nodes(data: Bytes, ends: Longs, owners: Ints, first: int, count: int, out: Ints) -> Any:
    """Write the numbers of the names from ``first`` up to ``count`` that are ``dataset#*``; return how many."""
    nodes = 0
    for i in range(first, count):
        owner, end = owners[i], ends[i + 1]
        size = ends[owner + 1] - ends[owner]
        if owner != i and end - ends[i] == size + 2 and data[end - 1] == 42:
            out[nodes] = i
            nodes += 1
    return nodes


#: The most names that are cached as Python strings, about 100 bytes each.
MAX_CACHED: Final = 1 << 18
_NOTHING = np.frombuffer(b"\0", np.uint8)


class Names:
    """An ordered set of names that only grows."""

    def __init__(self) -> None:
        self._data: Bytes = np.zeros(1 << 12, np.uint8)
        self._ends: Longs = np.zeros(1 << 8, np.int64)
        self._table: Ints = np.zeros(1 << 9, np.int32)
        self._count = 0
        self._cached: dict[int, str] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """The memory in use, text, places and hash table."""
        return int(self._ends[self._count]) + 8 * self._count + self._table.nbytes

    def intern(self, names: pa.Array) -> Ints:
        """Return the number of each name; new names are added."""
        if isinstance(names, pa.DictionaryArray):
            known: Ints = self.intern(names.dictionary)[names.indices.to_numpy(zero_copy_only=False)]
            return known
        text, cuts = _buffers(names)
        out = np.empty(len(names), np.int32)
        at = 0
        while True:
            at, count = intern(text, cuts, at, out, self._data, self._ends, self._count, self._table)
            self._count = int(count)
            if at == len(names):
                return out
            self._grow(int(cuts[at + 1] - cuts[at]))

    def reserve(self, names: int, size: int) -> None:
        """Reserve room for this many names and bytes before the first name; growing would hash each name twice."""
        self._ends = np.zeros(names + names // 64 + 256, np.int64)
        self._data = np.zeros(size + size // 64 + 4096, np.uint8)
        self._table = np.zeros(1 << (2 * names + 2).bit_length(), np.int32)

    def add(self, names: Iterable[str]) -> Ints:
        """Return the numbers of a few Python strings; new names are added."""
        return self.intern(pa.array(list(names), pa.large_string()))

    def find(self, name: str) -> int:
        """Return a name's number, -1 where it is not known."""
        text = np.frombuffer(name.encode() or b"\0", np.uint8)
        return int(find(text, len(text) if name else 0, self._data, self._ends, self._table))

    def find_all(self, names: Sequence[str]) -> Ints:
        """Return the numbers of many names, -1 for those that are not known."""
        text, cuts = _buffers(pa.array(names, pa.large_string()))
        out = np.empty(len(names), np.int32)
        look_up(text, cuts, out, self._data, self._ends, self._table)
        return out

    def __getitem__(self, number: int) -> str:
        return self._data[self._ends[number] : self._ends[number + 1]].tobytes().decode()

    def arrow(self) -> pa.LargeStringArray:
        """Return all names in order, without a copy."""
        count = self._count
        return pa.LargeStringArray.from_buffers(
            count, pa.py_buffer(self._ends[: count + 1]), pa.py_buffer(self._data[: self._ends[count]])
        )

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the names with these numbers as Python strings; recent ones are cached."""
        cached = self._cached
        try:
            return list(map(cached.__getitem__, numbers))
        except KeyError:
            missing = list({number for number in numbers if number not in cached})
            fresh = dict(zip(missing, self.take(np.array(missing, np.int64)).to_pylist(), strict=True))
            if len(cached) + len(fresh) > MAX_CACHED:
                cached = {number: cached[number] for number in numbers if number in cached}
            cached |= fresh  # safe from any thread: values are equal, and no key disappears while others read
            self._cached = cached
            return [cached[number] for number in numbers]

    def take(self, numbers: npt.NDArray[Any]) -> pa.LargeStringArray:
        """Return the names with these numbers."""
        return self.arrow().take(pa.array(numbers))

    def dataset_names(self, first: int) -> pa.LargeStringArray:
        """Return the dataset of each name from number ``first`` on."""
        count = self._count - first
        cuts = np.empty(count, np.int64)
        datasets(self._data, self._ends, first, cuts, count)
        starts = self._ends[first : self._count]
        return _pieces(self._data, starts, cuts)

    def stars_from(self, first: int, owners: Ints) -> Ints:
        """Return the numbers, from ``first`` on, of star nodes (``dataset#*``); ``owners`` are all names' datasets."""
        out = np.empty(self._count - first, np.int32)
        return out[: star_nodes(self._data, self._ends, owners, first, self._count, out)].copy()

    def columns_of(self, numbers: Ints, owners: Ints) -> pa.LargeStringArray:
        """Return what follows the first ``#`` of names; ``owners`` are their datasets' numbers."""
        starts = self._ends[numbers] + (self._ends[owners + 1] - self._ends[owners]) + 1
        return _pieces(self._data, starts, self._ends[numbers + 1])

    def copy(self) -> Names:
        """Return a set of the same names that can grow independently."""
        other = Names()
        other._data, other._ends, other._table = self._data.copy(), self._ends.copy(), self._table.copy()
        other._count = self._count
        return other

    def _grow(self, length: int) -> None:
        """Make room for more names; arrays that readers hold do not change."""
        used = int(self._ends[self._count])
        if self._count + 2 > len(self._ends):
            self._ends = _larger(self._ends, len(self._ends) * 3 // 2 + 256)
        if used + length > len(self._data):
            self._data = _larger(self._data, max(len(self._data) * 3 // 2, used + length) + 4096)
        if 2 * (self._count + 1) > len(self._table):
            table = np.zeros(len(self._table) * 2, np.int32)
            rehash(self._data, self._ends, self._count, table)
            self._table = table


@jit
def gather(data: Bytes, starts: Longs, stops: Longs, ends: Longs, out: Bytes) -> None:
    """Write pieces of a text one after another."""
    for i in range(len(starts)):
        for k in range(stops[i] - starts[i]):
            out[ends[i] + k] = data[starts[i] + k]


def _pieces(data: Bytes, starts: Longs, stops: Longs) -> pa.LargeStringArray:
    ends = np.zeros(len(starts) + 1, np.int64)
    np.cumsum(stops - starts, out=ends[1:])
    text = np.empty(int(ends[-1]), np.uint8)
    gather(data, starts, stops, ends, text)
    return pa.LargeStringArray.from_buffers(len(starts), pa.py_buffer(ends), pa.py_buffer(text))


def _larger(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    grown = np.zeros(size, array.dtype)
    grown[: len(array)] = array
    return grown


def _buffers(names: pa.Array) -> tuple[Bytes, Longs]:
    """Return the text and the places of an Arrow array of strings without nulls."""
    if isinstance(names, pa.ChunkedArray):
        names = names.combine_chunks()
    _, places, text = names.buffers()
    wide = pa.types.is_large_string(names.type)
    if places is None or len(names) == 0:
        return _NOTHING, np.zeros(len(names) + 1, np.int64)
    cuts = np.frombuffer(places, np.int64 if wide else np.int32)[names.offset : names.offset + len(names) + 1]
    data = np.frombuffer(text, np.uint8) if text is not None and text.size else _NOTHING
    return data, cuts.astype(np.int64)  # a copy: a read-only array is another type for numba

"""When things change: rows in order of each of their four times, and the difference of two points read from it.

A row in force at only one of two points has begun, ended, been opened or been closed between them. So the difference is
found among the rows whose valid times lie between the two valid times and those whose versions lie between the two
versions: the cost depends on what changed, not on what exists. The orders are built for the first difference.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Bytes, Ints, Longs
from lineage_tt.graph.arrays.walking import rank_of


@jit
def ordered(rows: Ints, column: int, keep: int, places: Longs, out: Ints) -> None:
    """Write the rows' positions in order of one of their times (counting sort).

    ``keep`` 0 takes all rows, 1 those that end in valid time, 2 those closed when the base was built.
    """
    for at in range(len(rows)):
        value = rows[at, column]
        if keep == 2:
            value = ~value
        if keep == 0 or (keep == 1 and value != 2147483647) or (keep == 2 and value >= 0):
            places[value + 1] += 1
    for i in range(len(places) - 1):
        places[i + 1] += places[i]
    for at in range(len(rows)):
        value = rows[at, column]
        if keep == 2:
            value = ~value
        if keep == 0 or (keep == 1 and value != 2147483647) or (keep == 2 and value >= 0):
            out[places[value]] = at
            places[value] += 1


@jit
def first_after(rows: Ints, order: Ints, column: int, turned: bool, bound: int) -> Any:
    """Return the first position in an order whose row comes after ``bound``."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) >> 1
        value = rows[order[middle], column]
        if (~value if turned else value) <= bound:
            low = middle + 1
        else:
            high = middle
    return low


@jit
def side_of(rows: Ints, at: int, rank_a: int, version_a: int, rank_b: int, version_b: int) -> Any:
    """Return -1 for a row in force only at the first point, +1 only at the second, 0 at both or neither."""
    closed = rows[at, 4] if rows[at, 4] >= 0 else ~rows[at, 4]
    first = rows[at, 1] <= rank_a and rank_a < rows[at, 2] and rows[at, 3] <= version_a and version_a < closed
    second = rows[at, 1] <= rank_b and rank_b < rows[at, 2] and rows[at, 3] <= version_b and version_b < closed
    return (1 if second else 0) - (1 if first else 0)


@jit
def difference(
    valid_a: int, version_a: int, valid_b: int, version_b: int, rows: Ints, instants: Longs, by_from: Ints, by_to: Ints,
    by_opened: Ints, by_closed: Ints, tail: Ints, times: Longs, tails: int, closings: Ints, closed: int, refs: Ints,
    signs: Bytes,
) -> Any:  # fmt: skip
    """Note the rows in force at only one point (sign 0 or 1); return how many, or -1 if they do not fit."""
    rank_a, rank_b = rank_of(valid_a, instants), rank_of(valid_b, instants)
    ranks, versions = (min(rank_a, rank_b), max(rank_a, rank_b)), (min(version_a, version_b), max(version_a, version_b))
    count = 0
    for turn in range(5):
        if turn == 0:
            order, column, low, high = by_from, 1, ranks[0], ranks[1]
        elif turn == 1:
            order, column, low, high = by_to, 2, ranks[0], ranks[1]
        elif turn == 2:
            order, column, low, high = by_opened, 3, versions[0], versions[1]
        else:
            order, column, low, high = by_closed, 4, versions[0], versions[1]
        if turn < 4:
            first = first_after(rows, order, column, turn == 3, low)
            end = first_after(rows, order, column, turn == 3, high) if high > low else first
        else:
            first, end = 0, closed
        for i in range(first, end):
            if turn < 4:
                at = order[i]
            else:
                at = closings[i, 0]
                if at < 0 or closings[i, 1] <= low or closings[i, 1] > high:
                    continue
            if turn > 0 and ranks[0] < rows[at, 1] and rows[at, 1] <= ranks[1]:
                continue
            if turn > 1 and ranks[0] < rows[at, 2] and rows[at, 2] <= ranks[1]:
                continue
            if turn > 2 and versions[0] < rows[at, 3] and rows[at, 3] <= versions[1]:
                continue
            side = side_of(rows, at, rank_a, version_a, rank_b, version_b)
            if side:
                if count == len(refs):
                    return -1
                refs[count], signs[count] = at, side > 0
                count += 1
    for at in range(tails):
        in_force_a = (
            tail[at, 2] <= version_a and version_a < tail[at, 3] and times[at, 0] <= valid_a and valid_a < times[at, 1]
        )
        in_force_b = (
            tail[at, 2] <= version_b and version_b < tail[at, 3] and times[at, 0] <= valid_b and valid_b < times[at, 1]
        )
        if in_force_a != in_force_b:
            if count == len(refs):
                return -1
            refs[count], signs[count] = ~at, in_force_b
            count += 1
    return count


@jit
def net(
    refs: Ints, signs: Bytes, rows: Ints, record: Ints, nodes: int, tail: Ints, table: Ints, out: Ints
) -> Any:  # fmt: skip
    """Write (sign, source, target, payload) of the edges in force at only one point; return their number.

    An edge in force by one row at the first point and by another at the second is in force at both.
    """
    last = len(table) - 1
    count = 0
    for i in range(len(refs)):
        ref = refs[i]
        if ref >= 0:
            low, high = 0, nodes  # the last node whose rows begin at or before this one
            while high - low > 1:
                middle = (low + high) >> 1
                if record[middle, 0] <= ref:
                    low = middle
                else:
                    high = middle
            source, target, payload = low, rows[ref, 0], rows[ref, 5]
        else:
            source, target, payload = tail[~ref, 0], tail[~ref, 1], tail[~ref, 4]
        mixed = (np.uint64(source) * np.uint64(0x9E3779B97F4A7C15)) ^ (
            np.uint64(target) * np.uint64(0xC2B2AE3D27D4EB4F)
        )
        mixed = (mixed ^ np.uint64(payload)) * np.uint64(0x165667B19E3779F9)
        slot = np.int64((mixed >> np.uint64(33)) & np.uint64(last))
        while True:
            at = table[slot] - 1
            if at < 0:
                table[slot] = count + 1
                out[count, 0], out[count, 1], out[count, 2], out[count, 3] = signs[i], source, target, payload
                count += 1
                break
            if out[at, 1] == source and out[at, 2] == target and out[at, 3] == payload:
                out[at, 0] = 2
                break
            slot = (slot + 1) & last
    size = 0
    for i in range(count):
        if out[i, 0] < 2:
            for k in range(4):
                out[size, k] = out[i, k]
            size += 1
    return size


class ChangeIndex:
    """The four orders of a base's rows, built once, at first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._orders: tuple[Ints, Ints, Ints, Ints] | None = None

    @property
    def nbytes(self) -> int:
        """Memory of the orders, 0 before they are made."""
        return sum(order.nbytes for order in self._orders) if self._orders else 0

    def orders(self, rows: Ints, instants: Longs, base_version: int) -> tuple[Ints, Ints, Ints, Ints]:
        """Return the rows by valid from, valid to, opening and closing."""
        with self._lock:
            if self._orders is None:
                self._orders = (
                    _ordered(rows, 1, 0, len(instants)),
                    _ordered(rows, 2, 1, len(instants)),
                    _ordered(rows, 3, 0, base_version + 1),
                    _ordered(rows, 4, 2, base_version + 1),
                )
        return self._orders


def _ordered(rows: Ints, column: int, keep: int, values: int) -> Ints:
    size = len(rows)
    if keep == 1:
        size = int(np.count_nonzero(rows[:, column] != 2**31 - 1))
    elif keep == 2:
        size = int(np.count_nonzero(rows[:, column] < 0))
    out = np.empty(size, np.int32)
    ordered(rows, column, keep, np.zeros(values + 1, np.int64), out)
    return out

"""Which message of a task states its edges from an instant on, and how two runs of messages become one. Compiled.

Messages are columns sorted by task, time and version, in two runs: the first is long, the second short or empty.
"""

from __future__ import annotations

from typing import Any

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Longs


@jit
def first_after(task: Ints, effective: Longs, of_task: int, at: int) -> Any:
    """Return the position after a task's messages that take effect up to an instant."""
    low, high = 0, len(task)
    while low < high:
        middle = (low + high) >> 1
        if task[middle] < of_task or (task[middle] == of_task and effective[middle] <= at):
            low = middle + 1
        else:
            high = middle
    return low


@jit
def after_of_task(effective: Longs, low: int, high: int, at: int) -> Any:
    """Return the position after a task's messages, between ``low`` and ``high``, that take effect up to an instant."""
    while low < high:
        middle = (low + high) >> 1
        if effective[middle] <= at:
            low = middle + 1
        else:
            high = middle
    return low


@jit
def stating(
    task: Ints, effective: Longs, version: Ints, rank: Longs, base: Ints, of_task: int, end: int, upto: int
) -> Any:
    """Return the position, before ``end``, of a task's message in force, -1 for none; derived messages are skipped."""
    result = -1
    place = end - 1
    while place >= 0 and task[place] == of_task and (result < 0 or effective[place] == effective[result]):
        if base[place] == 0 and version[place] <= upto:
            above = result < 0 or rank[place] > rank[result]
            if above or (rank[place] == rank[result] and version[place] > version[result]):
                result = place
        place -= 1
    return result


@jit
def derived(
    task: Ints, effective: Longs, version: Ints, base: Ints, of_task: int, at: int, end: int, upto: int, of: int
) -> Any:  # fmt: skip
    """Return the last version derived from a message that takes effect exactly at this instant, 0 for none."""
    result = 0
    place = end - 1
    while place >= 0 and task[place] == of_task and effective[place] == at:
        if base[place] == of and version[place] <= upto and version[place] > result:
            result = version[place]
        place -= 1
    return result


@jit
def began(
    numbers: Ints, valid: Longs, payloads: Ints, supposed: int, upto: int, starts: Ints, task_a: Ints,
    effective_a: Longs, version_a: Ints, rank_a: Longs, base_a: Ints, task_b: Ints, effective_b: Longs,
    version_b: Ints, rank_b: Longs, base_b: Ints,
) -> None:  # fmt: skip
    """Give each edge the version in force where it begins; an edge that no message states keeps its version.

    ``starts`` says where each task's messages begin in the first run. Hypothetical edges are skipped.
    """
    for i in range(len(numbers)):
        payload = numbers[i, 2] >> 1
        if payload >= supposed:
            continue
        one, at = payloads[payload, 0], valid[i, 0]
        end_a, end_b = 0, 0
        if one + 1 < len(starts):
            end_a = after_of_task(effective_a, starts[one], starts[one + 1], at)
        if len(task_b):
            end_b = first_after(task_b, effective_b, one, at)
        a = stating(task_a, effective_a, version_a, rank_a, base_a, one, end_a, upto)
        b = stating(task_b, effective_b, version_b, rank_b, base_b, one, end_b, upto)
        if a < 0 and b < 0:
            continue
        if b < 0 or (a >= 0 and effective_a[a] > effective_b[b]):
            later = False
        elif a < 0 or effective_b[b] > effective_a[a] or rank_b[b] != rank_a[a]:
            later = a < 0 or effective_b[b] > effective_a[a] or rank_b[b] > rank_a[a]
        else:
            later = version_b[b] > version_a[a]
        stated = version_b[b] if later else version_a[a]
        again = max(
            derived(task_a, effective_a, version_a, base_a, one, at, end_a, upto, stated),
            derived(task_b, effective_b, version_b, base_b, one, at, end_b, upto, stated),
        )
        if again > 0:
            numbers[i, 3] = again
        elif (effective_b[b] if later else effective_a[a]) == at:
            numbers[i, 3] = stated


@jit
def merge(
    task_a: Ints, effective_a: Longs, version_a: Ints, task_b: Ints, effective_b: Longs, version_b: Ints, out: Longs
) -> None:
    """Write the merged order of two runs: positions in the first run, and after its length those in the second."""
    a, b = 0, 0
    for i in range(len(out)):
        if b == len(task_b):
            first = True
        elif a == len(task_a):
            first = False
        elif task_a[a] != task_b[b]:
            first = task_a[a] < task_b[b]
        elif effective_a[a] != effective_b[b]:
            first = effective_a[a] < effective_b[b]
        else:
            first = version_a[a] < version_b[b]
        if first:
            out[i] = a
            a += 1
        else:
            out[i] = len(task_a) + b
            b += 1

"""Finish times and slack of tasks in the naive model: it tries every path, and shares no code with the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def latest_finish(
    before: Mapping[str, set[str]], ends: Iterable[str], length: Mapping[str, int], begins: Mapping[str, int]
) -> int:
    """Return when the last of ``ends`` finishes, over every path to it; tasks begin not before ``begins``."""

    def done(task: str) -> int:
        ways = [begins.get(task, 0), *(done(each) for each in before[task])]
        return max(ways) + length.get(task, 0)

    return max((done(task) for task in ends), default=0)


def slack_of(
    task: str, before: Mapping[str, set[str]], ends: Iterable[str], length: Mapping[str, int],
    begins: Mapping[str, int], due: int,
) -> int:  # fmt: skip
    """Return how much longer a task may take so that the ends still finish at ``due``, by binary search."""
    ends = list(ends)

    def in_time(delay: int) -> bool:
        later = {**length, task: length.get(task, 0) + delay}
        return latest_finish(before, ends, later, begins) <= due

    low, high = 0, 10**9
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if in_time(middle) else (low, middle - 1)
    return low


def upstream(before: Mapping[str, set[str]], tasks: Iterable[str]) -> set[str]:
    """Return the tasks and all tasks upstream of them."""
    result = set(tasks)
    while True:
        more = {each for task in result for each in before[task]} - result
        if not more:
            return result
        result |= more

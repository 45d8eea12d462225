"""Plain judges of what runs when: every path tried, every run repeated. Nothing here is fast, or shares code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def latest_finish(
    before: Mapping[str, set[str]], ends: Iterable[str], length: Mapping[str, int], begins: Mapping[str, int]
) -> int:
    """When the last of ``ends`` is done, over every path to it: a path's first task begins at its own time."""

    def done(task: str) -> int:
        ways = [begins.get(task, 0), *(done(each) for each in before[task])]
        return max(ways) + length.get(task, 0)

    return max((done(task) for task in ends), default=0)


def slack_of(
    task: str, before: Mapping[str, set[str]], ends: Iterable[str], length: Mapping[str, int],
    begins: Mapping[str, int], due: int,
) -> int:  # fmt: skip
    """How much longer a task may take and the ends are still done at ``due``: the delay is tried out by halving."""
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
    """The tasks and all before them."""
    result = set(tasks)
    while True:
        more = {each for task in result for each in before[task]} - result
        if not more:
            return result
        result |= more

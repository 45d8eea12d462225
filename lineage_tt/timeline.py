"""The central algorithm, pure: a task's messages → its timeline → rectangles → signed changes.

A *record* is an accepted online, update or offline message of one task. A task's *timeline* is a step function on the
valid axis: at each ``effective_at`` the record with the greatest (source_version, version) wins and its edge set holds
up to the next one (``resolve``). A *rectangle* is one edge over one maximal interval ``[valid_from, valid_to)`` of
that function (``rectangles``). What a new message changes is the difference of the rectangles before and after it
(``signed_changes``): a minus always removes a whole rectangle that an earlier plus added. Hence

    edge in force at (vt, st)  ⇔  Σ sign over changes with system_time ≤ st and valid_from ≤ vt < valid_to  =  1

A task numbers its distinct edges once; an edge set is a bit mask over these numbers, so that the sets of ten thousand
versions fit in memory and their differences cost a few machine words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

NO_SOURCE_VERSION = -(2**63)
_AT: Final = itemgetter(0)  # of a step


class Record(NamedTuple):
    """What one message asserts: from ``effective_at`` (UTC microseconds) on, the task's edges are ``edges``."""

    effective_at: int
    source_version: int  # NO_SOURCE_VERSION where the platform gave none: it loses against any given one
    version: int
    edges: int  # bit mask; 0 for offline


class StatementSpan(NamedTuple):
    """The interval of the valid axis on which the statement ``version`` is in force."""

    version: int
    valid_from: int
    valid_to: int | None


class Step(NamedTuple):
    """From ``at`` to the next step's ``at``, the edges are ``edges``, stated by the message ``version``."""

    at: int
    edges: int
    version: int


#: (edge number, valid_from, valid_to): the edge holds on ``[valid_from, valid_to)``; ``valid_to`` None is without end.
#: Plain tuples, here and below: half a million are made per second, and named ones cost five times as much.
Interval = tuple[int, int, int | None]

#: (sign, edge number, valid_from, valid_to): +1 adds a rectangle, −1 removes a whole one.
SignedChange = tuple[int, int, int, int | None]


def resolve(records: Iterable[Record]) -> list[Step]:
    """Return the timeline: one step per distinct ``effective_at``, in order, with its winner's edges."""
    steps: list[Step] = []
    for record in sorted(records):
        step = Step(record.effective_at, record.edges, record.version)
        if steps and steps[-1].at == step.at:
            steps[-1] = step
        else:
            steps.append(step)
    return steps


def refine(steps: Iterable[Step], derived: Mapping[int, Iterable[Record]]) -> list[Step]:
    """Return the timeline with the records derived later from its statements, given by the statement's version.

    A derived record states the message's edges, resolved again, from some time on, as long as that message is in force:
    it counts from its ``effective_at`` to the next step. If there are several, the greatest version counts.
    """
    result: list[Step] = []
    steps = list(steps)
    for step, until in zip(steps, [*(later.at for later in steps[1:]), None], strict=bool(steps)):
        result.append(step)
        for record in sorted(derived.get(step.version, ()), key=lambda r: (r.effective_at, r.version)):
            if step.at <= record.effective_at and (until is None or record.effective_at < until):
                again = Step(record.effective_at, record.edges, record.version)
                if result[-1].at == again.at:
                    result[-1] = again
                else:
                    result.append(again)
    return result


def state_at(steps: Sequence[Step], valid_at: int) -> Step | None:
    """Return the step in force at ``valid_at``, None before the first."""
    result = None
    for step in steps:
        if step.at > valid_at:
            break
        result = step
    return result


def rectangles(steps: Iterable[Step], within: int = -1) -> Iterator[Interval]:
    """Yield each edge's maximal intervals; ``within`` is a mask of the edges to consider."""
    since: dict[int, int] = {}
    before = 0
    for step in steps:
        now = step.edges & within
        for edge in numbers(before & ~now):
            yield edge, since.pop(edge), step.at
        for edge in numbers(now & ~before):
            since[edge] = step.at
        before = now
    for edge, valid_from in since.items():
        yield edge, valid_from, None


def signed_changes(
    before: Sequence[Step], after: Sequence[Step], shared: tuple[int, int] = (0, 0)
) -> list[SignedChange]:
    """Return the changes that turn the rectangles of ``before`` into those of ``after``, minuses first.

    Only the interval where the two differ is examined, widened as far as an edge that differs reaches. ``shared`` says
    how many steps the two are known to share at the start and at the end.
    """
    low, high = _common(before, after, *shared)
    differ = _difference(before, after, low, high)
    if not differ:
        return []
    while low and before[low - 1].edges & differ:
        low -= 1
    while high and before[-high].edges & differ:
        high -= 1
    high = max(high - 1, 0)  # the step that ends the last of them
    old = set(rectangles(before[low : len(before) - high], differ))
    new = set(rectangles(after[low : len(after) - high], differ))
    minus: list[SignedChange] = [(-1, *gone) for gone in sorted(old - new, key=_order)]
    return minus + [(1, *come) for come in sorted(new - old, key=_order)]


def place_of(steps: Sequence[Step], at: int) -> tuple[int, bool]:
    """Return the index at which a step at ``at`` belongs in a timeline, and whether one at that time exists."""
    place = bisect_left(steps, at, key=_AT)
    return place, place < len(steps) and steps[place].at == at


def appended_changes(steps: Sequence[Step], step: Step) -> list[SignedChange]:
    """Return the changes that ``step`` makes after all ``steps``: those of ``signed_changes``, in a third of the time.

    An edge that ends was in force without end, from the step that added it: only that rectangle is searched.
    """
    held = steps[-1].edges if steps else 0
    minus: list[SignedChange] = []
    plus: list[SignedChange] = []
    for edge in numbers(held & ~step.edges):
        first = len(steps) - 1
        while first and steps[first - 1].edges >> edge & 1:
            first -= 1
        minus.append((-1, edge, steps[first].at, None))
        plus.append((1, edge, steps[first].at, step.at))
    plus.extend((1, edge, step.at, None) for edge in numbers(step.edges & ~held))
    plus.sort(key=itemgetter(1))  # each edge occurs once
    return minus + plus


def numbers(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits set in ``mask``, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _common(before: Sequence[Step], after: Sequence[Step], low: int, high: int) -> tuple[int, int]:
    """Return how many steps the two share at the start and, of the rest, at the end; at least ``low`` and ``high``."""
    shortest = min(len(before), len(after))
    while low < shortest and before[low][:2] == after[low][:2]:
        low += 1
    high = min(high, shortest - low)
    while high < shortest - low and before[-1 - high][:2] == after[-1 - high][:2]:
        high += 1
    return low, high


def _difference(before: Sequence[Step], after: Sequence[Step], low: int, high: int) -> int:
    """Return the mask of edges that hold in one but not the other somewhere between the shared steps."""
    stretches = before[low : len(before) - high], after[low : len(after) - high]
    starts = {step.at for steps in stretches for step in steps}
    held = before[low - 1].edges if low else 0
    left = right = held
    differ = 0
    by_start = [{step.at: step.edges for step in steps} for steps in stretches]
    for at in sorted(starts):
        left = by_start[0].get(at, left)
        right = by_start[1].get(at, right)
        differ |= left ^ right
    return differ


def _order(interval: Interval) -> tuple[int, int]:
    return interval[:2]

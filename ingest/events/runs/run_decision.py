"""What the events of one run decide: when it took effect, how it ended, and which of its events count. Pure.

The answer depends on the set of events, not on the order in which they came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from ingest.events.openlineage.merging import EventPoint
from ingest.events.policy import Policy

#: The types of events after which a run is over.
ENDS: Final = ("COMPLETE", "FAIL", "ABORT")
State = Literal["open", "complete", "failed", "declared"]


class Entry(NamedTuple):
    """From ``at`` on, what these shapes say together holds (in order); of a failed run only its checks."""

    at: int
    shapes: tuple[bytes, ...]
    failed: bool = False


@dataclass(slots=True)
class Decision:
    """A run: when it began and ended (UTC microseconds), how, and what it says from when on."""

    state: State
    began: int
    ended: int
    entries: list[Entry] = field(default_factory=list)


def decided(events: Sequence[EventPoint], policy: Policy, nominal: int | None = None) -> Decision:
    """Return what the events of a run with an end decide; nothing while it is not over.

    Of a failed run, only the results of its checks count: it may have failed because of them.
    """
    ordered = sorted(events, key=lambda each: each.place)
    state, began, ended = _course(ordered)
    decision = Decision(state, began, ended)
    if state != "open":
        at = {"start": began, "nominal": began if nominal is None else nominal, "completion": ended}
        decision.entries.append(Entry(at[policy.effective_at], last_shapes(ordered), state == "failed"))
    return decision


def decided_streaming(events: Sequence[EventPoint], policy: Policy) -> Decision:
    """Return what the events of a run without end decide: each event that says something different is a snapshot.

    Of snapshots that follow each other within the policy's ``debounce`` the last one counts. The first one that counts
    holds from the start of the run.
    """
    ordered = sorted(events, key=lambda each: each.place)
    state, began, ended = _course(ordered)
    decision = Decision("complete" if state == "open" else state, began, ended)
    snapshots: list[Entry] = []
    shapes: dict[bytes, None] = {}
    for place, event in enumerate(ordered):
        if event.type in ("FAIL", "ABORT"):
            continue
        shapes.pop(event.shape, None)
        shapes[event.shape] = None
        if event.type == "START" and place + 1 < len(ordered):
            continue  # what follows says more
        if not snapshots or snapshots[-1].shapes != tuple(shapes):
            snapshots.append(Entry(event.at, tuple(shapes)))
    following = [later.at for later in snapshots[1:]]
    for place, snapshot in enumerate(snapshots):
        if place == len(following) or following[place] - snapshot.at >= policy.debounce:
            decision.entries.append(snapshot if decision.entries else snapshot._replace(at=began))
    return decision


def whole_of(parts: Mapping[int, Sequence[EventPoint]]) -> int | None:
    """Return which part of a run, by number, is the whole run; None where each part is a run of its own.

    A part is what came under one name of the job. Spark knows the name only once it knows what is written, so that a
    run may begin under one name and end under another: then one part ends without a beginning, another begins, and
    no other ends. Several jobs with one id are runs of their own.
    """
    ended = [number for number, events in parts.items() if any(each.type in ENDS for each in events)]
    if len(ended) != 1 or any(each.type == "START" for each in parts[ended[0]]):
        return None
    begins = any(each.type == "START" for events in parts.values() for each in events)
    return ended[0] if begins or len(parts) == 1 else None


def redundant(events: Sequence[EventPoint]) -> list[EventPoint]:
    """Return the events of a run without end that can be forgotten: between two that say the same."""
    ordered = sorted(events, key=lambda each: each.place)
    return [
        here
        for before, here, after in zip(ordered, ordered[1:], ordered[2:], strict=False)
        if here.type in ("RUNNING", "OTHER") and before.shape == here.shape == after.shape
    ]


def last_shapes(ordered: Sequence[EventPoint]) -> tuple[bytes, ...]:
    """Return the shapes of events in the order in which each was stated for the last time."""
    shapes = {each.shape: place for place, each in enumerate(ordered)}
    return tuple(sorted(shapes, key=shapes.__getitem__))


def _course(ordered: Sequence[EventPoint]) -> tuple[State, int, int]:
    began = min((each.at for each in ordered if each.type == "START"), default=ordered[0].at)
    ends = [each for each in ordered if each.type in ENDS]
    if not ends:
        return "open", began, ordered[-1].at
    ended = ends[-1].at  # before the start where client and cluster have different clocks, as with Flink
    return ("complete" if ends[-1].type == "COMPLETE" else "failed"), min(began, ended), ended

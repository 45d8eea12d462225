"""Which of a subject's messages count, and the timeline that they make.

Most subjects are *plain*: nothing was withdrawn and nothing derived. Then a message changes one step of the timeline,
however long it is; else the timeline is made from all messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any, TypeVar

from lineage_tt.timeline import Record, Step, place_of, refine, resolve

Key = TypeVar("Key")


class Course:
    """The records of one subject by version, what was derived of them, the retracts, and the steps of the timeline."""

    __slots__ = ("_derived", "_records", "_retracts", "_steps")

    def __init__(self) -> None:
        self._records: dict[int, Record] = {}
        #: version → the version it was derived from, and its record
        self._derived: dict[int, tuple[int, Record]] = {}
        self._retracts: list[tuple[int, int]] = []
        self._steps: list[Step] = []

    @property
    def _is_plain(self) -> bool:
        """Whether each record counts, but for those that another one at the same time takes the place of."""
        return not (self._derived or self._retracts)

    def _put(self, record: Record) -> None:
        """Put the record of the newest version into a plain timeline."""
        place, is_there = place_of(self._steps, record.effective_at)
        step = Step(record.effective_at, record.edges, record.version)
        if not is_there:
            self._steps.insert(place, step)
        elif self._records[self._steps[place].version].source_version <= record.source_version:
            self._steps[place] = step

    def _take_out(self, gone: Iterable[Record]) -> None:
        """Take records that are no more out of a timeline that was plain."""
        times = {record.effective_at for record in gone}
        if not times:
            return
        best: dict[int, Record] = {}
        for record in self._records.values():
            if record.effective_at in times:
                best[record.effective_at] = max(record, best.get(record.effective_at, record))
        for at in times:
            place, _ = place_of(self._steps, at)
            left = best.get(at)
            self._steps[place : place + 1] = [Step(at, left.edges, left.version)] if left else []

    def _timeline(self) -> list[Step]:
        steps = resolve(self._visible())
        if not self._derived:
            return steps
        derived: dict[int, list[Record]] = {}
        withdrawn = self._withdrawn()
        for version, (base, record) in self._derived.items():
            if version not in withdrawn:
                derived.setdefault(base, []).append(record)
        return refine(steps, derived)

    def _visible(self) -> list[Record]:
        """Return the records that no retract in force withdraws."""
        withdrawn = self._withdrawn() if self._retracts else ()
        return [record for version, record in self._records.items() if version not in withdrawn]

    def _withdrawn(self) -> set[int]:
        """Return the versions that a retract in force withdraws; a retract may itself be withdrawn by a later one."""
        withdrawn: set[int] = set()
        for version, target in reversed(self._retracts):
            if version not in withdrawn:
                withdrawn.add(target)
        return withdrawn


def last_added(known: dict[Key, Any], is_later: Callable[[Key], bool]) -> list[Key]:
    """Return the last keys that came in which are later than something, the newest first: keys come in order."""
    return list(takewhile(is_later, reversed(known)))

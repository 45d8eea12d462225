"""Which of a subject's messages count, and the timeline that they make.

Most subjects are *plain*: nothing was withdrawn and nothing derived. Then a message changes one step of the timeline,
however long that is; otherwise the timeline is rebuilt from all messages.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeVar

from lineage_tt.model.times import FIRST
from lineage_tt.timeline import NO_SOURCE_VERSION, Record, StatementSpan, Step, place_of, refine, resolve

Key = TypeVar("Key")
_AT: Final = itemgetter(0)  # of a step


class Course:
    """The records of one subject by version, what was derived from them, its retracts and the steps of its timeline."""

    __slots__ = ("_derived", "_records", "_retracts", "_steps")

    def __init__(self) -> None:
        self._records: dict[int, Record] = {}
        #: version → the version it was derived from, and its record
        self._derived: dict[int, tuple[int, Record]] = {}
        self._retracts: list[tuple[int, int]] = []
        self._steps: list[Step] = []

    @property
    def _is_plain(self) -> bool:
        """Whether every record counts, except those that another record for the same time replaces."""
        return not (self._derived or self._retracts)

    def effective_at(self, version: int) -> int:
        """Return the valid time from which a version's statement holds, in UTC microseconds."""
        record = self._derived[version][1] if version in self._derived else self._records[version]
        return record.effective_at

    def in_force(self, version: int, at: int) -> int:
        """Return the version that counts at ``at`` for the message ``version``: itself, or the last one derived."""
        before = ((begun, derived) for begun, derived in self.derived(version).items() if begun <= at)
        return max(before, default=(0, version))[1]

    def is_stated_at(self, at: int) -> bool:
        """Return whether a message in force takes effect at exactly this time."""
        place = bisect_left(self._steps, at, key=_AT)
        return place < len(self._steps) and self._steps[place].at == at

    def statement_at(self, at: int) -> int | None:
        """Return the message in force that takes effect at exactly this time; another one for this time replaces it."""
        place = bisect_left(self._steps, at, key=_AT)
        return self._statement(self._steps[place]) if self.is_stated_at(at) else None

    @property
    def has_derived(self) -> bool:
        """Whether any version was derived from another."""
        return bool(self._derived)

    def visible_versions(self) -> set[int]:
        """Return the versions whose statements count.

        These are the versions that no retract in force withdraws, and the derived versions that are in force somewhere.
        """
        visible = {record.version for record in self._visible()}
        if self._derived:
            visible |= {step.version for step in self._steps}
        return visible

    def versions_in_force(self) -> set[int]:
        """Return the versions that are in force somewhere on the valid axis."""
        return {step.version for step in self._steps}

    def versions(self) -> set[int]:
        """Return the versions of all messages that state something."""
        return self._records.keys() | self._derived.keys()

    def superseded_by(self, version: int) -> int | None:
        """Return the message that is in force at the ``effective_at`` of ``version`` instead of that version's message.

        None where it is in force itself. Of messages with one ``effective_at``, the one with the greatest
        (source_version, version) is in force.
        """
        if self._steps and self._steps[-1].version == version:
            return None
        at = self._records[version].effective_at
        place = bisect_left(self._steps, at, key=attrgetter("at"))
        if place == len(self._steps) or self._steps[place].at != at:
            return None
        statement = self._statement(self._steps[place])
        return None if statement == version else statement

    def source_version_to_win(self, version: int) -> int | None:
        """Return the least ``source_version`` with which a correction of the message ``version`` takes effect.

        None where it needs none, or where ``version`` is a retract.
        """
        record = self._records.get(version)
        if record is None:
            return None
        winner = self._records[self.superseded_by(version) or version]
        return None if winner.source_version == NO_SOURCE_VERSION else winner.source_version

    def spans(self, since: int = FIRST) -> Iterator[StatementSpan]:
        """Yield the messages in force along the valid axis, from ``since`` on, each with its derived versions."""
        steps = self._steps
        place = max(bisect_right(steps, since, key=_AT) - 1, 0)
        while place and self._statement(steps[place - 1]) == self._statement(steps[place]):
            place -= 1
        while place < len(steps):
            statement, begun = self._statement(steps[place]), steps[place].at
            while place < len(steps) and self._statement(steps[place]) == statement:
                place += 1
            yield StatementSpan(statement, begun, steps[place].at if place < len(steps) else None)

    def derived(self, version: int) -> dict[int, int]:
        """Return effective_at → version of the versions that were derived from ``version`` and are in force."""
        result = {}
        for place in range(bisect_left(self._steps, self.effective_at(version), key=_AT), len(self._steps)):
            step = self._steps[place]
            if self._statement(step) != version:
                break
            if step.version != version:
                result[step.at] = step.version
        return result

    def _statement(self, step: Step) -> int:
        """Return the version of the message that a step is based on."""
        derived = self._derived.get(step.version)
        return derived[0] if derived else step.version

    def _put(self, record: Record) -> None:
        """Put the record of the newest version into a plain timeline."""
        place, is_there = place_of(self._steps, record.effective_at)
        step = Step(record.effective_at, record.edges, record.version)
        if not is_there:
            self._steps.insert(place, step)
        elif self._records[self._steps[place].version].source_version <= record.source_version:
            self._steps[place] = step

    def _take_out(self, gone: Iterable[Record]) -> None:
        """Remove deleted records from a timeline that was plain."""
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
    """Return the keys at the end for which ``is_later`` holds, the newest first; keys were added in order."""
    return list(takewhile(is_later, reversed(known)))

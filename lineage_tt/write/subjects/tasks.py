"""What the writer must know of a subject to place its next message: its timeline, numbered items and seen events.

A subject is a task, whose items are edges, or a node under a key, whose items are facts; one algorithm places both.

A ``TaskHistory`` can be rebuilt from the subject's rows in the log at any time; ``Tasks`` keeps recently used histories
in memory, up to a bound, and the others in a temporary file, so that a long stream costs no more memory than a short
one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import attrgetter, or_
from typing import Any, Final

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import FactTuple
from lineage_tt.model.times import FIRST
from lineage_tt.timeline import (
    NO_SOURCE_VERSION,
    Record,
    SignedChange,
    Step,
    numbers,
    place_of,
    signed_changes,
)
from lineage_tt.timeline import appended_changes as appended_changes
from lineage_tt.write.subjects.items import FACT_PARTS, beside_digest
from lineage_tt.write.subjects.items import Item as Item
from lineage_tt.write.subjects.items import ItemChange as ItemChange
from lineage_tt.write.subjects.items import PastMessage as PastMessage
from lineage_tt.write.subjects.items import Stars as Stars
from lineage_tt.write.subjects.numbered_items import NumberedItems
from lineage_tt.write.subjects.subject_timeline import Course, last_added

_VERSION: Final = Record._fields.index("version")


class TaskHistory(Course):
    """One subject's accepted messages and the timeline they make."""

    __slots__ = ("_beside", "_checked", "_items", "_stars", "events")

    def __init__(self) -> None:
        super().__init__()
        #: event_id → (version, digest of the content)
        self.events: dict[str, tuple[int, bytes]] = {}
        self._items = NumberedItems()
        self._stars: dict[int, Stars] = {}
        #: version → the digest of what it says apart from its edges; only for statements that depend on columns
        self._beside: dict[int, bytes] = {}
        #: statement and time → the version in force, and other columns with which its result is the same
        self._checked: dict[tuple[int, int], tuple[int, Stars]] = {}

    @classmethod
    def rebuild(cls, messages: Iterable[PastMessage]) -> TaskHistory:
        """Return the history of these messages of one task, which are in version order."""
        history = cls()
        history.extend(messages)
        return history

    def extend(self, messages: Iterable[PastMessage]) -> None:
        """Add messages of the task from the log that are newer than those known here, in version order."""
        for past in messages:
            self.events[past.event_id] = (past.version, past.content_sha256)
            if past.op == "retract":
                self._retracts.append((past.version, self.events[past.retracts or ""][0]))
            else:
                items = [*past.edges, *past.facts]
                record = self._add(past.version, past.effective_at or 0, past.source_version, items, past.derived_from)
                self.note_stars(past.version, past.stars, past.beside)
                if self._is_plain:
                    self._put(record)
        if not self._is_plain:
            self._steps = self._timeline()

    def rewind(self, version: int) -> None:
        """Undo everything that versions greater than ``version`` state: they were not committed."""
        for event in last_added(self.events, lambda event: self.events[event][0] > version):
            del self.events[event]
        was_plain = self._is_plain
        gone = [self._records.pop(stated) for stated in last_added(self._records, version.__lt__)]
        for stated in last_added(self._derived, version.__lt__):
            gone.append(self._derived.pop(stated)[1])
        for known in (self._stars, self._beside):
            for stated in [stated for stated in known if stated > version]:
                del known[stated]
        self._retracts = [each for each in self._retracts if each[0] <= version]
        self._checked = {
            key: noted for key, noted in self._checked.items() if key[0] <= version and noted[0] <= version
        }
        self._forget_items(gone)
        if was_plain:
            self._take_out(gone)
        else:
            self._steps = self._timeline()

    def _forget_items(self, gone: Sequence[Record]) -> None:
        """Forget the items that only these records stated; an item gets its number from the first record with it."""
        if not reduce(or_, (record.edges for record in gone), 0) >> max(len(self._items) - 1, 0):
            return
        masks = (record.edges for record in (*self._records.values(), *(each for _, each in self._derived.values())))
        count = reduce(or_, masks, 0).bit_length()
        self._items.truncate(count)

    def renumber(self, version: int, by: int) -> None:
        """Raise all versions greater than ``version`` by ``by``: other writers took their numbers."""

        def later(number: int) -> int:
            return number + by if number > version else number

        for event in last_added(self.events, lambda event: self.events[event][0] > version):
            number, digest = self.events[event]
            self.events[event] = number + by, digest
        raised = [self._records.pop(number) for number in last_added(self._records, version.__lt__)]
        self._records |= {r.version + by: r._replace(version=r.version + by) for r in reversed(raised)}
        self._derived = {
            later(number): (later(base), record._replace(version=later(number)))
            for number, (base, record) in self._derived.items()
        }
        self._stars = {later(number): stars for number, stars in self._stars.items()}
        self._beside = {later(number): digest for number, digest in self._beside.items()}
        self._checked = {
            (later(number), at): (later(in_force), read) for (number, at), (in_force, read) in self._checked.items()
        }
        self._retracts = [(later(number), later(target)) for number, target in self._retracts]
        self._steps = [s._replace(version=s.version + by) if s.version > version else s for s in self._steps]

    def state(self) -> tuple[Any, ...]:
        """Return the whole history as plain values, from which ``of_state`` makes an equal history."""
        return (
            self.events, self._items.texts(), self._items.has_facts, [*map(tuple, self._records.values())],
            [(base, tuple(record)) for base, record in self._derived.values()], self._stars, self._retracts,
            [*map(tuple, self._steps)], self._beside, self._checked,
        )  # fmt: skip

    @classmethod
    def of_state(cls, state: tuple[Any, ...]) -> TaskHistory:
        """Return the history with this ``state``."""
        history = cls()
        history.events, items, has_facts, records, derived, *rest = state
        history._stars, history._retracts, steps, history._beside, history._checked = rest
        history._items = NumberedItems(items, has_facts=has_facts)
        history._records = {record.version: record for record in map(Record._make, records)}
        history._derived = {record[_VERSION]: (base, Record._make(record)) for base, record in derived}
        history._steps = [*map(Step._make, steps)]
        return history

    @property
    def weight(self) -> int:
        """How much memory it takes, in edges and messages."""
        return len(self._items) + 2 * len(self.events)

    def place(
        self,
        version: int,
        effective_at: int,
        source_version: int | None,
        items: Iterable[Item],
        derived_from: int | None = None,
    ) -> list[ItemChange]:
        """Add a message that states all items from ``effective_at`` on; return what it changes.

        ``derived_from`` is the version whose statement it re-resolves; it counts only as long as that is in force.
        """
        record = self._add(version, effective_at, source_version, items, derived_from)
        if derived_from is None and (not self._steps or effective_at > self._steps[-1].at):
            step = Step(effective_at, record.edges, version)
            changes = appended_changes(self._steps, step)
            self._steps.append(step)
            return self._named(changes)
        if not self._is_plain:
            return self._become(self._timeline())
        before = self._steps.copy()
        place, is_there = place_of(before, effective_at)
        self._put(record)
        return self._named(signed_changes(before, self._steps, (place, len(before) - place - is_there)))

    def withdraw(self, version: int, event_id: str) -> list[ItemChange]:
        """Add a retract of the event ``event_id`` (KeyError if it never came); return what it changes."""
        self._retracts.append((version, self.events[event_id][0]))
        return self._become(self._timeline())

    def note_stars(
        self, version: int, stars: Iterable[tuple[str, str | None]], beside: tuple[Any, ...] | None = None
    ) -> None:
        """Note which columns of which datasets a version was resolved with, and what it says apart from its edges."""
        if stars:
            self._stars[version] = tuple(stars)
            self._beside[version] = beside_digest(beside)

    def stars(self, version: int) -> Stars:
        """Return what ``note_stars`` noted, empty where the version does not depend on columns."""
        return self._stars.get(version, ())

    def star_datasets(self) -> set[str]:
        """Return the datasets of which any statement needed columns that it does not name."""
        return {dataset for stars in self._stars.values() for dataset, _ in stars}

    def depends(self, version: int) -> bool:
        """Return whether what a message states, itself or as re-resolved, depends on columns."""
        return any(self.readings(version))

    def readings(self, version: int) -> Iterator[Stars]:
        """Yield what a message's statement was resolved with, first and in each re-resolution."""
        for each in (version, *(self.derived(version).values() if self._derived else ())):
            yield self.stars(each)

    def says(self, version: int, edges: Sequence[EdgeTuple], beside: tuple[Any, ...]) -> bool:
        """Return whether a version that depends on columns states exactly these edges, and otherwise ``beside``."""
        return self._beside.get(version) == beside_digest(beside) and self.edges(version) == list(edges)

    def note_checked(self, statement: int, at: int, in_force: int, read: Stars) -> None:
        """Note that a statement, resolved with the columns ``read``, gives the same as the version in force."""
        self._checked[statement, at] = in_force, read

    def is_checked(self, statement: int, at: int, in_force: int, read: Stars) -> bool:
        """Return whether ``note_checked`` noted exactly this."""
        return self._checked.get((statement, at)) == (in_force, read)

    def changed_from(self, event_id: str) -> int:
        """Return the valid time from which the timeline may differ without an event: its own; for a retract, FIRST."""
        version = self.events[event_id][0]
        return self.effective_at(version) if version in self.versions() else FIRST

    @property
    def has_facts(self) -> bool:
        """Whether any message stated facts."""
        return self._items.has_facts

    def withdrawn_by(self, event_id: str) -> int | None:
        """Return the retract in force that withdraws an event, None where there is none."""
        target, withdrawn = self.events[event_id][0], set()
        for version, aim in reversed(self._retracts):
            if version not in withdrawn:
                if aim == target:
                    return version
                withdrawn.add(aim)
        return None

    def facts_at(self, valid_at: int) -> list[FactTuple]:
        """Return the facts in force at a valid time."""
        place = bisect_right(self._steps, valid_at, key=attrgetter("at"))
        items = (self._items[number] for number in numbers(self._steps[place - 1].edges)) if place else ()
        return [item for item in items if len(item) == FACT_PARTS]

    def edges(self, version: int) -> list[EdgeTuple]:
        """Return the edges that a version states, in order."""
        record = self._derived[version][1] if version in self._derived else self._records[version]
        result = (self._items[number] for number in numbers(record.edges))
        return sorted(item for item in result if len(item) != FACT_PARTS)

    def _add(
        self,
        version: int,
        effective_at: int,
        source_version: int | None,
        items: Iterable[Item],
        derived_from: int | None,
    ) -> Record:
        mask = self._items.mask(list(items))
        record = Record(effective_at, NO_SOURCE_VERSION if source_version is None else source_version, version, mask)
        if derived_from is None:
            self._records[version] = record
        else:
            self._derived[version] = (derived_from, record)
        return record

    def _become(self, steps: list[Step]) -> list[ItemChange]:
        changes = signed_changes(self._steps, steps)
        self._steps = steps
        return self._named(changes)

    def _named(self, changes: Iterable[SignedChange]) -> list[ItemChange]:
        items = self._items
        return [(sign, *items[number], valid_from, valid_to) for sign, number, valid_from, valid_to in changes]

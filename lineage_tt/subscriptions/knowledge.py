"""Labels and owners at any point, in memory, for filters on the nodes and the task of a change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.edges import dataset_of
from lineage_tt.store import Store

KEYS: Final = ("label", "owner")
ALWAYS: Final = 2**63 - 1


class _Signed(NamedTuple):
    sign: int
    value: str
    valid_from: int
    valid_to: int
    version: int


class Knowledge:
    """All labels and owners that a store ever had, as signed changes; updated from the feed."""

    def __init__(self, store: Store, upto: int) -> None:
        self._changes: dict[tuple[str, str], list[_Signed]] = defaultdict(list)
        rows = store.fetch(
            """SELECT node, "key", sign, "value", epoch_us(valid_from), coalesce(epoch_us(valid_to), $always), version
            FROM fact_changes WHERE "key" IN (SELECT unnest($keys)) AND version <= $upto""",
            keys=list(KEYS),
            always=ALWAYS,
            upto=upto,
        )
        for node, key, *signed in rows:
            self._changes[node, key].append(_Signed(*signed))

    def take_in(self, entry: FeedEntry) -> None:
        """Take in one more version."""
        for sign, node, key, value, valid_from, valid_to in entry.facts:
            if key in KEYS:
                until = ALWAYS if valid_to is None else valid_to
                self._changes[node, key].append(_Signed(sign, value, valid_from, until, entry.version))

    def holds(self, node: str, key: str, values: Iterable[str], stretch: tuple[int, int], version: int) -> bool:
        """Return whether a node has any of the values anywhere in an interval of valid time, as known at a version."""
        changes = [s for s in self._changes.get((node, key), ()) if s.version <= version and s.value in values]
        if not changes:
            return False
        low, high = stretch
        points = {low} | {at for s in changes for at in (s.valid_from, s.valid_to) if low < at < high}
        return any(
            sum(s.sign for s in changes if s.value == value and s.valid_from <= at < s.valid_to) > 0
            for at in points
            for value in {s.value for s in changes}
        )

    def labelled(self, node: str, labels: Iterable[str], stretch: tuple[int, int], version: int) -> bool:
        """Return whether a node or its dataset has any of the labels."""
        return any(self.holds(each, "label", labels, stretch, version) for each in {node, dataset_of(node)})

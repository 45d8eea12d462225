"""Labels kept current from change to change, without spreading all of them again.

Labels that a removed edge or statement may have brought are removed from every node that they may have reached; labels
that still arrive by other paths are restored from the border of that region; then new labels spread (``regions``). The
work is proportional to the region, not to the graph. A scene with a depth is not followed: there a label also
disappears when its path gets longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.governance.labels import regions
from lineage_tt.governance.labels.labelled import Labelled, stops
from lineage_tt.governance.labels.regions import Paths, Region, Word
from lineage_tt.governance.labels.spreading import Carried, Flags, Words
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import Adjacency, ends_of, keys_of
from lineage_tt.model.edges import dataset_of, is_column
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.processes import no_collections

#: The two ends of a carrying edge, in the direction in which labels spread.
Ends = tuple[str, str]
_WORD: Final = (1 << 64) - 1
_NO_KEYS: Final = np.zeros(0, np.int64)
_NO_NODES: Final = np.zeros(0, np.int32)
_NO_COLUMNS: Final = Adjacency(_NO_KEYS, _NO_NODES)


class Changed(NamedTuple):
    """A node whose labels changed: what it had, and what it has."""

    node: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return it as an object."""
        return {"node": self.node, "before": list(self.before), "after": list(self.after)}


class Following:
    """The labels of a point, updated as edges and statements come and go."""

    def __init__(self, labelled: Labelled) -> None:
        if labelled.scene.depth is not None or labelled.scene.direction == "both" or labelled.blocked:
            raise InvalidRequestError("a scene with a depth, both ways, or with blocked edges is not followed")
        self.labelled, self._nodes = labelled, labelled.point.nodes
        self._words = [Word(have.copy(), *labelled.begin(at)) for at, have in enumerate(labelled.have)]
        #: nodes that the point does not know: their numbers, names, datasets, and whether the scene stops labels there
        self._numbers: dict[str, int] = {}
        self._texts: list[str] = []
        self._owners: list[int] = []
        self._stopped: list[bool] = []
        #: pairs of nodes whose number of edges differs from that at the point, and the differences
        self._pairs, self._counts = _NO_KEYS, _NO_KEYS

    # --- nodes ------------------------------------------------------------------------------------------------

    def _number(self, node: str) -> int:
        number = self.labelled.point.number(node)
        return number if number >= 0 else self._numbers.get(node, -1)

    def add(self, node: str) -> int:
        """Return the number of a node; if the point does not have it, add it with its dataset."""
        result = self._number(node)
        if result < 0:
            owner = self.add(dataset_of(node)) if is_column(node) else -1
            result = self._numbers[node] = self._nodes + len(self._texts)
            self._texts.append(node)
            self._owners.append(owner)
            self._stopped.append(stops(self.labelled.scene, node))
        return result

    def _grow(self) -> None:
        """Make room for the added nodes; a column has what its dataset has."""
        first = len(self._words[0].have) - self._nodes
        if first == len(self._texts):
            return
        owners, stopped = self._owners[first:], self._stopped[first:]
        for at, (have, allowed, stated) in enumerate(self._words):
            every = np.iinfo(have.dtype).max
            more = np.array([0 if stop else every for stop in stopped], have.dtype)
            word = Word(
                np.append(have, np.zeros_like(more)), np.append(allowed, more), np.append(stated, np.zeros_like(more))
            )
            for number, owner in enumerate(owners, self._nodes + first):
                if owner >= 0:
                    word.have[number] = word.have[owner] & word.allowed[number]
            self._words[at] = word

    def _bits(self, number: int) -> int:
        return sum(int(word.have[number]) << (64 * at) for at, word in enumerate(self._words))

    def of(self, node: str) -> tuple[str, ...]:
        """Return the labels of a node now."""
        number = self._number(node)
        if number < 0 and is_column(node):
            number = self._number(dataset_of(node))
        return self.labelled.lattice.names(self._bits(number)) if number >= 0 else ()

    # --- changes ----------------------------------------------------------------------------------------------

    def apply(
        self, gone: Iterable[Ends] = (), come: Iterable[Ends] = (), stated: Mapping[str, int] | None = None,
        kept_out: Mapping[str, int] | None = None,
    ) -> list[Changed]:  # fmt: skip
        """Remove edges and add others, each with its ends in the direction of labels; return nodes with changed labels.

        ``stated`` and ``kept_out`` give, for the nodes where they changed, the bits that are stated and kept out now.
        """
        net = Counter(come)
        net.subtract(gone)
        listed = [(self.add(source), self.add(target), count) for (source, target), count in net.items() if count]
        near, far, counts = np.array(listed, np.int64).reshape(-1, 3).T
        return self.apply_net(keys_of(near, far), counts, stated, kept_out)

    def apply_net(
        self, pairs: Longs, counts: Longs, stated: Mapping[str, int] | None = None,
        kept_out: Mapping[str, int] | None = None,
    ) -> list[Changed]:  # fmt: skip
        """Add and remove edges, given by pairs of numbers with the change in the number of edges between them.

        Each pair occurs once, and no count is 0.
        """
        with no_collections():  # a day of a large store changes tens of thousands of nodes
            own = {self.add(node): bits for node, bits in (stated or {}).items()}
            withheld = {self.add(node): bits for node, bits in (kept_out or {}).items()}
            self._grow()
            self._count(pairs, counts)
            forth, back = self._paths()
            lost, fresh = ends_of(pairs[counts < 0]), ends_of(pairs[counts > 0])
            changes = [
                _moved(word, forth, back, lost, fresh, _part(own, at), _part(withheld, at))
                for at, word in enumerate(self._words)
            ]
            return self._changed(changes)

    def _count(self, pairs: Longs, counts: Longs) -> None:
        """Add these differences in the number of edges to the earlier ones."""
        every, place = np.unique(np.concatenate([self._pairs, pairs]), return_inverse=True)
        summed = np.bincount(place, np.concatenate([self._counts, counts]), len(every)).astype(np.int64)
        self._pairs, self._counts = every[summed != 0], summed[summed != 0]

    def _paths(self) -> tuple[Paths, Paths]:
        """Return the edges as they are now, forward and backward."""
        out, into, columns = self.labelled.forth, self.labelled.back, self.labelled.columns
        near, far = ends_of(self._pairs)
        known = np.empty(len(near), np.int64)
        regions.count_edges(near, far, out.starts, out.far, into.starts, into.far, known)
        left = known + self._counts > 0
        gone, come = ends_of(self._pairs[(known > 0) & ~left]), ends_of(self._pairs[(known == 0) & left])
        inside = [(owner, number) for number, owner in enumerate(self._owners, self._nodes) if owner >= 0]
        owners, inner = np.array(inside, np.int32).reshape(-1, 2).T
        come = np.append(come[0], owners), np.append(come[1], inner)
        count = len(self._words[0].have)
        return (
            _path(out, columns, _NO_NODES, gone, come, count),
            _path(into, _NO_COLUMNS, self.labelled.point.dataset, gone[::-1], come[::-1], count),
        )

    def _changed(self, changes: list[Met]) -> list[Changed]:
        """Return the nodes that were met and whose labels differ from before, ordered by name."""
        numbers = changes[0].nodes if len(changes) == 1 else np.unique(np.concatenate([each.nodes for each in changes]))
        after = [word.have[numbers] for word in self._words]
        before = [
            np.where(each.met[numbers], each.had[numbers], have) for each, have in zip(changes, after, strict=True)
        ]
        differ = np.logical_or.reduce([one != other for one, other in zip(before, after, strict=True)])
        numbers = numbers[differ]
        known = iter(self.labelled.point.node_texts(numbers[numbers < self._nodes]))
        texts = [next(known) if n < self._nodes else self._texts[n - self._nodes] for n in numbers.tolist()]
        names = cache(self.labelled.lattice.names)  # many nodes share few different sets of labels
        sides = [map(names, _joined([word[differ] for word in side])) for side in (before, after)]
        return sorted(map(Changed, texts, *sides))


class Met(NamedTuple):
    """The nodes that a change met, flags by node of whether it was met, and what each had before the change."""

    nodes: Ints
    met: Flags
    had: Words


def _moved(
    word: Word, forth: Paths, back: Paths, lost: tuple[Ints, Ints], fresh: tuple[Ints, Ints], own: Mapping[int, int],
    withheld: Mapping[int, int],
) -> Met:  # fmt: skip
    """Update one word of all nodes' bits for lost and fresh edges, and for changed statements and decisions."""
    region, every = Region.over(word, (forth, back)), int(np.iinfo(word.have.dtype).max)
    down: tuple[Any, ...] = (*forth, *word, *region)
    up: tuple[Any, ...] = (*back, *word, *region)
    waiting, pending, waits = region.waiting, region.pending, region.waits
    gained, count = [*own], regions.begin_loss(*lost, word.have, pending, waiting, 0)
    for changes, before in ((own, word.stated), (withheld, word.allowed)):
        for number, bits in changes.items():
            earlier, now = int(before[number]), (bits if changes is own else ~bits) & every
            before[number] = now
            if less := earlier & ~now:
                waiting[count] = number
                count += not pending[number]
                pending[number] |= less
            if changes is withheld and now & ~earlier:
                ends = regions.write_ends(number, *back, region.scratch)
                gained += region.scratch[:ends].tolist()
    noted = regions.take_away(count, *down)
    nodes = np.array(list(dict.fromkeys(gained)), np.int32)
    waiting[: len(nodes)] = nodes
    waits[nodes] = 1
    count = regions.put_back(noted, len(nodes), *up)
    for number in own:
        if more := int(word.stated[number]) & ~int(word.have[number]):
            noted = regions.note(number, word.have, region.met, region.had, region.nodes, noted)
            word.have[number] |= more
    noted, count = regions.hand_on(
        *fresh, word.have, word.allowed, waiting, waits, region.met, region.had, region.nodes, noted, count
    )
    noted = regions.spread_on(noted, count, *down)
    return Met(region.nodes[:noted], region.met, region.had)


def _path(
    edges: Carried, columns: Adjacency, owner: Ints, gone: tuple[Ints, ...], come: tuple[Ints, ...], nodes: int
) -> Paths:  # fmt: skip
    """Return the edges in one direction, with the pairs of nodes whose edges are gone or have come."""
    changed = np.zeros(nodes, np.uint8)
    changed[gone[0]] |= regions.GONE
    changed[come[0]] |= regions.COME
    return Paths(
        edges.starts, edges.far, columns.starts, columns.order, owner,
        np.sort(keys_of(*gone)), np.sort(keys_of(*come)), changed,
    )  # fmt: skip


def _part(bits: Mapping[int, int], word: int) -> dict[int, int]:
    """Return one word of the bits of nodes."""
    return {number: each >> (64 * word) & _WORD for number, each in bits.items()}


def _joined(words: list[Words]) -> list[int]:
    """Return the bits of nodes, given as words."""
    columns = [word.tolist() for word in words]
    return columns[0] if len(columns) == 1 else [
        sum(bits << (64 * at) for at, bits in enumerate(row)) for row in zip(*columns, strict=True)
    ]  # fmt: skip

"""Makes a PointGraph from the stored edges of one point: stars are joined, and rejected edges removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.governance.points.stars import joined
from lineage_tt.governance.ports import Beside, Bools, Edges, Named, PointGraph, Texts
from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.arrays.rows import keys_of
from lineage_tt.graph.walks.columns import Columns
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.rejections import TASK
from lineage_tt.model.edges import DIRECT, REJECTED, dataset_of
from lineage_tt.model.facts import task_node
from lineage_tt.model.names import RESERVED

#: Prefixes of the subjects of facts that are not nodes of lineage.
NO_NODES: Final = (task_node(""), *RESERVED)


class NodeTable:
    """The nodes of one point: the first names of a store, and after them others that only this point knows."""

    def __init__(self, names: Named, dataset: Ints) -> None:
        self._names, self._known = names, len(dataset)
        self._datasets = dataset
        self._more: dict[str, int] = {}
        self._texts: list[str] = []
        self._of: list[int] = []

    @property
    def stored(self) -> int:
        """How many nodes have their number in the whole store."""
        return self._known

    def __len__(self) -> int:
        return self._known + len(self._texts)

    def find(self, name: str) -> int:
        """Return a node's number, -1 where there is none."""
        number = self._names.find(name)
        return number if 0 <= number < self._known else self._more.get(name, -1)

    def find_all(self, names: Sequence[str]) -> Ints:
        """Return the numbers of many nodes, -1 where there is none."""
        numbers = self._names.find_all(names)
        numbers[numbers >= self._known] = -1
        if self._more:
            numbers = np.where(numbers < 0, [self._more.get(name, -1) for name in names], numbers).astype(np.int32)
        return numbers

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the names of nodes."""
        if not self._texts:
            return self._names.texts(numbers)
        known = iter(self._names.texts([number for number in numbers if number < self._known]))
        return [
            next(known) if number < self._known else self._texts[number - self._known] for number in numbers
        ]  # fmt: skip

    def add(self, name: str) -> int:
        """Return the number of a node; a new node is added with its dataset."""
        result = self.find(name)
        if result >= 0:
            return result
        whole = dataset_of(name)
        owner = self.add(whole) if whole != name else -1
        self._more[name] = number = len(self)
        self._texts.append(name)
        self._of.append(number if owner < 0 else owner)
        return number

    def datasets(self) -> Ints:
        """Return the number of each node's dataset."""
        return np.concatenate([self._datasets, np.array(self._of, np.int32)]) if self._of else self._datasets


class Rejected(NamedTuple):
    """What people reject, as numbers: pairs of nodes and pairs of datasets."""

    pairs: npt.NDArray[np.int64]
    datasets: npt.NDArray[np.int64]

    def among(self, source: Ints, target: Ints, owners: Ints) -> Bools:
        """Return for each edge whether it is rejected."""
        rejected = np.isin(keys_of(source, target), self.pairs)
        return rejected | np.isin(keys_of(owners[source], owners[target]), self.datasets)


def built(
    basis: Basis, edges: Edges | Columns, kinds: Sequence[tuple[str, str]], table: NodeTable, tasks: Texts,
    expressions: Texts, beside: Beside, has_stars: bool,
) -> PointGraph:  # fmt: skip
    """Return the point with these stored edges; what facts name is added to the nodes."""
    facts = dict.fromkeys(fact.node for fact in beside.facts() if not fact.node.startswith(NO_NODES))
    named = [table.add(node) for node in facts]
    rejected = None
    if (DIRECT, REJECTED) in kinds:
        marks = np.array([kind == (DIRECT, REJECTED) for kind in kinds] + [False])[edges.kind]
        rejected = _rejected(Edges.of(edges).take(np.flatnonzero(marks)), table, tasks) if marks.any() else None
        edges = Edges.of(edges).take(np.flatnonzero(~marks)) if rejected else edges
    if has_stars:
        edges = joined(Edges.of(edges), table, named, kinds, expressions)
    owners = table.datasets()
    if rejected is not None:
        edges = Edges.of(edges).take(np.flatnonzero(~rejected.among(edges.source, edges.target, owners)))
    live = np.zeros(len(table), np.bool_)
    live[named] = True
    if edges.starts is not None:
        live[: len(edges.starts) - 1] |= edges.starts[1:] > edges.starts[:-1]
    else:
        live[edges.source] = True
    enliven(np.ascontiguousarray(edges.target), owners, live)
    point = PointGraph(basis, edges, owners, live, kinds, table, tasks, expressions, beside)
    point.stored = table.stored
    return point


@jit
def enliven(target: Ints, owners: Ints, live: Bools) -> None:
    """Flag the targets of edges, and the datasets of all flagged nodes."""
    for at in range(len(target)):
        live[target[at]] = True
    for node in range(len(live)):
        if live[node]:
            live[owners[node]] = True


def _rejected(marks: Edges, table: NodeTable, tasks: Texts) -> Rejected:
    """Return what these marks reject, as ``model.completeness.rejections`` reads them."""
    pairs: list[tuple[int, int]] = []
    datasets: list[tuple[int, int]] = []
    ids = tasks.texts(marks.task.tolist())
    ends = zip(table.texts(marks.source.tolist()), table.texts(marks.target.tolist()), strict=True)
    for task, (source, target) in zip(ids, ends, strict=True):
        whole = dataset_of(source), dataset_of(target)
        if task == f"{TASK}{whole[0]} -> {whole[1]}":
            datasets.append((table.add(whole[0]), table.add(whole[1])))
        elif task == f"{TASK}{source} -> {target}" or (source, target) != whole:
            pairs.append((table.add(source), table.add(target)))
    return Rejected(_keys(pairs), _keys(datasets))


def _keys(pairs: Iterable[tuple[int, int]]) -> npt.NDArray[np.int64]:
    return np.array([source << 32 | target for source, target in pairs], np.int64)

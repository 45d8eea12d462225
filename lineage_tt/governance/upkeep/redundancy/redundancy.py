"""All that is there twice or for nobody at a point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import orjson

from lineage_tt.governance.ports import PointGraph
from lineage_tt.governance.upkeep.redundancy.equivalent import Alike, alike
from lineage_tt.governance.upkeep.redundancy.pairs import Contained, Equal, SameTable, contained, equal, same_tables
from lineage_tt.governance.upkeep.redundancy.statements import Define, Statement, Text
from lineage_tt.governance.upkeep.redundancy.transitive import closed
from lineage_tt.governance.upkeep.redundancy.unused import DAYS, Recorded, Unused, UnusedColumn, unused, unused_columns
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import COMPLETE_COVERAGE, Completeness
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import COLUMN

_TEXTS: Final = """
    SELECT task_id, sql, dialect FROM tasks_as_of(make_timestamptz($at), make_timestamptz($known))
    WHERE sql IS NOT NULL AND coverage = $complete ORDER BY task_id"""


class Landed(NamedTuple):
    """A source that no task feeds, and the datasets that are nothing but copies of its columns."""

    source: str
    copies: tuple[str, ...]


class Redundancy(NamedTuple):
    """What is there twice or for nobody. ``equal``, ``contained`` and ``tables`` are proven by texts.

    ``alike`` is what edges alone suggest. ``texts_read`` of ``texts`` texts were read whole; ``unknown_columns`` are
    left out of ``unused_columns``, as what reads their table is not known column by column.
    """

    basis: Basis
    equal: list[Equal]
    contained: list[Contained]
    tables: list[SameTable]
    alike: list[Alike]
    landed: list[Landed]
    unused: list[Unused]
    unused_columns: list[UnusedColumn]
    texts: int
    texts_read: int
    unknown_columns: int
    completeness: Completeness


def redundancy(
    points: Recorded, graph: PointGraph, define: Define | None = None, days: int = DAYS,
    seen: Mapping[str, int] | None = None,
) -> Redundancy:  # fmt: skip
    """Return what is there twice or for nobody; without ``define`` no text is read, and nothing is proven."""
    ends, doubtful = _ends(graph), {gap.task_id for gap in graph.gaps.all()}
    texts = list(_texts(points, graph, ends)) if define is not None else []
    statements = [read for text in texts if define is not None and (read := define(text)) is not None]
    closed_ones = closed(_spelt(graph, statements), {name: len(tasks) for name, tasks in ends.writers.items()})
    same = equal(closed_ones)
    proven = {column for group in same for column in group.columns}
    look = [group for group in alike(graph, doubtful) if not proven.issuperset(group.columns)]
    columns, unknown = unused_columns(graph)
    return Redundancy(
        graph.basis, same, contained(closed_ones), same_tables(same, _counts(graph)), look, _landed(graph),
        unused(points, graph, days, seen), columns, len(texts), len(statements), unknown, graph.completeness(),
    )  # fmt: skip


class _Ends(NamedTuple):
    reads: dict[str, set[str]]
    writes: dict[str, set[str]]
    writers: dict[str, set[str]]


def _ends(graph: PointGraph) -> _Ends:
    """Return the datasets that each task reads and writes, and the tasks that write each dataset."""
    kept = ~graph.alias
    ends = _Ends(defaultdict(set), defaultdict(set), defaultdict(set))
    rows = np.stack([graph.task, graph.dataset[graph.source], graph.dataset[graph.target]], axis=1)[kept]
    rows = np.unique(rows, axis=0) if len(rows) else rows.reshape(0, 3)
    tasks, sources, targets = (graph.task_texts(rows[:, 0]), graph.node_texts(rows[:, 1]), graph.node_texts(rows[:, 2]))
    for task, source, target in zip(tasks, sources, targets, strict=True):
        ends.reads[task].add(source)
        ends.writes[task].add(target)
        ends.writers[target].add(task)
    return ends


def _texts(points: Recorded, graph: PointGraph, ends: _Ends) -> Iterable[Text]:
    """Return the texts of tasks in force that are complete and write one dataset."""
    basis = graph.basis
    declared = _declared(graph)
    rows = points.fetch(_TEXTS, at=basis.valid_at, known=basis.system_time, complete=COMPLETE_COVERAGE)
    for task, sql, dialect in rows:
        writes = ends.writes.get(task, set())
        if len(writes) == 1:
            (target,) = writes
            yield Text(task, sql, dialect or "", frozenset(ends.reads[task]), target, declared.get(target, ()))


def _declared(graph: PointGraph) -> dict[str, tuple[str, ...]]:
    """Return the declared columns of datasets in their order, fields inside of columns left out."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for fact in graph.facts(COLUMN):
        document: Any = orjson.loads(fact.value)
        if fact.kind == "dataset" and "nested" not in document:
            dataset, _, column = fact.node.partition("#")
            found[dataset].append((document["ordinal"], column.lower()))
    return {dataset: tuple(name for _, name in sorted(columns)) for dataset, columns in found.items()}


def _spelt(graph: PointGraph, statements: Iterable[Statement]) -> list[Statement]:
    """Return statements with the columns that the point knows, spelt in lower case; others are left out."""
    known: dict[str, set[str]] = defaultdict(set)
    for name in graph.node_texts(np.flatnonzero(graph.live & (graph.dataset != np.arange(graph.nodes)))):
        known[dataset_of(name)].add(name.partition("#")[2])
    return [
        each._replace(columns={n: value for n, value in each.columns.items() if n in known[each.dataset]})
        for each in statements
    ]


def _counts(graph: PointGraph) -> dict[str, int]:
    """Return how many columns each dataset is known to have."""
    columns = np.flatnonzero(graph.live & (graph.dataset != np.arange(graph.nodes)))
    owners, counts = np.unique(graph.dataset[columns], return_counts=True)
    return dict(zip(graph.node_texts(owners), counts.tolist(), strict=True))


def _landed(graph: PointGraph) -> list[Landed]:
    """Return the sources that are landed more than once."""
    kept = np.flatnonzero(~graph.alias)
    source, target = graph.dataset[graph.source[kept]], graph.dataset[graph.target[kept]]
    copying = np.array([subtype == "IDENTITY" for _, subtype in graph.kinds] + [False])[graph.kind[kept]]
    outside = source != target
    fed = np.zeros(graph.nodes, bool)
    fed[target[outside]] = True
    of: dict[int, set[int]] = defaultdict(set)
    mixed: set[int] = set()
    for one, other, copies in zip(source.tolist(), target.tolist(), copying.tolist(), strict=True):
        of[other].add(one)
        if not copies:
            mixed.add(other)
    copies_of: dict[int, list[int]] = defaultdict(list)
    for other, sources in of.items():
        if len(sources) == 1 and other not in mixed:
            (one,) = sources
            if one != other and not fed[one]:
                copies_of[one].append(other)
    several = {one: others for one, others in copies_of.items() if len(others) > 1}
    return sorted(
        Landed(graph.node_texts([one])[0], tuple(sorted(graph.node_texts(others)))) for one, others in several.items()
    )

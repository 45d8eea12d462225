"""Everything that is redundant or unused at a point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import orjson

from lineage_tt.governance.points.folding import folded, sorted_once, writers
from lineage_tt.governance.ports import PointGraph
from lineage_tt.governance.upkeep.redundancy.equivalent import Alike, alike
from lineage_tt.governance.upkeep.redundancy.pairs import Contained, Equal, SameTable, contained, equal, same_tables
from lineage_tt.governance.upkeep.redundancy.statements import Define, Statement, Text
from lineage_tt.governance.upkeep.redundancy.transitive import closed
from lineage_tt.governance.upkeep.redundancy.unused import DAYS, Recorded, Unused, UnusedColumn, unused, unused_columns
from lineage_tt.graph.arrays.rows import adjacency
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import COMPLETE_COVERAGE, Completeness
from lineage_tt.model.edges import column_of
from lineage_tt.model.facts import COLUMN
from lineage_tt.storage.processes import no_collections

_TEXTS: Final = """
    SELECT task_id, sql, dialect FROM tasks_as_of(make_timestamptz($at), make_timestamptz($known))
    WHERE sql IS NOT NULL AND coverage = $complete ORDER BY task_id"""
_NO_EDGES: Final = np.zeros(0, np.int32)


class Landed(NamedTuple):
    """A source that no task feeds, and the datasets that are nothing but copies of its columns."""

    source: str
    copies: tuple[str, ...]


class Redundancy(NamedTuple):
    """What is redundant or unused. ``equal``, ``contained`` and ``tables`` are proven by texts.

    ``alike`` is what edges alone suggest. ``texts_read`` of ``texts`` texts could be read completely.
    ``unknown_columns`` are left out of ``unused_columns``, because it is not known which columns of their table are
    read.
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
    """Return what is redundant or unused; without ``define`` no text is parsed, and nothing is proven."""
    with no_collections():  # millions of names and edges that are needed to the end
        return _redundancy(points, graph, define, days, seen)


def _redundancy(
    points: Recorded, graph: PointGraph, define: Define | None, days: int, seen: Mapping[str, int] | None
) -> Redundancy:  # fmt: skip
    doubtful = {gap.task_id for gap in graph.gaps.all()}
    texts = list(_texts(points, graph)) if define is not None else []
    statements = [read for read in (define(texts) if define is not None else ()) if read is not None]
    closed_ones = closed(_spelt(graph, statements), _writers(graph, statements))
    same = equal(closed_ones)
    proven = {column for group in same for column in group.columns}
    look = [group for group in alike(graph, doubtful) if not proven.issuperset(group.columns)]
    columns, unknown = unused_columns(graph)
    return Redundancy(
        graph.basis, same, contained(closed_ones), same_tables(same, _counts(graph)), look, _landed(graph),
        unused(points, graph, days, seen), columns, len(texts), len(statements), unknown, graph.completeness(),
    )  # fmt: skip


def _texts(points: Recorded, graph: PointGraph) -> Iterable[Text]:
    """Return the texts of tasks in force that are complete and write one dataset."""
    basis, declared, tables = graph.basis, _declared(graph), folded(graph)
    by_task = adjacency(tables.task, int(tables.task.max()) + 1 if len(tables.task) else 0)
    rows = points.fetch(_TEXTS, at=basis.valid_at, known=basis.system_time, complete=COMPLETE_COVERAGE)
    for task, sql, dialect in rows:
        number = graph.task_number(task)
        at = by_task.at(number) if 0 <= number < len(by_task.starts) - 1 else _NO_EDGES
        if len(writes := np.unique(tables.target[at])) == 1:
            target, *reads = graph.node_texts([writes[0], *np.unique(tables.source[at])])
            yield Text(task, sql, dialect or "", frozenset(reads), target, declared.get(target, ()))


def _writers(graph: PointGraph, statements: Iterable[Statement]) -> dict[str, int]:
    """Return how many tasks write the dataset of each statement."""
    counts = writers(graph)
    numbers = {each.dataset: graph.number(each.dataset) for each in statements}
    return {dataset: int(counts[number]) for dataset, number in numbers.items() if number >= 0}


def _declared(graph: PointGraph) -> dict[str, tuple[str, ...]]:
    """Return the declared columns of datasets in their order, without nested fields."""
    by_dataset: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for fact in graph.facts(COLUMN):
        document: Any = orjson.loads(fact.value)
        if fact.kind == "dataset" and "nested" not in document:
            dataset, _, column = fact.node.partition("#")
            by_dataset[dataset].append((document["ordinal"], column.lower()))
    return {dataset: tuple(name for _, name in sorted(columns)) for dataset, columns in by_dataset.items()}


def _spelt(graph: PointGraph, statements: Iterable[Statement]) -> list[Statement]:
    """Return statements with the columns that the point knows, in lower case; other columns are left out."""
    result = []
    for each in statements:
        number = graph.number(each.dataset)
        known = {column_of(node) for node in graph.node_texts(graph.members.at(number))} if number >= 0 else ()
        result.append(each._replace(columns={name: value for name, value in each.columns.items() if name in known}))
    return result


def _counts(graph: PointGraph) -> dict[str, int]:
    """Return how many columns each dataset is known to have."""
    columns = np.flatnonzero(graph.live & (graph.dataset != np.arange(graph.nodes)))
    owners, counts = np.unique(graph.dataset[columns], return_counts=True)
    return dict(zip(graph.node_texts(owners), counts.tolist(), strict=True))


def _landed(graph: PointGraph) -> list[Landed]:
    """Return the sources that landed more than once."""
    flows = np.flatnonzero(~graph.alias)
    source, target = graph.dataset[graph.source[flows]], graph.dataset[graph.target[flows]]
    copying = np.array([subtype == "IDENTITY" for _, subtype in graph.kinds] + [False])[graph.kind[flows]]
    fed, mixed = np.zeros((2, graph.nodes), np.bool_)
    fed[target[source != target]] = True
    mixed[target[~copying]] = True
    pairs = sorted_once(target.astype(np.int64) * graph.nodes + source)
    others, ones = pairs // graph.nodes, pairs % graph.nodes
    landed = (np.bincount(others, minlength=1)[others] == 1) & ~mixed[others] & (ones != others) & ~fed[ones]
    copies_of: dict[int, list[int]] = defaultdict(list)
    for one, other in zip(ones[landed].tolist(), others[landed].tolist(), strict=True):
        copies_of[one].append(other)
    several = {one: others for one, others in copies_of.items() if len(others) > 1}
    return sorted(
        Landed(graph.node_texts([one])[0], tuple(sorted(graph.node_texts(others)))) for one, others in several.items()
    )

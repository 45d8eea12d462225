"""The lineage as of one point: its edges, its tasks, and walks through it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, Literal

from lineage_tt.model.answers import (
    Answers,
    Basis,
    ColumnAsOf,
    Direction,
    EdgeAsOf,
    FactAsOf,
    Level,
    Lineage,
    Step,
    TaskAsOf,
    check_direction,
    check_level,
    check_tasks,
)
from lineage_tt.model.completeness import absent, rejections
from lineage_tt.model.completeness.gaps import GapsAtPoint, TaskCoverage
from lineage_tt.model.completeness.rules import of_walk
from lineage_tt.model.completeness.summary import summed
from lineage_tt.model.edges import ALIAS, column_node, dataset_of, is_column, without_ways_back
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.names import CURATED
from lineage_tt.read import gap_rows
from lineage_tt.read.snapshots.hops import Question

Fetch = Callable[..., list[tuple[Any, ...]]]
#: Walks at column level with the same result as the macro ``lineage``, but faster.
Walk = Callable[[Question], list[tuple[Any, ...]]]
#: Returns the coverage over both times of the tasks that were ever incomplete, up to the store's version.
Coverages = Callable[[], Mapping[str, TaskCoverage]]

_POINT = "make_timestamptz($valid_at), make_timestamptz($system_at)"
_EDGE = 'task_id, source, target, "type", subtype, expression, version, epoch_us(valid_from), epoch_us(valid_to)'
_TASK = """task_id, version, op, epoch_us(effective_at), epoch_us(system_time), source_version, event_id, sql_sha256,
    coverage, edges, dialect, target, actor, reason, resolved_version"""
_FACT = 'node, "key", "value", kind, subject, version, epoch_us(valid_from), epoch_us(valid_to)'
_COLUMN = 'dataset, "column", ordinal, "type", mode, field_id, nested, origin, version, epoch_us(valid_from)'
_CURATED = "(" + " OR ".join(f"starts_with(task_id, '{prefix}')" for prefix in CURATED) + ")"
_ENDLESS = 1_000_000


class View:
    """What the store says as of a basis. The same basis always gives the same answers."""

    def __init__(
        self,
        fetch: Fetch,
        basis: Basis,
        check_nodes: Callable[[Iterable[str]], None],
        walk: Walk | None = None,
        coverages: Coverages | None = None,
    ) -> None:
        self.basis = basis
        self._coverages = coverages or (lambda: gap_rows.timelines(fetch, basis.version))
        self._fetch = fetch
        self._check_nodes = check_nodes
        self._walk = walk

    def _ask(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return self._fetch(query, valid_at=self.basis.valid_at, system_at=self.basis.system_time, **parameters)

    def edges(self, tasks: Collection[str] | None = None, *, marks: bool = False) -> list[EdgeAsOf]:
        """Return the edges in force (of some tasks, if given) that people do not reject; by task, source and target.

        With ``marks`` also alias edges, rejections, and rejected edges. Raises InvalidRequestError where ``tasks`` is
        one text.
        """
        check_tasks(tasks)
        rows = self._ask(f"SELECT {_EDGE} FROM edges_as_of({_POINT}) ORDER BY ALL")
        edges = [EdgeAsOf(*row) for row in rows]
        if not marks:
            edges = [edge for edge in rejections.left_in(edges) if edge.subtype != ALIAS]
        chosen = None if tasks is None else set(tasks)
        return edges if chosen is None else [edge for edge in edges if edge.task_id in chosen]

    @cached_property
    def gaps(self) -> GapsAtPoint:
        """The tasks in force whose lineage is not complete."""
        valid_at, version = self.basis.valid_at, self.basis.version
        return gap_rows.gaps_at(self._fetch, self._coverages(), valid_at, version).at(valid_at, version)

    def tasks(self) -> Answers[TaskAsOf]:
        """Return the tasks in force, in order of their ids, each with the message that says what it does.

        Tasks that hold what people state (aliases, edges, annotations) are not included.
        """
        rows = self._ask(f"SELECT {_TASK} FROM tasks_as_of({_POINT}) WHERE NOT {_CURATED} ORDER BY task_id")
        gaps = {gap.task_id: gap for gap in self.gaps.all()}
        tasks = [TaskAsOf(*row) for row in rows]
        tasks = [task._replace(reasons=gaps[task.task_id].reasons) if task.task_id in gaps else task for task in tasks]
        return Answers(tasks, summed(gaps.values()))

    def sourceless(self, others: Collection[str] = ()) -> list[str]:
        """Return the tasks in force that read nothing and whose lineage is complete, in order of their ids.

        ``others`` are tasks that are known to read something; they are skipped.
        """
        rows = self._ask(f"""SELECT resolved_version, task_id FROM tasks_as_of({_POINT})
            WHERE coalesce(coverage, 'complete') = 'complete' AND NOT {_CURATED} ORDER BY task_id""")
        known = set(others)
        unread = {version: task_id for version, task_id in rows if task_id not in known}
        empty = "SELECT version FROM log WHERE version IN (SELECT unnest($versions)) AND len(edges) = 0"
        matches = self._fetch(empty, versions=list(unread)) if unread else []
        return sorted(unread[version] for (version,) in matches)

    def facts(self, node: str | None = None, key: str | None = None) -> list[FactAsOf]:
        """Return the facts in force about a node (or all), under a key (or all): labels, owners, columns, …"""
        rows = self._ask(
            f"""SELECT {_FACT} FROM facts_as_of({_POINT})
            WHERE ($node IS NULL OR node = $node) AND ($key IS NULL OR "key" = $key) ORDER BY ALL""",
            node=node,
            key=key,
        )
        return [FactAsOf(*row) for row in rows]

    def columns(self, dataset: str | None = None, *, inferred: bool = True) -> list[ColumnAsOf]:
        """Return the columns of a dataset (or of all) in their order.

        These are the declared columns; if there are none, the columns that a statement wrote; if there are none and
        ``inferred`` is true, those that the edges in force name, with origin ``inferred``. Empty for a dataset without
        known columns.
        """
        result = self._columns("stated_columns_as_of", dataset)
        if inferred and (dataset is None or not result):
            result += self._columns("inferred_columns_as_of", dataset)
        return sorted(result, key=lambda column: (column.dataset, column.ordinal))

    def _columns(self, macro: str, dataset: str | None) -> list[ColumnAsOf]:
        rows = self._ask(
            f"""SELECT {_COLUMN} FROM {macro}({_POINT}) WHERE $dataset IS NULL OR dataset = $dataset
            ORDER BY dataset, ordinal""",
            dataset=dataset,
        )
        return [ColumnAsOf(*row) for row in rows]

    def sql_of(self, task_id: str) -> str | None:
        """Return the SQL text of a task in force, None where it is offline or has none."""
        rows = self._ask(f"SELECT sql FROM tasks_as_of({_POINT}) WHERE task_id = $task", task=task_id)
        return rows[0][0] if rows else None

    def lineage(
        self,
        *nodes: str,
        direction: Direction = "both",
        depth: int | None = None,
        level: Level = "column",
        direct_only: bool = False,
    ) -> Lineage:
        """Walk from one or more nodes, at most ``depth`` steps (None: to the end).

        A star edge (its columns are not known) is joined to each column that the walk reaches: ``Step.by_star``.

        Raises UnknownNodeError for a node that no edge ever named, that is not a column known at the point, and whose
        dataset has no star node; InvalidRequestError for a negative depth, or a direction or level that does not
        exist.
        """
        if depth is not None and depth < 0:
            raise InvalidRequestError(f"depth is {depth}: give 0 or more, or leave it out")
        check_direction(direction)
        check_level(level)
        if not nodes:
            raise InvalidRequestError("give at least one node")
        start = tuple(dict.fromkeys(dataset_of(node) if level == "table" else node for node in nodes))
        rows = self._rows(nodes, direction, depth, level, direct_only)
        left_out = 0
        if rejections.meets(rows):
            ways = ("down", "up") if direction == "both" else (direction,)
            rows, left_out = rejections.walk(
                lambda near, way: self._rows(near, way, 1, level, direct_only), start, ways, depth
            )
        shown = without_ways_back(rows, start)
        walked = tuple(Step(way, steps, EdgeAsOf(*edge), by_star) for way, steps, *edge, by_star in shown)
        touched = {end for step in walked for end in (step.edge.source, step.edge.target)}
        touched |= {dataset_of(end) for end in touched}
        self._check([node for node in start if node not in touched])
        known = of_walk(self.gaps, start, walked, direction, depth, self._absent)
        return Lineage(self.basis, start, walked, known._replace(rejected=left_out) if left_out else known)

    def _rows(
        self, nodes: tuple[str, ...], direction: Direction, depth: int | None, level: Level, direct_only: bool
    ) -> list[tuple[Any, ...]]:
        """Return (direction, steps, edge, by star) of everything that a walk meets, rejections included."""
        if self._walk is not None and level == "column":
            return self._walk(Question(nodes, self.basis, direction, depth, direct_only))
        return self._ask(
            f"""SELECT direction, steps, {_EDGE}, by_star FROM lineage($nodes, {_POINT}, direction := $direction,
            depth := $depth, "level" := $level, direct_only := $direct_only)
            ORDER BY direction, steps, task_id, source, target, "type", subtype, expression, by_star""",
            nodes=list(nodes),
            direction=direction,
            depth=_ENDLESS if depth is None else depth,
            level=level,
            direct_only=direct_only,
        )

    def _check(self, nodes: list[str]) -> None:
        """Raise UnknownNodeError for a node that no edge ever named and that is not a column known at the point."""
        try:
            self._check_nodes(nodes)
        except UnknownNodeError:
            known = self.known_columns(nodes)
            if not known:
                raise
            self._check_nodes([node for node in nodes if node not in known])

    def known_columns(self, nodes: Collection[str]) -> set[str]:
        """Return those nodes that are columns known at the point, whether an edge named them or not."""
        datasets = {dataset_of(node) for node in nodes if is_column(node)}
        columns = [column for dataset in sorted(datasets) for column in self.columns(dataset)]
        return {column_node(column.dataset, column.column) for column in columns} & set(nodes)

    def _absent(self, nodes: Collection[str]) -> set[str]:
        """Return those columns that are not known although their datasets are written; see ``absent``."""
        missing = absent.without_origin(nodes, self._targets({dataset_of(node) for node in nodes}))
        return absent.not_among(self.stated_columns(missing), missing) if missing else missing

    def _targets(self, datasets: Collection[str]) -> set[str]:
        """Return the targets of the edges into these datasets and their columns."""
        named = tuple(sorted(datasets))
        if self._walk is not None:
            return {row[4] for row in self._walk(Question(named, self.basis, "up", 1, attributed=False))}
        into = (
            f"SELECT DISTINCT target FROM edges_as_of({_POINT}) WHERE dataset_of(target) IN (SELECT unnest($datasets))"
        )
        return {target for (target,) in self._ask(into, datasets=list(named))}

    def stated_columns(self, nodes: Collection[str]) -> dict[str, set[str]]:
        """Return, by dataset, the names of the declared or written columns of these nodes' datasets."""
        rows = self._ask(
            f"""SELECT dataset, list("column") FROM stated_columns_as_of({_POINT})
            WHERE dataset IN (SELECT unnest($datasets)) GROUP BY dataset""",
            datasets=sorted({dataset_of(node) for node in nodes}),
        )
        return {dataset: set(columns) for dataset, columns in rows}

    def upstream(self, *nodes: str, **options: Any) -> Lineage:
        """Return what feeds these nodes; options as for ``lineage``."""
        return self._one_way("up", nodes, options)

    def downstream(self, *nodes: str, **options: Any) -> Lineage:
        """Return what these nodes feed; options as for ``lineage``."""
        return self._one_way("down", nodes, options)

    def _one_way(self, direction: Literal["up", "down"], nodes: tuple[str, ...], options: dict[str, Any]) -> Lineage:
        return self.lineage(*nodes, direction=direction, **options)

"""Tables that nobody has read or fed for some time, and columns from which nothing is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple, Protocol

import numpy as np

from lineage_tt.governance.points.folding import folded, merged
from lineage_tt.governance.points.stars import star_nodes
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import Basis
from lineage_tt.model.edges import dataset_of, is_star, split_dataset
from lineage_tt.model.facts import COLUMN, OWNER, task_node

DAYS: Final = 90
DAY: Final = 86_400_000_000
By = Literal["observation", "lineage"]
Why = Literal["unread", "unfed"]


class Recorded(Protocol):
    """What is read from a store in addition to a point."""

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run one of the product's own queries over the store's views and macros."""

    def uses(self, basis: Basis) -> list[tuple[str, bool, int, int]]:
        """Return when each dataset was read (true) and fed up to a point: last and first, in UTC microseconds."""


class Unused(NamedTuple):
    """A table that nobody read (``unread``) or fed (``unfed``) for some time up to the point.

    ``last`` is when that last happened (UTC microseconds), None for never; ``by`` says how it is known: from observed
    runs, or from the edges in force. ``since`` is when the first edge touched the table. ``tasks`` are those that still
    feed a table that nobody reads, or read a table that nobody feeds.
    """

    dataset: str
    why: Why
    last: int | None
    by: By
    since: int
    tasks: tuple[str, ...]
    owners: tuple[str, ...]


class UnusedColumn(NamedTuple):
    """A column of a table that others read, from which nothing is made and which decides nothing."""

    column: str


class _Touch(NamedTuple):
    last: int
    first: int


def unused(
    points: Recorded, graph: PointGraph, days: int = DAYS, seen: Mapping[str, int] | None = None
) -> list[Unused]:
    """Return the tables that nobody read or fed in the ``days`` before a point; ``seen`` is when a task last ran.

    If every task that reads (or feeds) a table was observed, the last of their runs counts; otherwise an edge in force
    counts as use, and so does a task whose lineage is not complete. Tables of a namespace in which nobody ever read
    anything are ends (boards), and a table that nobody ever fed is a source: neither is listed.
    """
    at, seen = graph.basis.valid_at, seen or {}
    one = _one_name(graph)
    reads: dict[str, _Touch] = {}
    feeds: dict[str, _Touch] = {}
    for dataset, is_read, latest, first in points.uses(graph.basis):
        side, name = (reads if is_read else feeds), one.get(dataset, dataset)
        other = side.get(name, _Touch(latest, first))
        side[name] = _Touch(max(latest, other.last), min(first, other.first))
    untraced: list[tuple[str, bool, str]] = []
    for gap in graph.gaps.all():  # no edge shows what such a task makes from its sources: it counts as a user of all
        for touched, side in ((gap.reads, reads), (gap.writes, feeds)):
            for name in {one.get(dataset, dataset) for dataset in touched}:
                if side is feeds or gap.writes - {name} or not gap.writes:
                    side[name] = _Touch(at, side[name].first if name in side else at)
                    untraced.append((name, side is reads, gap.task_id))
    readers, writers = _tasks(graph, one, untraced, None if seen else ())
    ends = {_namespace(name) for name in feeds} - {_namespace(name) for name in reads}
    before = at - days * DAY
    candidates: list[tuple[str, Why, int | None, By, int]] = []
    for name in sorted({*reads, *feeds}):
        since = min(touch.first for touch in (reads.get(name), feeds.get(name)) if touch is not None)
        if name in feeds and _namespace(name) not in ends and since <= before:
            last, by = _last(reads.get(name), readers[name], seen, at)
            if last is None or last <= before:
                candidates.append((name, "unread", last, by, since))
        if name in feeds:
            last, by = _last(feeds[name], writers[name], seen, at)
            if last is not None and last <= before:
                candidates.append((name, "unfed", last, by, since))
    if not seen:
        readers, writers = _tasks(graph, one, untraced, {name for name, *_ in candidates})
    owners: dict[str, set[str]] = defaultdict(set)
    for fact in graph.facts(OWNER):
        owners[fact.node].add(fact.value)
    result = []
    for name, why, last, by, since in candidates:
        who = owners[name] | {who for task in writers[name] for who in owners[task_node(task)]}
        tasks = writers[name] if why == "unread" else readers[name]
        result.append(Unused(name, why, last, by, since, tuple(sorted(tasks)), tuple(sorted(who))))
    return result


def _last(touch: _Touch | None, tasks: set[str], seen: Mapping[str, int], at: int) -> tuple[int | None, By]:
    """Return when a table was last read or fed up to an instant, and how that is known."""
    if tasks and all(task in seen for task in tasks):
        return max(min(seen[task], at) for task in tasks), "observation"
    return (None if touch is None else touch.last), "lineage"


def unused_columns(graph: PointGraph) -> tuple[list[UnusedColumn], int]:
    """Return the unused columns of tables that are used, and how many columns are left out because it is not known.

    It is not known for the columns of tables that a task reads in ways that no edge shows, or with a star.
    """
    itself = np.arange(graph.nodes)
    uses = ~graph.alias & (graph.dataset[graph.source] != graph.dataset[graph.target])
    used, read = np.zeros(graph.nodes, bool), np.zeros(graph.nodes, bool)
    used[graph.source[~graph.alias]] = True
    read[graph.dataset[graph.source[uses]]] = True
    one = merged(graph.nodes, graph.source[graph.alias].astype(np.int64), graph.target[graph.alias].astype(np.int64))
    np.logical_or.at(used, one, used.copy())
    np.logical_or.at(read, one, read.copy())
    used, read = used[one], read[one]
    columns = np.flatnonzero(graph.live & (graph.dataset != itself) & ~used & read[graph.dataset])
    declared = sorted({fact.node for fact in graph.facts(COLUMN)})
    numbers, owners = graph.numbers(declared), graph.numbers([dataset_of(node) for node in declared])
    unused = (owners >= 0) & read[owners] & ~((numbers >= 0) & used[numbers])
    named = {*graph.node_texts(columns), *(declared[at] for at in np.flatnonzero(unused).tolist())}
    candidates = sorted(node for node in named if not is_star(node))
    stars = star_nodes(graph)
    gone = set(graph.node_texts(np.unique(graph.dataset[stars[used[stars]]])))
    if graph.gaps:
        datasets = set(graph.node_texts(np.unique(graph.dataset[np.flatnonzero(read)])))
        gone |= {dataset for gap in graph.gaps.reading(datasets) for dataset in gap.unknown_reads}
    result = [UnusedColumn(node) for node in candidates if dataset_of(node) not in gone]
    return result, len(candidates) - len(result)


def _one_name(graph: PointGraph) -> dict[str, str]:
    """Return for each dataset with several names the first of them."""
    whole = graph.alias & (graph.dataset[graph.source] == graph.source)
    one = merged(graph.nodes, graph.source[whole].astype(np.int64), graph.target[whole].astype(np.int64))
    several = np.unique(np.concatenate([graph.source[whole], graph.target[whole]]))
    groups: dict[int, list[str]] = defaultdict(list)
    for number, name in zip(several.tolist(), graph.node_texts(several), strict=True):
        groups[int(one[number])].append(name)
    return {name: min(names) for names in groups.values() for name in names}


def _tasks(
    graph: PointGraph, one: Mapping[str, str], untraced: Iterable[tuple[str, bool, str]], only: Collection[str] | None
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return the tasks in force that read each wanted dataset (None: all), and those that feed it.

    ``untraced`` are datasets and tasks that read (true) or feed them without an edge that says so.
    """
    readers: dict[str, set[str]] = defaultdict(set)
    writers: dict[str, set[str]] = defaultdict(set)
    tables = folded(graph)
    others = tables.source != tables.target
    if only is not None:
        named = np.zeros(graph.nodes + 1, np.bool_)  # the last place is for names that the point does not know
        named[graph.numbers([*only, *(other for other, name in one.items() if name in only)])] = True
        named[-1] = False
        others &= named[tables.source] | named[tables.target]
    ends = graph.node_texts(tables.source[others]), graph.node_texts(tables.target[others])
    for source, target, task in zip(*ends, graph.task_texts(tables.task[others]), strict=True):
        readers[one.get(source, source)].add(task)
        writers[one.get(target, target)].add(task)
    for name, is_read, task in untraced:
        (readers if is_read else writers)[name].add(task)
    return readers, writers


def _namespace(dataset: str) -> str:
    try:
        return split_dataset(dataset)[0]
    except ValueError:
        return ""

"""Walks lineage hop by hop over snapshot and tail, so that a first answer need not read the whole store.

The macro ``lineage`` collects all edges in force before it walks. Here each hop queries the snapshot for the edges at
the nodes just reached. The snapshot is sorted by source and by target, so little of it is read. The answer has the same
rows as that of the macro.

Without a snapshot the whole log is the tail: its edges in force are put into a table that each hop queries. In a small
store this is faster than planning the macro, which has three recursive queries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lineage_tt.model.answers import Basis, Direction
from lineage_tt.model.edges import dataset_of, is_column, is_star, leaves_out, star_of
from lineage_tt.read.macros import session
from lineage_tt.read.snapshots.began import Begin, began
from lineage_tt.read.snapshots.hop_queries import (
    COLUMNS,
    ENDS,
    IN_SNAPSHOT,
    KNOWN,
    LATER,
    LATER_STARS,
    NODES,
    STARS,
    WORDS,
)

if TYPE_CHECKING:
    from pathlib import Path

    from lineage_tt.read.macros.own import Session
    from lineage_tt.read.snapshots.snapshot import Snapshot

#: (task_id, source, target, type, subtype, expression, version, valid_from, valid_to), as in ``answers.EdgeAsOf``
Row = tuple[Any, ...]
Way = Literal["down", "up"]


class Question(NamedTuple):
    """A walk from some nodes at column level; ``depth`` None goes to the end.

    Unless ``attributed``, an edge has the version that added its rectangle, and no message is read from the log.
    """

    nodes: tuple[str, ...]
    basis: Basis
    direction: Direction = "both"
    depth: int | None = None
    direct_only: bool = False
    attributed: bool = True


class Hops:
    """Walks over one snapshot and its tail, or over a log without a snapshot; for one thread."""

    def __init__(self, snapshot: Snapshot | None, tail: Sequence[Path], log: Session) -> None:
        """Take the snapshot, the data files after it (all of them without one), and a session over the whole log."""
        self._connection = log.connection
        self._snapshot = snapshot
        self._covered = snapshot.version if snapshot is not None else 0
        self._tail = tail
        self._log = log
        self._basis: Basis | None = None
        self._relations: dict[str, str] = {}
        self._snapshot_stars: set[str] | None = None  # star nodes of the snapshot, read once
        self._stars: set[str] = set()
        self._ids: dict[str, int | None] = {}  # None: no edge of the snapshot has that node
        self._names: dict[int, str] = {}
        self._tasks: dict[int, str] = {}
        self._labels: dict[int, tuple[str, str, str]] = {}

    def walk(self, question: Question) -> list[tuple[Any, ...]]:
        """Return (direction, steps, edge, by star) of each edge reached, in order."""
        reached = self.reached(question)
        begins = {(row[0], row[7]) for _, _, row, _ in reached} if question.attributed else set()
        versions = began(self.ask_log, begins, question.basis)
        result: list[tuple[Any, ...]] = []
        for way in ("down", "up"):
            rows = [(steps, _attributed(row, versions), by) for at, steps, row, by in reached if at == way]
            result += [(way, steps, *row, False) for steps, row, by in rows if not by]
            result += [(way, steps, *row, True) for steps, row in _merged((s, row) for s, row, by in rows if by)]
        return sorted(result, key=lambda row: (row[:8], row[-1]))

    def reached(self, question: Question) -> list[tuple[Way, int, Row, bool]]:
        """Return the same without order and without reading the log; an edge's version is that of its rectangle."""
        self._at(question.basis)
        nodes = {*question.nodes, *map(dataset_of, question.nodes)}
        self._find_stars(nodes)
        self._number(nodes)
        ways: tuple[Way, ...] = ("down", "up") if question.direction == "both" else (question.direction,)
        return [(way, *each) for way in ways for each in self._reached(question, way)]

    def knows(self, nodes: Iterable[str]) -> set[str]:
        """Return those nodes that an edge ever named, as far as the snapshot and the last walk know."""
        listed = list(nodes)
        self._number(listed)
        result = {name for name in listed if self._ids[name] is not None}
        if self._basis is not None and self._tail:
            result |= {name for (name,) in self._ask(KNOWN, names=listed)}
        return result

    def ask_log(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run a query over the view ``log`` with all its rows."""
        return self._log.fetch(query, parameters)

    def _reached(self, question: Question, way: Way) -> list[tuple[int, Row, bool]]:
        """Return (steps, edge, by star) of each edge reached in one direction; equal joined edges are not merged."""
        steps_of: dict[Row, int] = {}
        joined: list[tuple[int, Row]] = []
        seen: set[str] = set()
        frontier = set(question.nodes) if way == "down" else {*question.nodes, *map(dataset_of, question.nodes)}
        if way == "up":  # a dataset in the question covers its columns
            frontier |= {star_of(node) for node in question.nodes if "#" not in node}
        steps = 0
        while frontier and (question.depth is None or steps < question.depth):
            seen |= frontier
            steps += 1
            reached: set[str] = set()
            columns = self._columns_of_stars(frontier)
            # downstream, the walk continues from a dataset to its columns; in both directions, from its star node too
            wide = {dataset_of(node) for node in frontier if is_star(node) or (way == "down" and "#" not in node)}
            rows = self._edges(way, {*frontier, *map(star_of, columns)}, wide, question.basis)
            followed = [row for row in rows if not question.direct_only or row[3] == "DIRECT"]
            near = 1 if way == "down" else 2
            for row in followed:
                if row[near] in frontier or ("#" in row[near] and dataset_of(row[near]) in wide):
                    steps_of.setdefault(row, steps)
                    reached |= {row[2]} if way == "down" else {row[1], dataset_of(row[1])}
            if columns:
                stars = [row for row in followed if is_star(row[near])]
                for row in self._joined(way, stars, columns, followed, question.basis):
                    joined.append((steps, row))
                    reached |= {row[2]} if way == "down" else {row[1], dataset_of(row[1])}
            frontier = reached - seen
        return [*((at, row, False) for row, at in steps_of.items()), *((at, row, True) for at, row in joined)]

    def _columns_of_stars(self, nodes: Iterable[str]) -> dict[str, list[str]]:
        """Return, by dataset, those nodes that are columns of datasets with a star node."""
        columns: dict[str, list[str]] = {}
        for node in nodes:
            if is_column(node) and star_of(node) in self._stars:
                columns.setdefault(dataset_of(node), []).append(node)
        return columns

    def _joined(
        self, way: Way, stars: Sequence[Row], columns: dict[str, list[str]], rows: Iterable[Row], basis: Basis
    ) -> Iterator[Row]:
        """Yield the star edges at the star nodes of these columns' datasets, joined to each of the columns."""
        near, far = (1, 2) if way == "down" else (2, 1)
        joined = []
        for row in stars:
            for node in columns.get(dataset_of(row[near]), ()):
                if leaves_out(row[1:6], node):
                    continue
                other = f"{dataset_of(row[far])}#{node.partition('#')[2]}" if is_star(row[far]) else row[far]
                ends = (node, other) if way == "down" else (other, node)
                joined.append((row, (row[0], *ends, *row[3:])))
        if way == "down":
            targets = {shown[2] for row, shown in joined if is_star(row[2])}
            rows = self._edges("up", targets, (), basis) if targets else ()
        own = {(row[0], row[2]) for row in rows if row[3] == "DIRECT"}
        yield from (shown for row, shown in joined if not is_star(row[2]) or (row[0], shown[2]) not in own)

    def _edges(self, way: Way, nodes: Collection[str], datasets: Collection[str], basis: Basis) -> Iterator[Row]:
        """Yield the edges in force at these nodes and at the columns of these datasets."""
        later: dict[Row, tuple[int, int]] = {}
        near = "source" if way == "down" else "target"
        if self._tail:
            for *key, version, since, until, sign in self._ask(
                ENDS.replace("{near}", near), names=list(nodes), datasets=list(datasets)
            ):
                later[(*key, since, until)] = version, sign
        for *key, version, since, until in self._in_snapshot(near, nodes, datasets, basis):
            if (*key, since, until) not in later:
                yield (*key, version, since, until)
        for (*key, since, until), (version, sign) in later.items():
            if sign > 0:
                yield (*key, version, since, until)

    def _in_snapshot(self, near: str, nodes: Collection[str], datasets: Collection[str], basis: Basis) -> Iterator[Row]:
        """Yield the snapshot's edges at these nodes."""
        if self._snapshot is None:
            return
        self._number(nodes)
        if datasets:
            self._note(self._ask(self._over_nodes(COLUMNS), names=list(datasets)))
        within = set(datasets)
        ids = {self._ids[node] for node in nodes} - {None}
        ids |= {number for name, number in self._ids.items() if within and dataset_of(name) in within} - {None}
        if not ids:
            return
        query = IN_SNAPSHOT.replace("{rectangles}", self._relation(near)).replace("{near}", near)
        rows = self._ask(query, ids=list(ids), valid_at=basis.valid_at, version=basis.version)
        self._name({end for row in rows for end in row[:2]})
        self._tasks |= self._words("tasks", {row[2] for row in rows} - self._tasks.keys())
        self._labels |= self._words("labels", {row[3] for row in rows} - self._labels.keys())
        names, tasks, labels = self._names, self._tasks, self._labels
        for source, target, task, label, *rest in rows:
            yield (tasks[task], names[source], names[target], *labels[label], *rest)

    def _find_stars(self, nodes: Collection[str]) -> None:
        """Find the star nodes of the snapshot, and of the tail at the point of the question.

        The first call also finds the numbers of these nodes, since each of the two scans every name of the snapshot.
        """
        if self._snapshot_stars is None:
            self._ids |= dict.fromkeys(nodes)
            rows = self._ask(self._over_nodes(STARS), names=list(nodes)) if self._snapshot is not None else []
            self._note(rows)
            self._snapshot_stars = {name for name, _ in rows if is_star(name)}
        later = {name for (name,) in self._ask(LATER_STARS)} if self._tail else set()
        self._stars = self._snapshot_stars | {name for name in later if is_star(name)}

    def _number(self, names: Iterable[str]) -> None:
        """Look up the numbers of nodes."""
        unnumbered = [name for name in names if name not in self._ids]
        if unnumbered:
            self._ids |= dict.fromkeys(unnumbered)
            if self._snapshot is not None:
                self._note(self._ask(self._over_nodes(NODES), names=unnumbered))

    def _name(self, ids: Iterable[int]) -> None:
        """Look up the names of nodes."""
        names = self._words("nodes", set(ids) - self._names.keys())
        self._note((name, number) for number, name in names.items())

    def _note(self, numbered: Iterable[tuple[Any, ...]]) -> None:
        for name, number in numbered:
            self._ids[name], self._names[number] = number, name

    def _at(self, basis: Basis) -> None:
        """Collect what the tail says about a point."""
        if not self._tail or basis == self._basis:
            return
        from lineage_tt.read.macros.asof import relation

        query = LATER.replace("{tail}", relation(self._tail)).replace("{covered}", str(self._covered))
        session.fetch(self._connection, query, {"valid_at": basis.valid_at, "version": basis.version})
        self._basis = basis

    def _words(self, direction: str, ids: set[int]) -> dict[int, Any]:
        """Return the values of some numbers: a name, or a label's type, subtype and expression."""
        if not ids:
            return {}
        query = WORDS[direction].replace("{words}", self._relation(direction))
        return {number: word[0] if len(word) == 1 else tuple(word) for number, *word in self._ask(query, ids=list(ids))}

    def _over_nodes(self, query: str) -> str:
        return query.replace("{nodes}", self._relation("nodes"))

    def _relation(self, direction: str) -> str:
        """Return a partition of the snapshot as a relation; it is made once, since each hop needs it."""
        if direction not in self._relations:
            assert self._snapshot is not None, "without a snapshot none of its partitions is asked"
            self._relations[direction] = self._snapshot.relation(direction)
        return self._relations[direction]

    def interrupt(self) -> None:
        """Interrupt the running query, from another thread."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._log.close()

    def _ask(self, query: str, **known: Any) -> list[tuple[Any, ...]]:
        return session.fetch(self._connection, query, known)


def _attributed(row: Row, versions: Mapping[Begin, int]) -> Row:
    """Return an edge with the version of the message that began it, instead of the one that added its rectangle."""
    return (*row[:6], versions.get((row[0], row[7]), row[6]), *row[7:])


def _merged(joined: Iterable[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
    """Yield joined edges, equal ones merged: with the greatest version, over the interval in which all of them hold."""
    groups: dict[Row, list[Row]] = {}
    steps: dict[Row, int] = {}
    for at, row in joined:
        groups.setdefault(row[:6], []).append(row[6:])
        steps[row[:6]] = at
    for edge, stretches in groups.items():
        ends = [until for _, _, until in stretches if until is not None]
        version, since = max(each[0] for each in stretches), max(each[1] for each in stretches)
        yield steps[edge], (*edge, version, since, min(ends, default=None))

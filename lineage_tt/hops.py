"""Lineage walked hop by hop over snapshot and tail: a first answer without looking at the whole store.

The macro ``lineage`` puts all edges in force together before it walks. Here each hop asks the snapshot for the edges at
the nodes just reached; it is sorted by source and by target, so that few of its parts are read. The answer is that of
the macro, row for row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from lineage_tt import session
from lineage_tt.answers import Basis, Direction
from lineage_tt.edges import dataset_of

if TYPE_CHECKING:
    from pathlib import Path

    from lineage_tt.snapshot import Snapshot

#: (task_id, source, target, type, subtype, expression, version, valid_from, valid_to), as ``answers.EdgeAsOf`` has it
Row = tuple[Any, ...]
Way = Literal["down", "up"]

_NODES: Final = "SELECT name, id FROM {nodes} WHERE name IN (SELECT unnest($names))"
_COLUMNS: Final = "SELECT name, id FROM {nodes} WHERE split_part(name, '#', 1) IN (SELECT unnest($names))"
_NAME: Final = "SELECT id, name FROM {words} WHERE id IN (SELECT unnest($ids))"
_LABEL: Final = 'SELECT id, "type", subtype, expression FROM {words} WHERE id IN (SELECT unnest($ids))'
_WORDS: Final = {"nodes": _NAME, "tasks": _NAME, "labels": _LABEL}
# A closing row behind a rectangle's opening is meant for it, or for a later one of the same key: either way it ended.
_KEPT: Final = """
    WITH found AS MATERIALIZED (
        SELECT source, target, task, label, opened, closed, valid_from, valid_to FROM {rectangles}
        WHERE {near} IN (SELECT unnest($ids)) AND valid_from <= make_timestamptz($valid_at)
            AND (valid_to IS NULL OR valid_to > make_timestamptz($valid_at))
    )
    SELECT source, target, task, label, opened, epoch_us(valid_from), epoch_us(valid_to) FROM found AS r
    WHERE opened <= $version AND (closed IS NULL OR closed > $version) AND NOT EXISTS (
        FROM found AS c WHERE c.opened IS NULL AND c.closed > r.opened AND c.closed <= $version
            AND c.source = r.source AND c.target = r.target AND c.task = r.task AND c.label = r.label
            AND c.valid_from = r.valid_from AND c.valid_to IS NOT DISTINCT FROM r.valid_to)"""
_LATER: Final = """
    CREATE OR REPLACE TEMP TABLE later AS
    SELECT task_id, source, target, "type", subtype, expression, max(version) AS version, epoch_us(valid_from) AS since,
        epoch_us(valid_to) AS until, max_by(sign, version) AS sign
    FROM (SELECT version, task_id, unnest(changes, recursive := true)
        FROM (SELECT version, task_id, changes FROM {tail} WHERE version > {covered} AND version <= $version))
    WHERE valid_from <= make_timestamptz($valid_at) AND (valid_to IS NULL OR valid_to > make_timestamptz($valid_at))
    GROUP BY ALL"""
_ENDS: Final = """
    SELECT task_id, source, target, "type", subtype, expression, version, since, until, sign FROM later
    WHERE {near} IN (SELECT unnest($names)) OR (split_part({near}, '#', 1) IN (SELECT unnest($datasets)))"""
_KNOWN: Final = """
    SELECT DISTINCT node FROM (SELECT unnest([source, target]) AS node FROM later) WHERE node IN (SELECT unnest($names))
    """


class Question(NamedTuple):
    """A walk from some nodes at column level; ``depth`` None goes to the end."""

    nodes: tuple[str, ...]
    basis: Basis
    direction: Direction = "both"
    depth: int | None = None
    direct_only: bool = False


class Hops:
    """Walks over one snapshot and the log's files behind it; for one thread."""

    def __init__(self, snapshot: Snapshot, tail: Sequence[Path]) -> None:
        self._connection = session.connect_with("SET TimeZone = 'UTC'")
        self._snapshot = snapshot
        self._tail = tail
        self._basis: Basis | None = None
        self._relations: dict[str, str] = {}
        self._ids: dict[str, int | None] = {}  # None: no edge of the snapshot has that node
        self._names: dict[int, str] = {}
        self._tasks: dict[int, str] = {}
        self._labels: dict[int, tuple[str, str, str]] = {}

    def walk(self, asked: Question) -> list[tuple[Any, ...]]:
        """Return (direction, steps, edge) of each edge reached, in order."""
        self._at(asked.basis)
        self._number({*asked.nodes, *map(dataset_of, asked.nodes)})
        ways: tuple[Way, ...] = ("down", "up") if asked.direction == "both" else (asked.direction,)
        return sorted((way, steps, *row) for way in ways for row, steps in self._reached(asked, way).items())

    def knows(self, nodes: Iterable[str]) -> set[str]:
        """Return those of the nodes that an edge ever named, as far as the snapshot and the last walk can tell."""
        wanted = list(nodes)
        self._number(wanted)
        found = {name for name in wanted if self._ids[name] is not None}
        if self._basis is not None and self._tail:
            found |= {name for (name,) in self._ask(_KNOWN, names=wanted)}
        return found

    def _reached(self, asked: Question, way: Way) -> dict[Row, int]:
        found: dict[Row, int] = {}
        seen: set[str] = set()
        frontier = set(asked.nodes) if way == "down" else {*asked.nodes, *map(dataset_of, asked.nodes)}
        steps = 0
        while frontier and (asked.depth is None or steps < asked.depth):
            seen |= frontier
            steps += 1
            # down, a dataset's columns go on from it; up, they do where it is asked about
            datasets = [node for node in frontier if "#" not in node] if way == "down" else []
            if way == "up" and steps == 1:
                datasets = [node for node in asked.nodes if "#" not in node]
            reached: set[str] = set()
            for row in self._edges(way, frontier, datasets, asked.basis):
                if asked.direct_only and row[3] != "DIRECT":
                    continue
                found.setdefault(row, steps)
                reached |= {row[2]} if way == "down" else {row[1], dataset_of(row[1])}
            frontier = reached - seen
        return found

    def _edges(self, way: Way, nodes: Collection[str], datasets: Sequence[str], basis: Basis) -> Iterator[Row]:
        """Yield the edges in force at these nodes and at the columns of these datasets."""
        later: dict[Row, tuple[int, int]] = {}
        near = "source" if way == "down" else "target"
        if self._tail:
            for *key, version, since, until, sign in self._ask(
                _ENDS.replace("{near}", near), names=list(nodes), datasets=list(datasets)
            ):
                later[(*key, since, until)] = version, sign
        for *key, version, since, until in self._kept(near, nodes, datasets, basis):
            if (*key, since, until) not in later:
                yield (*key, version, since, until)
        for (*key, since, until), (version, sign) in later.items():
            if sign > 0:
                yield (*key, version, since, until)

    def _kept(self, near: str, nodes: Collection[str], datasets: Sequence[str], basis: Basis) -> Iterator[Row]:
        """Yield the snapshot's edges at these nodes."""
        self._number(nodes)
        if datasets:
            self._note(self._ask(self._over_nodes(_COLUMNS), names=list(datasets)))
        within = set(datasets)
        ids = {self._ids[node] for node in nodes} - {None}
        ids |= {number for name, number in self._ids.items() if within and dataset_of(name) in within} - {None}
        if not ids:
            return
        query = _KEPT.replace("{rectangles}", self._relation(near)).replace("{near}", near)
        rows = self._ask(query, ids=list(ids), valid_at=basis.valid_at, version=basis.version)
        self._name({end for row in rows for end in row[:2]})
        self._tasks |= self._words("tasks", {row[2] for row in rows} - self._tasks.keys())
        self._labels |= self._words("labels", {row[3] for row in rows} - self._labels.keys())
        names, tasks, labels = self._names, self._tasks, self._labels
        for source, target, task, label, *rest in rows:
            yield (tasks[task], names[source], names[target], *labels[label], *rest)

    def _number(self, names: Iterable[str]) -> None:
        """Learn the numbers of nodes."""
        wanted = [name for name in names if name not in self._ids]
        if wanted:
            self._ids |= dict.fromkeys(wanted)
            self._note(self._ask(self._over_nodes(_NODES), names=wanted))

    def _name(self, ids: Iterable[int]) -> None:
        """Learn the names of nodes."""
        found = self._words("nodes", set(ids) - self._names.keys())
        self._note((name, number) for number, name in found.items())

    def _note(self, found: Iterable[tuple[Any, ...]]) -> None:
        for name, number in found:
            self._ids[name], self._names[number] = number, name

    def _at(self, basis: Basis) -> None:
        """Put together what the tail says of a point."""
        if not self._tail or basis == self._basis:
            return
        from lineage_tt.asof import relation

        query = _LATER.replace("{tail}", relation(self._tail)).replace("{covered}", str(self._snapshot.version))
        session.fetch(self._connection, query, {"valid_at": basis.valid_at, "version": basis.version})
        self._basis = basis

    def _words(self, direction: str, ids: set[int]) -> dict[int, Any]:
        """Return what some numbers stand for: a name, or a label's type, subtype and expression."""
        if not ids:
            return {}
        query = _WORDS[direction].replace("{words}", self._relation(direction))
        return {number: word[0] if len(word) == 1 else tuple(word) for number, *word in self._ask(query, ids=list(ids))}

    def _over_nodes(self, query: str) -> str:
        return query.replace("{nodes}", self._relation("nodes"))

    def _relation(self, direction: str) -> str:
        """Return a partition of the snapshot, which is put together once, for each hop asks for it."""
        if direction not in self._relations:
            self._relations[direction] = self._snapshot.relation(direction)
        return self._relations[direction]

    def interrupt(self) -> None:
        """End the query that runs, from another thread."""
        self._connection.interrupt()

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def _ask(self, query: str, **known: Any) -> list[tuple[Any, ...]]:
        return session.fetch(self._connection, query, known)

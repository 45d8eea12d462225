"""Store against model at every point: what the state machine compares."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import duckdb
import pytest
from domain import COLUMNS, around
from reference import Model, TaskEdge, covers, dataset, is_column, shown, table_level, walk

from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.read.macros.asof import setup_sql
from lineage_tt.read.view import View

_EDGES = """SELECT vt, st, e.* EXCLUDE (valid_from, valid_to), epoch_us(valid_from), epoch_us(valid_to)
    FROM points, LATERAL (FROM edges_as_of(make_timestamptz(vt), make_timestamptz(st))) AS e"""
_TASKS = """SELECT vt, st, t.task_id, t.version
    FROM points, LATERAL (FROM tasks_as_of(make_timestamptz(vt), make_timestamptz(st))) AS t"""


def bare_duckdb(store: Store, seed: int, vts: list[int], sts: list[int]) -> duckdb.DuckDBPyConnection:
    """A DuckDB with the printed set-up over the files in any order (I7), and the points to ask about."""
    listed = [Path(part) for part in store.setup_sql().split("'") if part.endswith(".parquet")]
    random.Random(seed).shuffle(listed)
    connection = duckdb.connect()
    connection.execute(setup_sql(listed) if store.snapshot is None else store.setup_sql())
    connection.execute(
        "CREATE TEMP TABLE points AS SELECT vt, st FROM (SELECT unnest($vts) AS vt), (SELECT unnest($sts) AS st)",
        {"vts": vts, "sts": sts},
    )
    return connection


def compare_points(store: Store, model: Model, seed: int, versions: list[int]) -> None:
    """I1, I7: edges and tasks at every boundary ± 1 µs, as known around the system times of these versions."""
    times = [model.system_times[v - 1] for v in versions]
    vts = around(model.boundaries()) or [0]
    sts = sorted({time + off for time in times for off in (-1, 0, 1)}) or [0]
    with bare_duckdb(store, seed, vts, sts) as connection:
        edges: dict[tuple[int, int], list[tuple[object, ...]]] = defaultdict(list)
        for vt, st, *edge in connection.execute(_EDGES).fetchall():
            edges[vt, st].append(tuple(edge))
        tasks: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
        for vt, st, task, version in connection.execute(_TASKS).fetchall():
            tasks[vt, st][task] = version
    expected: dict[int, list[tuple[frozenset[TaskEdge], set[tuple[object, ...]], dict[str, int]]]] = {}
    for st in sts:
        upto = model.version_at(st)
        if upto not in expected:
            expected[upto] = _expected(model, upto, vts)
        for vt, (state, held, in_force) in zip(vts, expected[upto], strict=True):
            found = edges[vt, st]
            assert len(found) == len(state), f"at ({vt}, {st}), version {upto}"
            assert {edge[:6] for edge in found} == state, f"at ({vt}, {st}), version {upto}"
            assert set(found) == held, f"at ({vt}, {st}), version {upto}"
            assert tasks[vt, st] == in_force, f"at ({vt}, {st}), version {upto}"


def _expected(
    model: Model, upto: int, vts: list[int]
) -> list[tuple[frozenset[TaskEdge], set[tuple[object, ...]], dict[str, int]]]:
    """What is in force at each of the points: edges, edges with the version and interval of each, and tasks."""
    attributed = model.attributed(upto)
    return [
        (
            model.state(vt, upto),
            {(*edge, version, a, b) for edge, version, a, b in attributed if covers([(a, b)], vt)},
            model.tasks_in_force(vt, upto),
        )
        for vt in vts
    ]


def compare_view(view: View, model: Model) -> tuple[EdgeAsOf, ...]:
    """I1 through the public API: the edges of a view with their intervals, and its tasks."""
    valid_at, version, _ = view.basis
    edges = view.edges()

    assert {edge[:6] for edge in edges} == model.state(valid_at, version)
    assert len({edge[:6] for edge in edges}) == len(edges)
    attributed = {each for each in model.attributed(version) if covers([each[2:]], valid_at)}
    assert {(tuple(edge[:6]), *edge[6:]) for edge in edges} == attributed
    assert {task.task_id: task.version for task in view.tasks()} == model.tasks_in_force(valid_at, version)
    return tuple(edges)


def compare_walk(
    view: View, model: Model, nodes: list[str], direction: str, depth: int | None, level: str
) -> None:  # fmt: skip
    """Walks equal the model's closure, step by step; an unknown node is an error."""
    state = model.state(view.basis.valid_at, view.basis.version)
    seen = table_level(state) if level == "table" else state
    starts = [dataset(node) if level == "table" else node for node in nodes]
    known = {end for belief in model.beliefs() for end in (belief.edge[1], belief.edge[2])}
    known |= {dataset(end) for end in known}
    if not all(node in known or (is_column(node) and dataset(node) + "#*" in known) for node in starts):
        with pytest.raises(UnknownNodeError):
            view.lineage(*nodes, direction=direction, depth=depth, level=level)  # type: ignore[arg-type]
        return
    found = view.lineage(*nodes, direction=direction, depth=depth, level=level)  # type: ignore[arg-type]
    for way in ("up", "down"):
        expected = {}
        if direction in (way, "both"):
            expected = shown(walk(seen, starts, way, 10**6 if depth is None else depth), starts, way)

        assert {(*s.edge[:6], s.by_star): s.steps for s in found.steps if s.direction == way} == expected
        assert sum(1 for s in found.steps if s.direction == way) == len(expected)


def compare_diff(store: Store, model: Model, points: list[tuple[int, int]]) -> None:
    """I4: each diff is the difference of two states; it inverts, composes, and of a point with itself is empty."""
    bases = [store.basis(valid_at=vt, version=version) for vt, version in points]
    found = {}
    for i, j in [*combinations(range(len(points)), 2), (1, 0), (0, 0)]:
        difference = store.diff(bases[i], bases[j])
        found[i, j] = set(difference.removed), set(difference.added)

        assert found[i, j] == tuple(map(set, model.diff(points[i], points[j])))
    assert found[0, 0] == (set(), set())
    assert found[1, 0] == found[0, 1][::-1]
    (gone_ab, come_ab), (gone_bc, come_bc) = found[0, 1], found[1, 2]
    assert found[0, 2] == (
        (gone_ab - come_bc) | (gone_bc - come_ab), (come_ab - gone_bc) | (come_bc - gone_ab)
    )  # fmt: skip


def compare_history(store: Store, model: Model) -> None:
    """Every rectangle ever believed, with the versions and system times that opened and closed it; I9."""
    beliefs = model.beliefs()
    for table in COLUMNS:
        expected = {
            (*b.edge, b.valid_from, b.valid_to, b.opened, b.closed)
            for b in beliefs
            if table in (dataset(b.edge[1]), dataset(b.edge[2]))
        }
        if not expected:
            continue
        history = store.history(table)

        assert {(*b[:8], b.version, b.closing_version) for b in history} == expected
        assert len(history) == len(expected)
        for belief in history:
            assert belief.system_from == model.system_times[belief.version - 1]
            closing = belief.closing_version
            assert belief.system_to == (model.system_times[closing - 1] if closing else None)
    for one, other in combinations(beliefs, 2):
        if one.edge == other.edge:
            apart_in_system = (one.closed or 10**9) <= other.opened or (other.closed or 10**9) <= one.opened
            assert apart_in_system or not _overlap(one[1:3], other[1:3])


def _overlap(one: tuple[int, int | None], other: tuple[int, int | None]) -> bool:
    return (one[1] is None or other[0] < one[1]) and (other[1] is None or one[0] < other[1])


def compare_feed(store: Store, model: Model) -> None:
    """I5, I6: the feed's entries are the differences of the rectangles; silent versions have none."""
    entries = {entry.version: entry for entry in store.changes()}
    for version in range(1, model.version + 1):
        expected = model.net_changes(version)
        entry = entries.pop(version, None)
        found = [(c[0], (entry.task_id, *c[1:6]), c[6], c[7]) for c in entry.changes] if entry else []

        assert len(found) == len(expected)
        assert set(found) == expected
        assert entry is None or entry.system_time == model.system_times[version - 1]
    assert not entries


def compare_log(store: Store, model: Model) -> None:
    """I10, N1: the log has every message once, at strictly increasing system times; dead letters are the rejected."""
    rows = store.log()

    assert [row.version for row in rows] == list(range(1, model.version + 1))
    assert [row.system_time for row in rows] == model.system_times
    assert all(a < b for a, b in zip(model.system_times, model.system_times[1:], strict=False))
    assert {r.version: (r.task_id, r.event_id) for r in rows if r.status == "accepted"} == {
        r.version: (r.sent.task, r.sent.event) for r in model.accepted
    }
    assert [letter.version for letter in store.dead_letters()] == [version for version, _ in model.rejected]


def compare_all(store: Store, model: Model, seed: int) -> None:
    """Everything, at every point."""
    compare_log(store, model)
    compare_points(store, model, seed, list(range(1, model.version + 1)))
    compare_history(store, model)
    compare_feed(store, model)


def damage(store: Store) -> list[str]:
    """I14: what ``check`` calls damaged."""
    return [finding.message for finding in check(store.log_path.parent) if finding.kind == "damage"]

"""The graph's peer: SQLite over the same rectangles, with the indexes that serve it best, asked by recursive CTE.

``rect`` holds the generator's rectangles with integer ends, as an application would keep them. Its indexes cover what a
walk reads, and begin after the source with the end of belief: of a long history, a question as of now then meets only
what is believed. The planner is given the order (CROSS JOIN) and the index of a walk, and has no statistics: with
ANALYZE it made a Bloom filter of the whole table for each question. The file is made once a history and read through
a large cache and mmap.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from bench_lib import machine
from bench_lib.graph_store import intervals
from bench_lib.history import node

SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -2000000;
CREATE TABLE rect(src INTEGER, dst INTEGER, task INTEGER, vf INTEGER, vt INTEGER, sf INTEGER, st INTEGER);
CREATE TABLE node(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE task(id INTEGER PRIMARY KEY, name TEXT);
"""
INDEXES = """
CREATE INDEX by_source ON rect(src, st, vt, vf, sf, dst, task);
CREATE INDEX by_valid_from ON rect(vf, vt, sf, st, src, dst, task);
CREATE INDEX by_valid_to ON rect(vt, vf, sf, st, src, dst, task);
"""
HOPS = """
WITH RECURSIVE walk(node, depth) AS (
    VALUES (:seed, 0)
    UNION
    SELECT r.dst, w.depth + 1 FROM walk AS w CROSS JOIN rect AS r INDEXED BY by_source ON r.src = w.node
    WHERE w.depth < :depth AND r.st > :st AND r.vt > :vt AND r.vf <= :vt AND r.sf <= :st
)
SELECT node, min(depth) FROM walk WHERE depth > 0 GROUP BY node
"""
ALL = """
WITH RECURSIVE walk(node) AS (
    VALUES (:seed)
    UNION
    SELECT r.dst FROM walk AS w CROSS JOIN rect AS r INDEXED BY by_source ON r.src = w.node
    WHERE r.st > :st AND r.vt > :vt AND r.vf <= :vt AND r.sf <= :st
)
SELECT node FROM walk WHERE node <> :seed
"""
NAMED = """
WITH RECURSIVE walk(node, depth) AS (
    VALUES (:seed, 0)
    UNION
    SELECT r.dst, w.depth + 1 FROM walk AS w CROSS JOIN rect AS r INDEXED BY by_source ON r.src = w.node
    WHERE w.depth < :depth - 1 AND r.st > :st AND r.vt > :vt AND r.vf <= :vt AND r.sf <= :st
), reached AS (
    SELECT node, min(depth) AS depth FROM walk GROUP BY node
)
SELECT 'down', w.depth + 1, t.name, a.name, b.name, 'DIRECT', 'IDENTITY', '', r.sf, r.vf, r.vt
FROM reached AS w CROSS JOIN rect AS r INDEXED BY by_source ON r.src = w.node CROSS JOIN node AS a ON a.id = r.src
    CROSS JOIN node AS b ON b.id = r.dst CROSS JOIN task AS t ON t.id = r.task
WHERE r.st > :st AND r.vt > :vt AND r.vf <= :vt AND r.sf <= :st
"""
DIFF = """
WITH come AS (
    SELECT src, dst, task FROM rect WHERE vf > :a AND vf <= :b AND vt > :b AND sf <= :st AND st > :st
), gone AS (
    SELECT src, dst, task FROM rect WHERE vt > :a AND vt <= :b AND vf <= :a AND sf <= :st AND st > :st
)
SELECT '+', * FROM (SELECT * FROM come EXCEPT SELECT * FROM gone)
UNION ALL SELECT '-', * FROM (SELECT * FROM gone EXCEPT SELECT * FROM come)
"""


class Peer:
    """A database over a history's rectangles."""

    def __init__(self, folder: Path) -> None:
        path = folder / "graph-walks.db"
        if not path.exists():
            _make(folder, path)
        self.connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.connection.executescript("PRAGMA cache_size = -4000000; PRAGMA mmap_size = 17179869184;")

    def fetch(self, query: str, known: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run a query to its last row."""
        return self.connection.execute(query, known).fetchall()


def _make(folder: Path, path: Path) -> None:
    machine.tell(f"making the peer's database in {path} ...")
    begun, part = time.perf_counter(), path.with_suffix(".part")
    part.unlink(missing_ok=True)
    connection = sqlite3.connect(part)
    connection.executescript(SCHEMA)
    columns = intervals(folder)
    size = len(columns["src"])
    for first in range(0, size, 500_000):
        rows = [column[first : first + 500_000].tolist() for column in columns.values()]
        connection.executemany("INSERT INTO rect VALUES (?, ?, ?, ?, ?, ?, ?)", zip(*rows, strict=True))
    names = pq.read_table(folder / "columns.parquet", columns=["name"])["name"].to_pylist()
    connection.executemany("INSERT INTO node VALUES (?, ?)", enumerate(map(node, names)))
    tasks = int(np.max(columns["task"])) + 1
    connection.executemany("INSERT INTO task VALUES (?, ?)", ((i, f"task_{i:06d}") for i in range(tasks)))
    connection.executescript(INDEXES)
    connection.commit()
    connection.close()
    part.rename(path)
    machine.tell(f"... {size:,} rectangles in {time.perf_counter() - begun:.0f} s")

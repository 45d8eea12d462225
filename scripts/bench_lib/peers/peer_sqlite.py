"""The peer: SQLite with the same interval bookkeeping, as fast as we know how to write it.

``python -m bench_lib.peers.peer_sqlite FILE DATABASE [--plain] [--bare]`` prints the rate. What it is spared: its
messages are parsed before the clock starts, it keeps neither the messages' edge sets nor checksums, and it takes no SQL
and no retracts. What it does: each message once (unique key over task and event), edges interned, late messages and
corrections placed between the known ones, a rectangle closed in system time when it is no longer believed; one
transaction a batch of 4,096, WAL, forced to disk at each commit (``synchronous=FULL``).

What is believed of a task is kept in memory, as the store does it; with ``--plain`` it is read from the table at each
message. Rectangles can be found by source and by target through indexes, which is what an application would ask;
with ``--bare`` there is only the index that the bookkeeping itself needs.
"""

from __future__ import annotations

import gc
import sqlite3
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import orjson

from ingest.messages.native import parse_message
from lineage_tt.model.messages import Message, TaskChange

BATCH = 4096
FOREVER = 2**63 - 1
SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA cache_size = -512000;
PRAGMA mmap_size = 1073741824;
PRAGMA temp_store = MEMORY;
PRAGMA wal_autocheckpoint = 16000;
CREATE TABLE edge(
    id INTEGER PRIMARY KEY, task TEXT, source TEXT, target TEXT, type TEXT, subtype TEXT, expression TEXT);
CREATE TABLE message(
    version INTEGER PRIMARY KEY, task TEXT, event TEXT, op TEXT, effective_at INTEGER, source_version INTEGER,
    digest BLOB, UNIQUE(task, event));
CREATE TABLE rectangle(
    id INTEGER PRIMARY KEY, task TEXT, edge INTEGER, valid_from INTEGER, valid_to INTEGER, sys_from INTEGER,
    sys_to INTEGER);
CREATE INDEX believed ON rectangle(task) WHERE sys_to = 9223372036854775807;
"""

LOOK_UP = """
CREATE INDEX by_source ON edge(source);
CREATE INDEX by_target ON edge(target);
CREATE INDEX by_edge ON rectangle(edge, sys_from);
"""

#: edge → believed rectangles as (id, valid_from, valid_to)
Open = dict[int, list[tuple[int, int, int]]]


class Peer:
    """A database that takes batches of parsed messages."""

    def __init__(self, path: str, cached: bool, look_up: bool) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.executescript(SCHEMA + LOOK_UP * look_up)
        self._cached = cached
        self._edges: dict[tuple[str, ...], int] = {}
        self._open: dict[str, Open] = {}
        self._known: dict[str, dict[int, tuple[int, int]]] = {}  # effective_at → (source_version, version)
        self._rectangles = self._version = self._time = 0

    def append(self, batch: list[TaskChange]) -> None:
        """Place a batch, durable when it returns."""
        self._opened: list[tuple[int | str, ...]] = []
        self._closed: dict[int, int] = {}
        self._fresh_edges: list[tuple[int | str, ...]] = []
        messages = []
        self.connection.execute("BEGIN IMMEDIATE")
        for message in batch:
            self._version += 1
            self._time = max(time.time_ns() // 1000, self._time + 1)
            at, given = message.effective_at or 0, message.source_version
            messages.append((self._version, message.task_id, message.event_id, message.op, at, given, message.digest))
            self._place(message, at, (-(2**63) if given is None else given, self._version))
            if not self._cached:
                self._write()
                self._open.clear()
        self._write()
        self.connection.executemany("INSERT INTO message VALUES (?,?,?,?,?,?,?)", messages)
        self.connection.execute("COMMIT")

    def _place(self, message: TaskChange, at: int, rank: tuple[int, int]) -> None:
        task = message.task_id
        known = self._known.setdefault(task, {})
        if known.get(at, rank) > rank:
            return
        known[at] = rank
        end = FOREVER if at == max(known) else min(later for later in known if later > at)
        open_ = self._open.get(task)
        if open_ is None:
            open_ = self._open[task] = self._believed(task)
        edges = message.lineage.edges if message.lineage else ()
        new = {self._edge_id((task, *edge)) for edge in edges}
        old = {edge for edge, rows in open_.items() if any(a <= at < b for _, a, b in rows)}
        for edge in old - new:
            row = next(row for row in open_[edge] if row[1] <= at < row[2])
            self._close(open_, edge, row)
            if row[1] < at:
                self._put(open_, task, edge, row[1], at)
            if end < row[2]:
                self._put(open_, task, edge, end, row[2])
        for edge in new - old:
            first, last = at, end
            for row in [row for row in open_.get(edge, ()) if row[2] == at or row[1] == end]:
                self._close(open_, edge, row)
                first, last = min(first, row[1]), max(last, row[2])
            self._put(open_, task, edge, first, last)

    def _edge_id(self, key: tuple[str, ...]) -> int:
        result = self._edges.get(key)
        if result is None:
            result = self._edges[key] = len(self._edges) + 1
            self._fresh_edges.append((result, *key))
        return result

    def _close(self, open_: Open, edge: int, row: tuple[int, int, int]) -> None:
        open_[edge].remove(row)
        self._closed[row[0]] = self._time

    def _put(self, open_: Open, task: str, edge: int, first: int, last: int) -> None:
        self._rectangles += 1
        open_.setdefault(edge, []).append((self._rectangles, first, last))
        self._opened.append((self._rectangles, task, edge, first, last, self._time, FOREVER))

    def _write(self) -> None:
        self.connection.executemany("INSERT INTO edge VALUES (?,?,?,?,?,?,?)", self._fresh_edges)
        self.connection.executemany("INSERT INTO rectangle VALUES (?,?,?,?,?,?,?)", self._opened)
        self.connection.executemany(
            "UPDATE rectangle SET sys_to = ? WHERE id = ?", [(at, row) for row, at in self._closed.items()]
        )
        self._fresh_edges.clear()
        self._opened.clear()
        self._closed.clear()

    def _believed(self, task: str) -> Open:
        if self._cached:
            return {}  # a fresh database: what is not in memory is not there
        result: Open = {}
        for row, edge, first, last in self.connection.execute(
            "SELECT id, edge, valid_from, valid_to FROM rectangle WHERE task = ? AND sys_to = 9223372036854775807",
            (task,),
        ):
            result.setdefault(edge, []).append((row, first, last))
        return result

    def facts(self) -> dict[str, int]:
        """Return what the bookkeeping came to, to compare with the generator's own."""
        (believed, now), *_ = self.connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE valid_to = 9223372036854775807) FROM rectangle "
            "WHERE sys_to = 9223372036854775807"
        )
        (rows,) = self.connection.execute("SELECT count(*) FROM rectangle").fetchone()
        return {"rectangles": rows, "believed_now": believed, "edges_now": now}


def batches(path: str) -> Iterator[list[Message]]:
    """Yield batches of parsed messages."""
    with Path(path).open("rb") as lines:
        while batch := [parse_message(line.rstrip()) for line in islice(lines, BATCH)]:
            yield batch


def main() -> None:
    path, database, *options = sys.argv[1:]
    gc.set_threshold(200_000, 50, 1_000)  # as the store's ingest does
    peer = Peer(database, "--plain" not in options, "--bare" not in options)
    spent = busy = 0.0
    count = 0
    for batch in batches(path):
        begun, busy_before = time.perf_counter(), time.process_time()
        peer.append([message for message in batch if isinstance(message, TaskChange)])
        spent += time.perf_counter() - begun
        busy += time.process_time() - busy_before
        count += len(batch)
    found = {"messages": count, "seconds": spent, "cpu_s": busy, "messages_per_s": count / spent, **peer.facts()}
    sys.stdout.buffer.write(orjson.dumps(found))


if __name__ == "__main__":
    main()

"""One writer of several at a store: ``python -m bench_lib.contender KIND STORE ME SECONDS``.

Says ``ready`` when it is warm, begins at a line, and prints one JSON object: how many messages, and of each operation
when it ended, how long its append took, and how long of that it waited for its turn. KIND is ``single`` (one message at
a time), ``batch`` (500), ``import`` (4,096, as a file of many messages is ingested) or ``compaction`` (which puts one
file in the place of the log's small ones every two seconds; its commit is timed).

``python -m bench_lib.contender repeat STORE SECONDS`` reads who writes and the order of their operations, and makes
these in one process, for SECONDS at most; it prints how many they were, and the seconds that the store spent on them.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.log.rewriting import rewrite
from lineage_tt.model.messages import TaskChange
from lineage_tt.spark.compact_log import MAX_GROUP_ROWS
from lineage_tt.testing import task_change

NOON = 1_714_564_800_000_000
SIZES = {"single": 1, "batch": 500, "import": 4096}
#: The edges of a message, as at scale S.
EDGES = 12
TASKS = 400
SHARED_TASKS = 20
PAUSE = 2.0


class Sender:
    """Makes the messages of one writer: nine of ten are about its own tasks, the others about tasks of all."""

    def __init__(self, me: str) -> None:
        self._me = me
        self._draw = random.Random(me)
        self._sent = 0

    def messages(self, count: int) -> list[TaskChange]:
        """Return this number of new messages."""
        return [self._message() for _ in range(count)]

    def _message(self) -> TaskChange:
        self._sent += 1
        draw = self._draw
        own = draw.random() < 0.9
        task = f"{self._me}/{draw.randrange(TASKS)}" if own else f"shared/{draw.randrange(SHARED_TASKS)}"
        edges = [(f"n:{task}.in#c{draw.randrange(30)}", f"n:{task}.out#c{n}") for n in range(EDGES)]
        return task_change(task, "update", NOON + self._sent * 1_000_000, edges, event_id=f"{self._me}/{self._sent}")


class Done(NamedTuple):
    """An operation: its messages, the seconds of its append or commit, those in the queue, those of all its work."""

    messages: int
    took: float
    queued: float
    spent: float


class Queueing:
    """Counts the seconds that a log's writer waits for its turns, and for the lock under which long batches plan."""

    def __init__(self, log: Log) -> None:
        self.seconds = 0.0
        log.turn = self._timed(log.turn)  # type: ignore[method-assign]
        log.drafting = self._timed(log.drafting)  # type: ignore[method-assign]

    def _timed(self, enter: Callable[..., AbstractContextManager[None]]) -> Callable[..., AbstractContextManager[None]]:
        @contextmanager
        def timed(*arguments: Any) -> Iterator[None]:
            begun = time.perf_counter()
            with enter(*arguments):
                self.seconds += time.perf_counter() - begun
                yield

        return timed


def appending(store: Store, kind: str, me: str, queueing: Queueing) -> Callable[[], Done]:
    """Return what appends once."""
    sender = Sender(me)

    def append() -> Done:
        messages = sender.messages(SIZES[kind])
        queueing.seconds, begun = 0.0, time.perf_counter()
        receipts = store.writer.append_in_pieces(messages)
        spent = time.perf_counter() - begun
        others = [receipt for receipt in receipts if receipt.status != "accepted"]
        if others:
            raise SystemExit(f"{len(others)} of {len(receipts)} messages of {me} were not accepted: {others[0]}")
        return Done(len(messages), spent, queueing.seconds, spent)

    return append


def compacting(store: Store, me: str, queueing: Queueing) -> Callable[[], Done]:
    """Return what appends two messages, then rewrites the log's small files once; its commit is what is timed."""
    sender = Sender(me)

    def compact() -> Done:
        messages = sender.messages(2)
        started = time.perf_counter()
        for message in messages:
            store.append([message])
        with tempfile.TemporaryDirectory() as folder:
            made = [(run, _merged(store, run, Path(folder))) for run in rewrite.runs(store.opened_log)]
            queueing.seconds, begun = 0.0, time.perf_counter()
            rewrite.replace(store.opened_log, made)
            ended = time.perf_counter()
            return Done(2, ended - begun, queueing.seconds, ended - started)

    return compact


def _merged(store: Store, run: rewrite.Run, folder: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"{run.first}.parquet"
    rows = pa.concat_tables([pq.read_table(store.log_path / name) for name in run.names])
    clustered = rows.sort_by([("task_id", "ascending"), ("version", "ascending")])  # as the compaction on Spark does
    pq.write_table(clustered, path, row_group_size=MAX_GROUP_ROWS)
    return path


def operation(store: Store, kind: str, me: str, queueing: Queueing) -> Callable[[], Done]:
    """Return what makes one operation of a kind."""
    return compacting(store, me, queueing) if kind == "compaction" else appending(store, kind, me, queueing)


def contend(kind: str, folder: str, me: str, seconds: float) -> dict[str, Any]:
    """Make one operation after the other for ``seconds``, from when a line is read."""
    store = Store.open(folder)
    once = operation(store, kind, me, Queueing(store.opened_log))
    warm = once().messages
    print("ready", flush=True)
    sys.stdin.readline()
    begun, counted, operations = time.monotonic(), 0, []
    while time.monotonic() - begun < seconds:
        if kind == "compaction":
            time.sleep(PAUSE)
        done = once()
        counted += done.messages
        operations.append({"ended": time.monotonic(), "took": done.took, "queued": done.queued})
    return {"kind": kind, "me": me, "messages": counted, "warm": warm, "begun": begun, "operations": operations}


def repeat(folder: str, seconds: float) -> dict[str, Any]:
    """Make the operations of several writers, which standard input says, in one."""
    document = orjson.loads(sys.stdin.read())
    store = Store.open(folder)
    queueing = Queueing(store.opened_log)
    operations = {me: operation(store, kind, me, queueing) for kind, me in document["writers"]}
    for warm in operations.values():
        warm()
    count, spent = 0, 0.0
    for _, me in document["order"]:
        if spent >= seconds:
            break
        spent += operations[me]().spent
        count += 1
    return {"count": count, "spent": spent}


def main() -> None:
    if sys.argv[1] == "repeat":
        found = repeat(sys.argv[2], float(sys.argv[3]))
    else:
        found = contend(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
    print(orjson.dumps(found).decode(), flush=True)


if __name__ == "__main__":
    main()

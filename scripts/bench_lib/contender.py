"""One writer of several at a store: ``python -m bench_lib.contender KIND STORE ME SECONDS``.

Says ``ready`` when it is warm, begins at a line, and prints one JSON object: how many appends and messages, and how
long each append took. KIND is ``single`` (one message at a time), ``batch`` (500), ``import`` (4,096, as a file of
many messages is ingested) or ``compaction`` (every two seconds puts one file in the place of the log's small ones; its
commit is timed).
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from lineage_tt import Store
from lineage_tt.log import rewrite
from lineage_tt.model.messages import TaskChange
from lineage_tt.testing import task_change

NOON = 1_714_564_800_000_000
SIZES = {"single": 1, "batch": 500, "import": 4096}
#: A message has so many edges, as at scale S.
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
        """Return so many new messages."""
        return [self._message() for _ in range(count)]

    def _message(self) -> TaskChange:
        self._sent += 1
        draw = self._draw
        own = draw.random() < 0.9
        task = f"{self._me}/{draw.randrange(TASKS)}" if own else f"shared/{draw.randrange(SHARED_TASKS)}"
        edges = [(f"n:{task}.in#c{draw.randrange(30)}", f"n:{task}.out#c{n}") for n in range(EDGES)]
        return task_change(task, "update", NOON + self._sent * 1_000_000, edges, event_id=f"{self._me}/{self._sent}")


def appending(store: Store, kind: str, me: str) -> Callable[[], tuple[int, float]]:
    """Return what appends once and tells how many messages that were, and how many seconds it took."""
    sender = Sender(me)

    def append() -> tuple[int, float]:
        messages = sender.messages(SIZES[kind])
        begun = time.perf_counter()
        receipts = store.writer.append_in_pieces(messages)
        spent = time.perf_counter() - begun
        if any(receipt.status != "accepted" for receipt in receipts):
            raise SystemExit(f"not all messages of {me} were accepted")
        return len(messages), spent

    return append


def compacting(store: Store, me: str) -> Callable[[], tuple[int, float]]:
    """Return what appends two messages, then rewrites the log's small files once, and tells that commit's seconds."""
    sender = Sender(me)

    def compact() -> tuple[int, float]:
        time.sleep(PAUSE)
        for _ in range(2):
            store.append(sender.messages(1))
        with tempfile.TemporaryDirectory() as folder:
            made = [(run, _merged(store, run, Path(folder))) for run in rewrite.runs(store.opened_log)]
            begun = time.perf_counter()
            rewrite.replace(store.opened_log, made)
            return 2, time.perf_counter() - begun

    return compact


def _merged(store: Store, run: rewrite.Run, folder: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"{run.first}.parquet"
    pq.write_table(pa.concat_tables([pq.read_table(store.log_path / name) for name in run.names]), path)
    return path


def main() -> None:
    kind, folder, me, seconds = sys.argv[1:]
    store = Store.open(folder)
    once = compacting(store, me) if kind == "compaction" else appending(store, kind, me)
    warm, _ = once()
    print("ready", flush=True)
    sys.stdin.readline()
    begun, counted, spent = time.monotonic(), 0, []
    while time.monotonic() - begun < float(seconds):
        messages, took = once()
        counted += messages
        spent.append(took)
    found = {"kind": kind, "messages": counted, "warm": warm, "seconds": spent, "over": time.monotonic() - begun}
    print(orjson.dumps(found).decode(), flush=True)


if __name__ == "__main__":
    main()

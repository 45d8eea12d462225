"""Messages with a canary in every place that may quote SQL, and all texts that a store keeps and returns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.events import event_of

CANARY = "c4n4ry"
AT = {"op": "online", "effective_at": "2024-01-01T00:00:00Z"}
SQL = {"dialect": "hive", "namespace": "n", "default_database": "d"}
STRICT = ["mask-literals", "drop-text"]


def message(event: str, task: str, sql: str, **fields: Any) -> dict[str, Any]:
    """Return a task change with a SQL text."""
    return AT | SQL | {"event_id": event, "task_id": task, "sql": sql} | fields


#: Messages with a canary in every place where a message may quote SQL.
MESSAGES: list[dict[str, Any] | str] = [
    message("1", "plain", f"INSERT INTO o SELECT a, concat(b, '{CANARY}') x FROM t WHERE c = '{CANARY}' -- {CANARY}"),
    message("2", "broken", f"INSERT INTO o SELECT FROM '{CANARY}' WHERE (("),
    message("3", "params", "INSERT INTO o SELECT a FROM t WHERE c = '${p}'", params={"p": CANARY}),
    message("4", "pivot", f"INSERT INTO p SELECT * FROM (SELECT y, q FROM t WHERE z = '{CANARY}') "
                          "PIVOT (sum(y) FOR q IN ('Mai', 'Juni'))", dialect="spark"),
    AT | {"event_id": "5", "task_id": "edges", "reason": f"SELECT '{CANARY}'", "conf": {"q": f"select '{CANARY}'"},
          "edges": [{"source": "n:a#x", "target": "n:b#y", "subtype": "TRANSFORMATION",
                     "expression": f"x || '{CANARY}'"}]},
    AT | {"event_id": "6", "kind": "fact", "node": "n:d.o", "key": "definition", "op": "set",
          "values": [f"select '{CANARY}'"]},
    AT | SQL | {"event_id": "7", "sql": f"select '{CANARY}'"},
    f'{{"event_id": "8", "sql": "select \'{CANARY}\'',
    message("1", "plain", f"SELECT '{CANARY}' AS other, 'than before' FROM somewhere"),
    AT | {"event_id": "9", "task_id": "bad", "edges": [{"source": f"select '{CANARY}'", "target": "n:b#y"}]},
]  # fmt: skip


def lines_of(messages: Sequence[dict[str, Any] | str]) -> list[bytes]:
    """Return messages as they are sent."""
    return [(each if isinstance(each, str) else json.dumps(each)).encode() for each in messages]


def ingest(store: Store, messages: Sequence[dict[str, Any] | str], folder: Path, **options: Any) -> Any:
    """Ingest messages from a new file."""
    path = folder / f"{len(list(folder.iterdir()))}.jsonl"
    path.write_bytes(b"\n".join(lines_of(messages)))
    with Ingester(store, workers=1, **options) as ingester:
        return ingester.ingest_file(str(path))


def edges(store: Store) -> set[tuple[str, ...]]:
    """Return the edges in force without their expressions."""
    return {edge[:5] for edge in store.as_of().edges()}


def told(store: Store) -> str:
    """Return all texts that the store keeps and returns: rows, events, dead letters."""
    rows = store.sql("SELECT log::VARCHAR, decode(rejected_bytes) FROM log")[1]
    events = [event_of(entry, store.id) for entry in store.changes()]
    return repr((rows, events, store.dead_letters(), store.log(), store.as_of().tasks()))


def made(folder: Path, policy: str) -> Store:
    """Create a store with a policy."""
    store = Store.create(folder / f"store-{policy}")
    if policy != "keep":
        store.set_text_policy(policy, "a test")
    return store


def pieces(store: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each file in a store: raw, and for Parquet also the decoded rows."""
    for path in sorted(store.rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()
            if path.suffix == ".parquet":
                yield path.name, repr(pq.read_table(path).to_pylist()).encode()


def holders(store: Path, word: str = CANARY) -> list[str]:
    """Return the files of a store that contain a word."""
    return [name for name, data in pieces(store) if word.encode() in data]


def place(store: Store) -> Path:
    """Return the folder of a store."""
    folder = store.log_path.parent
    assert isinstance(folder, Path)
    return folder

"""Messages with a canary in every place that may quote SQL, and all that a store holds and answers of them."""

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
    """A task's message with a text."""
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
    """Messages as they are sent."""
    return [(each if isinstance(each, str) else json.dumps(each)).encode() for each in messages]


def ingest(store: Store, messages: Sequence[dict[str, Any] | str], folder: Path, **options: Any) -> Any:
    """Ingest messages from a file of their own."""
    path = folder / f"{len(list(folder.iterdir()))}.jsonl"
    path.write_bytes(b"\n".join(lines_of(messages)))
    with Ingester(store, workers=1, **options) as ingester:
        return ingester.ingest_file(str(path))


def edges(store: Store) -> set[tuple[str, ...]]:
    """The edges in force without their expressions."""
    return {edge[:5] for edge in store.as_of().edges()}


def told(store: Store) -> str:
    """All that the store holds and tells: rows, events, dead letters."""
    rows = store.sql("SELECT log::VARCHAR, decode(rejected_bytes) FROM log")[1]
    events = [event_of(entry, store.id) for entry in store.changes()]
    return repr((rows, events, store.dead_letters(), store.log(), store.as_of().tasks()))


def made(folder: Path, policy: str) -> Store:
    """A store with a policy."""
    store = Store.create(folder / f"store-{policy}")
    if policy != "keep":
        store.set_text_policy(policy, "a test")
    return store


def pieces(store: Path) -> Iterator[tuple[str, bytes]]:
    """All that is on disk in a store, by name: raw, and what compressed files hold."""
    for path in sorted(store.rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()
            if path.suffix == ".parquet":
                yield path.name, repr(pq.read_table(path).to_pylist()).encode()


def holders(store: Path, word: str = CANARY) -> list[str]:
    """The files of a store that hold a word."""
    return [name for name, data in pieces(store) if word.encode() in data]


def place(store: Store) -> Path:
    """A store's folder."""
    folder = store.log_path.parent
    assert isinstance(folder, Path)
    return folder

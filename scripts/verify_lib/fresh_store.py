"""The store under test: the stream ingested into a fresh one, with its log held in memory for many questions."""

from __future__ import annotations

import re
from pathlib import Path

from ingest.messages.mapping import load_mapping
from ingest.pipeline import Ingester
from lineage_tt.read.macros.asof import setup_sql
from lineage_tt.store import Store
from verify_lib.stream import Stream


def ingested(stream: Stream, mapping: str, folder: Path) -> Store:
    """Return a store that has read the stream as a history import; AssertionError where it refused a message.

    Each message gets its version, and the last one of those that the store derived because of it (``through``).
    """
    store = Store.create(folder)
    with Ingester(store, mapping=load_mapping(mapping), system_times="recorded_at") as ingester:
        for file in stream.files:
            summary = ingester.ingest_file(str(file))
            assert summary.accepted == summary.received, f"{file.name}: {summary}"
    number_messages(store, stream)
    return store


def number_messages(store: Store, stream: Stream) -> None:
    """Tell each message its version; the store's messages are those of the stream, in order."""
    stated = [e for e in store.log() if e.derived_from is None]
    assert [entry.event_id for entry in stated] == [message["event_id"] for message in stream.messages]
    ends = [*(entry.version - 1 for entry in stated[1:]), store.version]
    for message, entry, through in zip(stream.messages, stated, ends, strict=True):
        message |= {"version": entry.version, "through": through}


def in_memory(store: Store) -> Store:
    """Put the views that the macros read into memory; the macros, and all that is asked through them, stay the same."""
    connection = store.connection()
    for view in ("log", "changes"):
        connection.execute(f"CREATE TABLE {view}_held AS FROM {view}")
    made = re.findall(r"(?s)CREATE OR REPLACE VIEW nodes AS.*?;", setup_sql([]))
    connection.execute("DROP VIEW nodes")
    for view in ("changes", "log"):
        connection.execute(f"DROP VIEW {view}; ALTER TABLE {view}_held RENAME TO {view}")
    connection.execute(made[0])
    return store

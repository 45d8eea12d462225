"""Removes data files as another process does: by tightening a policy for history, or after compaction."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pyarrow.parquet as pq
from policy_texts import MESSAGES, ingest, made, place

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.log.rewriting.rewrite import replace, runs
from lineage_tt.testing import task_change


def two_files(folder: Path) -> Store:
    """Create a store with two data files, both with texts."""
    (folder / "in").mkdir()
    store = made(folder, "keep")
    for part in (MESSAGES[:4], MESSAGES[4:]):
        ingest(store, part, folder / "in")
    return Store.open(place(store))


def tighten(store: Store, policy: str = "mask-literals") -> None:
    """Tighten the policy as another process does, with a separate store object."""
    other = Store.open(place(store))
    with SqlResolver(1) as resolver:
        other.set_text_policy(policy, "the audit", "ana", history=True, resolver=resolver)


def merge(store: Store, folder: Path, *, purge: bool = True) -> None:
    """Replace all files by one, as a compaction does; the old ones are removed after its grace period."""
    log = Log.open(store.log_path)
    (run,), old = runs(log), log.files()
    pq.write_table(pq.read_table([str(path) for path in old], partitioning=None), folder / "merged.parquet")
    replace(log, [(run, folder / "merged.parquet")])
    for path in old if purge else ():
        cast("Path", path).unlink()


def append(store: Store, task: str = "new") -> str:
    """Append a message; return its status."""
    return store.append([task_change(task, "online", 0, [("n:a#x", "n:b#y")])])[0].status

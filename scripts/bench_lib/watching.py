"""Who reads the feed: a thousand closure subscriptions asked about each change, and a replica that adds them all up."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench_lib import machine
from bench_lib.graph_store import compacted_store
from bench_lib.history import History, bench_folder
from lineage_tt.client import Replica
from lineage_tt.store import Store
from lineage_tt.subscriptions.knowledge import Knowledge
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.watching import Watchers

#: key → (what is asked, unit)
WANTED = {
    "closure_ms_per_change": ("≤ 2", "ms"),
    "replica_changes_per_s": ("≥ 50,000", "changes/s"),
    "replica_vs_reading": ("", "times the time of reading the feed alone"),
}
SUBSCRIPTIONS = 1000
VERSIONS = 2000
SEED = 7


def measured(history: History) -> dict[str, Any]:
    """Return the figures over a made history."""
    store = compacted_store(history)
    return machine.measured_in_a_process("bench_lib.watching", str(store))


def closures(store: Store) -> dict[str, Any]:
    """Ask a thousand closures, in either direction and of any depth, about the changes of the last versions."""
    draw = random.Random(SEED)
    graph = store.graph()
    names = graph.names.nodes
    wanted = []
    for number in range(SUBSCRIPTIONS):
        node = (names[draw.randrange(len(names))],)
        ways = {"upstream_of": node} if number % 2 else {"downstream_of": node}
        wanted.append(Subscription(f"s{number}", **ways, hops=draw.choice([None, 1, 3, 6])))  # type: ignore[arg-type]
    after = max(0, store.version - VERSIONS)
    watchers = Watchers(graph, wanted, Knowledge(store, after))
    entries = list(store.changes(after))
    watchers.matches(entries[0])  # compiles, and marks the nodes
    begun = time.perf_counter()
    matched = sum(len(watchers.matches(entry)) for entry in entries)
    seconds = time.perf_counter() - begun
    changes = sum(len(entry.changes) for entry in entries)
    return {
        "closure_ms_per_change": 1000 * seconds / changes,
        "closure_ms_per_version": 1000 * seconds / len(entries),
        "closure_changes": changes,
        "closure_told": matched,
    }


def replica(store: Store) -> dict[str, Any]:
    """Replay the whole feed into a replica on disk; and read it alone, in the same run."""
    begun = time.perf_counter()
    changes = sum(len(entry.changes) for entry in store.changes())
    reading = time.perf_counter() - begun
    with tempfile.TemporaryDirectory(dir=bench_folder()) as folder, Replica(Path(folder) / "replica.duckdb") as held:
        begun = time.perf_counter()
        held.follow_store(store)
        seconds = time.perf_counter() - begun
        at = store.basis().system_time
        if {tuple(edge) for edge in held.edges_as_of(at)} != {edge[:6] for edge in store.as_of(at).edges()}:
            raise SystemExit("the replica does not hold what the store holds")
    return {
        "replica_changes_per_s": changes / seconds,
        "replica_changes": changes,
        "replica_vs_reading": seconds / reading,
    }


def main() -> None:
    store = Store.open(sys.argv[1])
    print(json.dumps({**closures(store), **replica(store)}))


if __name__ == "__main__":
    main()

"""What a store answers, as plain values that any release can be asked for; a program, too: it prints them as JSON.

``scripts/make-old-store`` runs it with an older commit's code, and the test with this one's. So it uses only what both
have: no inferred columns, for newer releases infer more, and no marks of completeness.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from lineage_tt import Store

#: Of so many points on each axis the edges, facts and columns are asked for.
POINTS = 7
#: Nodes from which lineage is walked.
NODES = 6


def edges_at(store: Any, valid_at: int, version: int) -> list[list[Any]]:
    """Return the edges in force at a valid time (UTC microseconds), as a version knew them."""
    return sorted(map(_named, store.as_of(valid_at, version=version).edges()), key=str)


def _named(edge: Any) -> list[Any]:
    """Return an edge without its version: since d1360a3 it is that of the message which began it, not the last one."""
    return [*edge[:6], *edge[7:]]


def answers(store: Any) -> dict[str, Any]:
    """Return versions, changes and rejected messages, and what is in force at points of both axes."""
    changes = list(store.changes())
    times = sorted({valid_from for entry in changes for _, *_, valid_from, _ in entry.changes})
    valid = times[:: max(len(times) // POINTS, 1)]
    versions = sorted({*range(0, store.version + 1, max(store.version // POINTS, 1)), store.version})
    nodes = sorted({edge[1] for entry in changes for edge in entry.changes})
    asked = nodes[:: max(len(nodes) // NODES, 1)]
    views = {(at, version): store.as_of(at, version=version) for at in valid for version in versions[-3:]}
    views |= {(valid[-1], version): store.as_of(valid[-1], version=version) for version in versions}
    return {
        "version": store.version,
        "id": store.id,
        "changes": [[e.version, e.system_time, e.task_id, sorted(map(list, e.changes), key=str)] for e in changes],
        "edges": [[*at, edges_at(store, *at)] for at in views],
        "columns": [
            [
                *at,
                sorted(
                    ([c.dataset, c.column, c.type] for c in view.columns() if getattr(c, "origin", "") != "inferred"),
                    key=str,
                ),
            ]
            for at, view in views.items()
        ],
        "facts": [
            [*at, sorted(([f.node, f.key, f.value] for f in view.facts()), key=str)] for at, view in views.items()
        ],
        "upstream": [
            [
                node,
                sorted(
                    ([s.direction, s.steps, *_named(s.edge)] for s in store.as_of(valid[-1]).upstream(node).steps),
                    key=str,
                ),
            ]
            for node in asked
        ],
    }


if __name__ == "__main__":
    json.dump(answers(Store.open(sys.argv[1])), sys.stdout, sort_keys=True)

"""Names reached from many nodes at once are those that a walk from each one finds in the files."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import orjson
from rounds import rounds
from services import online

from ingest.messages.native import parse_message
from lineage_tt import Store
from lineage_tt.api.reads.reached import reached_at_once, reached_from

SEED = 20_261_122


def test_names_reached_in_rings_have_their_fewest_steps(tmp_path: Path) -> None:
    """Where rings lead to a node both ways, the shorter one counts; at each point, for columns and whole tables."""
    print("seed", SEED)
    draw = random.Random(SEED)
    nodes = [f"n:t{table}#c{column}" for table in range(6) for column in range(3)]
    store = Store.create(tmp_path / "store")
    messages = [online("t0", ("n:a#x", "n:b#x"), ("n:b#x", "n:c#x"), ("n:c#x", "n:d#x"), ("n:d#x", "n:a#x"))]
    for task in range(12):
        edges = [(draw.choice(nodes), draw.choice(nodes)) for _ in range(3)]
        messages.append(
            online(f"t{task + 1}", *edges, at=f"2024-01-0{draw.randint(1, 9)}T00:00:00Z", event=str(task + 2))
        )
    store.append([parse_message(orjson.dumps(message)) for message in messages])
    starts = [
        "n:a#x",
        *draw.sample([node for (node,) in store.sql("SELECT node FROM nodes ORDER BY 1")[1]], rounds(5, 2)),
    ]
    bases = [store.as_of(f"2024-01-0{day}T00:00:00Z").basis for day in (1, 4, 9)]
    shorter = 0
    walk: Any
    for walk in (
        {"direction": direction, "depth": depth, "level": level, "direct_only": False}
        for direction in ("up", "down", "both") for depth in (None, 2) for level in ("column", "table")
    ):  # fmt: skip
        found = reached_at_once(store.graph(), starts, bases, dict(walk))
        for basis in bases:
            for start in starts:
                lineage = store.as_of(basis.valid_at, version=basis.version).lineage(start, **walk)
                answer = next(found)
                assert answer[:3] == (basis, lineage.start, list(lineage.nodes.items())), walk
                shorter += walk["direction"] == "both" and ("n:d#x", 1) in answer.nodes
        assert not list(found)

    assert shorter


def test_names_reached_by_star_are_those_of_the_files(tmp_path: Path) -> None:
    """Through star edges, from several nodes together, columns among them that nobody named: the files' names."""
    store = Store.create(tmp_path / "store")
    chain = [("n:a#*", "n:b#*"), ("n:b#*", "n:c#*"), ("n:c#x", "n:d#y"), ("n:d#*", "n:a#*")]
    store.append([parse_message(orjson.dumps(online(f"t{i}", edge))) for i, edge in enumerate(chain)])
    view, graph = store.as_of(), store.graph()
    for nodes in (["n:a#new"], ["n:a#x", "n:d"], ["n:b#*"], ["n:d#y", "n:c#new"]):
        for direction in ("up", "down", "both"):
            for level in ("column", "table"):
                walk: Any = {"direction": direction, "depth": None, "level": level, "direct_only": False}
                lineage = view.lineage(*nodes, **walk)
                answer = reached_from(graph.view(view.basis), nodes, dict(walk))
                assert answer[:3] == (view.basis, lineage.start, list(lineage.nodes.items())), (nodes, walk)

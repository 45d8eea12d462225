"""The columns that ``/v1/nodes`` takes from the edges at hand are those that the store infers from all edges."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

from rounds import rounds

from ingest.messages.native import parse_message
from lineage_tt import Store
from lineage_tt.api.browsing.nodes import node_answer
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.reads.names import Names
from lineage_tt.api.reads.reading import Reading

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))


def message(draw: random.Random, number: int) -> dict[str, Any]:
    """Return a message: edges among few columns, their own tables' too, some of stars; or a declaration."""
    day = f"2024-01-{draw.randint(1, 28):02}T00:00:00Z"
    if draw.random() < 0.1:
        columns = [{"name": f"c{each}", "type": "INT"} for each in draw.sample(range(12), 3)]
        return {
            "kind": "dataset", "op": "define", "dataset": f"x:t{draw.randrange(5)}", "event_id": f"d{number}",
            "effective_at": day, "columns": columns,
        }  # fmt: skip

    def node() -> str:
        return f"x:t{draw.randrange(5)}" + ("" if draw.random() < 0.1 else f"#c{draw.randrange(12)}")

    edges = [{"source": node(), "target": node()} for _ in range(draw.randint(1, 5))]
    if draw.random() < 0.15:
        edges.append({"source": f"x:t{draw.randrange(5)}#*", "target": f"x:t{draw.randrange(5)}#*"})
    return {
        "task_id": f"task{draw.randrange(6)}", "op": "online", "event_id": f"e{number}", "effective_at": day,
        "edges": edges,
    }  # fmt: skip


def test_columns_at_hand_are_those_of_the_store(tmp_path: Path) -> None:
    """For every table at some points of random histories: names, ordinals, since when and by which version."""
    draw = random.Random(SEED)
    print(f"LINEAGE_TT_SEED={SEED}")
    inferred = 0
    for turn in range(rounds(4)):
        store = Store.create(tmp_path / f"s{turn}")
        store.append([parse_message(json.dumps(message(draw, number)).encode(), None) for number in range(18)])
        engine = Engine(Reading.of(store), store.graph(), Names())
        for _ in range(4):
            version, valid_at = draw.randint(6, store.version), f"2024-01-{draw.randint(8, 30):02}T00:00:00Z"
            basis = engine.reading.basis(valid_at=valid_at, version=version)
            columns = engine.view(basis).columns()
            for dataset in (f"x:t{number}" for number in range(5)):
                if engine.graph is None or not engine.graph.knows(dataset):
                    continue
                answer, _ = node_answer(engine, dataset, basis)
                expected = [(c.column, c.ordinal, c.type, c.origin, c.version) for c in columns if c.dataset == dataset]
                found = [(c["column"], c["ordinal"], c["type"], c["origin"], c["version"]) for c in answer["columns"]]
                assert found == expected, (turn, dataset, basis)
                inferred += sum(origin == "inferred" for _, _, _, origin, _ in expected)
    assert inferred > rounds(100)

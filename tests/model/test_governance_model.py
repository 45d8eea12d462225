"""Labels, rules and heat kept current while the store grows: after each change those of a store that is opened new."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from domain import DEEP, INSTANTS, NODES, POOL, TASKS, message
from reference import EdgeValue, Sent

from lineage_tt import Store
from lineage_tt.curation.messages import note_change
from lineage_tt.governance.config import Config
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.heat.asked import Asked
from lineage_tt.governance.labels.statements import DECISION, REJECT
from lineage_tt.model.messages import TaskChange
from lineage_tt.testing import ManualClock

#: Changes of one store, and how many stores: 10,000 changes in the long form (``LINEAGE_TT_EXAMPLES``: so many stores).
CHANGES, STORES = (40, int(os.environ.get("LINEAGE_TT_EXAMPLES", 250))) if DEEP else (14, 1)
RULES = Config.parse(
    """
[rules]
max_fanin = 1
max_fanout = 1
[[rules.layer]]
name = "low"
match = ["hive:a"]
[[rules.layer]]
name = "high"
match = ["kafka:*", "bi:*"]
"""
)


def drawn(chance: random.Random, event: str, sent: list[str]) -> TaskChange:
    """One message: a statement, late or not; a retract; a label, a decision, an owner, or the end of one."""
    way = chance.random()
    if way < 0.15 and sent:
        return message(Sent(chance.choice(TASKS), event, "retract", 0, None, frozenset(), chance.choice(sent)))
    if way < 0.4:
        key, value = chance.choice([("label", "pii"), ("label", "gdpr"), (DECISION + "pii", REJECT), ("owner", "ana")])
        values = (value,) if chance.random() < 0.7 else ()
        return note_change("add" if values else "remove", chance.choice(NODES), key, values, event, INSTANTS[0])
    op = chance.choice(["online", "update", "update", "offline"])
    edges = frozenset[EdgeValue]() if op == "offline" else frozenset(chance.sample(POOL, chance.randrange(5)))
    return message(Sent(chance.choice(TASKS), event, op, chance.choice(INSTANTS), None, edges))


def answers(asks: Governance, valid_at: int) -> tuple[object, ...]:
    """Labels, violations and heat of all nodes at a time, as known last; ranks to twelve places."""
    basis = asks.basis(valid_at)
    heat = [
        [row._replace(rank=round(row.rank, 12)) for row in asks.heat(basis, Asked(level, limit=100)).rows]  # type: ignore[arg-type]
        for level in ("table", "column")
    ]
    return dict(asks.labelled(basis).all()), asks.rules(basis), heat


@pytest.mark.long
def test_answers_kept_current_are_those_of_a_store_opened_new(tmp_path: Path) -> None:
    """One graph follows the log change by change; beside it each change is answered by a graph that reads all of it."""
    seed = random.SystemRandom().randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    seen = 0
    for number in range(STORES):
        path = tmp_path / f"s{number}"
        kept = Store.create(path, clock=ManualClock(INSTANTS[0]))
        asks = kept.governance(RULES)
        sent: list[str] = []
        for step in range(CHANGES):
            made = drawn(chance, f"e{step}", sent)
            kept.append([made])
            if made.op != "retract":
                sent.append(f"e{step}")
            asks.points.graph.refresh()
            valid_at = chance.choice(INSTANTS)
            found = answers(asks, valid_at)
            assert found == answers(Store.open(path).governance(RULES), valid_at), (seed, number, step)
            seen += len(found[1].violations)  # type: ignore[attr-defined]
    assert seen > STORES

"""A store whose texts and given edges hold literals, and whose policy became stricter."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.testing import ManualClock

KEEP, MASK, DROP = TextPolicy
SECRET = b"s3cr3tW0rd"
ENDS = ("n:a#x", "n:b#y", "DIRECT", "TRANSFORMATION")


def text(event_id: str, literal: str, at: int) -> TaskChange:
    """A message of SQL with a literal."""
    return TaskChange(event_id, "t", "update", at, sql=f"select '{literal}'", dialect="hive")


def found(waiting: object) -> list[Lineage]:
    """What a parser makes of it."""
    return [Lineage([(*ENDS, "")], parser="p")]


@pytest.fixture
def literal_store(tmp_path: Path) -> Store:
    """Three messages, of which two edges differ in a literal alone, and the policy's own."""
    made = Store.create(tmp_path, clock=ManualClock(90))
    made.append([text("e1", "s3cr3tW0rd", 10)], resolver=found)
    edges = [(*ENDS, f"x + {number}") for number in (41, 42)]
    made.append([TaskChange("e2", "given", "update", 10, lineage=Lineage(edges))])
    made.append([TaskChange("e3", "given", "update", 20, lineage=Lineage(edges[:1]))])
    made.set_text_policy(MASK, "law")
    return made

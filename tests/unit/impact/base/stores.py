"""A small store that both adapters answer about: edges, texts, facts, what ended, what is to come."""

from __future__ import annotations

from pathlib import Path

from ingest.resolve.resolver import SqlResolver
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Change, NodeChange, TaskChange
from lineage_tt.store import Store
from lineage_tt.testing import ManualClock, task_change

#: Days of January 2024, in UTC microseconds.
DAY = [1_704_067_200_000_000 + day * 86_400_000_000 for day in range(31)]
A, B, C = "hive:dw.a", "hive:dw.b", "bi:c"
SQL = "CREATE TABLE made AS SELECT x, x + 1 AS y FROM a"


def filled(path: Path) -> Store:
    """Return a store of nine messages. On the tenth day ``gone`` is offline, ``late`` and ``next`` are to come."""
    store = Store.create(path, clock=ManualClock(DAY[0]))
    fields = [Field("x", "INT"), Field("s", "RECORD"), Field("s.in", "STRING", nested=True)]
    sql = TaskChange(
        "sql", "made", "online", DAY[1], sql=SQL, dialect="spark", namespace="hive", default_database="dw",
        params={"day": "1"},
    )  # fmt: skip
    messages: list[Change] = [
        NodeChange("d", "dataset", A, "define", DAY[0], fields=fields),
        task_change("b", "online", DAY[1], [(f"{A}#x", f"{B}#x"), (f"{A}#x", B, "INDIRECT", "FILTER", "x > 0")]),
        task_change("c", "online", DAY[1], [(f"{B}#x", f"{C}#x")]),
        task_change("gone", "online", DAY[1], [("kafka:é#x", f"{B}#y")]),
        task_change("gone", "offline", DAY[5]),
        task_change("late", "online", DAY[20], [(f"{A}#x", f"{C}#late")]),
        task_change("c", "update", DAY[25], [(f"{B}#x", f"{C}#other")]),
        NodeChange("o", "fact", "task:c", "set", DAY[1], fact_key="owner",
                   facts=[("task:c", "owner", "bo"), ("task:c", "owner", "ana")]),
        sql,
    ]  # fmt: skip
    with SqlResolver(0) as resolver:
        results = store.append(messages, resolver=resolver)
    assert [each.status for each in results] == ["accepted"] * len(messages)
    return store

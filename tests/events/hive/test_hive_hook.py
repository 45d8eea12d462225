"""Lines of Hive's LineageLogger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from test_trino_events import edges, take

from lineage_tt import Store
from lineage_tt.read.observations import observations

VERTICES = ["dw.sales.cust", "dw.sales.total", "ods.orders.cust", "ods.orders.amt", "ods.customers.id"]


def line(*given: tuple[list[int], list[int], str, str], **changed: Any) -> dict[str, Any]:
    """Return a line with edges: sources, targets, type, expression."""
    edges_ = [
        {"sources": sources, "targets": targets, "edgeType": kind, **({"expression": text} if text else {})}
        for sources, targets, kind, text in given
    ]
    return {
        "version": "1.0", "user": "etl", "timestamp": 1767232800, "duration": 9000, "engine": "tez", "database": "dw",
        "hash": "d41d8cd9", "queryText": "insert overwrite table sales select cust, sum(amt) from ods.orders",
        "edges": edges_,
        "vertices": [{"id": n, "vertexType": "COLUMN", "vertexId": v} for n, v in enumerate(VERTICES)], **changed,
    }  # fmt: skip


def test_projections_and_predicates_become_edges(tmp_path: Path) -> None:
    """A projection says what a column is made of; a predicate which columns decide over the rows of the table.

    What Hive adds for the statistics that it gathers is neither.
    """
    made = line(
        ([2], [0], "PROJECTION", ""), ([3], [1], "PROJECTION", "sum(orders.amt)"),
        ([2, 4], [0, 1], "PREDICATE", "(orders.cust = customers.id)"), ([3], [0, 1], "PREDICATE", "(orders.amt > 0)"),
        ([4], [1], "PROJECTION", "compute_stats(ods.customers.id, 'hll')"),
    )  # fmt: skip
    assert take(tmp_path / "s", made, made) == ["accepted"]

    assert {edge[1:] for edge in edges(tmp_path / "s")} == {
        ("hive:ods.orders#cust", "hive:dw.sales#cust", "DIRECT", "IDENTITY"),
        ("hive:ods.orders#amt", "hive:dw.sales#total", "DIRECT", "AGGREGATION"),
        ("hive:ods.orders#cust", "hive:dw.sales", "INDIRECT", "JOIN"),
        ("hive:ods.customers#id", "hive:dw.sales", "INDIRECT", "JOIN"),
        ("hive:ods.orders#amt", "hive:dw.sales", "INDIRECT", "FILTER"),
    }
    assert Store.open(tmp_path / "s").as_of("2026-01-01T02:00:00Z").edges()


def test_the_query_of_the_next_day_makes_no_version(tmp_path: Path) -> None:
    """The same text a day later is another run of the same task."""
    first = line(([2], [0], "PROJECTION", ""))
    take(tmp_path / "s", first, {**first, "timestamp": first["timestamp"] + 86_400})

    assert Store.open(tmp_path / "s").basis().version == 1
    assert [each.runs for each in observations(tmp_path / "s")] == [1, 1]


def test_a_line_without_a_time_is_a_dead_letter(tmp_path: Path) -> None:
    """What cannot be placed in time is kept with the reason."""
    broken = json.loads(json.dumps(line(([2], [0], "PROJECTION", ""))))
    broken["timestamp"] = None
    assert take(tmp_path / "s", broken) == ["rejected"]
    (letter,) = Store.open(tmp_path / "s").dead_letters()

    assert "timestamp: must be a number" in str(letter.detail)

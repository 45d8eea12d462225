"""The story of the small store: a load, a report, and three days."""

from __future__ import annotations

NIGHTLY = [
    ("hive:ods.orders#id", "hive:dw.orders#id"),
    ("hive:ods.orders#amount", "hive:dw.orders#amount", "DIRECT", "TRANSFORMATION", "amount / 100"),
    ("hive:ods.orders#status", "hive:dw.orders", "INDIRECT", "FILTER", ""),
]
REPORT = [
    ("hive:dw.orders#amount", "bi:board/1#revenue", "DIRECT", "AGGREGATION", "SUM(amount)"),
    ("hive:dw.orders#id", "bi:board/1#orders", "DIRECT", "AGGREGATION", "COUNT(id)"),
]
DAYS = ["2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"]

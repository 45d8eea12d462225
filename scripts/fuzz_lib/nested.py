"""Nested and mixed SQL: every kind of bracket inside every other, whole and broken, short and side by side."""

from __future__ import annotations

import random
from typing import Final

from scripts.fuzz_lib.texts import DIALECTS, Text

#: What opens and closes one level: as much of SQL as holds an expression, a query or a type.
WRAPPERS: Final = (
    *(
        ("(", ")"),
        ("f(", ")"),
        ("f(1, ", ")"),
        ("a.b(", ")"),
        ("[", "]"),
        ("a[", "]"),
        ("ARRAY[", "]"),
        ("ARRAY(", ")"),
    ),
    *(("LIST[", "]"), ("MAP[", "]"), ("MAP(1, ", ")"), ("MAP{'k': ", "}"), ("{'k': ", "}"), ("STRUCT(", ")")),
    *(("STRUCT<a INT64>(", ")"), ("ARRAY<INT64>[", "]"), ("ROW(", ")"), ("TUPLE(", ")"), ("OBJECT(", ")")),
    *(("DATE(", ")"), ("DECIMAL(", ")"), ("VARCHAR(", ")"), ("TIMESTAMP(", ")"), ("Nullable(", ")"), ("SAFE.f(", ")")),
    *(("CASE WHEN a THEN ", " END"), ("CASE WHEN ", " THEN 1 END"), ("CASE ", " WHEN 1 THEN 2 END")),
    *(("CAST(", " AS INT)"), ("TRY_CAST(", " AS INT)"), ("(", ")::INT"), ("CAST(a AS ARRAY<STRUCT<b ", ">>)")),
    *(("x -> (", ")"), ("f(x -> ", ")"), ("f((x, y) -> ", ")"), ("f(a => ", ")"), ("IF(a, ", ", 1)"), ("NOT (", ")")),
    *(("(SELECT ", " FROM t)"), ("EXISTS(SELECT ", " FROM t)"), ("a IN (SELECT ", " FROM t)"), ("a IN (", ")")),
    *(("(SELECT * FROM (", ") AS z)"), ("(WITH w AS (SELECT 1) SELECT ", ")"), ("(SELECT 1 UNION ALL SELECT ", ")")),
    *(("sum(1) OVER (ORDER BY ", ")"), ("sum(1) FILTER (WHERE ", ")"), ("COUNT(DISTINCT ", ")"), ("UNNEST(", ")")),
    *(("INTERVAL (", ") DAY"), ("EXTRACT(YEAR FROM ", ")"), ("a BETWEEN (", ") AND 2"), ("@(", ")"), ("-(", ")")),
    *(("(a JOIN ", " ON 1 = 1)"), ("(VALUES (", "))"), ("(1 AS a, ", ")"), ("[x for x in ", "]"), ("a ? (", ") : 1")),
)
CONTEXTS: Final = (
    *("SELECT {} FROM s", "SELECT {} AS x, a FROM s", "SELECT a FROM s WHERE {} = 1", "SELECT * FROM {}"),
    *("INSERT INTO t SELECT {} FROM s", "CREATE TABLE t AS SELECT {} AS x FROM s", "CREATE TABLE t (a {})"),
    *(
        "INSERT INTO t VALUES ({})",
        "UPDATE t SET a = {}",
        "SELECT a FROM s JOIN u ON {}",
        "SELECT 1 FROM s GROUP BY {}",
    ),
    *(
        "MERGE INTO t USING s ON {} WHEN MATCHED THEN DELETE",
        "SELECT CAST(a AS {}) FROM s",
        "SELECT * FROM s, LATERAL {}",
    ),
)
MIDDLES: Final = ("a", "a", "a", "1, 2", "SELECT 1", "", "a b c", "INT", "'x'", "*", "a.b.c", "a = 1 AND b", ")", "(")


def nested_text(seed: int, number: int) -> Text:
    """Return the nested text of a number: 3 to 60 levels of one to four kinds, now and then several side by side."""
    chance = random.Random(f"nested/{seed}/{number}")
    kinds = chance.sample(WRAPPERS, chance.randint(1, 4))
    depth = chance.choice([chance.randint(3, 12), chance.randint(12, 20), chance.randint(20, 60)])
    opening = closing = ""
    for level in range(depth):
        before, after = kinds[level % len(kinds)] if chance.random() < 0.9 else chance.choice(WRAPPERS)
        opening, closing = opening + before, after + closing
    if chance.random() < 0.1:  # a bracket lost, or one too many
        closing = closing[1:] if chance.random() < 0.5 else f"{closing})"
    whole = f"{opening}{chance.choice(MIDDLES)}{closing}"
    if chance.random() < 0.1:
        whole = ", ".join([whole] * chance.randint(2, 40))
    sql = chance.choice(CONTEXTS).replace("{}", whole)
    return Text(number, "nested", chance.choice([*DIALECTS, "materialize"]), sql, {"fuzz:d.s": ("a", "b")})

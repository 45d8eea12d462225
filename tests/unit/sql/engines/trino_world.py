"""The tables that statements for Trino read, and what these are found to say."""

from __future__ import annotations

from ingest.sql.statements.script import Script
from lineage_tt.model.edges import column_of, dataset_of
from lineage_tt.model.facts import Field, shape_of

TPCH = {
    "orders": "orderkey custkey orderstatus totalprice orderdate orderpriority clerk shippriority comment",
    "customer": "custkey name address nationkey phone acctbal mktsegment comment",
    "lineitem": "orderkey partkey suppkey linenumber quantity extendedprice discount tax returnflag linestatus "
    "shipdate commitdate receiptdate shipinstruct shipmode comment",
    "nation": "nationkey name regionkey comment",
    "region": "regionkey name comment",
    "part": "partkey name mfgr brand type size container retailprice comment",
    "supplier": "suppkey name address nationkey phone acctbal comment",
    "partsupp": "partkey suppkey availqty supplycost comment",
}
NESTED = [
    ("id", "bigint"), ("r", "row(a bigint, b row(c varchar, d double))"), ("arr", "array(row(x bigint, y varchar))"),
    ("m", "map(varchar, bigint)"), ("nums", "array(bigint)"), ("js", "varchar"),
]  # fmt: skip
COLUMNS = {f"case:tpch.tiny.{table}": tuple(names.split()) for table, names in TPCH.items()} | {
    "case:memory.default.nested": shape_of(Field(name, kind) for name, kind in NESTED),
    "case:tpch.sf1.region": tuple(TPCH["region"].split()),
}


def answered(sql: str, dialect: str = "trino") -> tuple[tuple[str, ...], dict[str, set[str]]]:
    """Return the outputs of a query, and by name the columns of their expressions; all of it must be understood."""
    found = Script(dialect=dialect, namespace="case", default_database="tpch.tiny", columns=COLUMNS).run(sql, "case:q")
    assert found.problems == ()
    outputs = dict(found.outputs)["case:q"]
    told: dict[str, set[str]] = {name: set() for name in outputs}
    for edge in found.edges:
        source, target = column_of(edge.source), column_of(edge.target)
        if source is not None and target is not None:
            told[target].add(f"{dataset_of(edge.source).removeprefix('case:')}.{source.split('.')[0]}")
    return outputs, told

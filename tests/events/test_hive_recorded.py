"""Lines that the LineageLogger of Hive 4.0.1 wrote, beside the edges that were written down before the queries ran.

``tests/data/recorded/hive_4.jsonl``: CREATE TABLE AS SELECT, INSERT INTO and OVERWRITE, of static and dynamic
partitions, of two tables at once; joins, views, a window, a UNION, a lateral view; one query ran twice, one only reads.
"""

from __future__ import annotations

from pathlib import Path

from run_events import pairs
from test_trino_events import take

from lineage_tt import Store
from lineage_tt.read.observations import observations

RECORDED = Path(__file__).parents[1] / "data/recorded/hive_4.jsonl"
#: By target: its columns, each with those that it is made of, and the columns that decide over its rows.
EXPECTED = {
    "dw.sales": (
        {"cust": "ods.orders.cust dw.sales.cust", "total": "ods.orders.amt dw.sales.total"},
        "ods.orders.ok ods.orders.id dw.sales.total ods.orders.cust ods.customers.cust",
    ),
    "dw.sales_by_city": (
        {"city": "ods.customers.city", "total": "ods.orders.amt", "dt": "ods.orders.dt"},
        "ods.orders.dt ods.orders.cust ods.customers.cust",
    ),
    "dw.rich": ({"cust": "dw.sales.cust", "total": "dw.sales.total"}, ""),  # as ALTER VIEW left it: without a filter
    "dw.ranked": (
        {
            "cust": "dw.sales.cust",
            "total": "dw.sales.total",
            "rn": "dw.sales.cust dw.sales.total",
            "cls": "dw.sales.total",
        },
        "",
    ),
    "dw.u": ({"cust": "dw.sales.cust ods.customers.city ods.orders.cust"}, "ods.orders.ok"),
    "dw.exploded": ({"cust": "ods.orders.cust", "w": "ods.orders.dt"}, ""),
}


def node(name: str) -> str:
    """Return the node of a column."""
    database, table, column = name.split(".")
    return f"hive:{database}.{table}#{column}"


def expected() -> set[tuple[str, str]]:
    """Return the edges of all queries."""
    made = set()
    for table, (columns, deciding) in EXPECTED.items():
        made |= {(node(each), f"hive:{table}") for each in deciding.split()}
        made |= {
            (node(each), f"hive:{table}#{column}") for column, sources in columns.items() for each in sources.split()
        }
    return made


def test_what_a_real_hive_reports_is_answered_and_nothing_else(tmp_path: Path) -> None:
    """Every edge; a redefined view has its new definition alone, and the same query again is the same task."""
    lines = RECORDED.read_bytes().splitlines()
    assert set(take(tmp_path, *lines)) == {"accepted"}

    assert pairs(tmp_path) == expected()
    runs = {each.task_id: each.runs for each in observations(tmp_path)}
    assert sorted(runs.values(), reverse=True)[:3] == [2, 2, 1]  # a query that ran twice, a view defined twice
    assert runs["hive/dw.rich/view"] == 2
    assert len(Store.open(tmp_path).as_of().tasks()) == 12

"""Which views and macros of the set-up a query needs."""

from __future__ import annotations

import pytest

from lineage_tt.read.macros.needed import needed_by, parts_of

PARTS = {
    "log": "CREATE OR REPLACE VIEW log AS SELECT * FROM read_parquet(['/data/edges/it''s nodes.parquet']);\n",
    "edges": 'CREATE OR REPLACE MACRO edges(at) AS TABLE SELECT "nodes" FROM log WHERE at < $nodes; -- over nodes\n',
    "nodes": "CREATE OR REPLACE VIEW nodes AS SELECT node FROM edges(1) JOIN log USING (node);\n",
}


@pytest.mark.parametrize(
    ("query", "made", "needed"),
    [("SELECT 1", [], []), ("FROM log", [], ["log"]), ("FROM edges(2)", [], ["log", "edges"]),
     ("FROM nodes, log", [], ["log", "edges", "nodes"]), ("FROM nodes", ["log"], ["edges", "nodes"]),
     ("FROM nodes_2, relog", [], []),
     ("FROM nodes", ["nodes"], []), ("FROM {nodes}", [], []), ("SELECT 'log', \"edges\", $nodes -- log", [], [])],
)  # fmt: skip
def test_a_part_comes_after_those_that_it_needs(query: str, made: list[str], needed: list[str]) -> None:
    """A query needs the parts that it names as whole words: not in quotes, comments, paths, parameters or fields."""
    assert needed_by(query, PARTS, made) == needed


def test_of_two_parts_with_one_name_the_later_counts() -> None:
    """Where the script creates a name twice, its part is the later statement, as when DuckDB runs the script."""
    found = parts_of(
        "SET x = 1;\n-- A.\nCREATE OR REPLACE VIEW a AS\nSELECT 1;\n\nCREATE OR REPLACE VIEW a AS SELECT 2;\n"
    )

    assert found == {"a": "CREATE OR REPLACE VIEW a AS SELECT 2;\n"}

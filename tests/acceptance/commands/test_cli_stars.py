"""Lineage through ``SELECT *`` over a table of unknown columns, as a user of the command meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import call, store_of_texts

SRC, ODS, REVENUE = "hive:src.orders", "hive:ods.orders", "hive:ads.revenue"
SQL = {
    "ods_orders": "CREATE TABLE ods.orders AS SELECT *, upper(name) AS big FROM src.orders",
    "revenue": "INSERT INTO ads.revenue SELECT region, sum(amount) AS revenue FROM ods.orders GROUP BY region",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with a star, and a report over it; nobody declared any columns."""
    return store_of_texts(tmp_path_factory.mktemp("stars"), SQL, "hive")


def test_a_report_over_a_star_names_its_source(store: Path) -> None:
    """Upstream of the report's column comes the source's column of the same name, marked as assumed by star."""
    found = call("lineage", f"{REVENUE}#revenue", "--direction", "up", "--format", "json", store=store).result

    steps = {(e["source"], e["target"], e["by_star"]): e["steps"] for e in found["edges"] if e["type"] == "DIRECT"}
    assert steps == {
        (f"{ODS}#amount", f"{REVENUE}#revenue", False): 1,
        (f"{SRC}#amount", f"{ODS}#amount", True): 2,
        (f"{SRC}#region", f"{ODS}#region", True): 2,
    }


def test_text_marks_the_step(store: Path) -> None:
    """In the tree the assumed step ends in "(by star)"."""
    said = call("lineage", f"{REVENUE}#revenue", "--direction", "up", store=store).out

    assert said.splitlines()[2] == "│   └── hive:src.orders#amount  IDENTITY  [ods_orders v1]  (by star)"


def test_a_column_that_nobody_named_is_known(store: Path) -> None:
    """Downstream of the source's column, which no text names, comes the report."""
    found = call("lineage", f"{SRC}#amount", "--direction", "down", "--format", "json", store=store).result

    assert found["nodes"] == [{"node": f"{ODS}#amount", "steps": 1}, {"node": f"{REVENUE}#revenue", "steps": 2}]


def test_what_a_statement_makes_itself_does_not_come_by_star(store: Path) -> None:
    """``SELECT *, upper(name) AS big``: the column big comes from name, not from a column big of the source."""
    found = call("lineage", f"{ODS}#big", "--direction", "up", "--format", "json", store=store).result

    assert [(e["source"], e["by_star"]) for e in found["edges"]] == [(f"{SRC}#name", False)]


def test_blame_and_history_find_the_stored_edge(store: Path) -> None:
    """The edge that a walk shows by star is asked for by the names shown; the answer is the edge as it is stored."""
    blame = call("blame", f"{SRC}#amount", f"{ODS}#amount", "--format", "json", store=store).result
    history = call("history", f"{SRC}#amount -> {ODS}#amount", "--format", "json", store=store).result

    assert [(line["edge"]["source"], line["edge"]["target"]) for line in blame] == [(f"{SRC}#*", f"{ODS}#*")]
    assert blame[0]["message"]["task_id"] == "ods_orders"
    assert [(line["source"], line["target"]) for line in history] == [(f"{SRC}#*", f"{ODS}#*")]


def test_no_edge_is_blamed_for_what_it_does_not_make(store: Path) -> None:
    """Two columns of other names, and a column with a source of its own: the star edge is not an answer."""
    assert call("blame", f"{SRC}#amount", f"{ODS}#region", "--format", "json", store=store).result == []
    assert call("history", f"{SRC}#amount -> {ODS}#region", "--format", "json", store=store).result == []
    assert call("blame", f"{SRC}#big", f"{ODS}#big", "--format", "json", store=store).result == []


def test_graphs_draw_the_step_dashed(store: Path) -> None:
    """Mermaid and DOT draw the assumed step dashed and label it; the stored one has its own label alone."""
    dot = call("lineage", f"{SRC}#amount", "--direction", "down", "--format", "dot", store=store).out
    mermaid = call("lineage", f"{SRC}#amount", "--direction", "down", "--format", "mermaid", store=store).out

    assert '[label="IDENTITY, by star", style=dashed' in dot
    assert '-.->|"IDENTITY#44; by star"|' in mermaid
    assert '[label="AGGREGATION"' in dot
    assert '|"AGGREGATION"|' in mermaid


def test_table_level_needs_no_star(store: Path) -> None:
    """At table level the same walk goes from dataset to dataset and assumes nothing."""
    found = call(
        "lineage", f"{REVENUE}#revenue", "--direction", "up", "--level", "table", "--format", "json", store=store
    )

    assert [(e["source"], e["by_star"]) for e in found.result["edges"]] == [(ODS, False), (SRC, False)]

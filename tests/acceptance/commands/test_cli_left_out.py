"""Lineage through ``SELECT * EXCEPT (…)`` over a table of unknown columns: what is left out does not come by star."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import call, store_of_texts

SRC, SAFE, REPORT = "hive:src.people", "hive:ods.people", "hive:ads.report"
SQL = {
    "safe": "CREATE TABLE ods.people AS SELECT * EXCEPT (mail), 0 AS age FROM src.people",
    "report": "CREATE TABLE ads.report AS SELECT mail, name FROM ods.people",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that leaves out the address, and a report that still reads it; nobody declared any columns."""
    return store_of_texts(tmp_path_factory.mktemp("left-out"), SQL, "databricks")


def ends(store: Path, node: str, way: str) -> list[str]:
    """The nodes that a walk comes to."""
    found = call("lineage", node, "--direction", way, "--direct-only", "--format", "json", store=store).result
    return [each["node"] for each in found["nodes"]]


def test_a_column_left_out_goes_nowhere(store: Path) -> None:
    """Downstream of the address there is nothing; downstream of the name there is the report."""
    assert ends(store, f"{SRC}#mail", "down") == []
    assert ends(store, f"{SRC}#name", "down") == [f"{SAFE}#name", f"{REPORT}#name"]


def test_what_reads_a_column_left_out_comes_from_nowhere(store: Path) -> None:
    """Upstream of the report's address is the copy's column, which nobody fills, and not the source's."""
    assert ends(store, f"{REPORT}#mail", "up") == [f"{SAFE}#mail"]
    assert ends(store, f"{REPORT}#name", "up") == [f"{SAFE}#name", f"{SRC}#name"]


def test_no_star_is_blamed_for_what_it_leaves_out(store: Path) -> None:
    """Neither blame nor history nor diff name the edge for the address; all do for the name."""
    for column, found in (("mail", 0), ("name", 1)):
        pair = f"{SRC}#{column}", f"{SAFE}#{column}"
        assert len(call("blame", *pair, "--format", "json", store=store).result) == found
        assert len(call("history", " -> ".join(pair), "--format", "json", store=store).result) == found
        touched = call("diff", "--from", "2026-01-01T00:00:00Z", pair[0], "--format", "json", store=store).result
        assert [edge["expression"] for edge in touched["added"]] == ["* EXCEPT (mail)"] * found


def test_columns_left_out_are_not_inferred(store: Path) -> None:
    """The copy has the columns that its readers name; of those the star brings its source all but the address."""
    known = call("columns", SRC, "--format", "json", store=store).result

    assert [column["column"] for column in known] == ["name"]

"""Inserts by position into tables of unknown columns: what the text in force calls each position."""

from __future__ import annotations

import pytest
from plain_base import edge, text

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.impact.base.port import TaskText
from lineage_tt.impact.release.positions import positions_of
from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import Shape

SOURCE, LOADED = "hive:dw.src", "hive:dw.loaded"
EDGES: dict[str, list[EdgeTuple]] = {"t": [edge("t", f"{SOURCE}#a", f"{LOADED}#a").edge]}


def positions(
    sql: str | None, columns: dict[str, Shape] | None = None, edges: dict[str, list[EdgeTuple]] | None = None
) -> dict[str, dict[str, Shape]]:
    """Read one text in this process."""
    texts: dict[str, TaskText] = {"t": text("t", sql)}
    with SqlAnalyst(0) as analyst:
        return positions_of(texts, EDGES if edges is None else edges, columns or {}, analyst)


def test_names_of_the_query_are_those_of_the_positions() -> None:
    """An alias counts, in the order in which the query gives them."""
    assert positions("INSERT INTO loaded SELECT b AS x, a FROM src") == {"t": {LOADED: ("x", "a")}}


def test_a_star_gives_the_names_of_its_source() -> None:
    """Where the columns of the source are known."""
    assert positions("INSERT INTO loaded SELECT * FROM src", {SOURCE: ("a", "é")}) == {"t": {LOADED: ("a", "é")}}


def test_of_two_tables_that_a_text_fills_only_the_unknown_one_counts() -> None:
    """The columns of the other are known, whatever the query calls them."""
    sql = "INSERT INTO known SELECT a AS x FROM src; INSERT INTO loaded SELECT b AS y FROM src"
    edges = {"t": [*EDGES["t"], edge("t", f"{SOURCE}#a", "hive:dw.known#p").edge]}

    assert positions(sql, {"hive:dw.known": ("p",)}, edges) == {"t": {LOADED: ("y",)}}


@pytest.mark.parametrize(
    ("sql", "columns", "edges"),
    [
        ("INSERT INTO loaded SELECT b AS x, a FROM src", {LOADED: ("p", "q")}, None),
        ("INSERT INTO loaded SELECT b AS x, a FROM src", None, {}),
        (None, None, None),
        ("CREATE TABLE loaded AS SELECT b AS x, a FROM src", None, None),
        ("INSERT INTO loaded SELECT FROM ((", None, None),
    ],
    ids=["known columns", "no edges", "no text", "names its columns", "cannot be read"],
)
def test_other_texts_have_none(
    sql: str | None, columns: dict[str, Shape] | None, edges: dict[str, list[EdgeTuple]] | None
) -> None:
    """A table whose columns are known is filled by these; what makes its own columns names them."""
    assert positions(sql, columns, edges) == {}


def test_without_texts_nothing_is_asked() -> None:
    """No analyst is needed."""
    assert positions_of({}, EDGES, {}, None) == {}  # type: ignore[arg-type]

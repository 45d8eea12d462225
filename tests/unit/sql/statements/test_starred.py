"""Columns that one statement of a text writes by name and another by star."""

from __future__ import annotations

import pytest

from ingest.sql.result import StatementLineage
from ingest.sql.statements.starred import joined_edges
from lineage_tt.model.edges import DIRECT, INDIRECT, Edge


def done(*statements: list[Edge]) -> list[StatementLineage]:
    """Return statements with these edges."""
    return [StatementLineage(place, "insert", tuple(edges), (), ()) for place, edges in enumerate(statements)]


STAR = Edge("n:s#*", "n:o#*")


def test_a_star_fills_what_another_statement_names() -> None:
    """From the column of the same name, in whichever order the statements are."""
    named = [Edge("n:t#x", "n:o#a"), Edge("n:t#y", "n:o#b")]
    expected = {Edge("n:s#a", "n:o#a"), Edge("n:s#b", "n:o#b")}

    assert set(joined_edges(done(named, [STAR]))) == expected
    assert set(joined_edges(done([STAR], named))) == expected
    assert set(joined_edges(done([STAR], named[:1], named[1:]))) == expected


def test_within_one_statement_a_star_fills_nothing_that_it_names() -> None:
    """Neither of its own, nor where another statement names it, too."""
    own = [STAR, Edge("n:t#x", "n:o#a")]

    assert joined_edges(done(own)) == []
    assert joined_edges(done(own, [Edge("n:t#y", "n:o#a")])) == []
    assert joined_edges(done(own, [Edge("n:t#y", "n:o#b")])) == [Edge("n:s#b", "n:o#b")]


def test_a_star_does_not_bring_what_it_leaves_out() -> None:
    """``* EXCEPT (a)``; what it brings shows no list of columns."""
    star = Edge("n:s#*", "n:o#*", DIRECT, "IDENTITY", "* EXCEPT (a)")
    named = [Edge("n:t#x", "n:o#a"), Edge("n:t#y", "n:o#b")]

    assert joined_edges(done([star], named)) == [Edge("n:s#b", "n:o#b")]


def test_a_column_whose_every_value_is_made_of_one_keeps_the_source_and_the_expression() -> None:
    """A star of what a function makes comes from its arguments, under each name."""
    star = Edge("n:s#x", "n:o#*", DIRECT, "TRANSFORMATION", "f(x)")

    assert joined_edges(done([star], [Edge("n:t#x", "n:o#a")])) == [
        Edge("n:s#x", "n:o#a", DIRECT, "TRANSFORMATION", "f(x)")
    ]


def test_only_values_of_the_same_table_count() -> None:
    """A decision names no column that is made, another table's column is another."""
    others = [Edge("n:t#x", "n:o#a", INDIRECT, "FILTER"), Edge("n:t#x", "n:p#a"), Edge("n:t", "n:o")]

    assert joined_edges(done([STAR], others)) == []


def test_texts_without_a_star_or_with_one_statement_have_none() -> None:
    """Also where statements without edges lie between."""
    assert joined_edges([]) == []
    assert joined_edges(done([STAR], [])) == []
    assert joined_edges(done([Edge("n:s#a", "n:o#a")], [Edge("n:t#b", "n:o#b")])) == []


@pytest.mark.parametrize("turned", [False, True])
def test_a_star_also_fills_the_columns_that_another_statement_names(lineage, turned):
    """One statement writes a by name, another by star: the star's source has an edge of its own to that column."""
    texts = ["INSERT INTO o SELECT a FROM t", "INSERT INTO o SELECT *, upper(k) AS big FROM far"]
    found = lineage("; ".join(reversed(texts) if turned else texts), "hive")

    edges = {(edge.source, edge.target) for edge in found.found.edges}
    assert edges == {
        ("n:d.t#a", "n:d.o#a"),
        ("n:d.far#*", "n:d.o#*"),
        ("n:d.far#a", "n:d.o#a"),
        ("n:d.far#k", "n:d.o#big"),
    }


def test_a_star_does_not_fill_what_its_own_statement_makes(lineage):
    """What a statement makes of a source of its own does not come by its star, whatever else the text writes."""
    found = lineage("INSERT INTO o SELECT *, upper(k) AS a FROM far; INSERT INTO o SELECT a FROM t", "hive")

    assert ("n:d.far#a", "n:d.o#a") not in {(edge.source, edge.target) for edge in found.found.edges}

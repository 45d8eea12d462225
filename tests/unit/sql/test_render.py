"""Texts of expressions: as written, cut to a length, or a digest."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from ingest.sql import render
from ingest.sql.render import LONGEST_TEXT, MAX_QUERIES, digest_of, shorten, text_of, type_text


def test_a_long_text_is_cut_and_still_told_from_others() -> None:
    """Its end is a hash of the whole."""
    one, two = shorten("x" * 600 + "a"), shorten("x" * 600 + "b")

    assert len(one) <= LONGEST_TEXT
    assert one != two
    assert shorten("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT


def test_many_columns_are_a_digest_in_any_order() -> None:
    """Others give another."""
    assert digest_of(["a", "b"]) == digest_of(["b", "a"]) != digest_of(["a", "c"])
    assert digest_of(["\ud800"]).startswith("… ")


def test_a_node_is_written_in_its_dialect() -> None:
    """One with too many queries has no text."""
    nested = "SELECT a FROM t"
    for _ in range(MAX_QUERIES):
        nested = f"SELECT a FROM ({nested}) AS q"

    assert text_of(sqlglot.parse_one("a || 'x'", dialect="hive"), "hive") == "a || 'x'"
    assert text_of(sqlglot.parse_one(nested), None) == ""


TYPES = {
    "hive": ["INT", "int", "DECIMAL(10, 2)", "DECIMAL(10)", "DECIMAL", "VARCHAR(5)", "ARRAY<INT>", "STRUCT<a: INT>"],
    "mysql": ["ENUM('a', 'b')", "ENUM('a')", "INT UNSIGNED", "INT", "VARCHAR(5)", "ENUM('')"],
    "clickhouse": ["Nullable(Int32)", "Int32", "DateTime64(3, 'UTC')", "DateTime64(3)", "LowCardinality(String)"],
    "postgres": ["TIMESTAMP", "TIMESTAMPTZ", "INT[]", "NUMERIC(3, 1)", "mytype", "other.mytype"],
}


@pytest.mark.parametrize("dialect", TYPES)
def test_a_remembered_type_is_written_as_it_would_be(dialect: str) -> None:
    """Types that differ in anything differ in what is remembered; the second time is answered from it."""
    own = Dialect.get_or_raise(dialect)
    columns = ", ".join(f"c{place} {kind}" for place, kind in enumerate(TYPES[dialect]))
    table = sqlglot.parse_one(f"CREATE TABLE t ({columns})", dialect=dialect)
    kinds = [column.args["kind"] for column in table.find_all(exp.ColumnDef)][: len(TYPES[dialect])]

    for _ in range(2):
        assert [type_text(kind, own) for kind in kinds] == [text_of(kind, own) for kind in kinds]


@pytest.mark.parametrize("kind", ["DECIMAL(10 {}, 2)", "STRUCT<a: DECIMAL(10 {}, 2)>"])
def test_a_type_is_the_same_with_and_without_a_comment_in_it(kind: str) -> None:
    """A change of the comment alone is no change of the type, and what it says is not stored."""
    own = Dialect.get_or_raise("hive")
    table = f"CREATE TABLE t (a {kind.format('/* hunter2 */')}, b {kind.format('')})"
    columns = sqlglot.parse_one(table, dialect="hive").this.expressions
    first, second = (type_text(column.args["kind"], own) for column in columns)

    assert first == second
    assert "hunter2" not in first


def test_few_and_short_types_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends texts cannot fill the memory with types."""
    monkeypatch.setattr(render, "_types", {})
    monkeypatch.setattr(render, "MAX_TYPES", 10)
    mysql = Dialect.get_or_raise("mysql")
    for length in range(1, 25):
        assert type_text(exp.DataType.build(f"VARCHAR({length})", dialect="mysql"), mysql) == f"VARCHAR({length})"
    long = exp.DataType.build(f"ENUM('{'x' * 300}')", dialect="mysql")

    assert type_text(long, mysql) == text_of(long, mysql)
    assert 0 < len(render._types) <= 10
    assert all(len(text) <= 200 for text in render._types.values())

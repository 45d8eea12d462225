"""Tables that follow keywords in the tokens of a statement that did not parse."""

from __future__ import annotations

import pytest
from token_texts import tokens_in

from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.scan import name_at, scan, with_names


@pytest.mark.parametrize(
    ("sql", "reads", "writes"),
    [("insert into a.b select * from c join d.e on on", {"n:d.c", "n:d.e"}, {"n:a.b"}),
     ("insert overwrite table t select a from T where", set(), {"n:d.t"}),
     ("create view if not exists v as select from t", {"n:d.t"}, {"n:d.v"}),
     ("with q as (select 1 from t) select from Q", {"n:d.t"}, set()),
     ("select 'from' x, `from` y from f(1)", set(), set()),
     ("select from a.f(1)", {"n:a.f"}, set()),
     ("insert into a (b, c) nonsense select b from t", {"n:d.t"}, {"n:d.a"}),
     ("insert overwrite a (b) nonsense", set(), {"n:d.a"}),
     ("create table a (b nonsense) as select b from t", {"n:d.t"}, {"n:d.a"}),
     ("select a from table f(1) nonsense", set(), set()),
     ("insert overwrite local directory 'x' select a nonsense from t", {"n:d.t"}, set()),
     ("select a nonsense from t into outfile 'x'", {"n:d.t"}, set()),
     ("select extract(month from d), trim(both ' ' from e) nonsense from t", {"n:d.t"}, set()),
     ("select a is not distinct from b, a is distinct from c nonsense from t", {"n:d.t"}, set()),
     ("select distinct from t", {"n:d.t"}, set()),
     ("select overlay(a placing b from c for 3), substring(a from b), translate(a using b) from t", {"n:d.t"}, set()),
     ("select (select max(trim(leading 'x' from k)) from t), f(a) nonsense from (from u)", {"n:d.t", "n:d.u"}, set()),
     ("select a nonsense from ((select 1 from t) union select 2 from u)", {"n:d.t", "n:d.u"}, set()),
     ("merge into a using t on x when nonsense", {"n:d.t"}, {"n:d.a"}),
     ("select 1 from", set(), set())],
)  # fmt: skip
def test_names_after_keywords_are_read_or_written(sql: str, reads: set[str], writes: set[str]) -> None:
    """Quoted keywords, WITH names, calls and files are none; a target may list its columns.

    What is both read and written counts as written.
    """
    assert scan(tokens_in(sql), Names("hive", "n", "d")) == (reads, writes)


def test_a_name_ends_where_its_dots_do() -> None:
    """A keyword may be a later part; words that may stand before a name are passed over."""
    assert name_at(tokens_in("if not exists a.table.b c"), 0) == ["a", "table", "b"]
    assert name_at(tokens_in("`a.b` c"), 0) == ["a", "b"]
    assert name_at(tokens_in("(select 1)"), 0) == []
    assert name_at([], 0) == []


def test_with_names_come_before_as_and_a_bracket() -> None:
    """In lower case; an alias of a column is none."""
    assert with_names(tokens_in("with A as (select 1 as b), `C` as (select 2) select 3 as d")) == {"a", "c"}


def test_unlogged_before_a_name_is_none() -> None:
    """Postgres's ``SELECT … INTO UNLOGGED t``; a table may be called so."""
    assert name_at(tokens_in("unlogged t from u"), 0) == ["t"]
    assert name_at(tokens_in("unlogged from u"), 0) == ["unlogged"]


@pytest.mark.parametrize("name", ["directory", "outfile", "dumpfile", "ignore", "low_priority"])
def test_words_about_files_and_priorities_may_be_names_of_tables(name: str) -> None:
    """After FROM and JOIN, and where a query, rows or columns follow them."""
    names = Names("hive", "n", "d")
    table = {f"n:d.{name}"}

    assert scan(tokens_in(f"insert into x select a, from {name} where (b"), names) == (table, {"n:d.x"})
    assert scan(tokens_in(f"select a, from t join {name} u on (b"), names) == ({"n:d.t", *table}, set())
    for rest in ("select a, from t", "values ((1", "(a) nonsense"):
        assert scan(tokens_in(f"insert into {name} {rest}"), names)[1] == table


@pytest.mark.parametrize(
    "sql", ["insert into low_priority t", "update low_priority ignore t set", "update ignore t set"]
)
def test_priorities_in_front_of_a_name_are_no_tables(sql: str) -> None:
    """MySQL's, of a table that is filled or changed."""
    assert scan(tokens_in(sql), Names("mysql", "n", "d")) == (set(), {"n:d.t"})

"""What blocks of procedural languages declare and set."""

from __future__ import annotations

import time

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.parse import split
from ingest.sql.parser.scripts import blocks


@pytest.mark.parametrize(
    ("head", "names"),
    [("create procedure p(in a int, out b decimal(10, 2), c text) begin", ("a", "b", "c")),
     ("create or replace function f(a int)", ("a",)),
     ("create procedure p as select (1)", ()),
     ("create table t (a int)", ()),
     ("create procedure p", ())],
)  # fmt: skip
def test_parameters_are_the_first_words_of_a_routines_list(head: str, names: tuple[str, ...]) -> None:
    """Modes are not names; the comma of a type separates no parameters; a bracket of the body is not a list."""
    assert blocks.parameters(tokens_in(head, "mysql")) == names


def test_declarations_are_variables_or_cursors() -> None:
    """Either order of CURSOR and its name is read; types declare no variable."""
    held = "v number; a, b int; cursor c is select x from t; d cursor for select y from u; type r is record"
    found = blocks.declared(tokens_in(held, "oracle"))

    assert found.names == ("v", "a", "b")
    assert [(name, text_of(query)) for name, query in found.cursors] == [
        ("c", "select x from t"),
        ("d", "select y from u"),
    ]


def test_spark_declares_a_variable_after_its_kind() -> None:
    """OR REPLACE VARIABLE stands before the name, but a variable may be called so itself."""
    assert blocks.declared(tokens_in("or replace variable a int", "spark")).names == ("a",)
    assert blocks.declared(tokens_in("variable int", "spark")).names == ("variable",)


def test_the_head_of_a_block_reaches_to_its_begin() -> None:
    """What lies between is held together; a statement before BEGIN says that there is no block."""
    chunks = list(split(tokens_in("declare a int; b int; begin; select 1")))
    end, head = blocks.head_of_block(chunks, 0)

    assert head is not None
    assert (end, text_of(head[0]), text_of(head[1])) == (2, "declare", "a int ; b int")
    assert blocks.head_of_block(list(split(tokens_in("declare a int; select 1; begin"))), 0) == (1, None)


@pytest.mark.parametrize(
    ("sql", "found"),
    [("fetch next from c into @a, @b", blocks.Fetched(("a", "b"), "c")),
     ("fetch c into a limit n", blocks.Fetched(("a",), "c")),
     ("fetch c", None),
     ("select a into b from t", None)],
)  # fmt: skip
def test_fetch_sets_the_names_after_into(sql: str, found: blocks.Fetched | None) -> None:
    """The cursor is the word before INTO, and LIMIT ends the names."""
    assert blocks.fetched(tokens_in(sql, "tsql")) == found


def test_bulk_statements_are_read_row_by_row() -> None:
    """An element by the loop's index is the row; an index of another name stays."""
    assert text_of(blocks.plain_bulk(tokens_in("select a bulk collect into l from t", "oracle"))) == (
        "select a INTO l from t"
    )
    sql = "forall i in 1 .. l.count insert into t values (l(i).a, m(j))"
    assert text_of(blocks.plain_bulk(tokens_in(sql, "oracle"))) == "insert into t values ( l . a , m ( j ) )"


def test_a_loop_over_several_variables_names_them_all() -> None:
    """One variable alone is a record and is read elsewhere."""
    names, query = blocks.loop_variables(tokens_in("a, b in select x, y from t"))

    assert (names, text_of(query)) == (("a", "b"), "select x , y from t")
    assert blocks.loop_variables(tokens_in("a in select x from t")) == ((), [])
    assert blocks.loop_variables(tokens_in("select x")) == ((), [])


def test_a_range_is_written_with_dots_or_to() -> None:
    """A query is not a range."""
    texts = ("1 .. 10", "1 to 10", "select a from t")

    assert [blocks.is_range(text, tokens_in(text)) for text in texts] == [True, True, False]


def test_a_first_value_counts_where_it_is_more_than_a_constant() -> None:
    """It holds a query, or a variable before it; after LET any value does."""
    held = "a int := 5; b int := a + 1; c int default (select x from t); d date := sysdate"
    found = blocks.declared(tokens_in(held, "oracle"))

    assert found.names == ("a", "b", "c", "d")
    assert [(name, text_of(value)) for name, value in found.values] == [
        ("b", "a + 1"),
        ("c", "( select x from t )"),
    ]
    assert [name for name, _ in blocks.declared(tokens_in("let e := 5", "snowflake")).values] == ["e"]


def test_a_result_set_is_rows_that_come_later_or_at_once() -> None:
    """With a first value it is a cursor over the query."""
    found = blocks.declared(tokens_in("a resultset; b resultset default (select x from t)", "snowflake"))

    assert (found.names, found.rows) == ((), ("a",))
    assert [(name, text_of(query)) for name, query in found.cursors] == [("b", "( select x from t )")]


def test_many_variables_are_declared_in_time_that_grows_with_them() -> None:
    """The names before were gathered again for each declaration, also for one without a value."""
    names = [f"v{n}" for n in range(10_000)]
    sql = "; ".join(f"{name} number{' := V0' if name == 'v9999' else ''}" for name in names)
    tokens = tokens_in(sql, "oracle")
    begun = time.thread_time()
    found = blocks.declared(tokens)
    assert time.thread_time() - begun < 3.0  # it takes about 0.1 s; a square took 15
    assert found.names == tuple(names)
    assert [(name, text_of(value)) for name, value in found.values] == [("v9999", "V0")]


def test_a_first_value_is_noted_where_it_names_a_variable_before_it() -> None:
    """One in the same list is before it, its own name is not."""
    found = blocks.declared(tokens_in("a, b int := a; c int := c; d int := B; e int := 1; d int := d", "oracle"))
    assert [(name, text_of(value)) for name, value in found.values] == [("a", "a"), ("d", "B"), ("d", "d")]

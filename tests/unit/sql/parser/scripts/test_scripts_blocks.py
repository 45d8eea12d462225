"""What blocks of procedural languages declare and set."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.dialects.registry import rules_or_standard
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


def test_select_into_sets_variables_from_its_query() -> None:
    """The query is the same without INTO, and the given tree is not changed; other trees stay as they are."""
    node = parse_one("SELECT a INTO v FROM t", dialect="oracle")
    found = blocks.into_variables(node)

    assert (found.names, found.query.sql()) == (("v",), "SELECT a FROM t")
    assert node.args.get("into") is not None
    assert isinstance(blocks.into_variables(parse_one("SELECT a FROM t")), exp.Select)


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


@pytest.mark.parametrize(
    ("sql", "names", "query"),
    [("select a, b into x, @y from t", ("x", "y"), "select a , b from t"),
     ("select a into strict x from t", ("x",), "select a from t"),
     ("select a from t where b = 1 into x for update", ("x",), "select a from t where b = 1 for update"),
     ("select into x a from t", ("x",), "select a from t"),
     ("with q as (select 1) select a, b into x, y from q", ("x", "y"), "with q as ( select 1 ) select a , b from q")],
)  # fmt: skip
def test_variables_that_a_row_goes_to_are_split_off_its_query(sql: str, names: tuple[str, ...], query: str) -> None:
    """Several names, and one where it can be no table's."""
    found, rest = blocks.without_targets(tokens_in(sql, "mysql"))

    assert (found, text_of(rest)) == (names, query)


@pytest.mark.parametrize(
    "sql",
    ["select a into x from t", "select into x from t", "select a into strict from t", "select a into r.x, r.y from t",
     "select a from t into dumpfile 'x'", "with q as (select 1) insert into x select a from q", "select a from t",
     "select a from (select b into x, y from t) as u", "insert into x, y select 1"],
)  # fmt: skip
def test_other_names_after_into_stay(sql: str) -> None:
    """A table that is made or filled, fields of records, and a file."""
    tokens = tokens_in(sql, "mysql")

    assert blocks.without_targets(tokens) == ((), tokens)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("mysql", "SELECT a, b INTO @x, @y FROM t; INSERT INTO f (c, d) SELECT @x, @y"),
     ("mysql", "SELECT a, b FROM t INTO @x, @y; INSERT INTO f (c, d) VALUES (@x, @y)"),
     ("mysql", "BEGIN DECLARE x, y INT; SELECT a, b INTO x, y FROM t; INSERT INTO f (c, d) VALUES (x, y); END"),
     ("postgres", "DO $$ DECLARE x INT; y INT; BEGIN SELECT a, b INTO x, y FROM t; "
      "INSERT INTO f (c, d) VALUES (x, y); END $$"),
     ("postgres", "DO $$ DECLARE r RECORD; BEGIN SELECT a, b INTO STRICT r FROM t; "
      "INSERT INTO f (c, d) VALUES (r.a, r.b); END $$"),
     ("postgres", "DO $$ DECLARE x INT; y INT; BEGIN UPDATE t SET e = 1 RETURNING a, b INTO x, y; "
      "INSERT INTO f (c, d) VALUES (x, y); END $$")],
)  # fmt: skip
def test_several_variables_hold_what_the_row_has(dialect: str, sql: str) -> None:
    """Each its own column; no table is made of their names, or of the word STRICT."""
    found = extract(sql, dialect=dialect, namespace="n", default_database="d")

    assert {(e.source, e.target) for e in found.edges} == {("n:d.t#a", "n:d.f#c"), ("n:d.t#b", "n:d.f#d")}
    assert (found.coverage, set(found.writes) - {"n:d.t"}) == ("complete", {"n:d.f"})


@pytest.mark.parametrize(
    ("sql", "meant"),
    [("pkg.p(1)", blocks.Called("pkg.p")), ("s.pkg.p", blocks.Called("s.pkg.p")), ("p(a)", blocks.Called("p")),
     ("NULL", blocks.Called(""))],
)  # fmt: skip
def test_a_name_alone_is_a_call_where_the_dialect_has_such(sql: str, meant: blocks.Called) -> None:
    """In Oracle; an expression that chooses, and any tree in other dialects, stay as they are."""
    node = parse_one(sql, dialect="oracle")
    oracle, mysql = rules_or_standard("oracle"), rules_or_standard("mysql")

    assert blocks.meant(node, (), oracle) == meant
    assert blocks.meant(node, (), mysql) is node
    chosen = parse_one("CASE WHEN a THEN b END", dialect="oracle")
    assert blocks.meant(chosen, (), oracle) is chosen

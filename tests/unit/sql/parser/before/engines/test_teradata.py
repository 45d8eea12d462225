"""Forms of Teradata in words that mean the same."""

from __future__ import annotations

import pytest
from steps import lines_of
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.before.engines.teradata import plain_teradata


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("locking table d.t for access select a from t", "select a from t"),
     ("locking row for access mode nowait select a", "select a"),
     ("create view v as locking t for access select a from t", "create view v as select a from t"),
     ("create table t as d.u with data", "create table t as ( SELECT * FROM d . u ) with data"),
     ("create table t as u with no data", "create table t as ( SELECT * FROM u ) with no data"),
     ("select sum(a) (decimal(18, 2)), b.c (char(4)) from t",
      "select CAST ( sum ( a ) AS decimal ( 18 , 2 ) ) , CAST ( b . c AS char ( 4 ) ) from t"),
     ("select lock from t", "select lock from t")],
)  # fmt: skip
def test_teradatas_locks_go_and_casts_are_plain(sql: str, plain: str) -> None:
    """A copied table is a query of all its columns."""
    assert text_of(plain_teradata(tokens_in(sql, "teradata"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select a (date), b.c (integer) from t", "select CAST ( a AS date ) , CAST ( b . c AS integer ) from t"),
     ("select a (date, format 'yy', title 'x') from t", "select CAST ( a AS date ) from t"),
     ("select a (format 'yy') (char(8)) from t", "select CAST ( a AS char ( 8 ) ) from t"),
     ("select a (title 'x'), b (uppercase) from t", "select a , b from t"),
     ("select a (named b), c (int, named d) from t", "select a AS b , CAST ( c AS int ) AS d from t"),
     ("select a (varchar(9) character set latin, not casespecific) from t",
      "select CAST ( a AS varchar ( 9 ) ) from t"),
     ("select '2020' (date), case when a = 1 then b end (date) from t",
      "select CAST ( '2020' AS date ) , CAST ( case when a = 1 then b end AS date ) from t"),
     ("select x.f(a) (int) from t where a (int) = b (int) group by c (date)",
      "select CAST ( x . f ( a ) AS int ) from t where CAST ( a AS int ) = CAST ( b AS int ) "
      "GROUP BY CAST ( c AS date )"),
     ("select last_day(date), td_day_of_week(date) from t",
      "select last_day ( date ) , td_day_of_week ( date ) from t"),
     ("insert into t (date) select 1", "insert into t ( date ) select 1"),
     ("with a as (select 1), b (date) as (select 2) select 3",
      "with a as ( select 1 ) , b ( date ) as ( select 2 ) select 3"),
     ("create table t (a date format 'yy', b char(3))", "create table t ( a date format 'yy' , b char ( 3 ) )")],
)  # fmt: skip
def test_brackets_after_a_value_cast_and_name_it(sql: str, plain: str) -> None:
    """How a value is shown goes; brackets of a call, of columns and of a definition stay."""
    assert text_of(plain_teradata(tokens_in(sql, "teradata"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select rank(a desc, b) from t", "select rank ( ) OVER ( ORDER BY a desc , b ) from t"),
     ("select rank() over (order by a) from t", "select rank ( ) over ( ORDER BY a ) from t"),
     ("select csum(a, b desc), c from t order by c desc", "select csum ( a , b ) , c from t ORDER BY c desc"),
     ("create table t as (select a from u) with data and no stats primary index (a)",
      "create table t as ( select a from u ) with data primary index ( a )"),
     ("create table t as u with data and statistics", "create table t as ( SELECT * FROM u ) with data")],
)  # fmt: skip
def test_functions_of_old_and_statistics_are_plain(sql: str, plain: str) -> None:
    """A rank without a window sorts by its arguments."""
    assert text_of(plain_teradata(tokens_in(sql, "teradata"))) == plain


@pytest.mark.parametrize(
    ("unit", "plain"),
    [("end (date) ", "end ( date )"), ("a (date), ", "CAST ( a AS date ) ,"), ("a (named b) ", "a ( named b )"),
     ("case when a then b end (int), ", "CAST ( case when a then b end AS int ) ,"), ("f(a) (int), ", None),
     ("(date) ", None), ("a (not, ", None), ("rank(", None), ("end (date, ", None), ("csum(", None)],
)  # fmt: skip
def test_many_brackets_are_looked_at_in_steps_that_grow_with_them(unit: str, plain: str | None) -> None:
    """Each END was searched for its CASE to the start of the text, and each cast copied the whole list."""
    few, many = (tokens_in(f"select {unit * count}", "teradata") for count in (50, 400))
    if plain is not None:
        assert (text_of(plain_teradata(few)) or "").endswith(plain)
    assert lines_of(lambda: plain_teradata(many)) < 10 * lines_of(lambda: plain_teradata(few))


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select a (format 'yy') (date) (char(8)) from t", "select CAST ( CAST ( a AS date ) AS char ( 8 ) ) from t"),
     ("select f(a (int)) (char(8)) (named b) from t",
      "select CAST ( f ( CAST ( a AS int ) ) AS char ( 8 ) ) AS b from t"),
     ("select case when end(p) > a (date) then b end (int) from t",
      "select CAST ( case when end ( p ) > CAST ( a AS date ) then b end AS int ) from t")],
)  # fmt: skip
def test_casts_of_casts_are_cast_from_within(sql: str, plain: str) -> None:
    """The function of a period ends no CASE."""
    assert text_of(plain_teradata(tokens_in(sql, "teradata"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select syslib.f(date), td_sysfnlib.last_day (date) from t", None),
     ("select d.f(time) from d.t where a = d.f (date)", None),
     ("select my_udf(date) from t", None),
     ("select t.a(date) from d.t", "select CAST ( t . a AS date ) from d . t"),
     ("select d.t.a (date) from d.t", "select CAST ( d . t . a AS date ) from d . t"),
     ("select q.a (date), v.b(time) from t as q, (select 1) v",
      "select CAST ( q . a AS date ) , CAST ( v . b AS time ) from t as q , ( select 1 ) v"),
     ("select x.a (date) from t left join u x on 1 = 1", "select CAST ( x . a AS date ) from t left join u x on 1 = 1"),
     ('select q."a"(date), f(a)(date), "b"(date) from t q',
      "select CAST ( q . a AS date ) , CAST ( f ( a ) AS date ) , CAST ( b AS date ) from t q"),
     ("select syslib.f(int) from t", "select CAST ( syslib . f AS int ) from t")],
)  # fmt: skip
def test_a_databases_function_of_today_is_called(sql: str, plain: str | None) -> None:
    """It was a cast of a column called like it; only a source's name in front says that there is such a column."""
    unchanged = text_of(tokens_in(sql, "teradata"))
    assert text_of(plain_teradata(tokens_in(sql, "teradata"))) == (plain or unchanged)


def flows(sql: str) -> set[tuple[str, str, str]]:
    """Return the edges of a text that is understood in full."""
    known = {"n:d.o": ("id", "dt", "amt", "per", "d1", "d2")}
    found = extract(sql, dialect="teradata", namespace="n", default_database="d", columns=known)

    assert (found.coverage, found.problems) == ("complete", ())
    return {(e.source.removeprefix("n:d."), e.target.removeprefix("n:d."), e.subtype) for e in found.edges}


def test_a_cast_column_is_no_function_of_a_type() -> None:
    """Its value, and its part in a condition, were lost, or were those of a column called like the type."""
    assert flows("INSERT INTO t SELECT dt (DATE) AS a FROM o WHERE amt (INT) > 3") == {
        ("o#dt", "t#a", "TRANSFORMATION"), ("o#amt", "t", "FILTER"),
    }  # fmt: skip


def test_the_ends_of_a_period_come_from_it() -> None:
    """BEGIN and END are words of blocks and of CASE elsewhere."""
    sql = "INSERT INTO t SELECT BEGIN(per) AS a, CASE WHEN id = 1 THEN END(per) END AS b, INTERVAL(per) AS c FROM o"
    assert flows(f"{sql} WHERE END(per) IS UNTIL_CHANGED") == {
        ("o#per", "t#a", "TRANSFORMATION"), ("o#per", "t#b", "TRANSFORMATION"), ("o#per", "t#c", "TRANSFORMATION"),
        ("o#id", "t#b", "CONDITIONAL"), ("o#per", "t", "FILTER"),
    }  # fmt: skip
    assert flows("INSERT INTO t SELECT PERIOD(d1, UNTIL_CHANGED) AS p FROM o") == {("o#d1", "t#p", "TRANSFORMATION")}


@pytest.mark.parametrize("called", ["my_udf(DATE)", "f(TIME)", "syslib.f(DATE)", "td_sysfnlib.last_day(DATE)"])
def test_a_function_of_today_comes_from_no_column(called: str) -> None:
    """A column called like the function was made up."""
    assert flows(f"INSERT INTO t SELECT {called} AS a FROM o") == {("o", "t", "TRANSFORMATION")}


def test_what_may_be_cast_or_called_is_a_cast_of_a_column_that_is_there() -> None:
    """Where the columns are not known, the problem says that it may be either."""
    sql = "INSERT INTO t SELECT dt(DATE) AS a, a(TIME) AS b, q.dt(DATE) AS c FROM o q"
    assert flows(sql) == {("o#dt", f"t#{name}", "TRANSFORMATION") for name in "abc"}
    found = extract("INSERT INTO t SELECT f(DATE) AS a FROM other", dialect="teradata", namespace="n")
    assert (found.coverage, [p.code for p in found.problems]) == ("partial", ["unknown-columns"])
    assert "f(DATE) casts a column or calls a function" in found.problems[0].detail
    known = extract("INSERT INTO t SELECT f (DATE) AS a FROM other", dialect="teradata", namespace="n")
    assert (known.coverage, [e.source.rpartition("#")[2] for e in known.edges]) == ("complete", ["f"])

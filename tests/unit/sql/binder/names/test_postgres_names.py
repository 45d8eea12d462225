"""What columns without an alias are called in Postgres: as Postgres 15 was asked with these very items."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.names.postgres_names import name_of

WORLD = {"n:d.q": ("a", "v", "t", "d", "arr", "j")}
NAMES = """
count(*) = count
count(*) OVER () = count
sum(v) FILTER (WHERE t) = sum
percentile_cont(0.5) WITHIN GROUP (ORDER BY v) = percentile_cont
mode() WITHIN GROUP (ORDER BY v) = mode
row_number() OVER () = row_number
string_agg(a, ',') = string_agg
coalesce(sum(v), 0) = coalesce
nullif(a, a) = nullif
greatest(v, 1) = greatest
extract(year FROM d) = extract
d AT TIME ZONE 'utc' = timezone
v::int = v
(v + 1)::int = int4
(v + 1)::double precision = float8
max(v)::int = max
sum(v)::numeric(10, 2) = sum
cast(count(*) AS text) = count
cast('1' AS int) = int4
cast(NULL AS date) = date
date '2020-01-01' = date
interval '1 day' = interval
current_date = current_date
trim(a) = btrim
trim(LEADING FROM a) = ltrim
CASE WHEN t THEN a END = case
CASE WHEN t THEN 1 ELSE v END = v
ARRAY[1] = array
ARRAY(SELECT 1) = array
ROW(1, 2) = row
(1, 2) = row
arr[1] = arr
EXISTS (SELECT 1) = exists
(SELECT max(v) FROM q) = max
(SELECT v AS w FROM q) = w
a COLLATE "C" = a
((v)) = v
pow(v, 2) + 0 = ?column?
corr(v, v) = corr
lower(a) || upper(a) = ?column?
lower(a) ~ 'x' = ?column?
lower(a) LIKE 'x' = ?column?
f(a) AND t = ?column?
v IN (1) = ?column?
v IS NULL = ?column?
- v = ?column?
NOT t = ?column?
j ->> 'x' = ?column?
'a' = ?column?
NULL = ?column?
"""


@pytest.mark.parametrize("dialect", ["postgres", "redshift"])
@pytest.mark.parametrize("line", NAMES.strip().splitlines())
def test_a_column_without_an_alias_has_the_name_that_postgres_gives_it(line: str, dialect: str) -> None:
    """A function's, a cast column's, a type's; none for what operators compute."""
    item, _, name = line.rpartition(" = ")
    if dialect == "redshift" and item.startswith(("mode", "ARRAY[", "interval", "string_agg")):
        return  # Redshift has no such function, and the parser has another form
    bound = Bound("", dialect)
    assert name_of(bound.item(item), bound.walk.names.dialect) == name


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ('"Größe"', "Größe"),
        ('q."Größe"::text', "Größe"),
        ("(q.r).f", "f"),
        ("s.f(a)", "f"),
        ("CASE WHEN t THEN a ELSE b::int END", "b"),
        ("CASE WHEN t THEN a ELSE CASE WHEN t THEN 1 END END", "case"),
        ("CAST(CASE WHEN t THEN 1 END AS bigint)", "int8"),
        ("CAST(CAST('1' AS int) AS smallint)", "int2"),
        ("CAST(ARRAY[1] AS bigint[])", "array"),
        ("CAST('{}' AS bigint[])", "int8"),
        ("trim(TRAILING FROM a)", "rtrim"),
        ("(SELECT 1)", "?column?"),
        ("(SELECT lower(a) FROM q)", "lower"),
    ],
)
def test_names_inside_of_names(item: str, name: str) -> None:
    """A type gives way to what is cast, the word CASE to what ELSE gives, and both to a type further out."""
    bound = Bound("", "postgres")
    assert name_of(bound.item(item), bound.walk.names.dialect) == name


@pytest.mark.parametrize("dialect", ["postgres", "redshift"])
def test_a_query_calls_its_columns_so(lineage, dialect):
    """Where it writes a table, too."""
    result = lineage("SELECT max(v), a || a, v::int FROM q", dialect=dialect, columns=WORLD)
    assert dict(result.found.outputs) == {"n:d.o": ("max", "?column?", "v")}


def test_such_a_name_can_be_used_further_out(lineage):
    """``SELECT count FROM (SELECT count(*) …)``; a table made of it has that column."""
    result = lineage(
        "SELECT max AS m, count + 1 AS n FROM (SELECT max(v), count(a) FROM q) AS x", "postgres", columns=WORLD
    )
    assert result.names() == {"m": "q#v", "n": "q#a"}
    assert result.found.coverage == "complete"
    made = lineage("CREATE TABLE made AS SELECT max(v), a::text FROM q", "postgres", columns=WORLD)
    assert made.names("d.made") == {"max": "q#v", "a": "q#a"}

"""The SQL of a job in the names of its event's datasets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from ingest.events.openlineage.merging import Dataset, JobName, Picture
from ingest.events.openlineage.sql import UNMATCHED, dialect_of, parsed
from ingest.resolve.resolver import SqlResolver
from lineage_tt.model.messages import Lineage, Problem

PG = "postgres://host:5432"


@pytest.fixture(scope="module")
def resolver() -> Iterator[SqlResolver]:
    """Reads SQL in this process."""
    with closing(SqlResolver(0)) as made:
        yield made


def table(name: str, *columns: str, namespace: str = PG, **facets: Any) -> Dataset:
    """A table with its columns."""
    schema = {"schema": {"fields": [{"name": each} for each in columns]}} if columns else {}
    return Dataset(namespace, name, {**schema, **facets})


def picture(
    sql: str | None, inputs: list[Dataset], outputs: list[Dataset], *, dialect: str | None = None,
    integration: str | None = None, **run: Any,
) -> Picture:  # fmt: skip
    """A run with SQL."""
    facets = {"sql": {"query": sql, "dialect": dialect}, "jobType": {"integration": integration}}
    sides = [{each.node: each for each in side} for side in (inputs, outputs)]
    return Picture(JobName("etl", "job"), facets if sql is not None else {}, sides[0], sides[1], run)


def read(given: Picture, resolver: SqlResolver) -> Lineage:
    """The lineage of a text; it can be read."""
    (found,) = parsed([(given, None)], resolver)
    assert found is not None
    return found


def pairs(found: Lineage) -> set[tuple[str, str]]:
    """Sources and targets, without the namespace."""
    return {(source.removeprefix(PG + ":"), target.removeprefix(PG + ":")) for source, target, *_ in found.edges}


@pytest.mark.parametrize(
    ("given", "facet", "integration", "engine", "namespace", "dialect"),
    [("trino", "hive", "SPARK", "flink", PG, "trino"), (None, "Hive", "SPARK", "flink", PG, "hive"),
     (None, None, "SPARK", "flink", PG, "spark"), (None, "nothing known", "AIRFLOW", "flink", PG, "flink"),
     (None, None, "AIRFLOW", None, PG, "postgres"), (None, None, None, None, "awsathena://x", "athena"),
     (None, None, None, None, "mssql://x", "tsql"), (None, None, None, None, "s3://bucket", None),
     (None, None, None, None, "azurecosmos://x", None)],
)  # fmt: skip
def test_a_text_is_in_the_dialect_that_is_named_first(
    given: str | None,
    facet: str | None,
    integration: str | None,
    engine: str | None,
    namespace: str,
    dialect: str | None,
) -> None:
    """By the policy, the facet, the job's kind, the engine of the run, and by where the datasets are."""
    run = {"processing_engine": {"name": engine}} if engine else {}
    said = picture("select 1", [], [table("t", namespace=namespace)], dialect=facet, integration=integration, **run)

    assert dialect_of(said, given) == dialect


def test_where_it_writes_counts_before_where_it_reads() -> None:
    """Of the places of its datasets; without any there is no dialect."""
    read_, written = table("a", namespace="snowflake://x"), table("b", namespace="postgresql://x")

    assert dialect_of(picture("select 1", [read_], [written])) == "postgres"
    assert dialect_of(picture("select 1", [read_], [])) == "snowflake"
    assert dialect_of(picture("select 1", [], [])) is None


def test_tables_of_a_text_are_those_of_the_event_that_end_alike(resolver: SqlResolver) -> None:
    """Their columns are the event's, so that a star gives each of them."""
    given = picture(
        "INSERT INTO public.sales SELECT * FROM ORDERS WHERE paid", [table("shop.public.orders", "id", "paid")],
        [table("shop.public.sales")],
    )  # fmt: skip
    found = read(given, resolver)

    assert pairs(found) == {
        ("shop.public.orders#id", "shop.public.sales#id"), ("shop.public.orders#paid", "shop.public.sales#paid"),
        ("shop.public.orders#paid", "shop.public.sales"),
    }  # fmt: skip
    assert (found.coverage, found.problems) == ("complete", [])
    assert found.filled == [(f"{PG}:shop.public.sales", ("id", "paid"))]


def test_columns_that_a_text_makes_are_of_the_event_s_table(resolver: SqlResolver) -> None:
    """The columns of a table that the event does not have are unknown."""
    text = "create table m as select id as k from o; create table other as select id from o"
    found = read(picture(text, [table("s.o", "id")], [table("s.m")]), resolver)

    assert found.outputs == [(f"{PG}:s.m", ("k",))]
    assert [each.subject for each in found.problems] == ["sql:other"]


def test_a_bare_select_writes_the_only_output(resolver: SqlResolver) -> None:
    """Of two outputs it says of none what it holds."""
    orders = table("o", "id")

    assert pairs(read(picture("select id from o", [orders], [table("m")]), resolver)) == {("o#id", "m#id")}
    two = parsed([(picture("select id from o", [orders], [table("m"), table("n")]), None)], resolver)
    assert [pairs(each) for each in two if each is not None] in ([], [set()])


@pytest.mark.parametrize("name", ["/warehouse/dw.db/orders", "C:\\dw\\orders", "s.dw.orders"])
def test_a_path_is_the_table_whose_folders_it_has(resolver: SqlResolver, name: str) -> None:
    """As Hive lays out tables; a dataset with another name is found by that, too."""
    named: dict[str, Any] = {"symlinks": {"identifiers": [{"namespace": "hive", "name": "dw.orders"}]}}
    for source in (table(name, "id"), table("/x/part-1", "id", **named)):
        found = read(picture("insert into m select id from dw.orders", [source], [table("m")]), resolver)

        assert pairs(found) == {(f"{source.name}#id", "m#id")}


def test_what_the_event_does_not_name_is_left_out_and_said(resolver: SqlResolver) -> None:
    """The rest of the text counts, as a part."""
    given = picture(
        "insert into m select o.id, x.k from o join secret x on x.id = o.id", [table("o", "id")], [table("m")]
    )
    found = read(given, resolver)

    assert pairs(found) == {("o#id", "m#id"), ("o#id", "m")}
    assert (found.coverage, [each.code for each in found.problems]) == ("partial", [UNMATCHED])
    assert "the text names secret" in found.problems[0].detail


def test_of_several_tables_of_one_name_the_text_or_the_session_tells_which(resolver: SqlResolver) -> None:
    """The one in the session's schema; else the one that the text calls by no longer name; else none of them."""
    ods, dw = table("c.ods.o", "id"), table("c.dw.o", "id")
    session: dict[str, Any] = {"trino_query_context": {"catalog": "C", "schema": "ods"}}

    assert pairs(read(picture("insert into m select id from o", [ods, dw], [table("c.x.m")], **session), resolver)) == {
        ("c.ods.o#id", "c.x.m#id")
    }
    longer = picture("insert into dw.o select id from o", [ods], [dw])
    assert pairs(read(longer, resolver)) == {("c.ods.o#id", "c.dw.o#id")}
    spaced = picture('insert into "dw" . o select id from o', [ods], [dw])
    assert pairs(read(spaced, resolver)) == {("c.ods.o#id", "c.dw.o#id")}
    none = read(picture("insert into m select id from o", [ods, dw], [table("c.x.m")]), resolver)
    assert (pairs(none), [each.code for each in none.problems]) == (set(), [UNMATCHED])


def test_a_star_of_an_engine_that_lists_columns_in_any_order_has_none(resolver: SqlResolver) -> None:
    """Trino names the columns that were read, not those that there are; a text without a star takes them."""
    source = table("o", "id", "x")
    star = picture("insert into m select * from o", [source], [table("m")], integration="TRINO")
    named = picture("insert into m select id from o", [source], [table("m")], integration="TRINO")

    assert pairs(read(star, resolver)) == {("o#*", "m#*")}
    assert pairs(read(named, resolver)) == {("o#id", "m#id")}


def test_a_text_that_says_nothing_is_none(resolver: SqlResolver) -> None:
    """One that cannot be read, an empty one, one in no known dialect; each in its place beside those that can."""
    good = picture("insert into m select id from o", [table("o", "id")], [table("m")])
    texts = [picture("%%% not sql", [table("o")], [table("m")]), picture(" ", [table("o")], [table("m")]), good,
             picture(None, [table("o")], [table("m")]),
             picture("select 1", [], [table("m", namespace="s3://b")])]  # fmt: skip

    assert [each is not None for each in parsed([(each, None) for each in texts], resolver)] == [
        False, False, True, False, False,
    ]  # fmt: skip
    assert parsed([(texts[-1], "spark")], resolver)[0] is not None


def test_a_query_of_a_run_needs_no_target(resolver: SqlResolver) -> None:
    """The run says what is written, several datasets or none; a task's message would have to."""
    several = read(picture("select id from o", [table("o")], [table("m"), table("n")], integration="SPARK"), resolver)

    assert (several.coverage, several.problems) == ("complete", [])


class Hasty(SqlResolver):
    """Has no time for any text."""

    def __call__(self, waiting: Any, **_: Any) -> list[Lineage]:
        """Return what the pool returns for a text that takes too long."""
        problems = [Problem("timeout", "more than 5 s of CPU time"), Problem("opaque-call", "", "sql:o")]
        return [Lineage([], "opaque", problems) for _ in waiting]


def test_a_text_that_there_was_no_time_for_says_so() -> None:
    """It is not the same as one that says nothing: another time it may be read."""
    with closing(Hasty(0)) as hasty:
        found = read(picture("select id from o", [table("o")], [table("m")]), hasty)

    assert (found.coverage, [each.code for each in found.problems]) == ("partial", ["timeout", "opaque-call"])
    assert [each.subject for each in found.problems] == ["", f"{PG}:o"]

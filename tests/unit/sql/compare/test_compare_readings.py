"""A text as its statements."""

from __future__ import annotations

import pytest

from ingest.sql.compare.readings import Statement, read
from lineage_tt.impact.texts import Side


def statements(sql: str, **known) -> list[Statement]:
    """Return the statements of a text of Hive."""
    found = read(Side(sql, "hive", "n", "d", **known))
    assert found is not None
    return found.statements


@pytest.mark.parametrize(
    ("sql", "kind", "dataset", "names"),
    [("insert into t (A, b) select 1, 2", "insert", "n:d.t", ("a", "b")),
     ("insert overwrite table t select 1", "overwrite", "n:d.t", ("x", "y")),
     ("create table e.u as select 1 as a", "ctas", "n:e.u", None),
     ("create view v (a) as select 1", "view", "n:d.v", ("a",)),
     ("select 1", "select", "n:d.o", None), ("drop table t", "other", None, None)],
)  # fmt: skip
def test_a_statement_says_what_it_writes_and_how(
    sql: str, kind: str, dataset: str | None, names: tuple[str, ...] | None
) -> None:
    """A query alone fills the task's target; columns that are not listed are the table's own."""
    (one,) = statements(sql, target="n:d.o", columns={"n:d.t": ("x", "y")})

    assert (one.kind, one.dataset, one.names) == (kind, dataset, names)


def test_the_order_of_stored_rows_is_kept_apart() -> None:
    """With a limit it decides which rows there are, and stays in the query."""
    (stored,) = statements("insert into t select a from u order by a")
    (limited,) = statements("insert into t select a from u order by a limit 1")

    assert (stored.order != "", stored.query.args.get("order")) == (True, None)
    assert (limited.order, limited.query.args.get("order") is not None) == ("", True)


def test_a_shell_is_the_same_whatever_the_query() -> None:
    """Neither the query nor the list of columns counts, but the way of writing does."""
    one, other, overwritten = (
        statements(sql)[0].shell
        for sql in ("insert into t select 1", "INSERT INTO T (a) select 2", "insert overwrite table t select 1")
    )

    assert one == other != overwritten


def test_use_is_followed_and_settings_are_noted() -> None:
    """Names after USE are in its database."""
    found = read(Side("set a = 1; use e; create table t as select 1", "hive", "n", "d"))

    assert found is not None
    assert [item.dataset for item in found.statements if item.dataset] == ["n:e.t"]
    assert len(found.settings) == 1


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("select )", "hive"),
        ("select 'a", "hive"),
        ("select 1", "no-such"),
        ("create procedure p(x int64) begin select 1; end", "bigquery"),
    ],
)
def test_what_cannot_be_read_has_no_reading(sql: str, dialect: str) -> None:
    """One fault of a text is enough."""
    assert read(Side(sql, dialect, "n")) is None

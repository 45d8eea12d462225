"""Tables that a text seems to name, found without a parser."""

from __future__ import annotations

import pytest

from ingest.sql.parser.mentions import mentioned


@pytest.mark.parametrize(
    ("sql", "reads", "writes"),
    [("insert into a.b select * from c join d.e on x using f", {"n:d.c", "n:d.e", "n:d.f"}, {"n:a.b"}),
     ("INSERT OVERWRITE TABLE t SELECT a FROM T", set(), {"n:d.t"}),
     ("create table if not exists t as select 1", set(), {"n:d.t"}),
     ("select 'from x', a -- from y\nfrom /* from z */ t", {"n:d.t"}, set()),
     ("with q as (select 1 from t) select * from Q", {"n:d.t"}, set()),
     ("select * from f(1) join (select 1) x", set(), set()),
     ("insert into t(a) select 1", set(), {"n:d.t"}),
     ("from lateral unnest(a) join select", set(), set()),
     ("from `Größe X`.`t`", {"n:größe x.t"}, set()),
     ("select extract(day from a), trim(' ' from b) from t where c is distinct from e", {"n:d.t"}, set()),
     ("select distinct a from t", {"n:d.t"}, set()),
     ("", set(), set())],
)  # fmt: skip
def test_names_after_keywords_are_mentioned(sql: str, reads: set[str], writes: set[str]) -> None:
    """Strings, comments, calls and WITH names are none; what is read and written counts as written."""
    assert mentioned(sql, "hive", "n", "d") == (reads, writes)


def test_quotes_keep_the_case_where_the_dialect_does() -> None:
    """A name without quotes has the dialect's own case."""
    assert mentioned('select 1 from "Ab".cD', "snowflake", "n", "d")[0] == {"n:Ab.CD"}


def test_a_dialect_that_is_not_known_has_names_in_any_case() -> None:
    """There is still something to report."""
    assert mentioned("select 1 from A.B", "no-such", "n", "d") == ({"n:a.b"}, set())

"""What a statement does to tables and views themselves."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from ingest.sql.compare.definitions import NOTHING, Definition, definition_of
from ingest.sql.dialects.dialects import Names

T = ("n:d.t",)


@pytest.mark.parametrize(
    ("sql", "done"),
    [("create table T (a int)", Definition(makes=T)), ("create view t as select 1", Definition(makes=T)),
     ("drop table if exists e.u", Definition(drops=("n:e.u",))), ("drop view t", Definition(drops=T)),
     ("drop schema E", Definition(drops=("n:e.*",))), ("truncate table t", Definition(empties=T)),
     ("delete from t where a = 1", Definition(empties=T)), ("insert into t (a) select 1", Definition(fills=T)),
     ("update t set a = 1", Definition(fills=T)),
     ("merge into t using u on t.a = u.a when matched then delete", Definition(fills=T)),
     ("alter table t rename to u", Definition(drops=T)),
     ("alter table t drop column A", Definition(alters=(("n:d.t", "a"),))),
     ("alter table t drop column if exists a", Definition(alters=(("n:d.t", ""),))),
     ("alter table t rename column a to b", Definition(alters=(("n:d.t", "a"),))),
     ("alter table t add column a int", Definition(alters=(("n:d.t", ""),))),
     ("select 1 from t", NOTHING), ("create function t() as 'x'", NOTHING)],
)  # fmt: skip
def test_each_statement_leaves_tables_as_it_says(sql: str, done: Definition) -> None:
    """A renamed table is not there under its name any more; a column that may be missing is not needed."""
    assert definition_of(parse_one(sql, dialect="spark"), Names("spark", "n", "d")) == done

"""Each output of a query with what it depends on."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from ingest.sql.compare.slices import NotSlicedError, Sliced, clauses_of, slice_query
from ingest.sql.dialects.dialects import Names

COLUMNS = {"n:d.t": ("a", "b", "c"), "n:d.u": ("a", "e")}


def sliced(sql: str, **options) -> Sliced:
    """Return a query of Hive as its outputs."""
    names = Names("hive", "n", "d")
    return slice_query(parse_one(sql, dialect="hive"), names, options.pop("columns", COLUMNS), {}, **options)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("select a, b from t", "select a, c + 1 from t", True),
     ("select a from t as x", "SELECT y.A AS z FROM d.t y", True),
     ("select a from (select a, b from t) q", "select a from (select a, c from t) r", True),
     ("select a from t", "select a from t where b > 1", False),
     ("select a from t", "select b from t", False),
     ("select a from t", "select a from u", False),
     ("select a from t", "select distinct a from t", False)],
)  # fmt: skip
def test_a_slice_holds_what_the_first_output_depends_on(one: str, other: str, same: bool) -> None:
    """Other outputs and the names of aliases do not count; what decides about rows does."""
    assert (sliced(one).outputs[0].slice == sliced(other).outputs[0].slice) is same


def test_outputs_have_names_and_types() -> None:
    """Without texts the slices are empty, and what is not known has no type."""
    found = sliced("select a as x, 1 as y, 'z' as z from t", texts=False)

    assert [(each.name, each.slice) for each in found.outputs] == [("x", ""), ("y", ""), ("z", "")]
    assert [each.type is None for each in found.outputs] == [True, False, False]


def test_names_that_cannot_be_resolved_are_named() -> None:
    """A name of several sources is ambiguous; a query over a column that its source lacks is not followed."""
    assert sliced("select t.b, a from t join u on t.a = u.a").ambiguous == {"a"}
    with pytest.raises(NotSlicedError):
        sliced("select q.zz from (select a from t) q")


def test_a_rename_makes_old_and_new_the_same() -> None:
    """The slices use the new names of stored columns."""
    old = sliced("select b from t", renames={"n:d.t": {"b": "bb"}})
    new = sliced("select bb from t", columns={"n:d.t": ("a", "bb", "c")})

    assert old.outputs[0].slice == new.outputs[0].slice


def test_clauses_are_counted_by_kind() -> None:
    """The order inside of a window is none of the query's, and the same clause twice counts twice."""
    names = Names("hive", "n", "d")
    sql = "select sum(a) over (order by b) from t where c union all select a from t where c order by 1 limit 2"
    found = clauses_of(parse_one(sql, dialect="hive"), names)
    kinds = {kind: sum(count for (each, _), count in found.items() if each == kind) for kind, _ in found}

    assert kinds == {"filter": 2, "union": 1, "order": 1, "limit": 1, "source": 2}


def test_a_column_of_several_unknown_sources_is_not_followed() -> None:
    """It would be a guess."""
    with pytest.raises(NotSlicedError, match="several unknown sources"):
        sliced("select z from v, w", columns={})

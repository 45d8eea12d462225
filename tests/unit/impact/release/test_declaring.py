"""A dataset's own change: the types that it states beside those before it."""

from __future__ import annotations

import pytest
from plain_base import PlainBase, change, release

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.impact.base.inferring import TypesOf
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.declaring import matters, note_declared, note_untyped, renames_of, type_changes
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.report import ColumnChange
from lineage_tt.model.facts import Field

A = "hive:ods.a"
KNOWN = {A: {"Id": "INT", "old": "STRING", "kept": "decimal(10,2)"}}


def declared(*fields: Field) -> Change:
    """Return the candidate of a dataset message."""
    own = Candidate(f"dataset:{A}", dataset=A, fields=fields)
    lineage = own.message(0).lineage
    assert lineage is not None
    return change(own.task_id, candidate_=own, outputs=lineage.outputs, types=lineage.types)


def on(*changes: Change) -> Release:
    """Return a release on a base that knows some types."""
    base = PlainBase(columns={A: ("Id", "old", "kept")}, types=KNOWN)
    return release(base, *changes, types_of=TypesOf(base, SqlAnalyst(0)))


def test_another_type_is_a_change_and_another_name_of_it_is_none() -> None:
    """Names of columns are compared without case; one that is new, or had no type, changes none."""
    made = declared(Field("id", "BIGINT"), Field("kept", "NUMERIC(10, 2)"), Field("fresh", "DATE"), Field("old"))

    assert type_changes(on(made), made, A) == [ColumnChange("type", A, "id", "INT", "BIGINT")]
    assert type_changes(on(made), made, "hive:ods.other") == []


def test_a_renamed_column_is_compared_by_its_former_name() -> None:
    """Where the message itself says so."""
    made = declared(Field("new", "DATE", renamed_from="OLD"), Field("kept", "decimal(10,2)"))

    assert renames_of(made, A) == {"OLD": "new"}
    assert type_changes(on(made), made, A) == [ColumnChange("type", A, "new", "STRING", "DATE")]


def test_renames_are_those_of_the_datasets_own_top_columns() -> None:
    """Not those of nested fields, of another dataset, or of a task."""
    made = declared(Field("s", "RECORD"), Field("s.x", "INT", nested=True, renamed_from="s.y"))

    assert renames_of(made, A) == {}
    assert renames_of(declared(Field("new", renamed_from="old")), "hive:ods.b") == {}
    assert renames_of(change("t", after=[(f"{A}#x", "n:b#x")]), "n:b") == {}


def test_types_after_a_declaration_are_the_stated_over_the_known() -> None:
    """By lower-case name; a task that only declares columns by DDL counts, one that fills them does not."""
    ddl = change("ddl", sql="CREATE TABLE a (id DATE)", outputs=[(A, ("id",))], types=[(A, (("ID", "DATE"),))])
    filled = change(
        "fill", after=[("n:x#y", f"{A}#id")], sql="x", outputs=[(A, ("id",))], types=[(A, (("id", "INT"),))]
    )
    one, other = on(ddl), on(filled)

    note_declared(one)
    note_declared(other)

    assert one.types == {A: {"id": "DATE", "old": "STRING", "kept": "decimal(10,2)"}}
    assert other.types == {}


def test_columns_that_lose_their_type_are_noted() -> None:
    """A type that is not given is not known after the release; a column that had none loses none."""
    made = on(declared(Field("id"), Field("new", renamed_from="old"), Field("kept", "INT"), Field("fresh")))

    note_untyped(made)
    note_untyped(on(declared(Field("kept", "INT"))))

    assert made.notes == [f"no type is given for id, new of {A}, so a change of type is not looked for"]


@pytest.mark.parametrize(
    ("kind", "before", "after", "expected"),
    [
        ("type", "INT", "STRING", True),
        ("type", "BIGINT", "INT", True),
        ("type", "INT", "BIGINT", False),
        ("type", "array<int>", "struct<a int>", False),
        ("removed", "INT", "STRING", False),
    ],
)
def test_a_type_matters_where_values_may_not_stay_what_they_are(
    kind: str, before: str, after: str, expected: bool
) -> None:
    """It leaves its family, or holds less; other changes of a column are judged elsewhere."""
    assert matters(ColumnChange(kind, A, "x", before, after)) is expected

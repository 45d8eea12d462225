"""The fields of Spark's ``_metadata``."""

from __future__ import annotations

from ingest.sql.binder.names.file_columns import fields_of_file

from ingest.sql.binder.relations.flow import IDENTITY, Column, Part


def test_each_field_comes_from_the_same_field_of_the_files() -> None:
    """Others than those that all files have may be there, too."""
    found = fields_of_file(Column("_metadata", (Part({"n:t#_metadata": IDENTITY}, "_metadata"),)))

    assert [column.name for column in found][::6] == ["file_path", "*"]
    assert dict(found[0].flow()) == {"n:t#_metadata.file_path": IDENTITY}

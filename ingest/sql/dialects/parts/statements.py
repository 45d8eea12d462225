"""What statements that write do in a dialect: INSERT, UPDATE, MERGE and CREATE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ingest.sql.dialects.parts.naming import NameRules

#: Where an engine keeps partition columns; ``files``: last in tables of files, where declared in others.
PartitionsLast = Literal["never", "files", "always"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatementRules(NameRules):
    """A part of the rules of one dialect (``Rules``), with the same defaults: what most engines do."""

    partitions_last: PartitionsLast = "never"
    """Where partition columns are in a table's order."""
    default_format_is_files: bool = True
    """A table made without a format is one of files (see ``partitions_last``)."""
    temporary_tables_are_stored: bool = False
    """A TEMPORARY table's definition ends with the session, its rows lie elsewhere and stay."""
    computed_columns_take_no_place: bool = False
    """INSERT without a column list leaves out computed columns."""
    stars_leave_out_computed: bool = False
    """``SELECT *`` leaves them out, too."""
    identity_columns_take_no_place: bool = False
    """INSERT without a column list leaves out columns that the engine numbers."""
    partition_clause_names_partitions: bool = False
    """A bare name in INSERT's PARTITION clause is a partition's, not a column's."""
    create_as_table_is_like: bool = False
    """``CREATE TABLE a AS b`` copies the definition of ``b``, not its rows."""
    create_as_adds_columns: bool = False
    """Columns listed in CREATE TABLE AS are further ones, beside those of the query."""
    merge_star_by_place: bool = False
    """``UPDATE SET *`` and ``INSERT *`` of a MERGE take the source's columns by place; elsewhere by name."""
    default_is_a_name: bool = False
    """DEFAULT as a value is a column's name; elsewhere it is the constant that the target's definition gives."""
    defaults_are_called: bool = False
    """``DEFAULT(a)`` is the constant that the definition of ``a`` gives."""
    conflict_row_in_sight: bool = False
    """In ON CONFLICT DO UPDATE a name alone may be of the row that was not inserted, too."""
    conflict_sources_in_sight: bool = False
    """In ON DUPLICATE KEY UPDATE a name alone may be of a source of the query that gives the rows."""
    insert_may_repeat_names: bool = False
    """An INSERT may list a column twice: the first value counts."""
    changes_tables_only: bool = False
    """The name after UPDATE or DELETE is a table's; elsewhere a query's in WITH: what it reads is changed."""
    update_may_repeat_names: bool = False
    """An UPDATE may assign a column twice: one of the values counts."""
    insert_may_fill_fewer: bool = False
    """An INSERT without a list of columns fills the first ones, where the query has fewer than the table."""
    created_columns_need_names: bool = False
    """A created table or view has no column without a name."""
    views_name_columns: bool = False
    """A view may have such columns all the same."""
    repeated_names_get_numbers: bool = False
    """A table or a view may be made of two columns of one name: the second one is renamed."""

"""ClickHouse."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import Precedence
from ingest.sql.dialects.parts.row_functions import OF_CLICKHOUSE
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules

CLICKHOUSE: Final = Rules(
    identity=Identity("clickhouse", similar=("ch", "chdb")),
    grouping=Grouping(strict=True),
    precedence=Precedence(
        items_first=frozenset(["prewhere", "where", "having", "qualify", "group", "order"]),
        items_anywhere=True,
        items_keep_case=True,
        first_source=True,
        tables_keep_names=True,
        names_have_dots=True,
    ),
    variables=Variables(select_into=False),
    comma_is_a_join=True,
    values_column="c{ordinal}",
    lateral_aliases=True,
    column_sets=True,
    using_columns_in_place=True,
    star_ignores_unknown_names=True,
    checks_unused_queries=False,
    update_may_repeat_names=True,
    one_column_may_repeat=True,
    joined_names_are_qualified=True,
    subqueries_make_rows=True,
    create_as_table_is_like=True,
    in_names_tables="unless a column",
    looks_up_by_name=True,
    forms="shown",
    unnamed_keeps_case=True,
    views_take_arguments=True,
    computed_columns_take_no_place=True,
    stars_leave_out_computed=True,
    fixed_columns=OF_CLICKHOUSE,
    struct_fields_are_apart=True,
    foreign_tables=(("mysql", 3), ("postgresql", 3), ("mongodb", 3), ("sqlite", 2)),
)

DIALECTS: Final = (CLICKHOUSE,)

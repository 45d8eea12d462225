"""BigQuery."""

from __future__ import annotations

import re
from typing import Final

from ingest.sql.dialects.parts.accepted import Accepted
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import Precedence
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

#: A table with a partition, also one of a template (``t$20240101``, ``t${{ ds }}``), or with the times of a snapshot.
_DECORATED: Final = re.compile(r"(.+?)(?:\$(?:\w+|[{$].*)|@-?\d+(?:-(?:-?\d+)?)?)", re.DOTALL)
BIGQUERY: Final = Rules(
    identity=Identity("bigquery", similar=("bq", "gbq", "googlesql", "zetasql")),
    grouping=Grouping(strict=True, distinct_orders_by_items=True),
    accepted=Accepted(distinct_on=False, mixed_set_operations=False, plain_qualify=False, changes_without_where=False),
    created_columns_need_names=True,
    views_name_columns=True,
    bracketed_column_keeps_name=True,
    variables=Variables(select_into=False),
    keeps_case=True,
    name_depth=3,
    part_of_table=_DECORATED,
    own_schema="_session",
    precedence=Precedence(
        items_first=frozenset(["group", "having", "qualify", "order"]),
        rows_first=True,
        rows_are_values=True,
        items_out_of_sight=True,
    ),
    at_is_variable=True,
    any_name_may_be_variable=True,
    declares_by_statement=True,
    functions_have_paths=True,
    idle_procedures=words("bq.refresh_materialized_view bq.abort_session jobs.cancel bq.cancel_index_alteration"),
    comma_is_a_join=True,
    implicit_unnests=True,
    unnest_alias_is_element=True,
    unnest_offset="offset",
    pivoted_numbers_get_underscore=True,
    unnamed_column="f{ordinal}_",
    struct_fields_are_apart=True,
    casts_drop_precision=True,
)

DIALECTS: Final = (BIGQUERY,)

"""DuckDB."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.parts.accepted import Accepted
from ingest.sql.dialects.parts.clients import DOT_COMMANDS
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import ROWS_IN_ORDER
from ingest.sql.dialects.parts.row_functions import OF_DOCUMENTS
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

_SUFFIXES: Final = ".parquet .csv .tsv .json .jsonl .ndjson .csv.gz .json.gz .csv.zst .json.zst"

DUCKDB: Final = Rules(
    identity=Identity("duckdb"),
    grouping=Grouping(strict=True),
    accepted=Accepted(plain_qualify=False, windows_in_macros=True),
    search_path_settings=frozenset(["SEARCH_PATH", "SCHEMA"]),
    file_suffixes=tuple(_SUFFIXES.split()),
    precedence=replace(ROWS_IN_ORDER, united_first=True, items_in_where=True, items_unless_grouped=True),
    dollar="name",
    variables=Variables(select_into=False, functions=words("getvariable")),
    subqueries_see_beside=True,
    struct_fields_are_apart=True,
    foreign_tables=(("postgres_scan", 3), ("postgres_scan_pushdown", 3), ("sqlite_scan", 2)),
    called_otherwise=(("apply", "list_apply"), ("reduce", "list_reduce")),
    niladic=words("user current_role current_schema current_catalog session_user"),
    computed_columns_take_no_place=True,
    values_column="col{place}",
    outer_joins_need_condition=True,
    rows_take_alias=words("range generate_series"),
    fixed_columns=OF_DOCUMENTS,
    unnest_names_element=True,
    unnest_keeps_structs=True,
    lateral_aliases=True,
    bracketed_column_keeps_name=True,
    column_sets=True,
    column_set_keeps_names=True,
    unnest_spreads_structs=True,
    using_columns_in_place=True,
    repeated_names_get_numbers=True,
    lists_may_be="any in WITH",
    merge_star_by_place=True,
    checks_unused_queries=False,
    returning_sees_sources=False,
    changes_tables_only=True,
    natural_needs_names=True,
    arrow="either",
    method_schemas=frozenset(["main", "system", "temp", "pg_catalog", "information_schema"]),
    client=DOT_COMMANDS,
)

DIALECTS: Final = (DUCKDB,)

"""PostgreSQL, what speaks its dialect, and what comes from it: Redshift, Materialize, RisingWave."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.parts.clients import PSQL
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import ROWS_IN_ORDER, Precedence
from ingest.sql.dialects.parts.row_functions import OF_POSTGRES
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

# What all of the family have.
RISINGWAVE: Final = Rules(
    identity=Identity("risingwave"),
    bare_fields=frozenset(),
    window_tables=words("tumble hop"),
    niladic=words("user current_role current_schema current_catalog session_user system_user"),
    precedence=Precedence(rows_are_values=True),
    values_column="column{ordinal}",
    unnest_takes_alias=True,
    fixed_columns=OF_POSTGRES,
    rows_take_alias=words(
        """generate_series generate_subscripts regexp_matches regexp_split_to_table string_to_table json_object_keys
        jsonb_object_keys jsonb_path_query"""
    ),
    unnest_names_element=True,
    selects_nothing=True,
    changes_tables_only=True,
    arrow="field",
    client=PSQL,
)
MATERIALIZE: Final = replace(RISINGWAVE, identity=Identity("materialize"), guesses_at_calls=True)
POSTGRES: Final = replace(
    RISINGWAVE,
    identity=Identity(
        "postgres",
        aliases=("greenplum", "postgresql"),
        similar=("hologres", "gaussdb", "kingbase", "cockroachdb", "yugabytedb", "timescaledb", "pg"),
    ),
    grouping=Grouping(strict_whole=True, distinct_orders_by_items=True),
    search_path_settings=frozenset(["SEARCH_PATH", "SCHEMA"]),
    precedence=ROWS_IN_ORDER,
    dollar="name",
    attaches_tables=True,
    outer_joins_need_condition=True,
    unnamed_as_postgres=True,
    bracketed_column_keeps_name=True,
    conflict_row_in_sight=True,
    insert_may_fill_fewer=True,
    lists_may_be="shorter",
    query_functions=words(
        """query_to_xml query_to_xml_and_xmlschema table_to_xml table_to_xml_and_xmlschema schema_to_xml
        schema_to_xml_and_xmlschema database_to_xml database_to_xml_and_xmlschema cursor_to_xml dblink_exec"""
    ),
)
REDSHIFT: Final = replace(
    POSTGRES,
    identity=Identity("redshift"),
    bare_fields=None,
    grouping=Grouping(strict=True, distinct_orders_by_items=True),
    implicit_unnests=True,
    lateral_aliases=True,
)
VERTICA: Final = replace(
    POSTGRES,
    identity=Identity("vertica", parser="postgres"),
    bare_fields=None,
    forms="limit_over",
    moves_by_functions=True,
    niladic=POSTGRES.niladic | words("sysdate"),
    sequence_words=words("nextval currval"),
    insert_may_fill_fewer=False,
)

DIALECTS: Final = (POSTGRES, REDSHIFT, VERTICA, MATERIALIZE, RISINGWAVE)

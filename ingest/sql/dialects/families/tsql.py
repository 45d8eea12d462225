"""T-SQL: SQL Server, and Fabric from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.parts.clients import SQLCMD
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import COLUMNS_IN_ORDER
from ingest.sql.dialects.parts.row_functions import OF_TSQL
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

TSQL: Final = Rules(
    identity=Identity("tsql", aliases=("mssql",), similar=("synapse", "sqlserver", "azure", "sybase")),
    default_schema="dbo",
    bare_fields=words("lat long stx sty hasz hasm isnull stsrid"),  # of the engine's own types
    leaves_out_schemas=True,
    use_names_catalog=True,
    at_names_hold_rows=True,
    precedence=COLUMNS_IN_ORDER,
    dollar="column",
    niladic=words("user current_user session_user system_user"),
    at_is_variable=True,
    sets_at_names_only=True,
    batches=True,
    forms="indexes",
    fixed_columns=OF_TSQL,
    recursive_without_keyword=True,
    outer_joins_need_condition=True,
    grouping=Grouping(item_names=False, strict=True, distinct_orders_by_items=True),
    xml_methods=frozenset(["value", "query", "exist", "nodes", "modify"]),
    object_methods=True,
    guesses_at_arrows=True,
    queries_in_from_have_names_once=True,
    created_columns_need_names=True,
    computed_columns_take_no_place=True,
    identity_columns_take_no_place=True,
    client=SQLCMD,
)
FABRIC: Final = replace(TSQL, identity=Identity("fabric"))

DIALECTS: Final = (TSQL, FABRIC)

"""SQLite."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.parts.clients import DOT_COMMANDS
from ingest.sql.dialects.parts.precedence import COLUMNS_IN_ORDER
from ingest.sql.dialects.parts.row_functions import OF_DOCUMENTS
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules

SQLITE: Final = Rules(
    identity=Identity("sqlite"),
    bare_fields=frozenset(),
    variables=Variables(select_into=False),
    recursive_without_keyword=True,
    precedence=replace(COLUMNS_IN_ORDER, items_in_where=True),
    computed_columns_take_no_place=True,
    values_column="column{ordinal}",
    fixed_columns=(*OF_DOCUMENTS, ("generate_series", ("value",))),
    using_columns_in_place=True,
    repeated_names_get_numbers=True,
    checks_unused_queries=False,
    returning_sees_sources=False,
    using_takes_first=True,
    insert_may_repeat_names=True,
    update_may_repeat_names=True,
    changes_tables_only=True,
    arrow="field",
    in_names_tables="always",
    query_functions=frozenset(["eval"]),
    client=DOT_COMMANDS,
)

DIALECTS: Final = (SQLITE,)

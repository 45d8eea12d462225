"""Snowflake."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.parts.accepted import Accepted
from ingest.sql.dialects.parts.clients import SNOWSQL
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

_FLATTENED: Final = ("SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS")
_SPLIT: Final = ("SEQ", "INDEX", "VALUE")
_FIXED_COLUMNS: Final = (
    ("flatten", _FLATTENED),
    ("explode", _FLATTENED),  # as the parser calls it
    ("split_to_table", _SPLIT),
    ("strtok_split_to_table", _SPLIT),
    ("generator", ()),
    ("getnextval", ("NEXTVAL",)),
)

SNOWFLAKE: Final = Rules(
    identity=Identity("snowflake"),
    grouping=Grouping(strict=True, distinct_orders_by_items=True),
    accepted=Accepted(plain_qualify=False),
    created_columns_need_names=True,
    default_schema="public",
    recursive_without_keyword=True,
    bare_fields=frozenset(),
    leaves_out_schemas=True,
    use_names_catalog=True,
    dollar="name",
    sequence_words=words("nextval"),
    sequence_functions=words("getnextval"),
    at_is_variable=True,
    variables=Variables(colon="only", set_gives_dollar=True),
    identifier_clause=True,
    zeroifnull=True,
    has_dual=True,
    fixed_columns=_FIXED_COLUMNS,
    values_column="COLUMN{ordinal}",
    lateral_aliases=True,
    dollar_places=True,
    client=SNOWSQL,
)

DIALECTS: Final = (SNOWFLAKE,)

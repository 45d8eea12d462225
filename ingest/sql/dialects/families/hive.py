"""Hive, and Impala from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import LATER
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

HIVE: Final = Rules(
    identity=Identity("hive", similar=("inceptor",), also_read_as=("spark",)),
    variables=Variables(select_into=False),
    precedence=LATER,
    rename_moves_to_current=True,
    niladic=words("grouping__id"),
    substitutes_settings=True,
    transforms=True,
    exchange_moves_one_way=True,
    comma_is_a_join=True,
    explode_names=True,
    quoted_patterns=True,
    grouping=Grouping(item_names=False, takes_places=False, strict=True, distinct_orders_by_items=True),
    unnamed_column="_c{position}",
    unnamed_in_created="c{position}",
    bracketed_column_keeps_name=True,
    partitions_last="always",
)
IMPALA: Final = replace(
    HIVE,
    identity=Identity("impala", parser="hive", also_read_as=("spark",)),
    forms="hints",
    grouping=Grouping(item_names=False, strict=True, distinct_orders_by_items=True),
    implicit_unnests=True,
)

DIALECTS: Final = (HIVE, IMPALA)

"""Hive, and Impala as one more name of it."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.rules import Identity, Rules

HIVE: Final = Rules(
    identity=Identity("hive", aliases=("impala",), similar=("inceptor",), also_read_as=("spark",)),
    rename_moves_to_current=True,
    substitutes_settings=True,
    transforms=True,
    exchange_moves_one_way=True,
    comma_is_a_join=True,
    explode_names=True,
    group_by_item_names=False,
    unnamed_column="_c{position}",
    unnamed_in_created="c{position}",
    bracketed_column_keeps_name=True,
    partitions_last="always",
)

DIALECTS: Final = (HIVE,)

"""Trino, with Presto and Athena from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.parts.accepted import Accepted
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import LATER
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

PRESTO: Final = Rules(
    identity=Identity("presto"),
    precedence=replace(LATER, united_alone=True),
    variables=Variables(select_into=False),
    accepted=Accepted(distinct_on=False, star_changes=False, set_operations_by_name=False),
    created_columns_need_names=True,
    default_is_a_name=True,
    grouping=Grouping(item_names=False, strict=True, distinct_orders_by_items=True),
    idle_procedures=words(
        """system.sync_partition_metadata system.create_empty_partition system.unregister_partition
        system.flush_metadata_cache system.rollback_to_snapshot system.vacuum system.drop_stats
        system.drop_extended_stats runtime.kill_query"""
    ),
    niladic=words("current_schema current_path current_catalog"),
    values_column="_col{place}",
    outer_joins_need_condition=True,
    values_take_rows=True,
    set_operations_count_both=True,
    unnamed_column="_col{position}",
    unnamed_by_place=True,
    bracketed_column_keeps_name=True,
    star_omits_using=True,
    grouping_counts=True,
    subqueries_make_rows=True,
)
TRINO: Final = replace(
    PRESTO,
    identity=Identity("trino", similar=("starburst", "prestosql", "prestodb", "galaxy")),
    grouping=Grouping(item_names=False, all_word="auto", strict=True, distinct_orders_by_items=True),
)
# Athena's generator in sqlglot only chooses between Hive's and Trino's.
ATHENA: Final = replace(
    TRINO,
    identity=Identity("athena", rendered_as="trino"),
    grouping=PRESTO.grouping,
    session_catalog="awsdatacatalog",
    words_by_statement=True,
)

DIALECTS: Final = (PRESTO, TRINO, ATHENA)

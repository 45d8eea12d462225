"""Flink SQL, read by Spark's parser, which has its backticks and nested types. Its own rules are Calcite's."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

FLINK: Final = Rules(
    identity=Identity("flink", parser="spark", aliases=("flinksql",)),
    variables=Variables(select_into=False),
    keeps_case=True,
    string_escapes=("'",),
    keywords=("MATCH_RECOGNIZE",),
    dollar="name",
    niladic=words("localtime localtimestamp"),
    statement_sets=True,
    idle_procedures=words(
        """sys.compact sys.compact_database sys.expire_snapshots sys.expire_partitions sys.remove_orphan_files
        sys.create_tag sys.delete_tag sys.rollback_to"""
    ),
    stream_tables=True,
    window_tables=frozenset(["tumble", "hop", "cumulate", "session"]),
    temporal_joins=True,
    grouping=Grouping(item_names=False, strict=True, distinct_orders_by_items=True),
    values_column="EXPR${place}",
    unnamed_column="EXPR${position}",
    unnest_offset="ORDINALITY",
    temporary_tables_are_stored=True,
    computed_columns_take_no_place=True,
)

DIALECTS: Final = (FLINK,)

"""Spark, from Hive: version 2, the present one, and Databricks."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ingest.sql.dialects.families.hive import HIVE
from ingest.sql.dialects.parts.accepted import Accepted
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import Precedence
from ingest.sql.dialects.rules import Identity
from ingest.sql.words import words

# Iceberg's, Paimon's and Hudi's.
_IDLE: Final = words(
    """system.expire_snapshots system.remove_orphan_files system.rewrite_data_files system.rewrite_manifests
    system.rewrite_position_delete_files system.rewrite_table_path system.ancestors_of system.compute_table_stats
    system.compute_partition_stats system.rollback_to_snapshot system.rollback_to_timestamp sys.compact
    sys.compact_database sys.expire_snapshots sys.expire_partitions sys.remove_orphan_files sys.create_tag
    sys.delete_tag sys.rollback run_compaction run_clustering run_clean show_commits show_compaction create_savepoint
    delete_savepoint"""
)

#: A branch or a past of an Iceberg table: ``catalog.db.t.branch_audit``. One part less may be a table of that name.
_OF_ICEBERG: Final = re.compile(
    r"((?:[^.]+\.){2}[^.]+)\.(?:(?:branch|tag)_\w+|(?:snapshot_id|at_timestamp)_\d+)", re.IGNORECASE
)

SPARK2: Final = replace(
    HIVE,
    identity=Identity("spark2", also_read_as=("spark", "databricks")),
    accepted=Accepted(several_generators=False),
    rename_moves_to_current=False,
    session_catalog="spark_catalog",
    part_of_table=_OF_ICEBERG,
    search_path_settings=frozenset(["PATH"]),
    names_files_by_format=True,
    global_views_schema="global_temp",
    session_variables=True,
    fixed_columns=(("range", ("id",)),),
    niladic=words("localtimestamp grouping__id"),
    one_column_may_repeat=True,
    using_takes_first=True,
    grouping=Grouping(time_windows=True, brackets_list=False, strict=True, distinct_orders_by_items=True),
    lateral_aliases=True,
    unnamed_column="",
    unnamed_in_created="",
    bracketed_star=True,
    cast_keeps_name=True,
    literal_is_name=True,
    columns_hide_functions=True,
    file_metadata=True,
    partitions_last="files",
    idle_procedures=_IDLE,
)
SPARK: Final = replace(
    SPARK2,
    identity=Identity(
        "spark",
        aliases=("sparksql",),
        similar=("kyuubi", "emr", "glue", "iceberg", "delta", "pyspark"),
        also_read_as=("databricks",),
    ),
    rename_moves_to_current=True,
    precedence=Precedence(
        items_first=frozenset(["order", "qualify"]),
        items_settle=frozenset(["having"]),
        items_out_of_sight=True,
        items_unless_grouped=True,
    ),
    identifier_clause=True,
    loops_name_columns=True,
    all_is_name=True,
    single_pipes=True,
)
DATABRICKS: Final = replace(
    SPARK,
    identity=Identity("databricks"),
    accepted=Accepted(plain_qualify=False),
    rename_moves_to_current=False,
    own_schema="live",
    own_schema_needs_words=("live table", "live view", "create or refresh", "apply changes", "auto cdc", "create flow"),
    cell_lines=True,
    change_functions=words("table_changes"),
    default_format_is_files=False,
)

DIALECTS: Final = (SPARK2, SPARK, DATABRICKS)

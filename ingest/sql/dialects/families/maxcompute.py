"""MaxCompute (ODPS), from Hive."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.families.hive import HIVE
from ingest.sql.dialects.rules import Identity

MAXCOMPUTE: Final = replace(
    HIVE,
    identity=Identity("maxcompute", parser="hive", aliases=("odps",), also_read_as=("spark", "databricks")),
    rename_moves_to_current=False,
    forms="projects",
    at_names_hold_rows=True,
    at_is_variable=True,
    substitutes_settings=False,
    table_variables=True,
    storage_statements=True,
    unnamed_in_created="",
)

DIALECTS: Final = (MAXCOMPUTE,)

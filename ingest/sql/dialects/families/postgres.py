"""PostgreSQL, what speaks its dialect, and what comes from it: Redshift, Materialize, RisingWave."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.precedence import COLUMNS_IN_ORDER
from ingest.sql.dialects.rules import Identity, Rules

# What all of the family have.
RISINGWAVE: Final = Rules(
    identity=Identity("risingwave"),
    values_column="column{ordinal}",
    unnest_takes_alias=True,
    unnest_names_element=True,
    selects_nothing=True,
    arrow="field",
)
MATERIALIZE: Final = replace(RISINGWAVE, identity=Identity("materialize"), guesses_at_calls=True)
POSTGRES: Final = replace(
    RISINGWAVE,
    identity=Identity(
        "postgres",
        aliases=("greenplum", "postgresql", "vertica"),
        similar=("hologres", "gaussdb", "kingbase", "cockroachdb", "yugabytedb", "timescaledb", "pg"),
    ),
    search_path_settings=frozenset(["SEARCH_PATH", "SCHEMA"]),
    precedence=COLUMNS_IN_ORDER,
    dollar="name",
    attaches_tables=True,
    unnamed_as_postgres=True,
    bracketed_column_keeps_name=True,
    conflict_row_in_sight=True,
)
REDSHIFT: Final = replace(POSTGRES, identity=Identity("redshift"), implicit_unnests=True, lateral_aliases=True)

DIALECTS: Final = (POSTGRES, REDSHIFT, MATERIALIZE, RISINGWAVE)

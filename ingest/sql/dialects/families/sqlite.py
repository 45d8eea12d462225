"""SQLite."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.precedence import COLUMNS_IN_ORDER
from ingest.sql.dialects.rules import Identity, Rules

SQLITE: Final = Rules(
    identity=Identity("sqlite"),
    precedence=COLUMNS_IN_ORDER,
    values_column="column{ordinal}",
    using_columns_in_place=True,
    repeated_names_get_numbers=True,
    arrow="field",
)

DIALECTS: Final = (SQLITE,)

"""Teradata."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.rules import Identity, Rules

TERADATA: Final = Rules(
    identity=Identity("teradata"),
    dollar="name",
    recursive_without_keyword=True,
    lateral_aliases=True,
)

DIALECTS: Final = (TERADATA,)

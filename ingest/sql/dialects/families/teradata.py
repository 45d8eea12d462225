"""Teradata."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.parts.clients import BTEQ
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

TERADATA: Final = Rules(
    identity=Identity("teradata"),
    dollar="name",
    bare_fields=frozenset(),
    forms="locks",
    variables=Variables(colon="variable"),
    niladic=words(
        """date time user session database account role profile current_role current_user until_changed until_closed"""
    ),
    recursive_without_keyword=True,
    lateral_aliases=True,
    brackets_cast=True,
    macros_run_statements=True,
    client=BTEQ,
)

DIALECTS: Final = (TERADATA,)

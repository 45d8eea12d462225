"""Which engine's forms a statement is read with, as the rules of its dialect say (``forms``)."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.before.engines.files import with_formats
from ingest.sql.parser.before.engines.oracle import plain_oracle
from ingest.sql.parser.before.engines.projects import plain_projects
from ingest.sql.parser.before.engines.several import (
    named_local,
    plain_db2,
    plain_impala,
    plain_mysql,
    plain_shown,
    plain_vertica,
)
from ingest.sql.parser.before.engines.teradata import plain_teradata
from ingest.sql.parser.before.engines.tsql_tables import plain_tables


def plain_form(tokens: list[Token], engine: Engine) -> list[Token]:
    """Return a statement of an engine with forms of its own in words that the parser knows."""
    form = engine.rules.forms
    if form == "limit_over":
        return plain_vertica(tokens, engine.dialect)
    if form == "priorities":
        return plain_mysql(tokens, engine.dialect)
    if form == "shown":
        return plain_shown(with_formats(tokens))
    if form == "links":
        return plain_oracle(tokens, engine.dialect)
    return _FORMS[form](tokens)


_FORMS: Final = {
    "registers": plain_db2,
    "hints": plain_impala,
    "locks": plain_teradata,
    "local": named_local,
    "projects": plain_projects,
    "indexes": plain_tables,
}

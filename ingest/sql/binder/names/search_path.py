"""Where names without a schema are looked up: ``SET search_path`` (Postgres, Redshift, DuckDB), ``SET PATH`` (Spark).

Oracle's ``ALTER SESSION SET CURRENT_SCHEMA = s`` is as USE is, and StarRocks' ``SET CATALOG c`` as USE CATALOG.

The first schema of a search path is the current one, as after USE: new tables go there. Which of several schemas holds
a table is not known, so a path of several makes the answer partial. Spark's path says where to look, not where new
tables go; it is reported.
"""

from __future__ import annotations

import re
from typing import Final

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.render import text_of
from ingest.sql.words import words

_SET = re.compile(
    r"(?:ALTER\s+SESSION\s+)?SET\s+(?:(?:SESSION|LOCAL)\s+)?"
    r"(SEARCH_PATH|CURRENT_SCHEMA|SCHEMA|PATH|CATALOG)\b\s*(?:=|TO\b)?(.+)",
    re.IGNORECASE | re.DOTALL,
)
# Schemas without tables of users, and words that leave the path as it is.
_OWN: Final = words("pg_catalog $user pg_temp system.builtin system.session system_path")
_USUAL_CATALOG: Final = "default_catalog"
_AS_IT_IS: Final = words("default default_path path current_schema current_database")


def follow(walk: Binder, node: exp.Expr) -> None:
    """Look up names along the path that a SET gives, where it sets the search path."""
    names = walk.names
    match = _SET.fullmatch(text_of(node, names.dialect).strip())
    if match is None or match[1].upper() not in names.rules.search_path_settings:
        return
    listed = [entry.strip() for entry in match[2].replace("'", "").split(",")]
    schemas = [entry for entry in listed if entry.strip('"`').lower() not in _OWN]
    if not schemas or schemas[0].lower() in _AS_IT_IS:
        return
    if schemas[0].lower() == _USUAL_CATALOG and len(names.database) == 1:
        return  # no other one is current, and names do not show it
    if match[1].upper() == "PATH":
        detail = "names without a database are looked up in the current one, not along SET PATH"
        walk.report("unsupported-statement", detail)
        return
    first = names.spell(exp.to_identifier(schemas[0].strip('"'), quoted=schemas[0].startswith('"')))
    names.use(first.split("."), catalog=match[1].upper() == "CATALOG")
    if len(schemas) > 1:
        detail = f"names without a schema are looked up in {first} alone, not in {', '.join(schemas[1:])}"
        walk.report("unsupported-statement", detail)

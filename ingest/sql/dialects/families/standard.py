"""Standard SQL, and dialects that only the parser tells apart from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

STANDARD: Final = Rules(
    identity=Identity("", aliases=("ansi",), also_read_as=("duckdb", "databricks")),
    exchange_moves_one_way=True,
)
DB2: Final = replace(
    STANDARD,
    identity=Identity("db2", parser="", also_read_as=STANDARD.identity.also_read_as),
    forms="registers",
    recursive_without_keyword=True,
    bare_fields=frozenset(),
    niladic=words("""user session_user system_user rownum sysdate current_schema current_server current_date
    current_time current_timestamp current_timezone current_user current_path current_degree current_member"""),
    sequence_words=words("nextval currval"),
)
EXASOL: Final = Rules(
    identity=Identity("exasol"),
    bare_fields=frozenset(),
    has_dual=True,
    forms="local",
    local_items=True,
    niladic=words(
        """rownum level connect_by_isleaf connect_by_iscycle sysdate systimestamp user current_schema current_session
        current_statement current_user localtimestamp sessiontimezone dbtimezone"""
    ),
)

DIALECTS: Final = (
    STANDARD,
    DB2,
    EXASOL,
    *(
        Rules(identity=Identity(name))
        for name in ("dax", "dremio", "drill", "druid", "dune", "prql", "solr", "tableau")
    ),
)

"""Oracle."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.parts.clients import SQLPLUS
from ingest.sql.dialects.parts.grouping import Grouping
from ingest.sql.dialects.parts.precedence import LATER
from ingest.sql.dialects.parts.variables import Variables
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

ORACLE: Final = Rules(
    identity=Identity("oracle", similar=("dm", "dameng", "plsql")),
    search_path_settings=frozenset(["CURRENT_SCHEMA"]),
    precedence=LATER,
    bare_fields=frozenset(),
    dollar="name",
    slash_ends=True,
    forms="links",
    niladic=words(
        """rownum level connect_by_isleaf connect_by_iscycle sysdate systimestamp user uid sessiontimezone dbtimezone
        localtimestamp"""
    ),
    sequence_words=words("nextval currval"),
    select_into_sets_variables=True,
    values_take_records=True,
    calls_by_name=True,
    variables=Variables(cursors_have_attributes=True),
    idle_packages=words(
        "dbms_output dbms_stats dbms_lock dbms_session dbms_application_info dbms_random raise_application_error"
    ),
    query_functions=words("dbms_xmlgen.getxml dbms_xmlgen.getxmltype dbms_xmlquery.getxml"),
    recursive_without_keyword=True,
    has_dual=True,
    elements_column="COLUMN_VALUE",
    outer_joins_need_condition=True,
    grouping=Grouping(item_names=False, takes_places=False, nested=True, strict=True, distinct_orders_by_items=True),
    object_methods=True,
    partition_clause_names_partitions=True,
    has_editions=True,
    client=SQLPLUS,
)

DIALECTS: Final = (ORACLE,)

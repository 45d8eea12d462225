"""MySQL, and Doris and StarRocks, which speak its protocol."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ingest.sql.dialects.parts.clients import MYSQL_CLIENT
from ingest.sql.dialects.parts.precedence import Precedence
from ingest.sql.dialects.rules import Identity, Rules
from ingest.sql.words import words

# What all of the family have.
STARROCKS: Final = Rules(
    identity=Identity("starrocks"),
    search_path_settings=frozenset(["CATALOG"]),
    niladic=words("current_date current_time current_timestamp current_user utc_date utc_time utc_timestamp"),
    at_is_variable=True,
    select_into_sets_variables=True,
    has_dual=True,
    literal_is_name=True,
    partition_clause_names_partitions=True,
    swaps_in_database=True,
    delimiter_lines=True,
    client=MYSQL_CLIENT,
    runs_marked_comments=True,
    update_may_repeat_names=True,
    changes_tables_only=True,
)
DORIS: Final = replace(
    STARROCKS,
    identity=Identity("doris", similar=("selectdb", "palo")),
    arrow="field",
    search_path_settings=frozenset(),
)
MYSQL: Final = replace(
    STARROCKS,
    bare_fields=frozenset(),
    search_path_settings=frozenset(),
    outer_joins_need_condition=True,
    using_columns_in_left_order=True,
    identity=Identity(
        "mysql",
        aliases=("mariadb",),
        similar=("tidb", "oceanbase", "polardb", "analyticdb", "adb", "gbase", "memsql"),
    ),
    precedence=Precedence(
        items_first=frozenset(),
        items_settle=frozenset(["group", "having"]),
        items_out_of_sight=True,
        items_unless_grouped=True,
    ),
    dollar="name",
    sequence_words=words("nextval currval"),
    sequence_functions=words("nextval lastval setval"),
    forms="priorities",
    values_column="column_{place}",
    values_take_rows=True,
    arrow="field",
    create_as_adds_columns=True,
    conflict_sources_in_sight=True,
    defaults_are_called=True,
    queries_in_from_have_names_once=True,
)

DIALECTS: Final = (MYSQL, DORIS, STARROCKS)

"""The columns that dbt adds to a snapshot beside those of its query: when each row held, and its key.

The query alone gives a table without them: a star over it lacked them, and a reader that names one seemed to be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ingest.dbt.columns import is_plain

#: What a text that is a query has. Where one only calls a macro, its columns are not known before dbt compiles it.
_QUERY: Final = re.compile(r"\b(?:select\b|values\s*\(|(?:from|table)\s+[\w\"`{\[])", re.IGNORECASE)
#: The columns of every snapshot by their default names.
_KEY, _UPDATED, _FROM, _TO = "dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to"
#: The column of snapshots that keep a row for what was deleted.
_DELETED: Final = "dbt_is_deleted"


def as_built(node: Mapping[str, Any], text: str) -> str:
    """Return the SQL of a snapshot with the columns that dbt adds, as dbt selects them; that of other nodes as it is.

    Without the column ``updated_at``, or where it is no plain name, the times are those of the run.
    """
    if node.get("resource_type") != "snapshot" or _QUERY.search(text) is None:
        return text
    given = node.get("config")
    config: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    renamed = config.get("snapshot_meta_column_names")
    names: Mapping[str, Any] = renamed if isinstance(renamed, Mapping) else {}
    keys = config.get("unique_key")
    plain = [each for each in (keys if isinstance(keys, list) else [keys]) if is_plain(each)]
    updated = config.get("updated_at")
    at = updated if is_plain(updated) else ""
    values = {
        _KEY: _joined([*plain, *([at] if at else [])]),
        _UPDATED: at or "current_timestamp",
        _FROM: at or "current_timestamp",
        _TO: f"nullif({at}, {at})" if at else "null",
    }
    if config.get("hard_deletes") == "new_record":
        values[_DELETED] = "'False'"
    added = ", ".join(f"{value} as {_named(names.get(name), name)}" for name, value in values.items())
    return f"select sbq.*, {added} from (\n{text.strip().rstrip(';')}\n) sbq"


def _joined(parts: list[str]) -> str:
    """Return the parts put together, in functions of two arguments, which every engine has."""
    result = "''"
    for each in reversed(parts):
        result = f"concat({each}, {result})"
    return result


def _named(given: Any, default: str) -> str:
    return given if is_plain(given) else default

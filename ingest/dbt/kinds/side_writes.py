"""What a project writes beside its models: hooks and operations that fill tables, and exports of saved queries.

They run around the models, in the order that dbt gives them, and are no part of any model's text. Nothing is read from
them; this says that it is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.dbt.relations import Relations
from lineage_tt.model.names import clipped

#: What fills a table or defines one. Settings, removals and grants, such as ``grant create table on …``, write nothing
#: that feeds another table.
_WRITES: Final = re.compile(
    r"\b(?:insert\s+(?:into|overwrite)|merge\s+into|copy\s+into|replace\s+into"
    r"|update\s+(?:\{\{[^{}]*\}\}|[^\s{])+\s+set"
    r"|create\s+(?:or\s+replace\s+)?(?:\w+\s+){0,2}(?:table|view)(?!\s*,|\s+(?:on|to)\b))\b",
    re.IGNORECASE,
)
_HOOKS: Final = ("pre-hook", "post-hook", "pre_hook", "post_hook")
#: The longest text that is looked at.
_LONGEST: Final = 100_000


def writes_beside(relations: Relations) -> Iterator[str]:
    """Yield, in words, each hook, operation and export that writes a table and has no effect on lineage."""
    for unique_id, node in relations.of_kind("model", "snapshot", "seed"):
        config = node.get("config")
        hooks = [(name, config.get(name)) for name in _HOOKS] if isinstance(config, Mapping) else []
        for name, listed in hooks:
            for each in listed if isinstance(listed, list) else [listed]:
                if _writes(each.get("sql") if isinstance(each, Mapping) else each):
                    yield f"a {name} of {clipped(unique_id)} writes a table: it has no lineage"
    for unique_id, node in relations.of_kind("operation"):
        if any(_writes(node.get(name)) for name in ("compiled_code", "raw_code", "compiled_sql", "raw_sql")):
            yield f"{clipped(unique_id)} writes a table: it has no lineage"
    for unique_id, node in relations.of_kind("saved_query"):
        exports = node.get("exports")
        if isinstance(exports, list) and exports:
            yield f"{clipped(unique_id)} is exported as a table: it has no lineage"


def _writes(text: Any) -> bool:
    return isinstance(text, str) and _WRITES.search(text[:_LONGEST]) is not None

"""A resolver for one statement, ``SELECT * FROM t``, for tests of columns and of concurrent writers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lineage_tt.model.facts import Shape, names_of
from lineage_tt.model.messages import Lineage, TaskChange


def star_resolver(waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
    """Resolve ``SELECT * FROM <sql>``: one edge for each column, none if the columns are not known."""
    result = []
    for message, known in waiting:
        source, target = message.sql or "", f"n:out_{message.task_id}"
        columns = names_of(known[source]) if source in known else None
        edges = [(f"{source}#{name}", f"{target}#{name}", "DIRECT", "IDENTITY", "") for name in columns or ()]
        outputs = [(target, columns)] if columns else []
        result.append(Lineage(edges, outputs=outputs, lookups=[(source, columns)], stars=[source], parser="star"))
    return result

"""How far engines and the SQL of their queries agree on column lineage, where both report it.

The code that takes in events stores with a task's message how many pairs of columns both have, and which pairs only one
of them has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from lineage_tt.read.questions import Questions

_LATEST: Final = """
    SELECT task_id, max(version), arg_max(attributes, version) FROM log
    WHERE status = 'accepted' AND task_id IS NOT NULL AND ($task IS NULL OR task_id = $task)
    GROUP BY task_id ORDER BY task_id
"""


class Agreement(NamedTuple):
    """One task's latest message: how many pairs of columns both have, the engine alone has, and the SQL alone has.

    ``only_engine`` and ``only_sql`` are the first such pairs, each a source and a target.
    """

    task_id: str
    version: int
    both: int
    engine: int
    sql: int
    only_engine: list[list[str]]
    only_sql: list[list[str]]


def agreement(store: Questions, task_id: str | None = None) -> list[Agreement]:
    """Return the agreement of each task for which both engine and SQL report columns, or of one task if given."""
    import orjson

    result = []
    for task, version, attributes in store.fetch(_LATEST, task=task_id):
        content: Any = orjson.loads(attributes) if attributes else {}
        cause = content.get("openlineage") if isinstance(content, dict) else None
        each = cause.get("agreement") if isinstance(cause, dict) else None
        if isinstance(each, dict):
            only = each.get("examples", {})
            both, engine, sql = (int(each.get(name, 0)) for name in ("both", "engine", "sql"))
            alone = only.get("engine", []), only.get("sql", [])
            result.append(Agreement(task, int(version), both, engine, sql, *alone))
    return result


def totals(tasks: list[Agreement]) -> dict[str, int | float | None]:
    """Return the sums over tasks, and the share of pairs that both have, None if there are no pairs."""
    both, engine, sql = (sum(getattr(each, name) for each in tasks) for name in ("both", "engine", "sql"))
    pairs = both + engine + sql
    return {"tasks": len(tasks), "both": both, "engine": engine, "sql": sql, "share": both / pairs if pairs else None}

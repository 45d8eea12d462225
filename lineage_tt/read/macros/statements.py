"""Which row of the log states what holds from an instant on: the query after the macro ``statements_as_of``.

An edge or a fact in force is attributed to the message that began it: the one in force for its task or subject at the
first instant of its stretch. That is not the row that put the rectangle in place, which may be a later one that only
moved its end. The graph computes the same from its own arrays (``graph/statements``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lineage_tt.model.answers import Basis

#: ``{only}`` may narrow the subjects.
_QUERY: Final = """\
WITH accepted AS MATERIALIZED (
    SELECT coalesce(kind, 'task') AS kind, coalesce(task_id, subject) AS subject, coalesce(fact_key, '') AS "key",
        effective_at, version, coalesce(source_version, -9223372036854775808) AS rank, derived_from
    FROM log
    WHERE status = 'accepted' AND op <> 'retract' AND system_time <= system_at AND effective_at <= valid_at{only}
        AND version NOT IN (FROM withdrawn_as_of(system_at))
), stated AS MATERIALIZED (  -- of those that take effect at one time, the one that counts
    SELECT kind, subject, "key", effective_at, max_by(version, (rank, version)) AS version
    FROM accepted WHERE derived_from IS NULL GROUP BY ALL
), again AS MATERIALIZED (  -- of what was derived of the one in force from that time on, the last
    SELECT t.kind, t.subject, t."key", t.effective_at, max(t.version) AS version
    FROM (FROM accepted WHERE derived_from IS NOT NULL) AS t ASOF JOIN stated AS s
        ON s.kind = t.kind AND s.subject = t.subject AND s."key" = t."key" AND t.effective_at >= s.effective_at
    WHERE s.version = t.derived_from GROUP BY ALL
)
FROM stated ANTI JOIN again USING (kind, subject, "key", effective_at)
UNION ALL
FROM again"""

STATEMENTS: Final = _QUERY.replace("{only}", "")
_OF_TASKS: Final = f"""
    SELECT subject, epoch_us(effective_at), version
    FROM ({_QUERY.replace("{only}", " AND task_id IN (SELECT unnest($tasks))")})
    WHERE effective_at IN (SELECT make_timestamptz(unnest($instants)))""".replace(
    "valid_at", "make_timestamptz($valid_at)"
).replace("system_at", "make_timestamptz($system_at)")

#: (task id, the first instant of a stretch): what an edge in force is attributed by
Begin = tuple[str, int]


def began(fetch: Callable[..., list[tuple[Any, ...]]], begins: Collection[Begin], basis: Basis) -> dict[Begin, int]:
    """Return the version of the message in force for a task at each of these instants, as known at the basis.

    ``fetch`` asks over the view ``log`` and the macro ``withdrawn_as_of``.
    """
    if not begins:
        return {}
    tasks, instants = ({begin[at] for begin in begins} for at in (0, 1))
    rows = fetch(
        _OF_TASKS,
        tasks=sorted(tasks),
        instants=sorted(instants),
        valid_at=basis.valid_at,
        system_at=basis.system_time,
    )
    return {(task, at): version for task, at, version in rows}

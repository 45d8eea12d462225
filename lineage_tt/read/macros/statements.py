"""Which row of the log states what holds from an instant on: the query of the macro ``statements_as_of``.

An edge or a fact in force is attributed to the message that began it: the message in force for its task or subject at
the first instant of its interval. This need not be the row that added the rectangle, which may be a later row that only
moved its end. ``read.snapshots.began`` does the same for few edges, and the graph computes it from its own arrays
(``graph/load/statements``).
"""

from __future__ import annotations

from typing import Final

STATEMENTS: Final = """\
WITH accepted AS MATERIALIZED (
    SELECT coalesce(kind, 'task') AS kind, coalesce(task_id, subject) AS subject, coalesce(fact_key, '') AS "key",
        effective_at, version, coalesce(source_version, -9223372036854775808) AS rank, derived_from
    FROM log
    WHERE status = 'accepted' AND op <> 'retract' AND system_time <= system_at AND effective_at <= valid_at
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

"""The macro of the set-up script that returns what is not complete; ``gaps`` does the same in Python."""

from __future__ import annotations

from typing import Final

COMPLETENESS: Final = """
-- The tasks in force at valid_at whose lineage is partial or opaque, as known at system_at: why, and the datasets that
-- they read and write, those included that no edge shows. version is the row of the log that says so.
CREATE OR REPLACE MACRO completeness_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
SELECT t.task_id, l.version, l.coverage,
    list_sort(list_distinct(list_transform(l.problems,
        lambda p: struct_pack(code := p.code, detail := p.detail, subject := p.subject)))) AS reasons,
    list_sort(list_distinct(list_concat(list_transform(l.edges, lambda e: dataset_of(e.source)),
        list_transform(list_filter(l.problems, lambda p: p.code = 'untraced-read' AND p.subject <> ''),
            lambda p: p.subject)))) AS reads,
    list_sort(list_distinct(list_concat(list_transform(l.edges, lambda e: dataset_of(e.target)),
        list_transform(l.outputs, lambda o: o.dataset),
        CASE WHEN l.target IS NOT NULL AND len(l.edges) = 0 THEN [l.target] ELSE [] END,
        list_transform(list_filter(l.problems, lambda p: p.code = 'untraced-write' AND p.subject <> ''),
            lambda p: p.subject)))) AS writes
FROM tasks_as_of(valid_at, system_at) AS t JOIN log AS l ON l.version = t.resolved_version
WHERE l.coverage IN ('partial', 'opaque');
"""

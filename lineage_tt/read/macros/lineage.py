"""The macro ``lineage``: walks in plain SQL over the edges in force at a point.

How a walk continues from edge to edge: from an edge that ends at a column, to the edges out of that column; from an
edge that ends at a whole dataset (a filter or join, which decides about rows), to the edges out of any of its columns.
Upstream is the same relation in the other direction.

A *star node* ``d#*`` represents the columns of a dataset where they are not known. A star edge (one with a star node at
an end) is joined to each column that a walk reaches: at ``d#c`` an edge out of ``d#*`` counts as one out of ``d#c``
and, where it ends at ``e#*``, as one to ``e#c``. Such a step is *by star*: it is shown with the joined names, with the
same column name assumed on the other side. At a star node itself the walk continues with the edges of every column of
the dataset. A star edge of a task does not apply to columns that the same task makes from other sources.
"""

from __future__ import annotations

from typing import Final

LINEAGE: Final = """\
-- The edges reached from some nodes, with the number of steps; direction 'down', 'up' or 'both', level 'column' or
-- 'table'; direct_only leaves out edges that decide about rows. by_star marks a star edge joined to a column: source
-- and target are the joined names, the same column name being assumed on the far side; columns that it leaves out
-- ('* EXCEPT (a, b)') are not joined. Another direction or level is an error; an unknown start node has no rows.
CREATE OR REPLACE MACRO lineage(
    start_nodes, valid_at, system_at := 'infinity'::TIMESTAMPTZ, direction := 'down', depth := 1000000,
    "level" := 'column', direct_only := false
) AS TABLE
WITH RECURSIVE fine AS MATERIALIZED (
    FROM edges_as_of(valid_at, system_at) WHERE NOT direct_only OR "type" = 'DIRECT'
), seen AS (
    FROM fine WHERE "level" = 'column'
    UNION ALL
    SELECT task_id, dataset_of(source), dataset_of(target), min("type"),
        CASE WHEN count(DISTINCT subtype) = 1 THEN min(subtype) ELSE '' END, '', max(version),
        max(valid_from), CASE WHEN bool_and(valid_to IS NULL) THEN NULL ELSE min(valid_to) END
    FROM fine WHERE "level" = 'table'
    GROUP BY task_id, dataset_of(source), dataset_of(target)
), edge AS MATERIALIZED (
    SELECT row_number() OVER () AS id, * FROM seen
), start AS MATERIALIZED (
    SELECT DISTINCT CASE "level" WHEN 'table' THEN dataset_of(node) WHEN 'column' THEN node
        ELSE error('no level ' || coalesce('''' || "level" || '''', 'NULL') || ': give column or table') END AS node
    FROM (SELECT unnest(start_nodes) AS node)
    WHERE CASE WHEN direction IN ('up', 'down', 'both') THEN true
        ELSE error('no direction ' || coalesce('''' || direction || '''', 'NULL') || ': give up, down or both') END
), star AS MATERIALIZED (  -- the star edges; own: the columns of the target that the task makes from other sources
    SELECT e.id, e.task_id, e.source, e.target, e.expression, dataset_of(e.source) AS "from",
        dataset_of(e.target) AS "into",
        is_star(e.source) AS wide_source, is_star(e.target) AS wide_target, coalesce(o.own, []) AS own
    FROM (FROM edge WHERE is_star(source) OR is_star(target)) AS e LEFT JOIN (
        SELECT task_id, dataset_of(target) AS dataset, list(DISTINCT column_of(target)) AS own
        FROM edge SEMI JOIN (
            SELECT task_id, dataset_of(target) AS dataset FROM edge WHERE is_star(target)
        ) AS s ON s.task_id = edge.task_id AND s.dataset = dataset_of(edge.target)
        WHERE "type" = 'DIRECT' AND contains(target, '#') AND NOT is_star(target)
        GROUP BY task_id, dataset_of(target)
    ) AS o ON is_star(e.target) AND o.task_id = e.task_id AND o.dataset = dataset_of(e.target)
), wide AS MATERIALIZED (  -- datasets all of whose columns a walk may come to at once
    SELECT dataset_of(node) AS dataset FROM start UNION SELECT "from" FROM star UNION SELECT "into" FROM star
), out_of AS MATERIALIZED (  -- which edges continue from a node
    SELECT source AS node, target AS next, id FROM edge
    UNION ALL SELECT dataset_of(source), target, id FROM edge WHERE contains(source, '#')
    UNION ALL SELECT dataset_of(source) || '#*', target, id FROM edge
        WHERE dataset_of(source) IN (FROM wide) AND contains(source, '#') AND NOT is_star(source)
), into_of AS MATERIALIZED (
    SELECT target AS node, source AS next, id FROM edge
    UNION ALL SELECT dataset_of(target) || '#*', source, id FROM edge
        WHERE dataset_of(target) IN (FROM wide) AND contains(target, '#') AND NOT is_star(target)
), down(node, steps) USING KEY (node) AS (
    SELECT node, 0 FROM start WHERE direction IN ('down', 'both')
    UNION
    SELECT next, min(steps) + 1 FROM (
        SELECT o.next, d.steps FROM down AS d JOIN out_of AS o USING (node)
        UNION ALL
        SELECT CASE WHEN s.wide_target THEN s."into" || '#' || column_of(d.node) ELSE s.target END, d.steps
        FROM down AS d JOIN star AS s ON s."from" = dataset_of(d.node)
        WHERE s.wide_source AND contains(d.node, '#') AND NOT is_star(d.node) AND NOT leaves_out(s.expression, d.node)
            AND NOT (s.wide_target AND list_contains(s.own, column_of(d.node)))
    )
    WHERE steps + 1 < depth AND NOT EXISTS (FROM recurring.down AS r WHERE r.node = next) GROUP BY next
), up(node, steps) USING KEY (node) AS (
    SELECT node, 0 FROM (
        SELECT node FROM start UNION SELECT dataset_of(node) FROM start
        UNION SELECT node || '#*' FROM start WHERE NOT contains(node, '#')
    ) WHERE direction IN ('up', 'both')
    UNION
    SELECT next, min(steps) + 1 FROM (
        SELECT unnest([next, dataset_of(next)]) AS next, steps FROM (
            SELECT i.next, u.steps FROM up AS u JOIN into_of AS i USING (node)
            UNION ALL
            SELECT CASE WHEN s.wide_source THEN s."from" || '#' || column_of(u.node) ELSE s.source END, u.steps
            FROM up AS u JOIN star AS s ON s."into" = dataset_of(u.node)
            WHERE s.wide_target AND contains(u.node, '#') AND NOT is_star(u.node)
                AND NOT leaves_out(s.expression, u.node)
                AND NOT list_contains(s.own, column_of(u.node))
        )
    )
    WHERE steps + 1 < depth AND NOT EXISTS (FROM recurring.up AS r WHERE r.node = next) GROUP BY next
), walked AS (
    SELECT 'down' AS direction, min(d.steps) + 1 AS steps, o.id
    FROM down AS d JOIN out_of AS o USING (node) WHERE depth > 0 GROUP BY o.id
    UNION ALL
    SELECT 'up', min(u.steps) + 1, i.id FROM up AS u JOIN into_of AS i USING (node) WHERE depth > 0 GROUP BY i.id
), joined AS (
    SELECT 'down' AS direction, d.steps + 1 AS steps, s.id, d.node AS source,
        CASE WHEN s.wide_target THEN s."into" || '#' || column_of(d.node) ELSE s.target END AS target
    FROM down AS d JOIN star AS s ON s."from" = dataset_of(d.node)
    WHERE depth > 0 AND s.wide_source AND contains(d.node, '#') AND NOT is_star(d.node)
        AND NOT leaves_out(s.expression, d.node)
        AND NOT (s.wide_target AND list_contains(s.own, column_of(d.node)))
    UNION ALL
    SELECT 'up', u.steps + 1, s.id,
        CASE WHEN s.wide_source THEN s."from" || '#' || column_of(u.node) ELSE s.source END, u.node
    FROM up AS u JOIN star AS s ON s."into" = dataset_of(u.node)
    WHERE depth > 0 AND s.wide_target AND contains(u.node, '#') AND NOT is_star(u.node)
        AND NOT leaves_out(s.expression, u.node)
        AND NOT list_contains(s.own, column_of(u.node))
)
SELECT w.direction, w.steps, e.* EXCLUDE (id), false AS by_star FROM walked AS w JOIN edge AS e USING (id)
UNION ALL
SELECT j.direction, j.steps, e.task_id, j.source, j.target, e."type", e.subtype, e.expression, max(e.version),
    max(e.valid_from), CASE WHEN bool_and(e.valid_to IS NULL) THEN NULL ELSE min(e.valid_to) END, true
FROM joined AS j JOIN edge AS e USING (id)
GROUP BY j.direction, j.steps, e.task_id, j.source, j.target, e."type", e.subtype, e.expression;

"""

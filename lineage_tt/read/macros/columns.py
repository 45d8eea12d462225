"""The macros of the set-up script that say which columns datasets have: declared, written by statements, or inferred.

The time from which a column holds does not depend on the order of messages: a row that was derived while the store knew
less may say the same as the row before it, and then does not count as a beginning.
"""

from __future__ import annotations

from typing import Final

COLUMNS: Final = """\
-- What the statements of tasks say that they write, along the valid axis up to valid_at: statement is the message,
-- stated_at when it took effect, version the row that says so from effective_at on, the last one of that time.
CREATE OR REPLACE MACRO outputs_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH accepted AS (  -- the messages that count; what they hold is read only where it is selected
    SELECT version, task_id, effective_at, coalesce(source_version, -9223372036854775808) AS rank, derived_from,
        outputs, facts
    FROM log
    WHERE status = 'accepted' AND task_id IS NOT NULL AND op <> 'retract' AND system_time <= system_at
        AND effective_at <= valid_at AND version NOT IN (FROM withdrawn_as_of(system_at))
), writing AS MATERIALIZED (
    FROM accepted WHERE len(outputs) > 0
), saying AS MATERIALIZED (  -- all messages of tasks that write
    SELECT version, task_id, effective_at, rank, derived_from FROM accepted
    WHERE task_id IN (SELECT task_id FROM writing)
), stated AS MATERIALIZED (  -- of those that take effect at one time, the one that counts
    SELECT task_id, effective_at, max_by(version, (rank, version)) AS version, max(rank) AS rank
    FROM saying WHERE derived_from IS NULL GROUP BY task_id, effective_at
), again AS (  -- of what was derived of a message from one time on, the last
    SELECT derived_from, effective_at, max(version) AS version
    FROM saying WHERE derived_from IS NOT NULL GROUP BY derived_from, effective_at
)
SELECT w.task_id, s.version AS statement, s.effective_at AS stated_at, s.rank, w.version, w.effective_at,
    unnest(w.outputs, max_depth := 2), list_filter(w.facts, lambda f: f."key" = 'column') AS types
FROM writing AS w ASOF JOIN stated AS s ON w.task_id = s.task_id AND w.effective_at >= s.effective_at
LEFT JOIN again AS a ON a.derived_from = s.version AND a.effective_at = w.effective_at
WHERE s.version = coalesce(w.derived_from, w.version) AND w.version = coalesce(a.version, w.version);

-- The columns of datasets at valid_at, as known at system_at: declared by a dataset message (with types and field ids,
-- and the fields of structs), else as the statement of a task wrote them, with the types that it declares. Outputs with
-- a '*' among their columns are those of a query that fills a table nobody declares: names, but perhaps not all.
CREATE OR REPLACE MACRO stated_columns_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH declared AS MATERIALIZED (
    SELECT dataset_of(node) AS dataset, node[len(dataset_of(node)) + 2:] AS "column",
        ("value" ->> '$.ordinal')::INTEGER AS ordinal, "value" ->> '$.type' AS "type", "value" ->> '$.mode' AS mode,
        TRY_CAST("value" ->> '$.field_id' AS BIGINT) AS field_id,
        coalesce(("value" ->> '$.nested')::BOOLEAN, false) AS nested,
        'declared' AS origin, version, valid_from
    FROM facts_as_of(valid_at, system_at) WHERE "key" = 'column' AND kind = 'dataset'
), wrote AS MATERIALIZED (  -- the last statement to take effect; turn 1 is what it says last
    SELECT dataset, columns, types, version, effective_at,
        row_number() OVER (PARTITION BY dataset ORDER BY effective_at DESC) AS turn
    FROM (
        FROM outputs_as_of(valid_at, system_at)
        WHERE NOT list_contains(columns, '*') AND dataset NOT IN (SELECT dataset FROM declared)
        QUALIFY rank() OVER (PARTITION BY dataset ORDER BY stated_at DESC, rank DESC, task_id DESC) = 1
    )
), since AS (  -- rows that say a column one after another are one beginning
    SELECT dataset, "column", min_by(version, effective_at) AS version, min(effective_at) AS effective_at
    FROM (
        SELECT *, row_number() OVER (PARTITION BY dataset, "column" ORDER BY turn) AS place
        FROM (SELECT DISTINCT dataset, unnest(columns) AS "column", turn, version, effective_at FROM wrote)
    ) WHERE place = turn GROUP BY dataset, "column"
), written AS (
    SELECT dataset, unnest(columns) AS "column", generate_subscripts(columns, 1)::INTEGER AS ordinal, types
    FROM wrote WHERE turn = 1
)
FROM declared
UNION ALL
SELECT dataset, "column", ordinal,
    list_filter(types, lambda f: f.node = dataset || '#' || "column")[1]."value" ->> '$.type', NULL, NULL, false,
    'written', version, effective_at
FROM written JOIN since USING (dataset, "column");

-- The columns of datasets that nobody declares at valid_at, inferred from what is in force there, as known then:
-- names with which queries fill them, in the query's order and partition columns last, then what edges name (c2 before
-- c10); and what these have on the other side of a star. A star brings no column to its source that has an origin of
-- its own.
CREATE OR REPLACE MACRO inferred_columns_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH RECURSIVE stated AS MATERIALIZED (
    SELECT dataset, "column" FROM stated_columns_as_of(valid_at, system_at) WHERE NOT nested
), edge AS MATERIALIZED (
    SELECT source, target, task_id, "type", expression, version, valid_from FROM edges_as_of(valid_at, system_at)
), star AS MATERIALIZED (
    SELECT dataset_of(source) AS source, dataset_of(target) AS target, task_id, expression, version, valid_from
    FROM edge WHERE ends_with(source, '#*') AND ends_with(target, '#*')
), fills AS MATERIALIZED (  -- what queries in force that fill a table say of it, turn 1 is what one says last
    SELECT o.dataset, o.columns, o.task_id, o.stated_at, o.version, o.effective_at, t.resolved_version,
        row_number() OVER (PARTITION BY o.dataset, o.task_id ORDER BY o.effective_at DESC) AS turn
    FROM outputs_as_of(valid_at, system_at) AS o JOIN tasks_as_of(valid_at, system_at) AS t
        ON t.task_id = o.task_id AND t.version = o.statement
    WHERE list_contains(o.columns, '*')
), filled AS (
    SELECT dataset, task_id, unnest(columns) AS "column", generate_subscripts(columns, 1) AS ordinal,
        dense_rank() OVER (PARTITION BY dataset ORDER BY stated_at DESC, task_id) AS turn
    FROM fills WHERE version = resolved_version
), since AS (
    SELECT dataset, task_id, "column", min_by(version, effective_at) AS version, min(effective_at) AS effective_at
    FROM (
        SELECT *, row_number() OVER (PARTITION BY dataset, task_id, "column" ORDER BY turn) AS place
        FROM (SELECT DISTINCT dataset, task_id, unnest(columns) AS "column", turn, version, effective_at FROM fills)
    ) WHERE place = turn GROUP BY dataset, task_id, "column"
), named AS MATERIALIZED (
    SELECT dataset, "column", version, effective_at AS valid_from, (turn, ordinal) AS place
    FROM filled JOIN since USING (dataset, task_id, "column")
    UNION ALL
    SELECT dataset_of(node), split_part(node[len(dataset_of(node)) + 2:], '.', 1), version, valid_from, NULL
    FROM (SELECT source AS node, version, valid_from FROM edge UNION ALL SELECT target, version, valid_from FROM edge)
    WHERE contains(node, '#')
), begun AS MATERIALIZED (
    SELECT DISTINCT dataset, "column" FROM named WHERE "column" NOT IN ('*', '')
        AND dataset NOT IN (SELECT dataset FROM stated)
), own AS MATERIALIZED (
    SELECT DISTINCT task_id, target FROM edge
    WHERE "type" = 'DIRECT' AND contains(target, '#') AND NOT ends_with(target, '#*')
), reached(dataset, "column") AS (
    FROM stated UNION FROM begun
    UNION
    SELECT n.dataset, r."column" FROM reached AS r JOIN (
        SELECT source AS dataset, target AS beside, task_id, expression FROM star
        UNION ALL SELECT target, source, NULL, expression FROM star
    ) AS n ON n.beside = r.dataset
    WHERE n.dataset NOT IN (SELECT dataset FROM stated) AND NOT leaves_out(n.expression, '#' || r."column")
        AND NOT EXISTS (
        FROM own WHERE own.task_id = n.task_id AND own.target = r.dataset || '#' || r."column")
), inferred AS (
    SELECT dataset, "column", min(place) AS place, min_by(version, (valid_from, version)) AS version,
        min(valid_from) AS valid_from
    FROM begun JOIN named USING (dataset, "column") GROUP BY dataset, "column"
    UNION ALL  -- those that only a star hands on
    SELECT dataset, "column", NULL, min_by(version, (valid_from, version)), min(valid_from)
    FROM (FROM reached ANTI JOIN begun USING (dataset, "column") WHERE dataset NOT IN (SELECT dataset FROM stated))
    JOIN (SELECT source AS dataset, version, valid_from FROM star
        UNION ALL SELECT target, version, valid_from FROM star) USING (dataset)
    GROUP BY dataset, "column"
)
SELECT dataset, "column",
    row_number() OVER (PARTITION BY dataset ORDER BY place NULLS LAST, list_transform(  -- c2 before c10
        regexp_extract_all("column", '[0-9]+|[^0-9]+'),
        lambda part: CASE WHEN part < ':' AND part >= '0' THEN printf('%04d', len(ltrim(part, '0'))) ELSE '' END || part
    ), "column")::INTEGER AS ordinal,
    NULL::VARCHAR AS "type", NULL::VARCHAR AS mode, NULL::BIGINT AS field_id, false AS nested, 'inferred' AS origin,
    version, valid_from
FROM inferred;

-- The columns of datasets at valid_at, as known at system_at: as stated, else as inferred.
CREATE OR REPLACE MACRO columns_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
FROM stated_columns_as_of(valid_at, system_at)
UNION ALL
FROM inferred_columns_as_of(valid_at, system_at);

"""

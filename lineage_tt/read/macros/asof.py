"""Reading with DuckDB: the views and macros through which every answer comes, as plain SQL.

``setup_sql`` makes the script that ``lineage-tt sql --print-setup`` prints: any DuckDB that can open the files runs it,
with nothing of ours. All of it rests on one sum: an edge is in force at (valid_at, system_at) when the signs of the
changes with ``system_time <= system_at`` and ``valid_from <= valid_at < valid_to`` add up to one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lineage_tt.read.macros.completeness import COMPLETENESS
from lineage_tt.read.macros.lineage import LINEAGE

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

#: Views and macros, in the order in which they need one another; ``{files}`` is the list of the log's data files.
_FIRST: Final = """\
SET TimeZone = 'UTC';

-- One row per message received, accepted or rejected.
CREATE OR REPLACE VIEW log AS
SELECT * FROM {files};

-- One row per signed change: sign +1 puts an edge in force on [valid_from, valid_to), -1 takes such a row away.
CREATE OR REPLACE VIEW changes AS
SELECT version, system_time, task_id, change.*
FROM (SELECT version, system_time, task_id, unnest(changes) AS change FROM log);

-- The dataset of a node: everything before the first '#'.
CREATE OR REPLACE MACRO dataset_of(node) AS split_part(node, '#', 1);

-- The column of a node: everything after the first '#', '' for a dataset.
CREATE OR REPLACE MACRO column_of(node) AS node[len(split_part(node, '#', 1)) + 2:];

-- Whether a node is a star: it stands for the columns of its dataset, where they are not known.
CREATE OR REPLACE MACRO is_star(node) AS suffix(node, '#*') AND instr(node, '#') = len(node) - 1;

-- The star node of a node's dataset.
CREATE OR REPLACE MACRO star_of(node) AS split_part(node, '#', 1) || '#*';

-- The names of columns and datasets that any edge or fact ever named.
CREATE OR REPLACE VIEW nodes AS
WITH named AS (
    SELECT source AS node FROM changes UNION ALL SELECT target FROM changes
    UNION ALL SELECT change.node FROM (SELECT unnest(fact_changes) AS change FROM log)
        WHERE NOT starts_with(change.node, 'task:') AND NOT starts_with(change.node, 'subscription:')
)
SELECT DISTINCT node FROM (SELECT node FROM named UNION ALL SELECT dataset_of(node) FROM named);

-- The edges in force at valid_at, as known at system_at; version is the one that put the rectangle in place.
CREATE OR REPLACE MACRO edges_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
SELECT task_id, source, target, "type", subtype, expression, max(version) AS version, valid_from, valid_to
FROM changes
WHERE system_time <= system_at AND valid_from <= valid_at AND (valid_to IS NULL OR valid_to > valid_at)
GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to
HAVING sum(sign) = 1;

-- The versions that a retract in force withdraws, as known at system_at.
CREATE OR REPLACE MACRO withdrawn_as_of(system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH RECURSIVE asked AS MATERIALIZED (  -- seldom any: then nothing else is read
    SELECT version, retracts, coalesce(task_id, '') AS task, coalesce(kind, 'task') AS kind,
        coalesce(subject, '') AS node, coalesce(fact_key, '') AS "key"
    FROM log WHERE status = 'accepted' AND op = 'retract' AND system_time <= system_at
), known AS (
    SELECT version, event_id, coalesce(task_id, '') AS task, coalesce(kind, 'task') AS kind,
        coalesce(subject, '') AS node, coalesce(fact_key, '') AS "key"
    FROM log WHERE status = 'accepted' AND system_time <= system_at AND event_id IN (SELECT retracts FROM asked)
), retracts AS MATERIALIZED (
    SELECT task, kind, node, "key", r.version, t.version AS withdraws,
        row_number() OVER (PARTITION BY task, kind, node, "key" ORDER BY r.version DESC) AS turn
    FROM asked AS r JOIN known AS t USING (task, kind, node, "key") WHERE t.event_id = r.retracts
), counted(task, kind, node, "key", turn, withdrawn) AS (  -- newest first: one counts unless a newer withdrew it
    SELECT DISTINCT task, kind, node, "key", 0::BIGINT, []::BIGINT[] FROM retracts
    UNION ALL
    SELECT task, kind, node, "key", r.turn, CASE WHEN list_contains(c.withdrawn, r.version) THEN c.withdrawn
        ELSE list_append(c.withdrawn, r.withdraws) END
    FROM counted AS c JOIN retracts AS r USING (task, kind, node, "key") WHERE r.turn = c.turn + 1
)
SELECT unnest(max_by(withdrawn, turn)) AS version FROM counted GROUP BY task, kind, node, "key";

-- For each task the message in force at valid_at, as known at system_at; none for a task that is offline. What it says
-- is what resolved_version says: itself, or a version that was derived of it later (its star resolved again).
CREATE OR REPLACE MACRO tasks_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH counting AS MATERIALIZED (
    SELECT version, task_id, effective_at, source_version, derived_from FROM log
    WHERE status = 'accepted' AND task_id IS NOT NULL AND op <> 'retract' AND system_time <= system_at
        AND effective_at <= valid_at AND version NOT IN (FROM withdrawn_as_of(system_at))
), winner AS (
    SELECT max_by(version, (effective_at, coalesce(source_version, -9223372036854775808), version)) AS version
    FROM counting WHERE derived_from IS NULL GROUP BY task_id
), latest AS (
    SELECT w.version AS message, max_by(c.version, (c.effective_at, c.version)) AS version
    FROM winner AS w JOIN counting AS c ON coalesce(c.derived_from, c.version) = w.version
    GROUP BY w.version
)
SELECT m.task_id, m.version, m.op, m.effective_at, m.system_time, m.source_version, m.event_id, m.sql_sha256,
    l.coverage, len(l.edges) AS edges, m.dialect, m.target, m.actor, m.reason, m.sql, l.version AS resolved_version
FROM latest JOIN log AS l USING (version) JOIN log AS m ON m.version = latest.message
WHERE m.op <> 'offline';

-- One row per signed change of a fact about a node; who says so is a task, or the subject of dataset and fact messages.
CREATE OR REPLACE VIEW fact_changes AS
SELECT version, system_time, kind, coalesce(task_id, subject) AS subject, change.*
FROM (SELECT version, system_time, kind, task_id, subject, unnest(fact_changes) AS change FROM log
    WHERE len(fact_changes) > 0);

-- The facts in force at valid_at, as known at system_at: columns, labels, owners, descriptions, priorities, …
CREATE OR REPLACE MACRO facts_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
SELECT node, "key", "value", kind, subject, max(version) AS version, valid_from, valid_to
FROM fact_changes
WHERE system_time <= system_at AND valid_from <= valid_at AND (valid_to IS NULL OR valid_to > valid_at)
GROUP BY node, "key", "value", kind, subject, valid_from, valid_to
HAVING sum(sign) = 1;

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
), told AS (  -- the messages that count; what they hold is read only where it is asked for
    SELECT version, task_id, effective_at, coalesce(source_version, -9223372036854775808) AS rank, derived_from,
        outputs, facts
    FROM log
    WHERE status = 'accepted' AND task_id IS NOT NULL AND op <> 'retract' AND system_time <= system_at
        AND effective_at <= valid_at AND version NOT IN (FROM withdrawn_as_of(system_at))
), writing AS MATERIALIZED (
    FROM told WHERE len(outputs) > 0
), saying AS MATERIALIZED (  -- all messages of tasks that write
    SELECT version, task_id, effective_at, rank, derived_from FROM told WHERE task_id IN (SELECT task_id FROM writing)
), stated AS MATERIALIZED (  -- of those that take effect at one time, the one that counts
    SELECT task_id, effective_at, max_by(version, (rank, version)) AS version, max(rank) AS rank
    FROM saying WHERE derived_from IS NULL GROUP BY task_id, effective_at
), again AS (  -- of what was derived of a message from one time on, the last
    SELECT derived_from, effective_at, max(version) AS version
    FROM saying WHERE derived_from IS NOT NULL GROUP BY derived_from, effective_at
), wrote AS (
    SELECT w.version, w.effective_at, unnest(w.outputs) AS wrote,
        (s.effective_at, s.rank, w.task_id, w.effective_at) AS turn,
        list_filter(w.facts, lambda f: f."key" = 'column') AS types
    FROM writing AS w ASOF JOIN stated AS s ON w.task_id = s.task_id AND w.effective_at >= s.effective_at
    LEFT JOIN again AS a ON a.derived_from = s.version AND a.effective_at = w.effective_at
    WHERE s.version = coalesce(w.derived_from, w.version) AND w.version = coalesce(a.version, w.version)
), latest AS (  -- the last statement to take effect, in its own last version
    SELECT wrote.dataset AS dataset, max_by(wrote.columns, turn) AS columns, max_by(types, turn) AS types,
        max_by(version, turn) AS version, max_by(effective_at, turn) AS effective_at
    FROM wrote WHERE NOT list_contains(wrote.columns, '*') GROUP BY wrote.dataset
), written AS (
    SELECT dataset, unnest(columns) AS "column", generate_subscripts(columns, 1)::INTEGER AS ordinal, types, version,
        effective_at
    FROM latest WHERE dataset NOT IN (SELECT dataset FROM declared)
)
FROM declared
UNION ALL
SELECT dataset, "column", ordinal,
    list_filter(types, lambda f: f.node = dataset || '#' || "column")[1]."value" ->> '$.type', NULL, NULL, false,
    'written', version, effective_at
FROM written;

-- The columns of datasets that nobody declares at valid_at, inferred from what is in force there, as known then:
-- names with which queries fill them, in the query's order and partition columns last, then what edges name; and what
-- these have on the other side of a star. A star brings no column to its source that has an origin of its own.
CREATE OR REPLACE MACRO inferred_columns_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH RECURSIVE stated AS MATERIALIZED (
    SELECT dataset, "column" FROM stated_columns_as_of(valid_at, system_at) WHERE NOT nested
), edge AS MATERIALIZED (
    SELECT source, target, task_id, "type", version, valid_from FROM edges_as_of(valid_at, system_at)
), star AS MATERIALIZED (
    SELECT dataset_of(source) AS source, dataset_of(target) AS target, task_id, version, valid_from
    FROM edge WHERE ends_with(source, '#*') AND ends_with(target, '#*')
), fills AS (
    SELECT filled.dataset AS dataset, filled.columns AS columns, version, effective_at,
        row_number() OVER (PARTITION BY filled.dataset ORDER BY effective_at DESC, task_id) AS turn
    FROM (SELECT l.version, l.effective_at, l.task_id, unnest(l.outputs) AS filled
        FROM log AS l JOIN tasks_as_of(valid_at, system_at) AS t ON l.version = t.resolved_version)
    WHERE list_contains(filled.columns, '*')
), named AS MATERIALIZED (
    SELECT dataset, unnest(columns) AS "column", version, effective_at AS valid_from,
        (turn, generate_subscripts(columns, 1)) AS place
    FROM fills
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
        SELECT source AS dataset, target AS beside, task_id FROM star
        UNION ALL SELECT target, source, NULL FROM star
    ) AS n ON n.beside = r.dataset
    WHERE n.dataset NOT IN (SELECT dataset FROM stated) AND NOT EXISTS (
        FROM own WHERE own.task_id = n.task_id AND own.target = r.dataset || '#' || r."column")
), found AS (
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
    row_number() OVER (PARTITION BY dataset ORDER BY place NULLS LAST, "column")::INTEGER AS ordinal,
    NULL::VARCHAR AS "type", NULL::VARCHAR AS mode, NULL::BIGINT AS field_id, false AS nested, 'inferred' AS origin,
    version, valid_from
FROM found;

-- The columns of datasets at valid_at, as known at system_at: as stated, else as inferred.
CREATE OR REPLACE MACRO columns_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
FROM stated_columns_as_of(valid_at, system_at)
UNION ALL
FROM inferred_columns_as_of(valid_at, system_at);

"""

#: What follows the macro ``lineage``.
_REST: Final = """\
-- Every rectangle of the edges at one or between two nodes (datasets stand for their columns, star edges for those of
-- each column): the valid interval, and the system interval in which the store believed it; by task.
CREATE OR REPLACE MACRO edge_history(from_node, to_node := NULL) AS TABLE
WITH found AS (
    FROM changes
    WHERE CASE WHEN to_node IS NULL
        THEN from_node IN (source, target, dataset_of(source), dataset_of(target))
            OR (contains(from_node, '#') AND star_of(from_node) IN (source, target))
        ELSE (from_node IN (source, dataset_of(source)) OR (contains(from_node, '#') AND source = star_of(from_node)))
            AND (to_node IN (target, dataset_of(target)) OR (contains(to_node, '#') AND target = star_of(to_node)))
            AND (from_node IN (source, dataset_of(source)) OR to_node IN (target, dataset_of(target))
                OR column_of(from_node) = column_of(to_node)) END
), believed AS (
    SELECT *, lead(version) OVER rectangle AS closing, lead(system_time) OVER rectangle AS system_to
    FROM found
    WINDOW rectangle AS (
        PARTITION BY task_id, source, target, "type", subtype, expression, valid_from, valid_to ORDER BY version)
)
SELECT task_id, source, target, "type", subtype, expression, valid_from, valid_to, system_time AS system_from,
    system_to, version, closing AS closing_version
FROM believed WHERE sign = 1;

-- The edges in force at one point and not at the other: '-' only at the first, '+' only at the second.
CREATE OR REPLACE MACRO changes_between(valid_a, system_a, valid_b, system_b) AS TABLE
WITH a AS (SELECT task_id, source, target, "type", subtype, expression FROM edges_as_of(valid_a, system_a)),
b AS (SELECT task_id, source, target, "type", subtype, expression FROM edges_as_of(valid_b, system_b))
SELECT '-' AS op, * FROM (FROM a EXCEPT FROM b)
UNION ALL
SELECT '+' AS op, * FROM (FROM b EXCEPT FROM a);
"""

_SETUP: Final = _FIRST + LINEAGE + _REST


def statement(start: str) -> str:
    """Return the one statement of the set-up that begins so: a store with a snapshot has some of them over others."""
    at = _SETUP.index(start)
    return _SETUP[at : _SETUP.index(";", at) + 1]


def quote(text: str) -> str:
    """Return ``text`` as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def setup_sql(files: Iterable[Place | str]) -> str:
    """Return the set-up script for a log with these data files."""
    return _SETUP.format(files=relation(files)) + COMPLETENESS


def relation(files: Iterable[Place | str]) -> str:
    """Return the rows of these data files of the log as a relation in DuckDB's SQL."""
    listed = [quote(str(path)) for path in files]
    if listed:
        return "read_parquet([\n    " + ",\n    ".join(listed) + "\n])"
    return _empty_relation()


def _empty_relation() -> str:
    """Return a relation with the log's columns and no rows: DuckDB cannot read an empty list of files."""
    from lineage_tt.model.format import COLUMN_TYPES

    columns = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in COLUMN_TYPES.items())
    return f"(SELECT {columns} WHERE false)"

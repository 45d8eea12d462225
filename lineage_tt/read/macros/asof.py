"""Reading with DuckDB: the views and macros that compute every answer, as plain SQL.

``setup_sql`` makes the script that ``lineage-tt sql --print-setup`` prints: any DuckDB that can open the files can run
it, without our code. Everything follows from one sum: an edge is in force at (valid_at, system_at) when the signs of
the changes with ``system_time <= system_at`` and ``valid_from <= valid_at < valid_to`` add up to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from lineage_tt.read.macros.columns import COLUMNS
from lineage_tt.read.macros.completeness import COMPLETENESS
from lineage_tt.read.macros.lineage import LINEAGE
from lineage_tt.read.macros.needed import parts_of
from lineage_tt.read.macros.statements import STATEMENTS

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

#: Views and macros, each after those that it needs; ``{files}`` is the list of the log's data files.
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

-- Whether a node is a star: it represents the columns of its dataset where they are not known.
CREATE OR REPLACE MACRO is_star(node) AS suffix(node, '#*') AND instr(node, '#') = len(node) - 1;

-- The star node of a node's dataset.
CREATE OR REPLACE MACRO star_of(node) AS split_part(node, '#', 1) || '#*';

-- Whether a star edge leaves out a column: its expression is '* EXCEPT (a, b)', a comma in a name written %2C.
CREATE OR REPLACE MACRO leaves_out(expression, node) AS starts_with(expression, '* EXCEPT (')
    AND list_contains(string_split(expression[11:-2], ', '),
        replace(replace(column_of(node), '%', '%25'), ',', '%2C'));

-- The names of columns and datasets that any edge or fact ever named.
CREATE OR REPLACE VIEW nodes AS
WITH named AS (
    SELECT source AS node FROM changes UNION ALL SELECT target FROM changes
    UNION ALL SELECT change.node FROM (SELECT unnest(fact_changes) AS change FROM log)
        WHERE NOT starts_with(change.node, 'task:') AND NOT starts_with(change.node, 'subscription:')
)
SELECT DISTINCT node FROM (SELECT node FROM named UNION ALL SELECT dataset_of(node) FROM named);

-- One row per signed change of a fact about a node; who says so is a task, or the subject of dataset and fact messages.
CREATE OR REPLACE VIEW fact_changes AS
SELECT version, system_time, kind, coalesce(task_id, subject) AS subject, change.*
FROM (SELECT version, system_time, kind, task_id, subject, unnest(fact_changes) AS change FROM log
    WHERE len(fact_changes) > 0);

-- The rectangles that hold at valid_at, as known at system_at; opened is the version that put each in place.
CREATE OR REPLACE MACRO rectangles_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
SELECT task_id, source, target, "type", subtype, expression, max(version) AS opened, valid_from, valid_to
FROM changes
WHERE system_time <= system_at AND valid_from <= valid_at AND (valid_to IS NULL OR valid_to > valid_at)
GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to
HAVING sum(sign) = 1;

-- The same of facts.
CREATE OR REPLACE MACRO fact_rectangles_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
SELECT node, "key", "value", kind, subject, max(version) AS opened, valid_from, valid_to
FROM fact_changes
WHERE system_time <= system_at AND valid_from <= valid_at AND (valid_to IS NULL OR valid_to > valid_at)
GROUP BY node, "key", "value", kind, subject, valid_from, valid_to
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

-- The messages that take effect up to valid_at, as known at system_at: of those of one subject that take effect at one
-- time the one that counts, or the version that was derived of the one in force (a text resolved again from then on).
-- The subject is a task (kind 'task'), a dataset, or a node under a key.
CREATE OR REPLACE MACRO statements_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
{statements};

-- The edges in force at valid_at, as known at system_at; version is the message that began it: the one in force for the
-- task at valid_from.
CREATE OR REPLACE MACRO edges_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
SELECT r.task_id, r.source, r.target, r."type", r.subtype, r.expression, coalesce(s.version, r.opened) AS version,
    r.valid_from, r.valid_to
FROM rectangles_as_of(valid_at, system_at) AS r LEFT JOIN statements_as_of(valid_at, system_at) AS s
    ON s.kind = 'task' AND s.subject = r.task_id AND s.effective_at = r.valid_from;

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

-- The facts in force at valid_at, as known at system_at: columns, labels, owners, descriptions, priorities, …; version
-- is the message that began it.
CREATE OR REPLACE MACRO facts_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
SELECT r.node, r."key", r."value", r.kind, r.subject, coalesce(s.version, r.opened) AS version, r.valid_from, r.valid_to
FROM fact_rectangles_as_of(valid_at, system_at) AS r LEFT JOIN statements_as_of(valid_at, system_at) AS s
    ON s.kind = r.kind AND s.subject = r.subject AND s.effective_at = r.valid_from
    AND (r.kind <> 'fact' OR s."key" = r."key");

"""

#: What follows the macro ``lineage``.
_REST: Final = """\
-- Every rectangle of the edges at one or between two nodes (datasets cover their columns, star edges for those of
-- each column): the valid interval, and the system interval in which the store believed it; by task.
CREATE OR REPLACE MACRO edge_history(from_node, to_node := NULL) AS TABLE
WITH matches AS (
    FROM changes
    WHERE CASE WHEN to_node IS NULL
        THEN from_node IN (source, target, dataset_of(source), dataset_of(target))
            OR (contains(from_node, '#') AND star_of(from_node) IN (source, target)
                AND NOT leaves_out(expression, from_node))
        ELSE (from_node IN (source, dataset_of(source)) OR (contains(from_node, '#') AND source = star_of(from_node)))
            AND (to_node IN (target, dataset_of(target)) OR (contains(to_node, '#') AND target = star_of(to_node)))
            AND (from_node IN (source, dataset_of(source)) OR to_node IN (target, dataset_of(target))
                OR (column_of(from_node) = column_of(to_node) AND NOT leaves_out(expression, from_node))) END
), believed AS (
    SELECT *, lead(version) OVER rectangle AS closing, lead(system_time) OVER rectangle AS system_to
    FROM matches
    WINDOW rectangle AS (
        PARTITION BY task_id, source, target, "type", subtype, expression, valid_from, valid_to ORDER BY version)
)
SELECT task_id, source, target, "type", subtype, expression, valid_from, valid_to, system_time AS system_from,
    system_to, version, closing AS closing_version
FROM believed WHERE sign = 1;

-- The edges in force at one point and not at the other: '-' only at the first, '+' only at the second.
CREATE OR REPLACE MACRO changes_between(valid_a, system_a, valid_b, system_b) AS TABLE
WITH a AS (SELECT task_id, source, target, "type", subtype, expression FROM rectangles_as_of(valid_a, system_a)),
b AS (SELECT task_id, source, target, "type", subtype, expression FROM rectangles_as_of(valid_b, system_b))
SELECT '-' AS op, * FROM (FROM a EXCEPT FROM b)
UNION ALL
SELECT '+' AS op, * FROM (FROM b EXCEPT FROM a);
"""

_SETUP: Final = _FIRST.replace("{statements}", STATEMENTS) + COLUMNS + LINEAGE + _REST


def quote(text: str) -> str:
    """Return ``text`` as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def setup_sql(files: Iterable[Place | str]) -> str:
    """Return the set-up script for a log with these data files."""
    return _SETUP.format(files=relation(files)) + COMPLETENESS


@cache
def parts() -> Mapping[str, str]:
    """Return the statement of each view and macro by its name; the view ``log`` is over ``{files}``."""
    return parts_of(_SETUP + COMPLETENESS)


def relation(files: Iterable[Place | str]) -> str:
    """Return the rows of these data files of the log as a relation in DuckDB's SQL."""
    listed = [quote(str(path)) for path in files]
    if listed:
        return "read_parquet([\n    " + ",\n    ".join(listed) + "\n])"
    return _empty_relation()


def _empty_relation() -> str:
    """Return a relation with the log's columns and no rows, since DuckDB cannot read an empty list of files."""
    from lineage_tt.model.format import COLUMN_TYPES

    columns = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in COLUMN_TYPES.items())
    return f"(SELECT {columns} WHERE false)"

"""What a report on a store asks of its log and its changes."""

from __future__ import annotations

from typing import Final

from lineage_tt.log.dismissals import DISMISSED, LETTER_NODE

#: Rectangles that are believed at the basis and end after its valid time: those in force, and those to come. They are
#: looked up by hashes: names would be compared letter by letter, half a million times a question.
RECTANGLES: Final = """
    CREATE TABLE {name} AS
    SELECT task_id, source, target, "type" AS kind, subtype, expression, epoch_us(valid_from) AS valid_from,
        hash(task_id) AS task, hash(split_part(source, '#', 1)) AS "from", hash(split_part(target, '#', 1)) AS "into"
    FROM changes
    WHERE version <= {version} AND (valid_to IS NULL OR valid_to > make_timestamptz({valid_at}))
    GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to
    HAVING sum(sign) = 1
"""
PAST: Final = """
    SELECT version, task_id, event_id, op, epoch_us(effective_at), source_version, retracts, content_sha256, [], [],
        derived_from
    FROM log WHERE status = 'accepted' AND version <= $version AND task_id IN (SELECT unnest($tasks))
    ORDER BY task_id, version
"""
#: Tasks whose last message was rejected, and is not dismissed.
REJECTED: Final = f"""
    SELECT task_id, max(version) FROM log WHERE version <= $version AND task_id IN (SELECT unnest($tasks))
    GROUP BY task_id
    HAVING max(version) FILTER (status = 'rejected') = max(version) AND '{LETTER_NODE}' || max(version) NOT IN (
        SELECT node FROM fact_changes WHERE "key" = '{DISMISSED}' AND version <= $version
        GROUP BY node, "value" HAVING sum(sign) > 0)
    ORDER BY task_id
"""
#: By version few parts of the log are read, by task all.
CONTENTS: Final = """
    SELECT version, edges.list_transform(lambda e: (e.source, e.target, e.type, e.subtype, e.expression)),
        facts.list_filter(lambda f: f."key" <> 'column').list_transform(lambda f: (f.node, f."key", f."value"))
    FROM log WHERE version IN (SELECT unnest($versions))
"""
TEXTS: Final = """
    SELECT task_id, version, epoch_us(effective_at), event_id, sql, dialect, namespace, default_database, target,
        params, coverage, sql_sha256
    FROM log WHERE version IN (SELECT unnest($versions))
"""
TASKS: Final = "SELECT DISTINCT task_id FROM log WHERE status = 'accepted' AND version <= $version AND task_id <> ''"
#: Names in edges, in facts, and in what messages of datasets and texts declare.
NODES: Final = """
    SELECT source FROM changes WHERE version <= $version UNION SELECT target FROM changes WHERE version <= $version
    UNION SELECT node FROM fact_changes WHERE version <= $version
    UNION SELECT subject FROM log WHERE status = 'accepted' AND version <= $version AND kind = 'dataset'
    UNION SELECT unnest(outputs).dataset FROM log WHERE status = 'accepted' AND version <= $version
"""
DERIVED_FROM: Final = "SELECT version, derived_from FROM log WHERE version IN (SELECT unnest($versions))"

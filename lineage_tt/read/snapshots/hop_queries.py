"""The queries of a hop, over the snapshot and the changes after it."""

from __future__ import annotations

from typing import Final

NODES: Final = "SELECT name, id FROM {nodes} WHERE name IN (SELECT unnest($names))"
COLUMNS: Final = "SELECT name, id FROM {nodes} WHERE split_part(name, '#', 1) IN (SELECT unnest($names))"
STARS: Final = "SELECT name, id FROM {nodes} WHERE suffix(name, '#*') OR name IN (SELECT unnest($names))"
LATER_STARS: Final = """
    SELECT DISTINCT node FROM (SELECT unnest([source, target]) AS node FROM later) WHERE suffix(node, '#*')"""
NAME: Final = "SELECT id, name FROM {words} WHERE id IN (SELECT unnest($ids))"
LABEL: Final = 'SELECT id, "type", subtype, expression FROM {words} WHERE id IN (SELECT unnest($ids))'
WORDS: Final = {"nodes": NAME, "tasks": NAME, "labels": LABEL}
# A closing row after a rectangle's opening closes it, or a later one with the same key: in both cases it has ended.
IN_SNAPSHOT: Final = """
    WITH candidates AS MATERIALIZED (
        SELECT source, target, task, label, opened, closed, valid_from, valid_to FROM {rectangles}
        WHERE {near} IN (SELECT unnest($ids)) AND valid_from <= make_timestamptz($valid_at)
            AND (valid_to IS NULL OR valid_to > make_timestamptz($valid_at))
    )
    SELECT source, target, task, label, opened, epoch_us(valid_from), epoch_us(valid_to) FROM candidates AS r
    WHERE opened <= $version AND (closed IS NULL OR closed > $version) AND NOT EXISTS (
        FROM candidates AS c WHERE c.opened IS NULL AND c.closed > r.opened AND c.closed <= $version
            AND c.source = r.source AND c.target = r.target AND c.task = r.task AND c.label = r.label
            AND c.valid_from = r.valid_from AND c.valid_to IS NOT DISTINCT FROM r.valid_to)"""
LATER: Final = """
    CREATE OR REPLACE TEMP TABLE later AS
    SELECT task_id, source, target, "type", subtype, expression, max(version) AS version, epoch_us(valid_from) AS since,
        epoch_us(valid_to) AS until, max_by(sign, version) AS sign
    FROM (SELECT version, task_id, unnest(changes, recursive := true)
        FROM (SELECT version, task_id, changes FROM {tail} WHERE version > {covered} AND version <= $version))
    WHERE valid_from <= make_timestamptz($valid_at) AND (valid_to IS NULL OR valid_to > make_timestamptz($valid_at))
    GROUP BY ALL"""
ENDS: Final = """
    SELECT task_id, source, target, "type", subtype, expression, version, since, until, sign FROM later
    WHERE {near} IN (SELECT unnest($names)) OR (split_part({near}, '#', 1) IN (SELECT unnest($datasets)))"""
KNOWN: Final = """
    SELECT DISTINCT node FROM (SELECT unnest([source, target]) AS node FROM later) WHERE node IN (SELECT unnest($names))
    """

"""The views and macros of ``asof`` for a store with a snapshot: over snapshot and tail instead of the whole log.

For each rectangle key (edge and valid interval), the last change in the tail decides; without one, the snapshot does.
So these macros return the same rows as those over the log alone. What the snapshot does not hold (messages and their
SQL) is read from the log as before.

Where beliefs were dropped (``compact --horizon``), every macro rejects a point before the horizon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final, Protocol

from lineage_tt.log.retention import Horizon
from lineage_tt.model.times import format_instant
from lineage_tt.read.macros import asof
from lineage_tt.read.macros.asof import quote, relation, setup_sql
from lineage_tt.read.macros.needed import parts_of
from lineage_tt.read.macros.session import BEYOND

_SETUP: Final = """
-- The log after the snapshot, which covers it up to version {version}.
CREATE OR REPLACE VIEW tail AS
SELECT * FROM {tail} WHERE version > {version};

CREATE OR REPLACE VIEW tail_changes AS
SELECT version, system_time, task_id, change.*
FROM (SELECT version, system_time, task_id, unnest(changes) AS change FROM tail);

CREATE OR REPLACE VIEW tail_fact_changes AS
SELECT version, system_time, kind, coalesce(task_id, subject) AS subject, change.*
FROM (SELECT version, system_time, kind, task_id, subject, unnest(fact_changes) AS change FROM tail);

-- The names of the integers in the snapshot, and the system times of its versions.
CREATE OR REPLACE VIEW snapshot_nodes AS FROM {nodes};
CREATE OR REPLACE VIEW snapshot_tasks AS FROM {tasks};
CREATE OR REPLACE VIEW snapshot_labels AS FROM {labels};
CREATE OR REPLACE VIEW snapshot_versions AS FROM {versions};

-- Disjoint rectangles, by integers; opened and closed are versions.
CREATE OR REPLACE VIEW snapshot_rectangles AS FROM {rectangles};
CREATE OR REPLACE VIEW snapshot_facts AS FROM {facts};

-- The nodes that any edge or fact ever had.
CREATE OR REPLACE VIEW known_ends AS
SELECT name AS source, name AS target FROM snapshot_nodes UNION ALL SELECT source, target FROM tail_changes;

CREATE OR REPLACE VIEW known_facts AS
SELECT struct_pack(node := node) AS change
FROM (SELECT node FROM snapshot_facts UNION ALL SELECT node FROM tail_fact_changes);

-- The last version known at a system time; an error where that is before the horizon.
CREATE OR REPLACE MACRO version_at(system_at) AS (
    SELECT CASE WHEN system_at < {horizon} THEN error({beyond})
        WHEN system_at >= {system_time} THEN {version}
        ELSE (SELECT max(version) FROM snapshot_versions WHERE system_time <= system_at) END
);

CREATE OR REPLACE MACRO rectangles_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH known AS MATERIALIZED (SELECT version_at(system_at) AS version), later AS MATERIALIZED (
    SELECT task_id, source, target, "type", subtype, expression, valid_from, valid_to,
        max(version) AS opened, max_by(sign, version) AS sign
    FROM tail_changes
    WHERE system_time <= system_at AND valid_from <= valid_at AND (valid_to IS NULL OR valid_to > valid_at)
    GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to
), kept AS (
    SELECT t.name AS task_id, s.name AS source, d.name AS target, l."type", l.subtype, l.expression,
        r.opened, r.valid_from, r.valid_to
    FROM snapshot_rectangles AS r
    JOIN snapshot_nodes AS s ON s.id = r.source JOIN snapshot_nodes AS d ON d.id = r.target
    JOIN snapshot_tasks AS t ON t.id = r.task JOIN snapshot_labels AS l ON l.id = r.label
    WHERE r.opened <= (SELECT version FROM known) AND (r.closed IS NULL OR r.closed > (SELECT version FROM known))
        AND r.valid_from <= valid_at AND (r.valid_to IS NULL OR r.valid_to > valid_at)
)
SELECT k.* FROM kept AS k ANTI JOIN later AS n
    ON n.task_id = k.task_id AND n.source = k.source AND n.target = k.target AND n."type" = k."type"
    AND n.subtype = k.subtype AND n.expression = k.expression AND n.valid_from = k.valid_from
    AND n.valid_to IS NOT DISTINCT FROM k.valid_to
UNION ALL
SELECT task_id, source, target, "type", subtype, expression, opened, valid_from, valid_to FROM later WHERE sign = 1;

CREATE OR REPLACE MACRO fact_rectangles_as_of(valid_at, system_at := 'infinity'::TIMESTAMPTZ) AS TABLE
WITH known AS MATERIALIZED (SELECT version_at(system_at) AS version), later AS MATERIALIZED (
    SELECT node, "key", "value", kind, subject, valid_from, valid_to,
        max(version) AS opened, max_by(sign, version) AS sign
    FROM tail_fact_changes
    WHERE system_time <= system_at AND valid_from <= valid_at AND (valid_to IS NULL OR valid_to > valid_at)
    GROUP BY node, "key", "value", kind, subject, valid_from, valid_to
), kept AS (
    SELECT node, "key", "value", kind, subject, opened, valid_from, valid_to
    FROM snapshot_facts
    WHERE opened <= (SELECT version FROM known) AND (closed IS NULL OR closed > (SELECT version FROM known))
        AND valid_from <= valid_at AND (valid_to IS NULL OR valid_to > valid_at)
)
SELECT k.* FROM kept AS k ANTI JOIN later AS n
    ON n.node = k.node AND n."key" = k."key" AND n."value" = k."value" AND n.kind IS NOT DISTINCT FROM k.kind
    AND n.subject IS NOT DISTINCT FROM k.subject AND n.valid_from = k.valid_from
    AND n.valid_to IS NOT DISTINCT FROM k.valid_to
UNION ALL
SELECT node, "key", "value", kind, subject, opened, valid_from, valid_to FROM later WHERE sign = 1;

-- The signed changes of edges that are kept: what opened and closed the snapshot's rectangles, and the tail.
CREATE OR REPLACE VIEW known_changes AS
WITH signed AS (
    SELECT opened AS version, 1::TINYINT AS sign, * EXCLUDE (opened, closed) FROM snapshot_rectangles
    UNION ALL
    SELECT closed, -1::TINYINT, * EXCLUDE (opened, closed) FROM snapshot_rectangles WHERE closed IS NOT NULL
)
SELECT r.version, v.system_time, t.name AS task_id, r.sign, s.name AS source, d.name AS target, l."type", l.subtype,
    l.expression, r.valid_from, r.valid_to
FROM signed AS r JOIN snapshot_versions AS v USING (version)
JOIN snapshot_nodes AS s ON s.id = r.source JOIN snapshot_nodes AS d ON d.id = r.target
JOIN snapshot_tasks AS t ON t.id = r.task JOIN snapshot_labels AS l ON l.id = r.label
UNION ALL
SELECT version, system_time, task_id, sign, source, target, "type", subtype, expression, valid_from, valid_to
FROM tail_changes;
"""


class SnapshotRelations(Protocol):
    """A snapshot as DuckDB reads it."""

    @property
    def version(self) -> int:
        """The last version of the log that it covers."""

    @property
    def system_time(self) -> int:
        """The system time of that version, UTC microseconds."""

    def relation(self, name: str) -> str:
        """Return the relation from which DuckDB reads one of its tables."""

    def closed(self, name: str) -> str:
        """Return a table with the versions that closed its rectangles."""


def setup_with(
    files: Iterable[Path], snapshot: SnapshotRelations, tail: Iterable[Path], horizon: Horizon | None
) -> str:
    """Return the set-up script for a log of these files with a snapshot; ``tail`` are the files after it."""
    views = _SETUP.format(**{name: field() for name, field in fields(snapshot, lambda: tail, horizon).items()})
    return setup_sql(files) + views + _over_snapshot()


@cache
def parts() -> Mapping[str, str]:
    """Return the statement of each view and macro by its name, before ``fields`` are filled in."""
    return {**asof.parts(), **parts_of(_SETUP), **parts_of(_over_snapshot())}


def fields(
    snapshot: SnapshotRelations, tail: Callable[[], Iterable[Path]], horizon: Horizon | None
) -> dict[str, Callable[[], str]]:
    """Return functions that make the text of each field of the statements."""
    return {
        "version": lambda: str(snapshot.version),
        "system_time": lambda: instant(snapshot.system_time),
        "tail": lambda: relation(tail()),
        "rectangles": lambda: snapshot.closed("source"),
        "facts": lambda: snapshot.closed("facts"),
        "horizon": lambda: instant(horizon.system_time) if horizon else "'-infinity'::TIMESTAMPTZ",
        "beyond": lambda: quote(beyond(horizon)),
        **{name: partial(snapshot.relation, name) for name in ("nodes", "tasks", "labels", "versions")},
    }


def beyond(horizon: Horizon | None) -> str:
    """Return the message with which a question from before the horizon is rejected."""
    if horizon is None:
        return BEYOND
    return (
        f"{BEYOND} beliefs that ended up to {format_instant(horizon.system_time)} (version {horizon.version}) "
        "were dropped by compact --horizon"
    )


def instant(microseconds: int) -> str:
    """Return an instant in DuckDB's SQL."""
    return f"make_timestamptz({int(microseconds)})"


def _over_snapshot() -> str:
    """Return the view ``nodes`` and the macro ``edge_history`` of ``asof``, over snapshot and tail."""
    nodes = _instead(asof.parts()["nodes"], "FROM changes", "FROM known_ends")
    nodes = _instead(nodes, "(SELECT unnest(fact_changes) AS change FROM log)", "known_facts")
    history = _instead(asof.parts()["edge_history"], "FROM changes\n", "FROM known_changes\n")
    return f"\n{nodes}\n{history}"


def _instead(text: str, old: str, new: str) -> str:
    if old not in text:
        raise ValueError(f"the set-up of asof has no {old!r} any more")
    return text.replace(old, new)

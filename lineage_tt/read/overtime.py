"""Questions that span points in time: diff, history, blame, the log, dead letters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, Protocol

from lineage_tt.log.dismissals import DISMISSED, LETTER_NODE
from lineage_tt.log.system_times import SLACK
from lineage_tt.model.answers import (
    Answers,
    Basis,
    Belief,
    Blame,
    ChangePoint,
    ChangeVersion,
    DeadLetter,
    Difference,
    EdgeAsOf,
    LogEntry,
)
from lineage_tt.model.completeness.gaps import GapsAtPoint, TaskCoverage
from lineage_tt.model.completeness.rules import of_blame, of_diff
from lineage_tt.model.edges import DIRECT, column_of, dataset_of, is_column, leaves_out, star_of
from lineage_tt.read.gap_rows import gaps_at, gaps_of_versions
from lineage_tt.read.superseded import superseded
from lineage_tt.read.view import Fetch

_ENTRY: Final = """
    SELECT version, epoch_us(system_time), status, task_id, event_id, op, epoch_us(effective_at), source_version,
        retracts, epoch_us(recorded_at), actor, reason, cause, coverage, len(edges),
        len(list_filter(changes, lambda c: c.sign > 0)) + len(list_filter(fact_changes, lambda c: c.sign > 0)),
        len(list_filter(changes, lambda c: c.sign < 0)) + len(list_filter(fact_changes, lambda c: c.sign < 0)),
        rejected_code, rejected_detail, kind, subject, derived_from, NULL,
        CASE WHEN task_id[:5] IN ('edge:', 'note:') OR (task_id[:6] = 'alias:' AND NOT coalesce(cause, '') LIKE 'run %')
            THEN 'person' WHEN cause LIKE 'run %' THEN 'run' WHEN sql_sha256 IS NOT NULL THEN 'statement'
            ELSE 'message' END
    FROM log"""
_EVIDENCE: Final = """
    SELECT version, attributes->>'evidence' FROM log
    WHERE version IN (SELECT unnest($versions)) AND attributes IS NOT NULL"""
_DEAD: Final = f"""
    WITH dismissed AS (
        SELECT node, "value" FROM fact_changes WHERE "key" = '{DISMISSED}' AND node LIKE '{LETTER_NODE}%'
        GROUP BY ALL HAVING sum(sign) > 0)
    SELECT d.version, epoch_us(d.system_time), d.rejected_code, d.rejected_detail, d.event_id, d.task_id, d.source,
        d.source_position, d.rejected_bytes, min(r.version), min(n."value")
    FROM log AS d LEFT JOIN log AS r ON r.status = 'accepted' AND r.cause = 'replay of version ' || d.version
    LEFT JOIN dismissed AS n ON n.node = '{LETTER_NODE}' || d.version
    WHERE d.status = 'rejected' AND ($version IS NULL OR d.version = $version)
        AND ($source IS NULL OR d.source = $source)
    GROUP BY ALL ORDER BY d.version"""


#: The system time and ``recorded_at`` of the last message that is neither a replay nor made by the store itself.
_LAST: Final = """
    SELECT epoch_us(system_time), epoch_us(recorded_at) FROM log
    WHERE status = 'accepted' AND derived_from IS NULL AND coalesce(cause, '') NOT LIKE 'replay of version %'
        AND NOT starts_with(coalesce(subject, ''), $own)
    ORDER BY version DESC LIMIT 1"""
#: The last message of a history import is older than this (microseconds); messages of a running platform are not.
_LONG_AGO: Final = 3_600_000_000


def replay_cause(version: int) -> str:
    """Return the ``cause`` of a message that replays the dead letter ``version``."""
    return f"replay of version {version}"


class Edges(Protocol):
    """The lineage as of a point, as far as ``blame`` needs it."""

    @property
    def gaps(self) -> GapsAtPoint:
        """The tasks in force whose lineage is not complete."""
        ...

    def edges(self, *, marks: bool = False) -> Sequence[EdgeAsOf]:
        """Return edges that include those looked for; with ``marks`` also those of aliases and rejections."""
        ...


def diff(
    fetch: Fetch, coverages: Mapping[str, TaskCoverage], first: Basis, second: Basis, node: str | None
) -> Difference:
    """Return the edges in force at one point and not at the other; with ``node`` those that touch it.

    The star edges of its dataset touch a column too.
    """
    rows = fetch(
        """SELECT op, task_id, source, target, "type", subtype, expression
        FROM changes_between(make_timestamptz($va), make_timestamptz($sa), make_timestamptz($vb), make_timestamptz($sb))
        WHERE $node IS NULL OR $node IN (source, target, dataset_of(source), dataset_of(target))
            OR (contains($node, '#') AND star_of($node) IN (source, target) AND NOT leaves_out(expression, $node))
        ORDER BY ALL""",
        va=first.valid_at,
        sa=first.system_time,
        vb=second.valid_at,
        sb=second.system_time,
        node=node,
    )
    removed = tuple(row[1:] for row in rows if row[0] == "-")
    added = tuple(row[1:] for row in rows if row[0] == "+")
    one, other = (
        gaps_at(fetch, coverages, at.valid_at, at.version).at(at.valid_at, at.version) for at in (first, second)
    )
    return Difference(first, second, removed, added, of_diff(one, other, {row[1] for row in rows}, node))


def history(fetch: Fetch, node: str, target: str | None) -> list[Belief]:
    """Return every rectangle at a node or between two, in order of the versions that opened them.

    For a column that had other names (with the same field id), this includes what was believed under those names while
    it had them.
    """
    result = dict.fromkeys(_beliefs(fetch, node, target))
    for name, since, until in _other_names(fetch, node):
        result |= dict.fromkeys(_between(_beliefs(fetch, name, target), since, until))
    for name, since, until in _other_names(fetch, target) if target else ():
        result |= dict.fromkeys(_between(_beliefs(fetch, node, name), since, until))
    return sorted(result, key=lambda b: (b.version, *b[:3], b.subtype, b.expression, b.valid_from))


def _between(beliefs: list[Belief], since: int, until: int | None) -> list[Belief]:
    return [b for b in beliefs if (until is None or b.valid_from < until) and (b.valid_to or 2**63) > since]


def _other_names(fetch: Fetch, node: str) -> list[tuple[str, int, int | None]]:
    """Return the other names that a column ever had, each with an interval of valid time in which it had the name."""
    if "#" not in node:
        return []
    return fetch(
        """WITH named AS (
            SELECT node, TRY_CAST("value" ->> '$.field_id' AS BIGINT) AS field_id, valid_from, valid_to
            FROM fact_changes WHERE "key" = 'column' AND kind = 'dataset' AND sign = 1 AND subject = $dataset)
        SELECT DISTINCT o.node, epoch_us(o.valid_from), epoch_us(o.valid_to)
        FROM named AS n JOIN named AS o ON o.field_id = n.field_id AND o.node <> n.node WHERE n.node = $node""",
        node=node,
        dataset=dataset_of(node),
    )


def _beliefs(fetch: Fetch, node: str, target: str | None) -> list[Belief]:
    rows = fetch(
        """SELECT task_id, source, target, "type", subtype, expression, epoch_us(valid_from), epoch_us(valid_to),
            epoch_us(system_from), epoch_us(system_to), version, closing_version
        FROM edge_history($node, $target) ORDER BY version, task_id, source, target, subtype, expression, valid_from""",
        node=node,
        target=target,
    )
    return [Belief(*row) for row in rows]


def change_points(fetch: Fetch, nodes: Collection[str], version: int, *, whole: bool = False) -> list[ChangePoint]:
    """Return, in order, when edges with an end among these nodes come into force or end, as known at a version.

    With ``whole`` the nodes are datasets and cover all of their columns. An edge that one message ends and another
    begins at the same moment counts as neither.
    """
    rows = fetch(
        """WITH wanted AS (SELECT unnest($nodes)), touched AS (
            SELECT task_id, source, target, "type", subtype, expression, valid_from, valid_to, sign FROM changes
            WHERE version <= $version AND (CASE WHEN $whole THEN dataset_of(source) ELSE source END IN (FROM wanted)
                OR CASE WHEN $whole THEN dataset_of(target) ELSE target END IN (FROM wanted))),
        moves AS (
            SELECT task_id, source, target, "type", subtype, expression, valid_from AS moved_at, sign FROM touched
            UNION ALL
            SELECT task_id, source, target, "type", subtype, expression, valid_to, -sign FROM touched
            WHERE valid_to IS NOT NULL),
        moved AS (SELECT * EXCLUDE (sign), sum(sign) AS net FROM moves GROUP BY ALL HAVING net <> 0)
        SELECT epoch_us(moved_at), count(*) FILTER (net > 0), count(*) FILTER (net < 0)
        FROM moved GROUP BY ALL ORDER BY 1""",
        nodes=sorted(nodes),
        version=version,
        whole=whole,
    )
    return [ChangePoint(*row) for row in rows]


def change_versions(fetch: Fetch, nodes: Collection[str], version: int, *, whole: bool = False) -> list[ChangeVersion]:
    """Return, in order, the versions up to ``version`` that changed edges with an end among these nodes.

    With ``whole`` the nodes are datasets and cover all of their columns.
    """
    rows = fetch(
        """WITH wanted AS (SELECT unnest($nodes))
        SELECT version, epoch_us(any_value(system_time)), count(*) FILTER (sign > 0), count(*) FILTER (sign < 0)
        FROM changes WHERE version <= $version
            AND (CASE WHEN $whole THEN dataset_of(source) ELSE source END IN (FROM wanted)
                OR CASE WHEN $whole THEN dataset_of(target) ELSE target END IN (FROM wanted))
        GROUP BY version ORDER BY version""",
        nodes=sorted(nodes),
        version=version,
        whole=whole,
    )
    return [ChangeVersion(*row) for row in rows]


def blame(fetch: Fetch, source: str, target: str, view: Edges) -> Answers[Blame]:
    """Return the edges from ``source`` to ``target`` in force at a point, each with the message that began it.

    The edge's ``version`` names that message. A star edge that walks join to these columns is included, as it is
    stored.
    """
    edges = view.edges(marks=True)
    own = {edge.task_id for edge in edges if edge.target == target and edge.type == DIRECT}
    found = []
    for edge in edges:
        by_star = edge.target != target and is_column(target)
        if is_between(edge, source, target) and not (by_star and edge.task_id in own):
            found.append(edge)
    entries = _entries(fetch, {edge.version for edge in found})
    blames = [Blame(edge, entries[edge.version]) for edge in found]
    blamed = gaps_of_versions(fetch, {(edge.task_id, entry.version, entry.coverage) for edge, entry in blames})
    return Answers(blames, of_blame(blamed, bool(blames), view.gaps, target))


def _entries(fetch: Fetch, versions: Collection[int]) -> dict[int, LogEntry]:
    """Return the entries of versions, those that people stated with their evidence."""
    rows = fetch(f"{_ENTRY} WHERE version IN (SELECT unnest($versions))", versions=sorted(versions)) if versions else []
    entries = {entry.version: entry for entry in (LogEntry(*row) for row in rows)}
    if by_people := [version for version, entry in entries.items() if entry.root == "person"]:
        for version, evidence in fetch(_EVIDENCE, versions=by_people):
            entries[version] = entries[version]._replace(evidence=evidence)
    return entries


def is_between(edge: EdgeAsOf, source: str, target: str) -> bool:
    """Return whether an edge leads from one node to another: exactly, from or to a whole dataset, or joined by star."""
    plain = source in (edge.source, dataset_of(edge.source)), target in (edge.target, dataset_of(edge.target))
    if all(plain):
        return True
    if not (plain[0] or edge.source == star_of(source)) or not (plain[1] or edge.target == star_of(target)):
        return False
    return any(plain) or (column_of(source) == column_of(target) and not leaves_out(edge[1:6], source))


def log(fetch: Fetch, after: int, upto: int, task_id: str | None, newest: int | None) -> list[LogEntry]:
    """Return rows of the log in version order; with ``newest``, only this many of the last rows."""
    rows = fetch(
        f"""{_ENTRY} WHERE version > $after AND version <= $upto AND ($task IS NULL OR task_id = $task)
        ORDER BY version DESC LIMIT $newest""",
        after=after,
        upto=upto,
        task=task_id,
        newest=newest if newest is not None else 2**62,
    )
    lost = superseded(fetch, after, task_id) if rows else {}
    return [LogEntry(*row)._replace(superseded_by=lost.get(row[0])) for row in reversed(rows)]


def dead_letters(fetch: Fetch, version: int | None = None, source: str | None = None) -> list[DeadLetter]:
    """Return the complete rejected messages, in order; only that of ``version``, or those of one source, if given."""
    return [DeadLetter(*row) for row in fetch(_DEAD, version=version, source=source)]


def late_system_times(fetch: Fetch, now: int) -> Literal["history", "clock"]:
    """Return ``history`` if the last message's system time is its ``recorded_at``, as in a history import."""
    rows = fetch(_LAST, own=LETTER_NODE)
    imported = any(0 <= (recorded or 0) - time <= SLACK and time < now - _LONG_AGO for time, recorded in rows)
    return "history" if imported else "clock"

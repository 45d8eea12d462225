"""Checks that the snapshot agrees with the log: every rectangle is built again from the log, and compared.

DuckDB computes the rectangles from the log; it shares no code with the Spark job that wrote the snapshot. It costs
about as much as a full compaction. What a horizon dropped is left out on both sides, since the log may have lost it
before the snapshot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lineage_tt.log import retention, verify
from lineage_tt.log.log import Log
from lineage_tt.model.errors import CorruptError
from lineage_tt.read.macros import session
from lineage_tt.read.macros.asof import setup_sql
from lineage_tt.read.snapshots.snapshot import Snapshot

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.storage.location import Place

_EDGE: Final = 'task_id, source, target, "type", subtype, expression, valid_from, valid_to'
_FACT: Final = 'kind, subject, node, "key", "value", valid_from, valid_to'
_FROM_LOG: Final = """
    CREATE TEMP VIEW log_{name} AS
    FROM (SELECT {keys}, version AS opened, closed FROM (
        SELECT *, lead(version) OVER (PARTITION BY {keys} ORDER BY version) AS closed
        FROM {changes} WHERE version <= {version})
    WHERE sign = 1) {where}"""
_FROM_SNAPSHOT: Final = """
    CREATE TEMP VIEW snapshot_{direction} AS
    SELECT t.name AS task_id, s.name AS source, d.name AS target, l."type", l.subtype, l.expression, r.valid_from,
        r.valid_to, r.opened, r.closed
    FROM (FROM {rows} {where}) AS r LEFT JOIN {nodes} AS s ON s.id = r.source LEFT JOIN {nodes} AS d ON d.id = r.target
    LEFT JOIN {tasks} AS t ON t.id = r.task LEFT JOIN {labels} AS l ON l.id = r.label"""


def contradictions(store: Place) -> tuple[list[str], int]:
    """Return where the snapshot differs from the log, and the version that it covers (0 without a snapshot)."""
    try:
        log = Log.open(store / "log")
        snapshot = Snapshot.of(log)
        if snapshot is None:
            return [], 0
        if snapshot.version > log.version:
            return [f"it covers version {snapshot.version}, but the log ends at {log.version}"], snapshot.version
        return _compared(log, snapshot), snapshot.version
    except CorruptError as error:
        return [error.message], 0


def _compared(log: Log, snapshot: Snapshot) -> list[str]:
    result = []
    with session.connect_with(setup_sql(verify.verified_files(log))) as connection:
        horizon = retention.horizon_of(log, snapshot)
        where = f"WHERE closed IS NULL OR closed > {horizon.version}" if horizon else ""
        at = {"version": snapshot.version}
        if session.fetch(connection, "SELECT checksum FROM log WHERE version = $version", at) != [(snapshot.checksum,)]:
            return [f"its version {snapshot.version} is not that of this log"]
        for name, keys, changes in (("edges", _EDGE, "changes"), ("facts", _FACT, "fact_changes")):
            query = _FROM_LOG.format(name=name, keys=keys, changes=changes, version=snapshot.version, where=where)
            connection.execute(query)
        for direction in ("source", "target"):
            names = {name: snapshot.relation(name) for name in ("nodes", "tasks", "labels")}
            connection.execute(
                _FROM_SNAPSHOT.format(direction=direction, rows=snapshot.closed(direction), where=where, **names)
            )
            result += _difference(connection, "log_edges", f"snapshot_{direction}", f"rectangles by {direction}")
        facts = f"SELECT {_FACT}, opened, closed FROM {snapshot.closed('facts')} {where}"
        connection.execute(f"CREATE TEMP VIEW snapshot_facts AS {facts}")
        result += _difference(connection, "log_facts", "snapshot_facts", "facts")
        versions = f"(SELECT version, system_time FROM log WHERE version <= {snapshot.version})"
        result += _difference(connection, versions, snapshot.relation("versions"), "versions")
        result += _twice(connection, snapshot)
    return result


def _difference(connection: duckdb.DuckDBPyConnection, log: str, snapshot: str, what: str) -> list[str]:
    """Return, in words, how many rows of the two relations differ; duplicates count."""
    query = f"""SELECT (SELECT count(*) FROM (FROM {log} EXCEPT ALL FROM {snapshot})),
        (SELECT count(*) FROM (FROM {snapshot} EXCEPT ALL FROM {log}))"""
    ((missing, extra),) = session.fetch(connection, query, {})
    return [f"{what}: {missing} that the log has are missing, {extra} are not in the log"] if missing or extra else []


def _twice(connection: duckdb.DuckDBPyConnection, snapshot: Snapshot) -> list[str]:
    result = []
    for name in ("nodes", "tasks", "labels"):
        columns = '"type", subtype, expression' if name == "labels" else "name"
        query = f"""SELECT count(*) - count(DISTINCT id), count(*) - count(DISTINCT ({columns})),
            count(*) - coalesce(max(id) + 1, 0) FROM {snapshot.relation(name)}"""
        if session.fetch(connection, query, {}) != [(0, 0, 0)]:
            result.append(f"{name}: the numbers are not dense, or not each a name's own")
    return result

"""The edges in force at a point, as integers on Spark: the snapshot's rectangles and the changes of the log's tail.

An edge is in force if the signs of its changes that are known by then, over intervals that contain the valid time, add
up to one. A rectangle of the snapshot counts as the changes it was made from: a plus at ``opened``, a minus at
``closed``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lineage_tt.governance.points.plain import Words
from lineage_tt.log import verify
from lineage_tt.log.arrow import read_columns
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.snapshots.snapshot import Snapshot

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from lineage_tt.model.answers import Basis
    from lineage_tt.store import Store

_BEGUN: Final = "valid_from <= timestamp_micros({at})"
_HOLDS: Final = _BEGUN + " AND (valid_to IS NULL OR valid_to > timestamp_micros({at}))"
_EDGE: Final = "source, target, task, label, valid_from, valid_to"
#: Rows of a snapshot's levels: closing rows have no ``opened``.
_SIGNED: Final = f"""
    SELECT {_EDGE}, opened AS version, 1 AS sign FROM {{rows}} WHERE opened <= {{version}} AND {{holds}}
    UNION ALL
    SELECT {_EDGE}, closed AS version, -1 AS sign FROM {{rows}} WHERE closed <= {{version}} AND {{holds}}"""
_IN_FORCE: Final = f"""
    SELECT source, target, task, label, unix_micros(valid_from) AS valid_from,
        coalesce(unix_micros(valid_to), {2**63 - 1}) AS valid_to, cast(max(version) FILTER (WHERE sign > 0) AS int) AS version
    FROM {{signed}} GROUP BY {_EDGE} HAVING sum(sign) = 1"""  # noqa: E501
_TAIL: Final = pa.schema(
    [
        *(pa.field(name, pa.int32()) for name in ("source", "target", "task", "label")),
        *(pa.field(name, pa.timestamp("us", tz="UTC")) for name in ("valid_from", "valid_to")),
        pa.field("version", pa.int64()), pa.field("sign", pa.int32()),
    ]
)  # fmt: skip


class Dictionary(NamedTuple):
    """The words by their numbers; the word of a label is ``type/subtype/expression``."""

    nodes: Words
    tasks: Words
    labels: Words


def dictionary_of(snapshot: Snapshot) -> Dictionary:
    """Return the words that a snapshot numbers, in the order of their numbers."""
    result = []
    for direction in ("nodes", "tasks", "labels"):
        tables = [pq.read_table(path, partitioning=None) for path in snapshot.files(direction)]
        table = pa.concat_tables(tables).sort_by("id") if tables else None
        if table is None:
            result.append(Words())
        elif direction == "labels":
            parts = (pc.cast(table[name], pa.string()) for name in ("type", "subtype", "expression"))
            result.append(Words(pc.binary_join_element_wise(*parts, "/").to_pylist()))
        else:
            result.append(Words(table["name"].to_pylist()))
    return Dictionary(*result)


def snapshot_of(store: Store) -> Snapshot:
    """Return a store's snapshot. Raises InvalidRequestError where it has none, since jobs on Spark need it."""
    result = Snapshot.of(store.opened_log)
    if result is None:
        raise InvalidRequestError("the store has no snapshot, over which Spark works", hint="run: lineage-tt compact")
    return result


def edges_in_force(
    spark: SparkSession, store: Store, snapshot: Snapshot, words: Dictionary, basis: Basis, ended: bool = False
) -> DataFrame:
    """Return (source, target, task, label, valid_from, valid_to, version) of the edges in force, each once.

    With ``ended``, also edges that were in force before. Words that only the tail names are numbered after the others,
    and added to ``words``.
    """
    files = [str(path) for path in snapshot.files("source")]
    tail = _tail(store, snapshot.version, basis, words, ended)
    signed = spark.createDataFrame(tail)
    if files:
        rows = spark.read.parquet(*files)
        known = _SIGNED.replace("{holds}", _BEGUN if ended else _HOLDS)
        known = known.replace("{version}", str(int(basis.version))).replace("{at}", str(int(basis.valid_at)))
        signed = signed.unionByName(spark.sql(known, rows=rows))
    return spark.sql(_IN_FORCE, signed=signed)


def _tail(store: Store, after: int, basis: Basis, words: Dictionary, ended: bool) -> pa.Table:
    """Return the changes after the snapshot that hold at a point (or began before it), names as numbers."""
    columns: list[list[Any]] = [[] for _ in _TAIL]
    if basis.version > after:
        for path in verify.verified_files(store.opened_log, after):
            for row in read_columns(path, ["version", "task_id", "changes"]).to_pylist():
                if row["changes"] and after < row["version"] <= basis.version:
                    _enter(row, basis.valid_at, words, columns, ended)
    return pa.table([pa.array(values, field.type) for values, field in zip(columns, _TAIL, strict=True)], schema=_TAIL)


def _enter(row: dict[str, Any], at: int, words: Dictionary, columns: list[list[Any]], ended: bool) -> None:
    moment = pa.scalar(at, pa.timestamp("us", tz="UTC")).as_py()
    task = words.tasks.add(row["task_id"])
    for change in row["changes"]:
        until = change["valid_to"]
        if change["valid_from"] <= moment and (ended or until is None or until > moment):
            label = "/".join((change["type"], change["subtype"] or "", change["expression"] or ""))
            values = (
                words.nodes.add(change["source"]), words.nodes.add(change["target"]), task, words.labels.add(label),
                change["valid_from"], change["valid_to"], row["version"], change["sign"],
            )  # fmt: skip
            for column, value in zip(columns, values, strict=True):
                column.append(value)

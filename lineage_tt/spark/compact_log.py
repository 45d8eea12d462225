"""Spark rewrites the log's files: small ones are merged, clustered by task, and lose what a horizon drops.

A row stays the same, column for column, so its checksum and the chain of checksums hold. Only rows before a horizon
lose signed changes: those that added a rectangle which was removed again at or before the horizon, and those that
removed it. The rest has the same sum at every point that can still be queried.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lineage_tt.log.rewriting.rewrite import Run

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from lineage_tt.log.retention import Horizon
    from lineage_tt.spark.compact_stages import Stages

#: The most rows of a row group. Who reads one task reads one or two of them, since the rows are clustered by task.
MAX_GROUP_ROWS: Final = 2048
_MAX_GROUP_BYTES: Final = 32 << 20
_KEYS: Final = {
    "changes": "task_id, c.source, c.target, c.type, c.subtype, c.expression, c.valid_from, c.valid_to",
    "fact_changes": "kind, coalesce(task_id, subject), c.node, c.key, c.value, c.valid_from, c.valid_to",
}
_REMAINING: Final = """
    SELECT version, transform(sort_array(collect_list(named_struct('place', place, 'c', c))), x -> x.c) AS kept_{column}
    FROM (
      SELECT version, place, c, lead(version) OVER (PARTITION BY {keys} ORDER BY version) AS closed
      FROM (SELECT version, kind, task_id, subject, posexplode({column}) AS (place, c) FROM {{rows}})
    ) WHERE c.sign > 0 AND closed IS NULL GROUP BY version"""


def rewrite(stages: Stages, chosen: Sequence[Run], horizon: Horizon | None) -> list[tuple[Run, Path]]:
    """Write one file for each run; return the runs with their files."""
    rows = stages.log_rows(chosen[0].first - 1, chosen[-1].last)
    if horizon is not None:
        rows = without(stages, rows, horizon.version)
    cases = " ".join(f"WHEN version <= {run.last} THEN {number}" for number, run in enumerate(chosen))
    parts = rows.selectExpr("*", f"CASE {cases} END AS run")
    parts = stages.in_one(parts) if stages.few else parts.repartition(len(chosen), "run")
    target = stages.folder / "log"
    with stages.stage("rewrite the log's small files" if horizon is None else "drop from the log") as figures:
        writer = parts.sortWithinPartitions("run", "task_id", "version").write.partitionBy("run")
        limits = {"parquet.block.row.count.limit": MAX_GROUP_ROWS, "parquet.block.size": _MAX_GROUP_BYTES}
        writer.options(**limits).option("compression", "zstd").parquet(str(target))
        result = [(run, _only(target / f"run={number}")) for number, run in enumerate(chosen)]
        figures["rows_in"] = figures["rows_out"] = sum(run.last - run.first + 1 for run in chosen)
        figures |= {"bytes": sum(path.stat().st_size for _, path in result), "files": len(result)}
    return result


def without(stages: Stages, rows: DataFrame, upto: int) -> DataFrame:
    """Return the rows; those up to version ``upto`` lose changes that had cancelled out by then."""
    from lineage_tt.model.format import LogRow

    old = rows.where(f"version <= {upto}").drop("run")
    joined = rows
    for column, keys in _KEYS.items():
        remaining = stages.spark.sql(_REMAINING.replace("{column}", column).replace("{keys}", keys).replace("{{", "{")
                                .replace("}}", "}"), rows=old)  # fmt: skip
        joined = joined.join(remaining, "version", "left")
    pruned = {
        column: f"CASE WHEN version > {upto} THEN {column} WHEN {column} IS NULL THEN NULL"
        f" ELSE coalesce(kept_{column}, slice({column}, 1, 0)) END AS {column}"
        for column in _KEYS
    }
    return joined.selectExpr(*(pruned.get(name, name) for name in LogRow._fields))


def _only(folder: Path) -> Path:
    files = list(folder.glob("part-*.parquet"))
    if len(files) != 1:
        raise RuntimeError(f"{len(files)} files were written for one run: {folder}")
    return files[0]

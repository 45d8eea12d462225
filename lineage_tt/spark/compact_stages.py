"""The stages of a compaction: reading, numbering, combining, sorting and writing, each timed and reported.

Frames that are used more than once are kept by a local checkpoint, not by ``persist``: Spark finds a persisted plan by
comparing plans, and a plan with a lambda is never equal to itself (measured: everything was computed four times).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from lineage_tt.read.snapshots.commit import Staged
from lineage_tt.read.snapshots.snapshot import COLUMNS, ORDER, Snapshot
from lineage_tt.spark import compact_frames as frames

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: Log rows per partition of the shuffle by task; rectangles per written file.
ROWS_A_PARTITION: Final = 50_000
#: Fewer log rows than this, in log files of fewer bytes, are processed in one partition.
FEW_ROWS = 5_000
FEW_BYTES = 8 << 20
#: With few rows, fewer known words than this are also read in one partition.
FEW_WORDS = 50_000
ROWS_A_FILE: Final = 8_000_000
SORTED_BY_ALL: Final = 200_000
#: The least that a reader of one node must decode: a row group of a hundred thousand rectangles or so.
_ROW_GROUP: Final = 8 << 20
_DIRECTIONS: Final = ("source", "target")
#: The columns from which a snapshot is made; texts are not among them.
_COLUMNS: Final = ("version", "system_time", "task_id", "changes", "kind", "subject", "fact_changes")
_TYPES: Final = {"INTEGER": "INT", "VARCHAR": "STRING"}


def is_few(rows: int, files: Sequence[Path]) -> bool:
    """Return whether one task and few jobs process these rows of the log, in these files, faster."""
    return rows < FEW_ROWS and sum(path.stat().st_size for path in files) < FEW_BYTES


class Stages:
    """One compaction's Spark session, its files, and the figures of its stages.

    With ``few`` rows (``is_few``) no data is moved, and there are few jobs: planning one takes longer than running it.
    """

    def __init__(
        self, spark: SparkSession, folder: Path, files: Sequence[Path], tell: Callable[[str], None], *, few: bool
    ) -> None:
        self.spark = spark
        self.folder = folder
        self.files = files
        self.finished: list[dict[str, Any]] = []
        self.few = few
        self._tell = tell

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Time a stage; what the caller puts into the dictionary appears in the summary."""
        self._tell(f"{name} ...")
        begun, figures = time.perf_counter(), {"stage": name}
        yield figures
        self.finished.append(figures | {"seconds": round(time.perf_counter() - begun, 2)})
        rest = ", ".join(
            f"{value:,} {key.replace('_', ' ')}" for key, value in figures.items() if isinstance(value, int)
        )
        self._tell(f"{name}: {self.finished[-1]['seconds']:.1f} s{', ' + rest if rest else ''}")

    def log_rows(self, after: int, upto: int) -> DataFrame:
        """Return the log's rows after version ``after`` up to ``upto``; few rows are in one partition.

        Columns that older files lack are null.
        """
        from pyspark.sql.pandas.types import from_arrow_schema

        from lineage_tt.log.arrow import SCHEMA

        schema = from_arrow_schema(SCHEMA)
        rows = self.spark.read.schema(schema).parquet(*map(str, self.files))
        rows = rows.where(f"version > {after} AND version <= {upto}")
        return rows.coalesce(1) if self.few else rows

    def checkpoint(self, frame: DataFrame) -> DataFrame:
        """Return a frame that is computed only once: now or, with few rows, by the first job that reads it."""
        return frame.localCheckpoint(eager=not self.few)

    def in_one(self, frame: DataFrame) -> DataFrame:
        """Return a frame in one partition, without moving data if rows are few."""
        return frame.coalesce(1) if self.few else frame.repartition(1)

    def write(self, frame: DataFrame, direction: str, files: int) -> list[Staged]:
        """Sort and write a partition, in ``files`` ranges of its first column; return the files in order."""
        order = ORDER[direction]
        ranged = self.in_one(frame) if files == 1 else frame.repartitionByRange(files, order[0])
        target = self.folder / direction
        with self.stage(f"write {direction}") as figures:
            writer = ranged.sortWithinPartitions(*order).write.option("parquet.block.size", _ROW_GROUP)
            writer.option("compression", "zstd").parquet(str(target))
            staged = [Staged(direction, path, _rows(path)) for path in sorted(target.glob("part-*.parquet"))]
            staged = [file for file in staged if file.rows]
            _sizes(figures, staged)
        return staged

    def write_nothing(self, what: str) -> list[Staged]:
        """Record a write without rows, which needs no job; return no files."""
        with self.stage(f"write {what}") as figures:
            _sizes(figures, [])
        return []


def _has_facts(path: Path) -> bool:
    """Return whether any row of a file of the log changes a fact."""
    from lineage_tt.log.arrow import read_columns

    signs = read_columns(path, ["fact_changes.list.element.sign"])
    return any(len(column.combine_chunks().flatten()) for column in signs.columns)


def _rows(path: Path) -> int:
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


def written(stages: Stages, after: int, upto: int, base: Snapshot | None) -> list[Staged]:
    """Write the rows of the versions later than ``after``: rectangles, closing rows, and words that ``base`` lacks.

    With ``after`` 0 this is the whole snapshot; even then, the words of ``base`` keep their numbers.
    """
    spark, cores = stages.spark, stages.spark.sparkContext.defaultParallelism
    rows_in, raw = upto - after, stages.log_rows(after, upto)
    partitions = 1 if stages.few else max(cores, -(-rows_in // ROWS_A_PARTITION))
    spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
    if stages.few:
        raw = stages.checkpoint(raw.select(*_COLUMNS))
    rows = frames.changing(raw)
    rows = rows if stages.few else rows.repartition(partitions, "task_id")
    old = _known(stages, base) if base else None
    with stages.stage("number the names") as figures:
        words = stages.checkpoint(frames.words_of(spark, rows))
        fresh, known = _numbered(stages, words, base, old, incremental=after > 0)
        figures["rows_out"] = fresh_count = fresh.count()
    used = "SELECT w.task_id, w.kind, w.name, i.id FROM {words} w JOIN {known} i ON w.kind = i.kind AND w.name = i.name"
    with stages.stage("rectangles") as figures:
        ids = spark.sql(used, words=words, known=known)
        ids = stages.checkpoint(ids if stages.few else ids.repartition(partitions, "task_id"))
        rectangles = stages.checkpoint(frames.rectangles_of(spark, rows, ids))
        figures["rows_in"], figures["rows_out"] = rows_in, rectangles.count()
    files = _files(int(figures["rows_out"]), partitions, cores)
    staged = [file for direction in _DIRECTIONS for file in stages.write(rectangles, direction, files)]
    names = None if after and not fresh_count else fresh if after or old is None else old.unionByName(fresh)
    staged += stages.write_nothing("names") if names is None else _names(stages, names)
    staged += stages.write(raw.select("version", "system_time"), "versions", 1)
    has_facts = not stages.few or any(map(_has_facts, stages.files))
    staged += stages.write(frames.facts_of(spark, raw), "facts", 1) if has_facts else stages.write_nothing("facts")
    return staged


def _files(rows: int, partitions: int, cores: int) -> int:
    """Return into how many files a direction is written; all cores share the sorting of many rows."""
    files = max(1, min(partitions, -(-rows // ROWS_A_FILE)))
    return max(files, min(partitions, cores)) if rows > SORTED_BY_ALL else files


def _known(stages: Stages, base: Snapshot) -> DataFrame:
    """Return the words that a snapshot numbers; if they are few, they are read once, in one partition."""
    old = known_words(stages.spark, base)
    return stages.checkpoint(old.coalesce(1)) if stages.few and _word_count(base) < FEW_WORDS else old


def _word_count(base: Snapshot) -> int:
    return sum(base.rows(direction) for direction in frames.KINDS.values())


def _numbered(
    stages: Stages, words: DataFrame, base: Snapshot | None, old: DataFrame | None, *, incremental: bool
) -> tuple[DataFrame, DataFrame]:
    """Return the words that get a number now and all words with their numbers, both (kind, name, id).

    ``old`` are all words of ``base``. An ``incremental`` compaction, which needs only some of them, does not move them.
    """
    spark, firsts = stages.spark, stages.checkpoint(frames.firsts_of(stages.spark, words))
    if base is None or old is None:
        fresh = stages.checkpoint(frames.numbered(spark, firsts, {}, few=stages.few))
        return fresh, fresh
    hint = "/*+ BROADCAST(f) */" if incremental and _word_count(base) >= FEW_WORDS else ""
    known = stages.checkpoint(
        spark.sql(
            f"SELECT {hint} o.kind, o.name, o.id"
            " FROM {old} o JOIN {firsts} f ON o.kind = f.kind AND o.name = f.name",
            old=old,
            firsts=firsts,
        )
    )
    missing = spark.sql("SELECT f.* FROM {firsts} f ANTI JOIN {known} k ON f.kind = k.kind AND f.name = k.name",
                        firsts=firsts, known=known)  # fmt: skip
    after = {kind: base.rows(direction) for kind, direction in frames.KINDS.items()}
    fresh = stages.checkpoint(frames.numbered(spark, missing, after, few=stages.few))
    return fresh, known.unionByName(fresh)


def known_words(spark: SparkSession, base: Snapshot) -> DataFrame:
    """Return (kind, name, id) of all words that a snapshot numbers."""
    parts = []
    for kind, direction in frames.KINDS.items():
        name = "concat_ws('/', type, subtype, expression)" if direction == "labels" else "name"
        schema = ", ".join(f"{column} {_TYPES[of]}" for column, of in COLUMNS[direction].items())
        files = [str(path) for path in base.files(direction)]
        if files:
            rows = spark.read.schema(schema).parquet(*files)
            parts.append(rows.selectExpr(f"'{kind}' AS kind", f"{name} AS name", "id"))
    words = spark.sql("SELECT '' AS kind, '' AS name, 0 AS id WHERE false")
    for part in parts:
        words = words.unionByName(part)
    return words


def _names(stages: Stages, fresh: DataFrame) -> list[Staged]:
    """Write nodes, tasks and labels with one job: with few names, a job costs more than its writes."""
    kinds = " ".join(f"WHEN '{kind}' THEN '{direction}'" for kind, direction in frames.KINDS.items())
    names = fresh.selectExpr(
        f"CASE kind {kinds} END AS direction",
        "id",
        "CASE WHEN kind <> 'l' THEN name END AS name",
        "CASE WHEN kind = 'l' THEN split(name, '/', 3) END AS label",
    ).selectExpr("direction", "id", "name", "label[0] AS type", "label[1] AS subtype", "label[2] AS expression")
    with stages.stage("write names") as figures:
        files = max(1, -(-stages.finished[0]["rows_out"] // ROWS_A_FILE))
        ranged = stages.in_one(names) if files == 1 else names.repartitionByRange(files, "direction", "id")
        writer = ranged.sortWithinPartitions("direction", "id").write.partitionBy("direction")
        writer.option("compression", "zstd").parquet(str(stages.folder / "names"))
        staged = []
        for direction in frames.KINDS.values():
            parts = sorted((stages.folder / "names" / f"direction={direction}").glob("part-*.parquet"))
            staged += [Staged(direction, path, _rows(path)) for path in parts]
        _sizes(figures, staged)
    return staged


def _sizes(figures: dict[str, Any], staged: Sequence[Staged]) -> None:
    """Record how much was written, and how unevenly."""
    rows = [file.rows for file in staged]
    figures |= {"rows_out": sum(rows), "bytes": sum(file.path.stat().st_size for file in staged), "files": len(staged)}
    figures["skew"] = round(max(rows) / max(median(rows), 1), 2) if rows else 1.0

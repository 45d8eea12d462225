"""Log rows → disjoint rectangles with integer ids, as Spark SQL: no Python touches a row.

A minus removes a whole rectangle that an earlier plus of the same edge added. So among the signed changes with the same
(edge, valid_from, valid_to), in order of version, each plus is a rectangle that is believed up to the next change with
that key: one window function, ``lead(version)``. A minus without a plus before it in the given rows closes a rectangle
of an earlier compaction; it becomes a *closing row*, whose ``opened`` is null.

Names become integers before the window sorts them. The shuffle is by task: one task names a few dozen words, so the
joined dictionary is one of (task, word), in the same partition as the task's changes, and the changes are not moved
again until they are sorted by node.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: Settings so that joins stay within the partitions of the shuffle by task, and move no data.
SETTINGS: Final = {
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    "spark.sql.requireAllClusterKeysForDistribution": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",  # each compaction sets its own
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.broadcastTimeout": "3600",
    # a checkpoint keeps constraints on columns that it no longer has, on which a union of two fails (Spark 4.2.0)
    "spark.sql.constraintPropagation.enabled": "false",
    # instants long ago are not converted between calendars
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
}
#: Further settings for few rows, where compiling a plan takes longer than running it.
FEW: Final = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "10000",  # no separate job lists many small files
    "spark.sql.ui.explainMode": "simple",  # the shortest form of the text that Spark makes for each plan
}
#: The kinds of words: nodes, tasks, and labels (type/subtype/expression; the first two hold no slash).
KINDS: Final = {"n": "nodes", "t": "tasks", "l": "labels"}
#: Words are numbered in the order in which versions first name them; one sort handles the words of this many versions.
_BUCKET: Final = 10_000
_LABEL: Final = "concat_ws('/', c.type, c.subtype, c.expression)"

_CHANGES: Final = """
    SELECT version, task_id, inline(changes) AS (sign, source, target, type, subtype, expression, valid_from, valid_to)
    FROM {rows}"""
#: A word begins with its kind, one letter: Spark finds equal strings by hash, but it compares structs pair by pair,
#: which took minutes for a version with 44,706 changes.
_WORDS: Final = f"""
    SELECT task_id, left(word, 1) AS kind, substring(word, 2) AS name, min(version) AS first FROM (
      SELECT task_id, version, explode(array_distinct(concat(
        array(concat('t', task_id)),
        transform(changes, c -> concat('n', c.source)),
        transform(changes, c -> concat('n', c.target)),
        transform(changes, c -> concat('l', {_LABEL}))))) AS word
      FROM {{rows}})
    GROUP BY task_id, word"""
_RANKED: Final = f"""
    SELECT kind, name, first div {_BUCKET} AS bucket,
      row_number() OVER (PARTITION BY kind, first div {_BUCKET} ORDER BY first, name) - 1 AS place
    FROM {{firsts}}"""
#: ``nullif`` never applies: it makes the column nullable in the files, as ``_NUMBERED`` does.
_FEW_NUMBERED: Final = """
    SELECT kind, name, cast(nullif(row_number() OVER (PARTITION BY kind ORDER BY first, name), 0) - 1
      + CASE kind WHEN 'n' THEN {n} WHEN 't' THEN {t} ELSE {l} END AS int) AS id
    FROM {firsts}"""
_STARTS: Final = f"""
    SELECT kind, bucket, sum(words) OVER (PARTITION BY kind ORDER BY bucket) - words AS start
    FROM (SELECT kind, first div {_BUCKET} AS bucket, count(*) AS words FROM {{firsts}} GROUP BY ALL)"""
_NUMBERED: Final = """
    SELECT /*+ BROADCAST(s) */ r.kind, r.name,
      cast(s.start + r.place + CASE r.kind WHEN 'n' THEN {n} WHEN 't' THEN {t} ELSE {l} END AS int) AS id
    FROM {ranked} r JOIN {starts} s ON r.kind = s.kind AND r.bucket = s.bucket"""
_ENCODED: Final = f"""
    SELECT /*+ SHUFFLE_HASH(s), SHUFFLE_HASH(t), SHUFFLE_HASH(l), SHUFFLE_HASH(k) */ c.version, c.sign,
      s.id AS source, t.id AS target, k.id AS task, l.id AS label, c.valid_from, c.valid_to
    FROM {{changes}} c
    JOIN {{ids}} s ON s.task_id = c.task_id AND s.kind = 'n' AND s.name = c.source
    JOIN {{ids}} t ON t.task_id = c.task_id AND t.kind = 'n' AND t.name = c.target
    JOIN {{ids}} l ON l.task_id = c.task_id AND l.kind = 'l' AND l.name = {_LABEL}
    JOIN {{ids}} k ON k.task_id = c.task_id AND k.kind = 't' AND k.name = c.task_id"""
_BELIEVED: Final = """
    CASE WHEN sign > 0 THEN version END AS opened, CASE WHEN sign > 0 THEN next ELSE version END AS closed"""
_RECTANGLES: Final = f"""
    SELECT source, target, task, label, valid_from, valid_to, {_BELIEVED} FROM (
      SELECT *, lead(version) OVER same AS next, lag(version) OVER same AS before FROM {{encoded}}
      WINDOW same AS (PARTITION BY task, source, target, label, valid_from, valid_to ORDER BY version))
    WHERE sign > 0 OR before IS NULL"""
_FACTS: Final = f"""
    SELECT kind, subject, node, key, value, valid_from, valid_to, {_BELIEVED} FROM (
      SELECT *, lead(version) OVER same AS next, lag(version) OVER same AS before FROM (
        SELECT version, kind, coalesce(task_id, subject) AS subject, inline(fact_changes)
          AS (sign, node, key, value, valid_from, valid_to)
        FROM {{rows}})
      WINDOW same AS (PARTITION BY kind, subject, node, key, value, valid_from, valid_to ORDER BY version))
    WHERE sign > 0 OR before IS NULL"""


def changing(rows: DataFrame) -> DataFrame:
    """Return the rows that change an edge, with their changes."""
    return rows.where("size(changes) > 0").select("version", "task_id", "changes")


def words_of(spark: SparkSession, rows: DataFrame) -> DataFrame:
    """Return (task_id, kind, name, first) of every word that these rows name; ``first`` is its first version."""
    return spark.sql(_WORDS, rows=rows)


def firsts_of(spark: SparkSession, words: DataFrame) -> DataFrame:
    """Return (kind, name, first) with each word once."""
    return spark.sql("SELECT kind, name, min(first) AS first FROM {words} GROUP BY kind, name", words=words)


def numbered(spark: SparkSession, firsts: DataFrame, after: Mapping[str, int], *, few: bool) -> DataFrame:
    """Return (kind, name, id): dense numbers from ``after[kind]`` on, in order of (first version, name).

    So a word's number is a function of the log alone, however often and whenever the log is compacted.
    With ``few`` one sort numbers all words; otherwise they are numbered bucket by bucket.
    """
    n, t, lab = (str(int(after.get(kind, 0))) for kind in ("n", "t", "l"))
    query = (_FEW_NUMBERED if few else _NUMBERED).replace("{n}", n).replace("{t}", t).replace("{l}", lab)
    if few:
        return spark.sql(query, firsts=firsts)
    return spark.sql(query, ranked=spark.sql(_RANKED, firsts=firsts), starts=spark.sql(_STARTS, firsts=firsts))


def rectangles_of(spark: SparkSession, rows: DataFrame, ids: DataFrame) -> DataFrame:
    """Return the rectangles and closing rows of ``rows``; ``ids`` are (task_id, kind, name, id). Both are by task."""
    encoded = spark.sql(_ENCODED, changes=spark.sql(_CHANGES, rows=rows), ids=ids)
    return spark.sql(_RECTANGLES, encoded=encoded)


def facts_of(spark: SparkSession, rows: DataFrame) -> DataFrame:
    """Return the rectangles and closing rows of facts."""
    return spark.sql(_FACTS, rows=rows.where("size(fact_changes) > 0"))

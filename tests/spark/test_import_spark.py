"""Bulk import: the store that an ingest would have made, whatever way the messages came."""

from __future__ import annotations

import gc
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import crashes
import hostile_functions
import pytest
from imported import SAMPLE, checksum, is_sound, rows, sample_lines, task, write

from ingest.messages.mapping import load_mapping
from ingest.pipeline import Ingester
from ingest.spark import executor
from ingest.spark.executor import ParseSettings
from ingest.spark.importing import Importer, ImportReport
from ingest.spark.pool import LEAST_SQL
from ingest.spark.reading import LEAST_BYTES
from ingest.spark.sources import sources_of
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError, UnavailableError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOSTILE = "hostile_functions:obey"


def import_(store: Path, spark: SparkSession, *words: object, **options: Any) -> ImportReport:
    """Import sources with their system times, all work done in tasks of Spark."""
    order = options.pop("order_by", ())
    reading = options.pop("options", {})
    settings: dict[str, Any] = {"system_times": "recorded_at", "least_sql": 0, "least_bytes": 0} | options
    with Importer(Store.create(store), spark, **settings) as importer:
        return importer.run(sources_of([str(word) for word in words], order, reading))


def ingest(store: Path, *files: object, mapping: str | None = None, batch: int = 4096) -> None:
    """Ingest files with their system times, in this process."""
    fields = load_mapping(mapping) if mapping else None
    with Ingester(Store.create(store), mapping=fields, workers=1, batch=batch, system_times="recorded_at") as ingester:
        for file in files:
            ingester.ingest_file(str(file))


@pytest.mark.parametrize("few", [{}, {"least_sql": LEAST_SQL, "least_bytes": LEAST_BYTES}], ids=["spark", "here"])
def test_the_sample_becomes_the_same_store(tmp_path: Path, spark: SparkSession, few: dict[str, int]) -> None:
    """Late messages, plans, retracts, stars and junk: row for row, and checksum for checksum; few are read here."""
    ingest(tmp_path / "ingested", SAMPLE)

    report = import_(tmp_path / "imported", spark, SAMPLE, **few)

    assert (report.summaries[0].received, report.summaries[0].rejected) == (169, 3)
    assert report.surprises == 0
    assert rows(tmp_path / "imported") == rows(tmp_path / "ingested")
    assert checksum(tmp_path / "imported") == checksum(tmp_path / "ingested")
    assert is_sound(tmp_path / "imported")


def test_a_part_of_the_real_stream_becomes_the_same_store(
    tmp_path: Path, spark: SparkSession, shared_dir: Path
) -> None:
    """Tasks and the schemas of datasets, with stars over both: as ingested message by message."""
    stream = shared_dir / "data" / "bqetl_stream"
    merged = sorted(
        (json.loads(line) | {"line": line}
         for name in ("sample-200-schemas.jsonl", "sample-200.jsonl")
         for line in (stream / name).read_text(encoding="utf-8").splitlines()),
        key=lambda each: (each["recorded_at"], each["commit_no"], "sql" in each),
    )  # fmt: skip
    file = tmp_path / "merged.jsonl"
    file.write_text("".join(each["line"] + "\n" for each in merged), encoding="utf-8")
    ingest(tmp_path / "ingested", file, mapping="bqetl_stream")

    report = import_(tmp_path / "imported", spark, file, mapping=load_mapping("bqetl_stream"))

    assert rows(tmp_path / "imported") == rows(tmp_path / "ingested")
    assert report.surprises <= report.parsed / 20, "the columns of the turns are foreseen"


def test_types_that_one_task_declares_are_known_to_another(tmp_path: Path, spark: SparkSession) -> None:
    """A star over a struct stands for the fields that some other task's DDL gave it by then, later ones too."""

    def said(event: str, task: str, day: int, sql: str) -> bytes:
        at = f"2026-01-{day:02d}T00:00:00Z"
        change = {"event_id": event, "task_id": task, "op": "update" if day > 9 else "online", "effective_at": at}
        text = {"sql": sql, "dialect": "spark", "namespace": "h", "default_database": "d"}
        return json.dumps(change | text | {"recorded_at": at}).encode()

    file = tmp_path / "messages.jsonl"
    file.write_bytes(
        b"\n".join(
            [
                said("1", "make", 1, "CREATE TABLE t (a INT, s STRUCT<x: INT, y: STRING>)"),
                said("2", "read", 2, "CREATE TABLE w AS SELECT t.s.* FROM t"),
                said("3", "again", 3, "CREATE TABLE v AS SELECT w.x, t.s.* FROM t JOIN w ON t.a = w.x"),
                said("4", "make", 10, "CREATE TABLE t (a INT, s STRUCT<x: INT, y: STRING, z: INT>)"),
            ]
        )
    )
    ingest(tmp_path / "ingested", file)

    import_(tmp_path / "imported", spark, file)

    assert rows(tmp_path / "imported") == rows(tmp_path / "ingested")
    targets = {edge.target for edge in Store.open(tmp_path / "imported").as_of().edges()}
    assert {"h:d.w#z", "h:d.v#z"} <= targets


@pytest.mark.parametrize("batch", [1, 7, 10_000])
def test_edges_junk_and_retracts_in_any_batches(tmp_path: Path, spark: SparkSession, batch: int) -> None:
    """A random history in several files of a folder, plain and compressed, cut into commits of any size."""
    lines = crashes.history(240, seed=batch)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(b"\n".join(lines[:100]) + b"\n")
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines[100:180]) + b"\n"))
    (folder / "c.json").write_bytes(b"\n".join(lines[180:]))
    (folder / "_SUCCESS").touch()
    ingest(tmp_path / "ingested", folder / "a.jsonl", folder / "b.jsonl.gz", folder / "c.json")

    report = import_(tmp_path / "imported", spark, folder, batch=batch)

    assert [Path(summary.source).name for summary in report.summaries] == ["a.jsonl", "b.jsonl.gz", "c.json"]
    # all but the times: where a refused message is between, the size of batches moves some by a microsecond
    assert crashes.rows(tmp_path / "imported") == crashes.rows(tmp_path / "ingested")
    assert batch == 10_000 or report.commits > 3


def test_run_again_nothing_comes_twice(tmp_path: Path, spark: SparkSession) -> None:
    """A file that is in the log is not parsed again; one that has grown adds what is new."""
    lines = sample_lines()
    file = tmp_path / "growing.jsonl"
    file.write_bytes(b"".join(lines[:120]))
    import_(tmp_path / "imported", spark, file)
    again = import_(tmp_path / "imported", spark, file)
    file.write_bytes(b"".join(lines))
    more = import_(tmp_path / "imported", spark, file)
    ingest(tmp_path / "ingested", file)

    assert (again.parsed, again.commits, again.summaries[0].duplicates) == (0, 0, 120)
    assert (more.summaries[0].received, more.summaries[0].duplicates) == (169, 120)
    assert rows(tmp_path / "imported") == rows(tmp_path / "ingested")


def test_a_python_worker_does_not_visit_its_modules_after_each_task(spark: SparkSession) -> None:
    """PySpark collects garbage after a task: of what a worker has loaded, next to nothing is left to visit."""

    def objects(_: Iterable[int]) -> list[tuple[int, int]]:
        list(executor.validate_rows([], 0, None))
        return [(gc.get_freeze_count(), len(gc.get_objects()))]

    ((exempt, visited),) = spark.sparkContext.parallelize([0], 1).mapPartitions(objects).collect()

    assert exempt > 10_000
    assert visited < exempt / 10


def test_a_dump_that_repeats_what_is_known_is_not_parsed(tmp_path: Path, spark: SparkSession) -> None:
    """The same messages in a file of another name add nothing, and none of their texts is parsed again."""
    written = [task(n) for n in range(30)]
    import_(tmp_path / "imported", spark, write(tmp_path / "monday.jsonl", *written))

    report = import_(tmp_path / "imported", spark, write(tmp_path / "tuesday.jsonl", *written, task(30)))

    assert (report.summaries[0].duplicates, report.summaries[0].accepted, report.parsed) == (30, 1, 1)


def test_parquet_files_and_tables(tmp_path: Path, spark: SparkSession) -> None:
    """Rows of Parquet come in the order of their files; those of a table in the order asked for."""
    written = [
        task(n, sql=None, dialect=None, namespace=None, edges=[{"source": "a:s", "target": f"a:t{n}"}])
        for n in range(40)
    ]
    ingest(tmp_path / "ingested", write(tmp_path / "m.jsonl", *written))
    frame = spark.createDataFrame(
        [(m["event_id"], m["task_id"], m["op"], m["effective_at"], m["recorded_at"], m["edges"]) for m in written],
        "event_id string, task_id string, op string, effective_at string, recorded_at string, "
        "edges array<struct<source: string, target: string>>",
    )
    frame.coalesce(1).write.parquet(str(tmp_path / "parquet"))
    frame.orderBy(frame.task_id.desc()).coalesce(1).write.parquet(str(tmp_path / "shuffled"))
    plain = ("source", "checksum")

    import_(tmp_path / "rows", spark, tmp_path / "parquet")
    import_(tmp_path / "sorted", spark, tmp_path / "shuffled", order_by=("recorded_at",))

    assert rows(tmp_path / "rows", *plain) == rows(tmp_path / "ingested", *plain)
    assert rows(tmp_path / "sorted", *plain) == rows(tmp_path / "ingested", *plain)
    with pytest.raises(InvalidRequestError, match="no column when"):
        import_(tmp_path / "sorted", spark, tmp_path / "shuffled", order_by=("when",))


def test_a_database_through_jdbc(tmp_path: Path, spark: SparkSession) -> None:
    """A table of a real database, twice: the second time its place is known, and only new rows are appended."""
    url = f"jdbc:derby:{tmp_path / 'db'};create=true"
    driver = {"driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver", "dbtable": "MESSAGES"}
    columns = ("event_id", "task_id", "op", "effective_at", "recorded_at", "sql", "dialect", "namespace")

    def put(first: int, last: int) -> None:
        made = [tuple(task(n)[name] for name in columns) for n in range(first, last)]
        frame = spark.createDataFrame(made, ", ".join(f"{name} string" for name in columns))
        frame.write.format("jdbc").options(url=url, **driver).mode("append").save()

    put(0, 12)
    first = import_(tmp_path / "imported", spark, url, options=driver)
    put(12, 20)
    second = import_(tmp_path / "imported", spark, url, options=driver)

    assert first.summaries[0].source == f"jdbc:derby:{tmp_path / 'db'}#MESSAGES"
    assert (first.summaries[0].accepted, second.summaries[0].accepted, second.summaries[0].duplicates) == (12, 8, 12)
    assert [
        row[0] for row in Store.open(tmp_path / "imported").sql("SELECT event_id FROM log ORDER BY version")[1]
    ] == [f"e{n}" for n in range(20)]
    assert is_sound(tmp_path / "imported")


def test_a_statement_that_kills_its_worker_costs_itself(tmp_path: Path, spark: SparkSession) -> None:
    """Texts that crash, hang and eat memory are opaque, each for its reason; the others are parsed."""
    spark.sparkContext.addPyFile(hostile_functions.__file__)
    texts = ["fine", "segfault", "spin", "eat", "raise", "exit 3", *(f"fine {n}" for n in range(20))]
    file = write(tmp_path / "m.jsonl", *(task(n, sql=text) for n, text in enumerate(texts)))
    settings = ParseSettings(HOSTILE, time_limit=2.0, memory_limit=1 << 30)

    report = import_(tmp_path / "imported", spark, file, settings=settings)

    found = dict(Store.open(tmp_path / "imported").sql("SELECT sql, problems[1].code FROM log")[1])
    assert {text: found[text] for text in texts[:6]} == {
        "fine": None, "segfault": "worker-died", "spin": "timeout", "eat": "crash", "raise": "crash",
        "exit 3": "worker-died",
    }  # fmt: skip
    assert all(found[text] is None for text in texts[6:])
    assert report.summaries[0].accepted == len(texts)


def test_what_cannot_be_read_is_said(tmp_path: Path, spark: SparkSession) -> None:
    """A file that breaks off is an error with its name and a hint; what was not committed comes with the next run."""
    file = tmp_path / "cut.jsonl.gz"
    file.write_bytes(gzip.compress(b"".join(sample_lines()))[:-4000])

    with pytest.raises(UnavailableError, match=r"cut\.jsonl\.gz breaks off after line"):
        import_(tmp_path / "imported", spark, file)

    assert Store.open(tmp_path / "imported").version == 0
    file.write_bytes(gzip.compress(b"".join(sample_lines())))
    import_(tmp_path / "imported", spark, file)
    ingest(tmp_path / "ingested", file)
    assert checksum(tmp_path / "imported") == checksum(tmp_path / "ingested")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["nowhere"], "there is no file or folder nowhere"),
        (["jdbc:derby:db"], "which table of jdbc:derby:db"),
    ],
)
def test_sources_that_are_not_there(words: list[str], problem: str) -> None:
    """A source that cannot be meant is refused before Spark is started."""
    with pytest.raises(InvalidRequestError, match=problem):
        sources_of(words)

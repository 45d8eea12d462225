"""What a release does to tables themselves: it drops, renames, empties or alters them, whoever fills them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import impact
from releases import TASKS, assessed, candidate, platform, sql_change

from ingest.messages.native import parse_message
from ingest.resolve.resolver import SqlResolver
from lineage_tt.impact.release.candidates import Candidate

#: ods.events is loaded by an INSERT alone, ods.made is created by the task that fills it; both are read.
LOADED = "hive:ods.events"
MADE = "hive:ods.made"
TEXTS = {
    "load": "INSERT INTO ods.events SELECT id, kind FROM src.events",
    "make": "CREATE TABLE IF NOT EXISTS ods.made (id INT); INSERT OVERWRITE TABLE ods.made SELECT id FROM src.made",
    "read": "INSERT OVERWRITE TABLE dw.read SELECT e.id, m.id AS other FROM ods.events e JOIN ods.made m USING (id)",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of three more tasks, and a dataset message that declares what the first fills."""
    folder = tmp_path_factory.mktemp("defined")
    store = platform(folder / "store", *(sql_change(task, text) for task, text in TEXTS.items()))
    columns = [{"name": "id", "type": "INT"}, {"name": "kind", "type": "STRING"}]
    declared = {"kind": "dataset", "dataset": LOADED, "op": "define", "columns": columns}
    rest = {"event_id": "d1", "effective_at": "2024-01-02T00:00:00Z"}
    with SqlResolver(1) as resolver:
        store.append([parse_message(json.dumps(declared | rest).encode())], resolver=resolver)
    return folder


@pytest.mark.parametrize(
    ("text", "class_", "found"),
    [
        ("DROP TABLE ods.events", "breaking", {("gone-dataset", "read"), ("gone-dataset", "load")}),
        ("DROP VIEW IF EXISTS ods.events", "breaking", {("gone-dataset", "read"), ("gone-dataset", "load")}),
        ("ALTER TABLE ods.events RENAME TO ods.old", "breaking", {("gone-dataset", "read"), ("gone-dataset", "load")}),
        ("DROP DATABASE ods CASCADE", "breaking", {("gone-dataset", "read"), ("gone-dataset", "load")}),
        ("DROP TABLE ods.made", "potentially_breaking", {("gone-dataset", "read")}),
        ("TRUNCATE TABLE ods.events", "potentially_breaking", {("emptied-dataset", "read")}),
        ("DELETE FROM ods.events WHERE 1 = 1", "potentially_breaking", {("emptied-dataset", "read")}),
        ("ALTER TABLE ods.events DROP PARTITION (kind = 'x')", "potentially_breaking", {("emptied-dataset", "read")}),
        ("UPDATE ods.events SET kind = 'none'", "potentially_breaking", {("two-writers", "load")}),
        ("INSERT INTO ods.events VALUES (1, 'none')", "potentially_breaking", {("two-writers", "load")}),
        ("ALTER TABLE ods.events SET LOCATION '/lake/b'", "potentially_breaking", {("two-writers", "load")}),
        ("INSERT INTO ods.fresh VALUES (1, 'none')", "additive", set()),
        ("DROP TABLE ods.event", "unknown", {("unknown-effect", None)}),
        ("DROP DATABASE od", "unknown", {("unknown-effect", None)}),
        ("TRUNCATE TABLE ods.event", "unknown", {("unknown-effect", None)}),
        ("ALTER TABLE ods.event DROP COLUMN kind", "unknown", {("unknown-effect", None)}),
        ("ALTER TABLE ods.events DROP COLUMN kinds", "unknown", {("unknown-effect", None)}),
        ("ALTER TABLE ods.events RENAME COLUMN kinds TO sort", "unknown", {("unknown-effect", None)}),
        ("ALTER TABLE ods.events DROP COLUMN IF EXISTS kinds", "additive", set()),
    ],
)
def test_what_happens_to_a_table_is_judged(
    work: Path, text: str, class_: str, found: set[tuple[str, str | None]]
) -> None:
    """A table that others fill and read is not safe to drop, rename or empty, and an unknown name is nothing safe."""
    (work / "migration.sql").write_text(text)

    done = impact(work, "migration.sql", "--format", "json")

    assert {each for _, each in done.tasks.values()} == {class_}, done.result["findings"]
    mine = {(f["kind"], f["reader"]) for f in done.result["findings"] if f["reader"] in (None, *TEXTS)}
    assert mine == found, done.result["findings"]


def test_a_script_that_makes_what_it_drops_is_no_alarm(work: Path) -> None:
    """A table that a text drops and makes again, and one that it makes and drops, are not gone for anybody."""
    text = (
        "DROP TABLE IF EXISTS ods.made; CREATE TABLE ods.made AS SELECT id FROM ods.orders;"
        " CREATE TABLE tmp.part AS SELECT id FROM ods.made; INSERT INTO dw.fresh SELECT id FROM tmp.part;"
        " DROP TABLE tmp.part"
    )
    (work / "script.sql").write_text(text)

    done = impact(work, "script.sql", "--format", "json")

    assert {f["kind"] for f in done.result["findings"]} <= {"two-writers"}, done.result["findings"]


def test_a_dataset_message_that_drops_a_filled_table_is_breaking(work: Path) -> None:
    """The source system says that its table is gone: who reads it and who fills it are named."""
    message = {"kind": "dataset", "dataset": LOADED, "op": "drop"}

    done = impact(work, "-", "--format", "json", stdin=json.dumps(message))

    assert done.result["verdict"] == "breaking"
    assert {(f["kind"], f["reader"]) for f in done.result["findings"]} >= {
        ("gone-dataset", "read"),
        ("gone-dataset", "load"),
    }


WRITERS = {
    "listed": "INSERT INTO t (id, v) SELECT id, amount FROM ods.orders",
    "by_position": "INSERT INTO t SELECT id, amount FROM ods.orders",
    "updates": "UPDATE t SET v = 1 WHERE id = 3",
    "merges": "MERGE INTO t USING sales s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.v = s.amount",
}


@pytest.mark.parametrize(
    ("release", "failing"),
    [
        (candidate("ddl_t", "CREATE TABLE t (id INT)"), {*WRITERS}),
        (candidate("alter", "ALTER TABLE t DROP COLUMN v"), {*WRITERS}),
        (candidate("alter", "ALTER TABLE t RENAME COLUMN v TO w"), {"listed", "updates", "merges"}),
        (candidate("alter", "ALTER TABLE t ADD COLUMN z INT"), {"by_position"}),
        (candidate("alter", "ALTER TABLE t ALTER COLUMN v TYPE BIGINT"), set()),
    ],
)
def test_tasks_that_write_a_table_fail_where_its_columns_no_longer_fit(
    tmp_path: Path, release: Candidate, failing: set[str]
) -> None:
    """They name a column that is gone, or fill another number of columns; nobody edits them."""
    table = sql_change("ddl_t", "CREATE TABLE t (id INT, v INT)")
    store = platform(tmp_path / "store", table, *(sql_change(task, text) for task, text in WRITERS.items()))

    report = assessed(store, release)

    fails = {f.reader for f in report.findings if f.class_ == "breaking" and f.reason.startswith(f"{f.reader} fails")}
    assert fails == failing
    assert report.tasks[0].class_ == ("breaking" if failing else report.tasks[0].class_)
    assert not [f for f in report.findings if "star" in f.reason], "none of them has a star"


def test_a_star_that_brings_a_name_twice_is_a_break(tmp_path: Path) -> None:
    """A reader of two tables lists a column of one beside a star over the other, which gets a column of that name."""
    joined = "CREATE TABLE joined AS SELECT s.*, t.total FROM sales s JOIN totals t ON s.status = t.status"
    store = platform(tmp_path / "store", sql_change("joined", joined))

    report = assessed(store, candidate("sales", TASKS["sales"].replace("status FROM", "status, id AS total FROM")))

    fails = [(f.reader, f.class_) for f in report.findings if "would have several columns total" in f.reason]
    assert fails == [("joined", "breaking")]

"""A store in a bucket answers as one on a local disk, through the command line and through Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from gateway import running
from objectstores import BUILD_TIMEOUT

from lineage_tt import Store, TaskChange
from lineage_tt.log.log import CHECKPOINT_EVERY
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.model.messages import SourcePosition
from lineage_tt.storage.location import place
from lineage_tt.testing import ManualClock, task_change
from scripts.object_store_lib.server import ObjectStore

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]
COMMAND = str(Path(sys.executable).with_name("lineage-tt"))
SAMPLE = Path(__file__).resolve().parents[2] / "lineage_tt" / "sample" / "retail.jsonl"
NOON = "2024-05-01T12:00:00Z"
AT = ("--valid-at", "2026-06-01T00:00:00Z")
QUESTIONS = [
    ("log",),
    ("tasks", *AT),
    ("lineage", "hive:dwd.orders", *AT),
    ("history", "hive:dwd.orders"),
    ("dead-letters", "list"),
    ("sql", "SELECT version, checksum FROM log ORDER BY version"),
]


def message(number: int) -> TaskChange:
    """A message of its own."""
    return task_change(f"t{number}", "online", NOON, [(f"n:a#c{number}", "n:b#x")])


def run(*args: str, status: int = 0, environment: dict[str, str] | None = None) -> str:
    """Run the command; return what it printed."""
    done = subprocess.run(
        [COMMAND, *args], capture_output=True, text=True, timeout=120, env=os.environ | (environment or {})
    )
    assert done.returncode == status, done.stderr
    return done.stdout if not status else done.stderr


def test_the_sample_gives_the_same_answers_in_a_bucket(bucket: str, tmp_path: Path) -> None:
    """What is ingested into a bucket, sent again, and asked there is byte for byte what a local store says."""
    there, here = f"s3://{bucket}/a/store", str(tmp_path / "lineage")
    for store in (there, here):
        run("ingest", str(SAMPLE), "--system-time-from", "recorded_at", "--store", store)
    again = run("ingest", str(SAMPLE), "--system-time-from", "recorded_at", "--store", there)

    assert "0 accepted" in again
    for question in QUESTIONS:
        assert run(*question, "--format", "json", "--store", there) == run(
            *question, "--format", "json", "--store", here
        ), question
    assert run("changes", "--after", "0", "--store", there) == run("changes", "--after", "0", "--store", here)
    assert f"'{there}/log/00000000000000000001-" in run("sql", "--print-setup", "--store", there)
    assert run("check", "--store", there) == "clean\n"


def test_options_on_the_command_line_and_in_one_variable(bucket: str, object_store: ObjectStore) -> None:
    """The object store is found by --storage-option before or after the command, and by $LINEAGE_TT_STORAGE_OPTIONS."""
    given = dict.fromkeys(object_store.environment(), "")
    options = [
        f"{name}={value}"
        for name, value in object_store.environment().items()
        if name not in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
    ]
    secrets = {name: os.environ[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    flags = [part for option in options for part in ("--storage-option", option)]
    uri = f"s3://{bucket}/store"
    Store.create(uri)

    for args in ([*flags, "log", "--store", uri], ["log", "--store", uri, *flags]):
        run(*args, environment=given | secrets)
    variable = ",".join(f"{name}={value}" for name, value in object_store.environment().items())
    run("log", "--store", uri, environment=given | {"LINEAGE_TT_STORAGE_OPTIONS": variable})
    in_the_clear = given | secrets | {"AWS_ENDPOINT_URL": f"http://{object_store.address}"}
    assert "not encrypted" in run("log", "--store", uri, status=2, environment=in_the_clear)


def test_python_opens_a_bucket(bucket: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store.create and Store.open take s3:// and options of their own; what one appends the other continues from."""
    options = object_store.environment()
    for name in options:
        monkeypatch.delenv(name)
    uri = f"s3://{bucket}"  # the bucket itself
    store = Store.create(uri, clock=ManualClock(), storage_options=options)
    reader = Store.open(uri, clock=ManualClock(), storage_options=options)

    for number in range(CHECKPOINT_EVERY + 3):
        store.append([message(number)], positions=[SourcePosition("file", number, "d")])
    last = CHECKPOINT_EVERY + 3

    assert reader.version == 0
    assert reader.refresh() == last
    assert len(reader.as_of(NOON).edges()) == last
    assert reader.append([message(99)])[0].version == last + 1
    assert store.append([message(99)])[0].version == last + 1  # the same message counts once
    again = Store.open(uri, storage_options=options)
    assert [entry.version for entry in again.log()] == list(range(1, last + 2))
    assert check(place(uri, options)) == []


def test_a_reader_that_asks_for_news_asks_once(
    bucket: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refresh without news is one listing from the last commit on, however long the log is; data is fetched once."""
    with running(object_store) as gateway:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gateway.address}")
        uri = f"s3://{bucket}/store"
        writer = Store.create(uri)
        for number in range(5):
            writer.append([message(number)])
        reader = Store.open(uri)
        gateway.requests.clear()
        for _ in range(3):
            assert reader.refresh() == 5
        assert [(r.method, "start-after" in r.query) for r in gateway.requests] == [("GET", True)] * 3

        gateway.requests.clear()
        assert len(reader.as_of(NOON).edges()) == 5
        assert [r for r in gateway.requests if r.path.endswith(".parquet")] == []  # the writer had them in the cache
        writer.append([message(5)])
        gateway.requests.clear()
        assert reader.refresh() == 6
        assert len(gateway.requests) <= 8
        print([(r.method, r.path.rpartition("/")[2], r.query[:40]) for r in gateway.requests])


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("s3://", "not the name of a bucket"),
        ("s3://Bad_Bucket/x", "not the name of a bucket"),
        ("s3://bucket/../other", "not a prefix"),
        ("gs://bucket/x", "local disk"),
        ("https://host/x", "local disk"),
    ],
)
def test_what_is_no_place_is_refused(uri: str, words: str) -> None:
    """A URI that names no place is the caller's mistake, and says so."""
    with pytest.raises(InvalidRequestError, match=words):
        Store.open(uri)


def test_there_is_no_store_at_a_prefix(bucket: str) -> None:
    """An empty prefix is not a store, and the error says how to make one."""
    with pytest.raises(UnavailableError, match="lineage-tt ingest"):
        Store.open(f"s3://{bucket}/nothing")

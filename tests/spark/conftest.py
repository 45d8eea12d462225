"""Fixtures of the tests on Spark: a session on this machine, a standalone cluster, the Kafka tests' broker."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from brokers import broker, own_broker, topic
from compacted import append, make
from sparks import need_spark

from lineage_tt import Store
from lineage_tt.spark.session import end_machine, spark_session
from scripts.cluster_lib.standalone import Cluster

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["broker", "own_broker", "topic"]


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A session on two cores of this machine, in which a failed task is tried again."""
    need_spark()
    session = spark_session("local[2,4]")
    yield session
    with suppress(ConnectionError):  # the session of another file, with another master, may have ended this one's JVM
        session.stop()
    end_machine()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A standalone cluster: a master and two workers of one core, as processes of their own."""
    need_spark()
    with Cluster(tmp_path_factory.mktemp("cluster"), workers=2) as running:
        yield running


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    """A folder for files of messages."""
    folder = tmp_path / "messages"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def compacted(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a full snapshot, a level on it, and a tail."""
    path = tmp_path_factory.mktemp("compacted") / "store"
    store = Store.create(path)
    append(store, 120)
    assert make(path).mode == "full"
    append(store, 20)
    assert make(path).mode == "level"
    append(store, 10)
    return path


@pytest.fixture
def store(compacted: Path, tmp_path: Path) -> Store:
    """A copy of it, open."""
    shutil.copytree(compacted, tmp_path / "store")
    return Store.open(tmp_path / "store")

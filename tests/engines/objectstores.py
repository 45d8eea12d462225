"""Object stores for tests: one MinIO shared by a session, or one of a test's own that it may kill.

A conftest takes the fixtures with ``from objectstores import bucket, object_store, own_object_store``. The first test
that asks builds MinIO where it has never been built, some four minutes: modules that use them set ``BUILD_TIMEOUT``.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs import lacking

from scripts.object_store_lib.binary import NoObjectStoreError, missing
from scripts.object_store_lib.server import ObjectStore

#: Seconds for a test of which one may have to build MinIO first.
BUILD_TIMEOUT = 1500


def _need_object_store() -> None:
    """Skip where there is no Go; fail where CI=true."""
    if reason := missing():
        lacking(reason)


@pytest.fixture(scope="session")
def object_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """A MinIO shared by the session's tests; do not kill it, and use buckets of your own."""
    _need_object_store()
    try:
        running = ObjectStore(tmp_path_factory.mktemp("objects")).start()
    except NoObjectStoreError as error:
        pytest.fail(str(error))
    yield running
    running.kill()


@pytest.fixture
def own_object_store(tmp_path: Path) -> Iterator[ObjectStore]:
    """A running MinIO that belongs to one test, to be killed and started again."""
    _need_object_store()
    running = ObjectStore(tmp_path / "objects")
    yield running.start()
    running.kill()


@pytest.fixture
def bucket(object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A bucket with a name nobody else has; this process and its children are set up to use it."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    object_store.make_bucket(name)
    for variable in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(variable)
    for variable, value in object_store.environment().items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(tmp_path / "cache"))
    return name

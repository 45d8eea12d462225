"""Object stores for tests: one MinIO for all tests of a session, or one for a single test that may kill it.

A conftest imports the fixtures with ``from objectstores import bucket, object_store, own_object_store``. If MinIO has
not been built, the first test builds it, which takes about four minutes: modules that use it set ``BUILD_TIMEOUT``.
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

#: Time limit in seconds for tests that may have to build MinIO first.
BUILD_TIMEOUT = 1500


def _need_object_store() -> None:
    """Skip the test if Go is missing; fail it if CI=true."""
    if reason := missing():
        lacking(reason)


@pytest.fixture(scope="session")
def object_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """A MinIO for all tests of the session. Do not kill it, and use your own buckets."""
    _need_object_store()
    try:
        running = ObjectStore(tmp_path_factory.mktemp("objects")).start()
    except NoObjectStoreError as error:
        pytest.fail(str(error))
    yield running
    running.kill()


@pytest.fixture
def own_object_store(tmp_path: Path) -> Iterator[ObjectStore]:
    """A running MinIO for one test, which may kill and restart it."""
    _need_object_store()
    running = ObjectStore(tmp_path / "objects")
    yield running.start()
    running.kill()


@pytest.fixture
def bucket(object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A bucket with a unique name; the environment of this process and its children is set up to use it."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    object_store.make_bucket(name)
    for variable in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(variable)
    for variable, value in object_store.environment().items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(tmp_path / "cache"))
    return name

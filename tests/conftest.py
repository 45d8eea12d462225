"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_HERE = Path(__file__).resolve().parent
# The tests start hundreds of processes. Where the environment asks for no byte code on disk, as images of containers
# do, each of them compiled every module of the packages, which was more than half of a command's time.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# what helpers of the tests assert is shown in full, as in the tests themselves
for _file in _HERE.rglob("*.py"):
    if not _file.name.startswith(("test_", "conftest", "__")):
        pytest.register_assert_rewrite(_file.stem)
        if str(_file.parent) not in sys.path:
            sys.path.append(str(_file.parent))  # a test finds helpers whatever folder they lie in

import forked  # noqa: E402
import spark_classes  # noqa: E402
from needs import lacking  # noqa: E402

# Derby, a test's database and metastore, logs where it is started
os.environ[spark_classes.OPTIONS] = " ".join(
    [os.environ.get(spark_classes.OPTIONS, ""), *spark_classes.QUICK, "-Dderby.stream.error.file=/dev/null"]
).strip()

# How long an example takes depends on what else the machine does: it is no fault
settings.register_profile(
    "lineage_tt", settings(), deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lineage_tt")

pytest_plugins = ["leftovers", "limits", "spark_classes", "turns"]

forked.fork_workers()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """End what the tests' commands were forked from, before it is looked what a run leaves behind."""
    forked.end()


def find_shared() -> Path | None:
    """Return the folder of shared material beside the checkout, None in a user's clone."""
    given = os.environ.get("LINEAGE_TT_SHARED")
    path = Path(given) if given else _HERE.parents[1] / "shared"
    return path if (path / "data").is_dir() else None


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The shared material; skips in a clone that has none, fails where CI=true."""
    path = find_shared()
    if path is None:
        lacking("../shared (or $LINEAGE_TT_SHARED) is not there: this test needs the project's shared data")
    return path

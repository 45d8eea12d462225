"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_HERE = Path(__file__).resolve().parent
# The tests start hundreds of processes. If the environment disables byte code files, as container images do, each of
# them would compile every module of the packages, which takes more than half of a command's time.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# pytest shows the details of assertions in helpers, as it does in tests
for _file in _HERE.rglob("*.py"):
    if not _file.name.startswith(("test_", "conftest", "__")):
        pytest.register_assert_rewrite(_file.stem)
    if str(_file.parent) not in sys.path:
        sys.path.append(str(_file.parent))  # tests can import from any folder, and run alone

import forked  # noqa: E402
import spark_classes  # noqa: E402
from needs import lacking  # noqa: E402

# Derby, the database and metastore of some tests, would write its log to the current folder
os.environ[spark_classes.OPTIONS] = " ".join(
    [os.environ.get(spark_classes.OPTIONS, ""), *spark_classes.QUICK, "-Dderby.stream.error.file=/dev/null"]
).strip()

# The duration of an example depends on the load of the machine, so it is not an error
settings.register_profile(
    "lineage_tt", settings(), deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lineage_tt")

pytest_plugins = ["leftovers", "limits", "spark_classes", "turns"]

forked.fork_workers()


def pytest_configure(config: pytest.Config) -> None:
    """Fork the commands of all workers of a run from one process."""
    if config.getoption("dist", "no") != "no" and forked.can_fork(dict(os.environ)):
        forked.share()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """End the processes from which commands are forked, before the check for leftover processes."""
    forked.end()


def find_shared() -> Path | None:
    """Return the folder of shared data next to the checkout; None in a user's clone."""
    given = os.environ.get("LINEAGE_TT_SHARED")
    path = Path(given) if given else _HERE.parents[1] / "shared"
    return path if (path / "data").is_dir() else None


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of shared data; skips the test in a clone without it, fails it if CI=true."""
    path = find_shared()
    if path is None:
        lacking("../shared (or $LINEAGE_TT_SHARED) is not there: this test needs the project's shared data")
    return path

"""Whether Spark can run here: tests on it are skipped where it is not, and fail where CI=true."""

from __future__ import annotations

import os

import pytest

from lineage_tt.errors import UnavailableError
from lineage_tt.spark.session import require


def need_spark() -> None:
    """Skip the test where there is no Java or pyspark; fail it where CI=true."""
    try:
        require()
    except UnavailableError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI=true, but {error}")
        pytest.skip(str(error))

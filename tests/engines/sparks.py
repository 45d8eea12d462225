"""Whether Spark can run here: otherwise tests that require it are skipped, or fail if CI=true."""

from __future__ import annotations

from needs import lacking

from lineage_tt.model.errors import UnavailableError
from lineage_tt.spark.session import require


def need_spark() -> None:
    """Skip the test if Java or pyspark is missing; fail it if CI=true."""
    try:
        require()
    except UnavailableError as error:
        lacking(str(error))

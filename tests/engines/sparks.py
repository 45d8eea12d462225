"""Whether Spark can run here: tests on it are skipped where it is not, and fail where CI=true."""

from __future__ import annotations

from needs import lacking

from lineage_tt.model.errors import UnavailableError
from lineage_tt.spark.session import require


def need_spark() -> None:
    """Skip the test where there is no Java or pyspark; fail it where CI=true."""
    try:
        require()
    except UnavailableError as error:
        lacking(str(error))

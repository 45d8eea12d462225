"""Without Java or pyspark the commands on Spark say what to install, and the rest continues."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt.model.errors import UnavailableError
from lineage_tt.spark import session


def test_without_java_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is started where no java is found on the path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(session, "java", lambda: None)

    with pytest.raises(UnavailableError, match="Java") as error:
        session.spark_session()
    assert "JAVA_HOME" in error.value.hint


def test_settings_listen_on_loopback_and_fetch_nothing_unless_asked() -> None:
    """Locally the driver binds to loopback and no jar is wanted; for another machine's master it does not bind so."""
    here = session._settings("local[*]", delta=False, packages=(), app="x", hive=False)
    away = session._settings("spark://master.example:7077", delta=True, packages=("a:b:1",), app="x", hive=True)

    assert here["spark.driver.bindAddress"] == "127.0.0.1"
    assert "spark.jars.packages" not in here
    assert here["spark.ui.enabled"] == "false"
    assert "spark.driver.bindAddress" not in away
    assert "spark.sql.catalogImplementation" not in here
    assert away["spark.sql.catalogImplementation"] == "hive"
    assert away["spark.jars.packages"] == f"{session.DELTA},a:b:1"
